"""Terminal output of commands: colours and broken pipes."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

from damka.draw import Marks
from damka.draw import text as drawing

if TYPE_CHECKING:
    from damka import Board

__all__ = ["Screen"]

_SUFFICIENT: Final = frozenset({"256", "truecolor"})
"""Colour systems that can distinguish the colours of every rule set."""


class Screen(Console):
    """A rich console that draws boards.

    Without colours (a file or a pipe, `NO_COLOR`, `TERM=dumb`, sixteen colours) the characters of
    the two sides differ in shape.
    """

    def __init__(self, *, file: IO[str] | None = None, width: int | None = None) -> None:
        super().__init__(file=file, width=width, highlight=False)

    def board(
        self, board: Board, marks: Marks | None = None, *, flip: bool = False, numbers: bool = True
    ) -> None:
        """Print a position."""
        coloured = not self.no_color and self.color_system in _SUFFICIENT
        drawn = drawing.board(
            board.rules,
            board.pieces,
            marks or Marks(),
            flip=flip,
            numbers=numbers,
            colour=self.is_terminal and coloured,
            plain=self.options.ascii_only,
        )
        self.print(Text.from_ansi(drawn), soft_wrap=True)

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError, so that `help.Commands` exits with status 0; rich exits with 1."""
        self.quiet = True
        raise BrokenPipeError

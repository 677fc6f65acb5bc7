"""What the drawings of a whole game need to know of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from damka.notation import labels

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["Played", "Tree", "Turn", "end_of", "played", "start_of", "told", "turns"]


class _Move(Protocol):
    @property
    def route(self) -> tuple[int, ...]: ...
    @property
    def captures(self) -> tuple[int, ...]: ...


class _Ply(Protocol):
    @property
    def side(self) -> str: ...
    @property
    def move(self) -> _Move: ...
    @property
    def before(self) -> str: ...
    @property
    def pieces(self) -> str: ...
    @property
    def huff(self) -> int | None: ...


class _Board(Protocol):
    @property
    def pieces(self) -> str: ...


class _Result(Protocol):
    @property
    def winner(self) -> str | None: ...


class Played(Protocol):
    """A game as it is drawn; `damka.Game` and `damka.pdn.Drawn` are such games."""

    @property
    def rules(self) -> Rules:
        """The rules that it is played by."""

    @property
    def history(self) -> Sequence[_Ply]:
        """Its plies, the first one first."""

    @property
    def board(self) -> _Board:
        """The position that it has come to."""

    @property
    def result(self) -> _Result | None:
        """How it has ended, or None while it is on."""


class Tree(Protocol):
    """A game with variations, of which the main line is drawn; `damka.pdn.PdnGame` is one."""

    def drawn(self) -> Played:
        """Return its main line."""


def played(game: Played | Tree) -> Played:
    """Return what is drawn of a game. Raises TypeError for what is none."""
    if hasattr(game, "drawn"):
        return game.drawn()
    if not hasattr(game, "history"):
        raise TypeError(f"a Game or a PdnGame is drawn, not {type(game).__name__}")
    return game


class Turn(NamedTuple):
    """A ply with its number and its text, as the game's record shows them."""

    number: int
    second: bool
    """Whether it is the second ply of this number."""
    text: str
    ply: _Ply

    @property
    def numbered(self) -> str:
        """The text with its number: "12. 32-28", "12... 19-23"."""
        return f"{self.number}{'...' if self.second else '.'} {self.text}"


def start_of(game: Played) -> str:
    """Return the pieces before the first ply."""
    return game.history[0].before if game.history else game.board.pieces


def end_of(game: Played) -> str:
    """Return the pieces as they stand now, a huff that no move follows yet included."""
    return game.board.pieces


def turns(game: Played, *, library: bool = False) -> Iterator[Turn]:
    """Yield the plies; their texts have the federation's labels, or the library's numbers."""
    shown = str if library else labels(game.rules).shown
    first = game.history[0].side if game.history else ""
    number = 0
    for ply in game.history:
        second = ply.side != first
        number += not second
        yield Turn(number, second, shown(str(ply)), ply)


def told(game: Played) -> str:
    """Return the result in two words, or nothing while the game goes on."""
    if game.result is None:
        return ""
    if game.result.winner is None:
        return "drawn"
    return f"{game.rules.colours[0 if game.result.winner == 'W' else 1]} wins"

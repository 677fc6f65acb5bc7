"""Moves as people write them: "22-18", "22x15", "22x15x8", "c3-d4", "c3:e5:g7".

Two squares are where a move starts and where it ends; when several moves share both, the one that
goes straight from one to the other is meant, if there is one. A longer text is a route with every
landing square. "x", ":" and "×" write a capture. "-" writes a move that takes nothing and, where
there is no such move, a capture as well, because some books write both alike. Squares are numbers
from White's top-left or letters and figures from a1, on every rule set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from damka.notation import squares

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from damka.board import Board
    from damka.move import Move

__all__ = ["MAX_LENGTH", "Written", "fitting", "read", "routes"]

MAX_LENGTH: Final = 200
MAX_ROUTES: Final = 4096

# The last two signs of a capture are the Cyrillic letter that looks like x.
_SIGNS: Final = {"-": "-–", "x": "xX×:хХ"}  # noqa: RUF001
_SIGN: Final = "|".join(rf" *[{signs}] *" for signs in _SIGNS.values())
_MOVE = re.compile(rf"({squares.SQUARE})((?:(?:{_SIGN})(?:{squares.SQUARE}))+)")
_STEP = re.compile(rf" *([{''.join(_SIGNS.values())}]) *({squares.SQUARE})")


@dataclass(frozen=True, slots=True)
class Written:
    """A text that looks like a move: the squares' names as written, and whether it takes."""

    names: tuple[str, ...]
    takes: bool


def read(text: str) -> Written | None:
    """Return the squares that `text` names, or None when it does not look like a move."""
    if len(text) > MAX_LENGTH:
        return None
    found = _MOVE.fullmatch(text.strip())
    if found is None:
        return None
    steps = _STEP.findall(found[2])
    takes = {sign in _SIGNS["x"] for sign, _ in steps}
    if len(takes) > 1:
        return None
    return Written((found[1], *(name for _, name in steps)), takes.pop())


def fitting(
    board: Board, moves: Iterable[Move], route: Sequence[int], *, takes: bool | None = None
) -> list[Move]:
    """Return those of `moves` that a text with these squares means.

    With `takes` false a move that takes nothing is preferred, with `takes` true nothing else than
    captures is meant.
    """
    found = [move for move in moves if move.start == route[0] and move.end == route[-1]]
    if takes is not None:
        found = [move for move in found if move.is_capture is takes] or ([] if takes else found)
    if len(route) == 2 and len(found) < 2:
        return found
    straight = [move for move in found if tuple(route) in routes(board, move)]
    return straight or (found if len(route) == 2 else [])


def routes(board: Board, move: Move) -> tuple[tuple[int, ...], ...]:
    """Return every route of a move; a quiet move has one."""
    return board.routes(move, MAX_ROUTES) if move.is_capture else (move.route,)

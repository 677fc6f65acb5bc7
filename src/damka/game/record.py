"""The values a game is told in: its plies and its situations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from damka.notation import squares
from damka.rules import Side

if TYPE_CHECKING:
    from damka.move import Move

__all__ = ["HUFF", "Ply", "Situation"]

HUFF: Final = re.compile(rf" *\( *({squares.SQUARE}) *\) *(.*)", re.DOTALL)
"""A huff written before a move: the square, and the rest."""


class Situation(NamedTuple):
    """What makes two situations of a game the same."""

    pieces: str
    """One of "wbWB." for each square from 1."""
    turn: Side
    offences: tuple[int, ...] = ()
    """The squares that the side to move may huff."""
    streaks: tuple[tuple[int, int], ...] = ()
    """The kings that made their players' last moves, with their number, where rules limit it."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Ply:
    """A side's turn: the move, with the huff that went before it.

    `before` and `pieces` are the board, one of "wbWB." for each square, when the turn began and
    when it ended.
    """

    side: Side
    move: Move
    text: str
    """The move as `Board.text` writes it on the board on which it was played."""
    before: str
    pieces: str
    huff: int | None = None
    """The square huffed before the move."""
    offence: bool = False
    """Whether a capture was due and none was made."""
    offences: tuple[int, ...] = ()
    """The squares the other side may huff for it."""
    waived: tuple[int, ...] = ()
    """The squares that could have been huffed before the move and were not."""
    by_lot: bool = False
    """Whether the move belongs to the drawn opening, so that no player made it."""

    def __str__(self) -> str:
        """The move with the huffed square in front, in parentheses: "(23) 32-28"."""
        return self.text if self.huff is None else f"({self.huff}) {self.text}"

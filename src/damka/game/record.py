"""Plies and repetition keys of a game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from damka._former import warn_former
from damka.notation import squares
from damka.rules import Side

if TYPE_CHECKING:
    from damka.move import Move

__all__ = ["HUFF", "Ply", "RepetitionKey"]

HUFF: Final = re.compile(rf" *\( *({squares.SQUARE}) *\) *(.*)", re.DOTALL)
"""A huff before a move: the square, and the remaining text."""


class RepetitionKey(NamedTuple):
    """Positions with equal keys are a repetition."""

    pieces: str
    """One of "wbWB." for each square from 1."""
    turn: Side
    offences: tuple[int, ...] = ()
    """The squares that the side to move may huff."""
    streaks: tuple[tuple[int, int], ...] = ()
    """(square, moves) of kings with consecutive moves, if the rules limit these."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Ply:
    """A move with the huff before it.

    `before` and `pieces` are the board before and after them, one of "wbWB." per square.
    """

    side: Side
    move: Move
    text: str
    """The move in the notation of `Board.text` on the board where it was played."""
    before: str
    pieces: str
    huff: int | None = None
    """The square huffed before the move."""
    offence: bool = False
    """Whether the move missed a compulsory capture."""
    offences: tuple[int, ...] = ()
    """The squares that the other side may huff for it."""
    waived: tuple[int, ...] = ()
    """The squares that could have been huffed before the move but were not."""
    balloted: bool = False
    """Whether the move belongs to a balloted opening, so no player made it."""

    @property
    def by_lot(self) -> bool:
        """Deprecated: use `balloted`."""
        warn_former("Ply.by_lot", "balloted")
        return self.balloted

    def __str__(self) -> str:
        """Return the move after the huffed square in parentheses: "(23) 32-28"."""
        return self.text if self.huff is None else f"({self.huff}) {self.text}"

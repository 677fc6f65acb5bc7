"""The values a game is told in: plies, events, counters and the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from damka.move import Move
    from damka.rules import Side

__all__ = ["Counter", "Event", "Ply", "Reason", "Result", "Situation"]

Reason = Literal[
    "no_pieces",
    "no_moves",
    "resignation",
    "agreement",
    "repetition",
    "same_move",
    "no_progress",
]

Situation = tuple[str, "Side", tuple[int, ...]]
"""What makes two situations the same: pieces, side to move, squares that may be huffed."""


class Result(NamedTuple):
    """How a game ended: the winner, None for a draw, and the rule or the decision that ended it."""

    winner: Side | None
    reason: Reason


class Counter(NamedTuple):
    """How near a draw is: `n` of `limit`.

    The kinds are "no_progress" (plies without a capture, a man's move or a huff), "repetition"
    (occurrences of the situation on the board, this one included) and "same_move" (how often the
    move made most often in this situation has been made).
    """

    kind: Literal["no_progress", "repetition", "same_move"]
    n: int
    limit: int


class Event(NamedTuple):
    """Something a side did: "move", "huff", "offer", "accept", "decline" (a draw) or "resign"."""

    kind: Literal["move", "huff", "offer", "accept", "decline", "resign"]
    side: Side
    move: Move | None = None
    square: int | None = None


@dataclass(frozen=True, slots=True)
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

    def __str__(self) -> str:
        """The move with the huffed square in front, in parentheses: "(23) 32-28"."""
        return self.text if self.huff is None else f"({self.huff}) {self.text}"

"""Turning points of a game, and its review."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from damka.study.review import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.move import Move
    from damka.rules import Rules, Side
    from damka.study.review.words import Clause

__all__ = ["KINDS", "MISTAKES", "Kind", "Moment", "Review"]

Kind: TypeAlias = Literal[
    "missed_shot",
    "losing_move",
    "missed_win",
    "missed_draw",
    "missed_breakthrough",
    "lost_by_rule",
    "mistake",
    "offence",
    "missed_huff",
    "only_move",
    "good_shot",
]
"""The kind of a moment.

- "missed_shot": a combination that wins material was possible.
- "losing_move": the move loses, another did not.
- "missed_win": another move won, the one played does not.
- "missed_draw": the move loses, another saved a draw from a worse position.
- "missed_breakthrough": another move leads to a king, or to the last row where that wins.
- "lost_by_rule": the move ended a better game in a draw by repetition or by the count of moves.
- "mistake": any other move that costs winning chance.
- "offence": the move broke the obligation to capture.
- "missed_huff": the opponent's piece should have been huffed.
- "only_move": the move was the only good one.
- "good_shot": the move began a combination that wins material.
"""

MISTAKES: Final[tuple[Kind, ...]] = (
    "missed_shot",
    "losing_move",
    "missed_win",
    "missed_draw",
    "missed_breakthrough",
    "lost_by_rule",
    "mistake",
    "offence",
    "missed_huff",
)
"""The kinds of moments in which a better move was possible."""

KINDS: Final[tuple[Kind, ...]] = (*MISTAKES, "only_move", "good_shot")
"""All kinds of moments."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Moment:
    """A turning point of a game.

    The move number `ply` of the game, from 1, is `move` by `side`. `best` is the best move there,
    and `chance_lost` the expected score that the move lost, 0 to 1. `line` begins with `best` and
    ends where its aim is reached; `reply` begins with `move` and shows what it allows. `huff` is
    the square to huff before `line`, if any.
    """

    ply: int
    side: Side
    kind: Kind
    move: Move
    best: Move
    chance_lost: float
    line: tuple[Move, ...]
    reply: tuple[Move, ...] = ()
    huff: int | None = None
    clauses: tuple[Clause, ...] = ()
    """The statements of the sentence."""
    rules: Rules = field(repr=False, kw_only=True)

    @property
    def is_mistake(self) -> bool:
        """Whether a better move was possible."""
        return self.kind in MISTAKES

    def sentence(self, language: str = "en", reader: Side | None = None) -> str:
        """Return the moment in words, in `language`.

        It addresses the side that moved as "you", unless `reader` is the other side.

        Raises ValueError for a language that is not in `damka.locales.LANGUAGES`.
        """
        return words.sentence(self.rules, self.clauses, self.side, language, reader)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Review:
    """The review of a game."""

    moments: tuple[Moment, ...]
    """The turning points, in the order of the game."""
    accuracy: Mapping[Side, float]
    """How close each side's moves were to the best ones, 0 to 100."""
    graph: tuple[float, ...]
    """White's expected score, 0 to 1, in every position from the start."""
    is_complete: bool = True
    """Whether all searches are done."""

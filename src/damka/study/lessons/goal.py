"""Goals of levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

__all__ = ["KINDS", "Answer", "Goal", "Kind"]

Kind = Literal["move", "sequence", "select", "count", "land", "huff", "draw", "win"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Kinds of goals: a move ("move", "draw", "win"), several moves with scripted replies
("sequence"), squares ("select" pieces, "land" on), a number ("count"), or a piece to "huff"."""

Answer: TypeAlias = "str | int | tuple[int, ...] | tuple[str, ...]"
"""A right answer: a move in Hub notation, a number, ascending squares, or the learner's moves."""


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Goal:
    """Goal of a level.

    `asks` names a question of `damka.study.lessons.questions`. `piece` is the square of its piece,
    or 0. `options` are the numbers to choose from, where the answer is a number.
    """

    kind: Kind
    asks: str
    piece: int = 0
    options: tuple[int, ...] = ()

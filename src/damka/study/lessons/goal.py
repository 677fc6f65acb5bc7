"""What a level asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

__all__ = ["KINDS", "Answer", "Goal", "Kind"]

Kind = Literal["move", "sequence", "select", "count", "land", "huff", "draw", "win"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""What a level asks for: a move ("move", "draw", "win"), several moves with scripted replies
("sequence"), squares ("select" pieces, "land" on), a number ("count"), or a piece to "huff"."""

Answer: TypeAlias = "str | int | tuple[int, ...] | tuple[str, ...]"
"""A right answer: a move in Hub notation, a number, ascending squares, or the learner's moves."""


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Goal:
    """What a level asks for.

    `asks` is the question, which `damka.study.lessons.questions` answers. `piece` is the square of
    the piece that is asked about, or 0. `options` are the numbers to choose from, if it is one.
    """

    kind: Kind
    asks: str
    piece: int = 0
    options: tuple[int, ...] = ()

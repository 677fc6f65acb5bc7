"""A level to look for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from random import Random

    from damka.rules import Side
    from damka.study.lessons.goal import Kind
    from damka.study.lessons.level import StageId
    from damka.study.lessons.positions import Positions
    from damka.study.lessons.sketch import Sketch

__all__ = ["Lead", "Recipe", "Wants", "at_once", "three"]

Wants: TypeAlias = "Callable[[Positions, int], bool]"
Lead: TypeAlias = "Callable[[Positions, Random], tuple[str, ...] | None]"
"""The moves that are played first from a position, or None."""


def at_once(_: Positions, _rng: Random) -> tuple[str, ...]:
    """Return no moves."""
    return ()


def _always(_: Positions, _piece: int) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A level to look for.

    `piece` is the rank of the piece asked about. `wants` is what the position must have besides,
    given it and the square of this piece.
    """

    stage: StageId
    teaches: tuple[str, str]
    kind: Kind
    asks: str
    sketch: Sketch
    piece: str = ""
    wants: Wants = _always
    turn: Side = "W"
    """Who is to move in the position that is looked for, before the lead."""
    lead: Lead = at_once
    tries: int = 4000
    spare: bool = False
    """Whether it is only for a rule that has too few positions in the rest of the course."""


def three(recipe: Recipe, *, required: int = 1) -> Iterator[Recipe]:
    """Yield a recipe three times, for positions of different shape; some of them are spare."""
    yield from (recipe,) * required
    yield from (replace(recipe, spare=True),) * (3 - required)

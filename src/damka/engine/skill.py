"""How strong a level plays: ten levels for every rule set, in even steps of Elo.

A level is a row of numbers: how far and how long it thinks, and what it does not see. `at` gives
the row for any `grade`, a number from 0 (any legal move) to 10 (nothing is held back),
between the rows written here. Which grade a level has depends on the rules: `grades.toml` holds
what `python -m bench.levels` has measured, and a default for the rule sets not measured yet.
"""

from __future__ import annotations

import functools
import math
import tomllib
from dataclasses import dataclass, fields, replace
from importlib import resources
from typing import TYPE_CHECKING, Final

from damka.engine.search import CONTEMPT, Blindness, Limits

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["COUNT", "TOP_GRADE", "Level", "at", "grades", "level"]

COUNT: Final = 10
"""The number of levels."""

TOP_GRADE: Final = 10.0
"""The grade of the search with the most positions that levels are measured with."""

_SEES_ALL: Final = Blindness()
_DATA: Final = resources.files("damka.engine") / "grades.toml"


@dataclass(frozen=True, slots=True)
class Level:
    """How one level plays. The chances are in 1000; see `Blindness` for what they mean."""

    limits: Limits
    blindness: Blindness = _SEES_ALL
    forget: int = 0
    """The chance to overlook a compulsory capture of one's own, where that is only huffed."""
    hasty: int = 0
    """The chance to play any legal move, without thinking."""
    deeper: int = 0
    """The chance to look one ply further than the limit of depth."""
    contempt: int = 0
    """As in `Engine.search`; no chance, but hundredths of a man."""
    tables: bool = False
    """Whether it asks the endgame tables that there are, which no grade was measured with."""


_BEGINNER: Final = Level(
    Limits(depth=1, nodes=1_000, seconds=0.5),
    Blindness(
        noise=50,
        follow=1,
        overlook=150,
        overlook_far=200,
        overlook_back=200,
        overlook_chain=200,
    ),
    forget=250,
)

# The rows for the whole grades from 0.
_ROWS: Final = (
    replace(_BEGINNER, hasty=1_000),
    _BEGINNER,
    Level(
        Limits(depth=1, nodes=1_000, seconds=0.5),
        Blindness(
            noise=35,
            follow=2,
            overlook=60,
            overlook_far=120,
            overlook_back=120,
            overlook_chain=120,
        ),
        forget=120,
    ),
    Level(
        Limits(depth=2, nodes=2_000, seconds=0.5),
        Blindness(
            noise=30,
            follow=3,
            overlook=20,
            overlook_far=80,
            overlook_back=80,
            overlook_chain=80,
        ),
    ),
    Level(
        Limits(depth=3, nodes=4_000, seconds=0.5),
        Blindness(noise=20, follow=6, overlook_far=20, overlook_back=20, overlook_chain=40),
    ),
    Level(Limits(depth=4, nodes=8_000, seconds=0.8), Blindness(noise=12)),
    Level(Limits(depth=6, nodes=10_000, seconds=1.0), Blindness(noise=8)),
    Level(Limits(depth=12, nodes=10_000, seconds=1.0)),
    Level(Limits(nodes=32_000, seconds=1.5)),
    Level(Limits(nodes=100_000, seconds=2.0)),
    Level(Limits(nodes=320_000, seconds=3.0)),
)

_EVERYTHING: Final = Level(Limits(seconds=3.0), contempt=CONTEMPT, tables=True)
"""Level 10, which holds nothing back but its time; only that its first moves differ from game to
game, as those of the other strong levels: see damka.engine.levels."""

_FORGETFUL: Final = 2
"""The highest level that overlooks a compulsory capture of its own."""


def at(grade: float) -> Level:
    """Return how a grade from 0 to 10 plays.

    Chances and times go evenly from one row to the next, positions and captures followed by equal
    factors; a depth in between is looked at with that chance.

    >>> at(4).limits.depth, at(4.25).limits.depth, at(4.25).deeper
    (3, 3, 250)
    """
    if not 0 <= grade <= TOP_GRADE:
        raise ValueError(f"grade: 0 to {TOP_GRADE:g}, not {grade:g}")
    below = min(int(grade), len(_ROWS) - 2)
    part = grade - below
    low, high = _ROWS[below], _ROWS[below + 1]

    def even(name: str) -> int:
        return round(_between(getattr(low, name), getattr(high, name), part))

    seen = {
        field.name: round(
            _between(getattr(low.blindness, field.name), getattr(high.blindness, field.name), part)
        )
        for field in fields(Blindness)
    }
    seen["follow"] = round(_by_factors(low.blindness.follow, high.blindness.follow, part))
    depth = _depth(low.limits, high.limits, part)
    return Level(
        Limits(
            depth=None if depth is None else int(depth),
            nodes=round(_by_factors(low.limits.nodes or 1, high.limits.nodes or 1, part)),
            seconds=_between(low.limits.seconds or 0.0, high.limits.seconds or 0.0, part),
        ),
        Blindness(**seen),
        forget=even("forget"),
        hasty=even("hasty"),
        deeper=0 if depth is None else round(1000 * (depth % 1)),
    )


def level(number: int, rules: Rules) -> Level:
    """Return how level `number`, 1 to 10, plays by `rules`. Raises ValueError for another."""
    if not 1 <= number <= COUNT:
        raise ValueError(f"level: 1 to {COUNT}, not {number}")
    if number == COUNT:
        return _EVERYTHING
    found = at(grades(rules.name)[number - 1])
    return found if number <= _FORGETFUL else replace(found, forget=0)


def grades(name: str) -> tuple[float, ...]:
    """Return the grades of levels 1 to 9 for a rule set, or the default where none are measured."""
    data = _grades()
    return data.get(name) or data["default"]


@functools.cache
def _grades() -> dict[str, tuple[float, ...]]:
    tables = tomllib.loads(_DATA.read_text("utf-8"))
    return {name: tuple(table["grades"]) for name, table in tables.items()}


def _between(low: float, high: float, part: float) -> float:
    return low + part * (high - low)


def _by_factors(low: int, high: int, part: float) -> float:
    return math.exp(_between(math.log(low), math.log(high), part))


def _depth(low: Limits, high: Limits, part: float) -> float | None:
    if low.depth is None or (high.depth is None and part > 0):
        return None
    return low.depth if high.depth is None else _between(low.depth, high.depth, part)

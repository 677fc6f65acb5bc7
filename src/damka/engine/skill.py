"""Strength of the levels: ten levels for every rule set, in even steps of Elo.

A `Level` consists of search limits and blind spots. `at` returns the level for a grade, a number
from 0 (any legal move) to 10 (no handicap), interpolated between the rows in this file. The grade
of each of the ten levels depends on the rules: `grades.toml` has the results of `python -m
bench.levels`, and a default for rule sets without measurements.
"""

from __future__ import annotations

import functools
import math
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from damka.engine.search import CONTEMPT, Handicap, SearchLimits

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["COUNT", "TOP_GRADE", "Level", "at", "grades", "level"]


def __dir__() -> list[str]:
    return __all__


COUNT: Final = 10
"""The number of levels."""

TOP_GRADE: Final = 10.0
"""The highest measured grade: the search with the most nodes."""

_NO_HANDICAP: Final = Handicap()
_DATA: Final = Path(__file__).with_name("grades.toml")


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Level:
    """Search limits and blind spots of a level. Probabilities are per thousand."""

    limits: SearchLimits
    handicap: Handicap = _NO_HANDICAP
    forget: int = 0
    """The probability of overlooking its own compulsory capture, in huffing games."""
    hasty: int = 0
    """The probability of playing any legal move, without thinking."""
    deeper: int = 0
    """The probability of searching one ply deeper than the limit."""
    contempt: int = 0
    """As in `Engine.search`, in hundredths of a man."""
    tables: bool = False
    """Whether it probes tablebases, except to finish. Grades were measured without them."""
    finishes: bool = False
    """Whether it plays won endings of few pieces without a handicap, with tablebases."""


_BEGINNER: Final = Level(
    SearchLimits(depth=1, nodes=1_000, seconds=0.5),
    Handicap(
        noise=50,
        follow=1,
        overlook=150,
        overlook_far=200,
        overlook_back=200,
        overlook_chain=200,
    ),
    forget=250,
)

# The levels of the grades 0, 1, 2, …
_ROWS: Final = (
    replace(_BEGINNER, hasty=1_000),
    _BEGINNER,
    Level(
        SearchLimits(depth=1, nodes=1_000, seconds=0.5),
        Handicap(
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
        SearchLimits(depth=2, nodes=2_000, seconds=0.5),
        Handicap(
            noise=30,
            follow=3,
            overlook=20,
            overlook_far=80,
            overlook_back=80,
            overlook_chain=80,
        ),
    ),
    Level(
        SearchLimits(depth=3, nodes=4_000, seconds=0.5),
        Handicap(noise=20, follow=6, overlook_far=20, overlook_back=20, overlook_chain=40),
    ),
    Level(SearchLimits(depth=4, nodes=8_000, seconds=0.8), Handicap(noise=12)),
    Level(SearchLimits(depth=6, nodes=10_000, seconds=1.0), Handicap(noise=8)),
    Level(SearchLimits(depth=12, nodes=10_000, seconds=1.0)),
    Level(SearchLimits(nodes=32_000, seconds=1.5)),
    Level(SearchLimits(nodes=100_000, seconds=2.0)),
    Level(SearchLimits(nodes=320_000, seconds=3.0)),
)

_FULL_STRENGTH: Final = Level(SearchLimits(seconds=3.0), contempt=CONTEMPT, tables=True)
"""Level 10, limited only by time. Like other strong levels it varies its first moves; see
`damka.engine.levels`."""

_FINISHING: Final = 5
"""The lowest level that finishes won endings."""

_FORGETFUL: Final = 2
"""The highest level that may overlook a compulsory capture of its own."""


def at(grade: float) -> Level:
    """Return the level for a grade from 0 to 10. Raises ValueError for other grades.

    Probabilities and times are interpolated linearly, nodes and followed captures geometrically.
    Between two depths, the fraction is the probability of the deeper one.

    >>> from damka.engine.skill import at
    >>> at(4).limits.depth, at(4.25).limits.depth, at(4.25).deeper
    (3, 3, 250)
    """
    if not 0 <= grade <= TOP_GRADE:
        raise ValueError(f"grade: 0 to {TOP_GRADE:g}, not {grade:g}")
    below = min(int(grade), len(_ROWS) - 2)
    fraction = grade - below
    low, high = _ROWS[below], _ROWS[below + 1]

    def linear(name: str) -> int:
        return round(_linear(getattr(low, name), getattr(high, name), fraction))

    handicap = {
        field.name: round(
            _linear(getattr(low.handicap, field.name), getattr(high.handicap, field.name), fraction)
        )
        for field in fields(Handicap)
    }
    handicap["follow"] = round(_geometric(low.handicap.follow, high.handicap.follow, fraction))
    depth = _depth(low.limits, high.limits, fraction)
    return Level(
        SearchLimits(
            depth=None if depth is None else int(depth),
            nodes=round(_geometric(low.limits.nodes or 1, high.limits.nodes or 1, fraction)),
            seconds=_linear(low.limits.seconds or 0.0, high.limits.seconds or 0.0, fraction),
        ),
        Handicap(**handicap),
        forget=linear("forget"),
        hasty=linear("hasty"),
        deeper=0 if depth is None else round(1000 * (depth % 1)),
    )


def level(number: int, rules: Rules) -> Level:
    """Return level `number`, 1 to 10, for `rules`. Raises ValueError for other numbers."""
    if not 1 <= number <= COUNT:
        raise ValueError(f"level: 1 to {COUNT}, not {number}")
    if number == COUNT:
        return _FULL_STRENGTH
    result = replace(at(grades(rules.name)[number - 1]), finishes=number >= _FINISHING)
    return result if number <= _FORGETFUL else replace(result, forget=0)


def grades(name: str) -> tuple[float, ...]:
    """Return the grades of levels 1 to 9 for a rule set, or the default without measurements."""
    data = _grades()
    return data.get(name) or data["default"]


@functools.cache
def _grades() -> dict[str, tuple[float, ...]]:
    tables = tomllib.loads(_DATA.read_text("utf-8"))
    return {name: tuple(table["grades"]) for name, table in tables.items()}


def _linear(low: float, high: float, fraction: float) -> float:
    return low + fraction * (high - low)


def _geometric(low: int, high: int, fraction: float) -> float:
    return math.exp(_linear(math.log(low), math.log(high), fraction))


def _depth(low: SearchLimits, high: SearchLimits, fraction: float) -> float | None:
    if low.depth is None or (high.depth is None and fraction > 0):
        return None
    return low.depth if high.depth is None else _linear(low.depth, high.depth, fraction)

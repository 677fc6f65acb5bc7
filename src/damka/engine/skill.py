"""Strength of the levels: ten levels for every rule set, in even steps of Elo.

A `Level` holds the limits of the search and the player's blind spots. `at` returns the level
for a grade, a number from 0 (any legal move) to 10 (no handicap), interpolated between the levels
in this file. The grade of each of the ten levels depends on the rules: `grades.toml` holds the
results of `python -m bench.levels`, and a default for rule sets without measurements.
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
    """How one level plays. Probabilities are in 1000; `Handicap` explains them."""

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
    """Whether it probes endgame tables. Grades were measured without them."""


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

# The rows of the whole grades, from 0.
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

_EVERYTHING: Final = Level(SearchLimits(seconds=3.0), contempt=CONTEMPT, tables=True)
"""Level 10, limited only by time. Like other strong levels it varies its first moves:
see damka.engine.levels."""

_FORGETFUL: Final = 2
"""The highest level that may overlook a compulsory capture of its own."""


def at(grade: float) -> Level:
    """Return the level for a grade from 0 to 10. Raises ValueError for other grades.

    Probabilities and times are interpolated linearly, nodes and followed captures geometrically.
    Between two depths the probability of the deeper one is the fraction.

    >>> from damka.engine.skill import at
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

    handicap = {
        field.name: round(
            _between(getattr(low.handicap, field.name), getattr(high.handicap, field.name), part)
        )
        for field in fields(Handicap)
    }
    handicap["follow"] = round(_by_factors(low.handicap.follow, high.handicap.follow, part))
    depth = _depth(low.limits, high.limits, part)
    return Level(
        SearchLimits(
            depth=None if depth is None else int(depth),
            nodes=round(_by_factors(low.limits.nodes or 1, high.limits.nodes or 1, part)),
            seconds=_between(low.limits.seconds or 0.0, high.limits.seconds or 0.0, part),
        ),
        Handicap(**handicap),
        forget=even("forget"),
        hasty=even("hasty"),
        deeper=0 if depth is None else round(1000 * (depth % 1)),
    )


def level(number: int, rules: Rules) -> Level:
    """Return level `number`, 1 to 10, for `rules`. Raises ValueError for other numbers."""
    if not 1 <= number <= COUNT:
        raise ValueError(f"level: 1 to {COUNT}, not {number}")
    if number == COUNT:
        return _EVERYTHING
    found = at(grades(rules.name)[number - 1])
    return found if number <= _FORGETFUL else replace(found, forget=0)


def grades(name: str) -> tuple[float, ...]:
    """Return the grades of levels 1 to 9 for a rule set, or the default without measurements."""
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


def _depth(low: SearchLimits, high: SearchLimits, part: float) -> float | None:
    if low.depth is None or (high.depth is None and part > 0):
        return None
    return low.depth if high.depth is None else _between(low.depth, high.depth, part)

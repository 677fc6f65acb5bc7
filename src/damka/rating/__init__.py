"""Ratings: Glicko-2 per rule set, and performance ratings.

>>> from damka.rating import Game, Rating, updated
>>> newcomer, regular = Rating(), Rating(1700, 60)
>>> after = updated(newcomer, [Game(regular, 1)], days=0)
>>> round(after.rating), round(after.deviation), after.is_provisional
(1804, 267, True)
"""

from typing import TYPE_CHECKING

from damka._former import former_names
from damka.rating.glicko import (
    START,
    Game,
    Rating,
    Settings,
    aged,
    expected_score,
    periods,
    rating_for,
    updated,
)
from damka.rating.performance import difference, performance

__all__ = [
    "START",
    "Game",
    "Rating",
    "Settings",
    "aged",
    "difference",
    "expected_score",
    "performance",
    "periods",
    "rating_for",
    "updated",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"rated": "rating_for"})

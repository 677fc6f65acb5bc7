"""Ratings: Glicko-2 per rule set, and performance ratings.

>>> from damka.rating import Game, Rating, updated
>>> newcomer, regular = Rating(), Rating(1700, 60)
>>> after = updated(newcomer, [Game(regular, 1)], days=0)
>>> round(after.rating), round(after.deviation), after.is_provisional
(1804, 267, True)
"""

from damka.rating.glicko import (
    START,
    Game,
    Rating,
    Settings,
    aged,
    expected_score,
    periods,
    rated,
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
    "rated",
    "updated",
]


def __dir__() -> list[str]:
    return __all__

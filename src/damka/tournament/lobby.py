"""Finding opponents: who waits for a game is paired in waves, by rating.

The caller keeps the seekers of each rule set and clock apart, and calls a wave when some time has
passed, such as 10 seconds, or enough are there.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from damka.errors import TournamentError
from damka.tournament import checks, matching
from damka.tournament.rounds import Pairing

__all__ = ["GROUP", "MISSED", "Seeker", "Wave", "limit", "wave"]


def __dir__() -> list[str]:
    return __all__


MISSED: Final = 30
"""What each wave that a seeker has waited takes off the cost of his pairs, in rating points."""
LIMIT: Final = 300
LIMITED_BELOW: Final = 2_000

GROUP: Final = 60
"""As many, next to each other in rating, are paired with each other at most."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Seeker:
    """Someone who waits for a game. Raises TournamentError for what cannot be."""

    id: str
    rating: float
    missed: int = 0
    """How many waves ended without an opponent."""
    balance: int = 0
    """Games with White less games with Black, of late."""
    avoids: frozenset[str] = frozenset()
    """The ids of those with whom no game is wanted: who was blocked, the last opponent."""

    def __post_init__(self) -> None:
        checks.text("seeker.id", self.id, 1, 40)
        if not 0 <= self.rating <= checks.MAX_RATING:
            expected = f"0 to {checks.MAX_RATING}"
            raise TournamentError(f"seeker {self.id}, rating", self.rating, expected)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Wave:
    """What came of a wave."""

    pairings: tuple[Pairing, ...]
    waiting: tuple[Seeker, ...]
    """Who found nobody; they have missed one wave more."""


def limit(rating: float) -> float:
    """Return the highest cost of a pair that a player of this rating accepts.

    It is 300 below 2000, and there is none from 2000 on, where few wait.
    """
    return LIMIT if rating < LIMITED_BELOW else math.inf


def wave(seekers: Sequence[Seeker], seed: int) -> Wave:
    """Pair those who wait: as many as there can be, with the least difference in rating in all.

    A pair costs the difference of the ratings, less 30 for each wave that either has missed; it is
    not made where this is more than either's limit. White goes to whom it is due, otherwise by
    `seed`. The order of the seekers decides nothing. Up to ten are tried in all ways; more are
    matched in groups of 60.
    Raises TournamentError for an id that waits twice, or more than 2,000 seekers.
    """
    checks.size("seekers", seekers, checks.MAX_PLAYERS)
    order = sorted(seekers, key=lambda each: (each.rating, each.id))
    if len({each.id for each in order}) < len(order):
        raise TournamentError("seekers", [each.id for each in order], "each id once")
    rng = random.Random(f"lobby {seed}")
    pairings: list[Pairing] = []
    for start in range(0, len(order), GROUP):
        group = order[start : start + GROUP]
        costs = {}
        for j, other in enumerate(group):
            for i, one in enumerate(group[:j]):
                cost = _cost(one, other)
                if cost is not None:
                    costs[i, j] = cost
        pairs = matching.cheapest(len(group), costs)
        pairings += (_with_colours(group[i], group[j], rng) for i, j in pairs)
    placed = {player for pairing in pairings for player in (pairing.white, pairing.black)}
    waiting = tuple(
        replace(each, missed=each.missed + 1) for each in seekers if each.id not in placed
    )
    return Wave(tuple(pairings), waiting)


def _cost(one: Seeker, other: Seeker) -> int | None:
    if one.id in other.avoids or other.id in one.avoids:
        return None
    cost = abs(one.rating - other.rating) - MISSED * (one.missed + other.missed)
    return round(cost) if cost <= min(limit(one.rating), limit(other.rating)) else None


def _with_colours(one: Seeker, other: Seeker, rng: random.Random) -> Pairing:
    by_lot = rng.random() < 0.5
    first = by_lot if one.balance == other.balance else one.balance < other.balance
    return Pairing(one.id, other.id) if first else Pairing(other.id, one.id)

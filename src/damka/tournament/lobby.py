"""Pairing of players who are looking for an opponent, in waves and by rating.

The caller groups seekers by rules and clock, and runs a wave at intervals, such as 10 seconds, or
when there are enough seekers.
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
"""Cost reduction of a seeker's pairs for each missed wave, in rating points."""
LIMIT: Final = 300
LIMITED_BELOW: Final = 2_000

GROUP: Final = 60
"""Maximum size of a group, consecutive in rating, that is matched at once."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Seeker:
    """A player who seeks a game. Raises TournamentError for invalid values."""

    id: str
    rating: float
    missed: int = 0
    """Number of waves without an opponent."""
    balance: int = 0
    """Recent games with White minus those with Black."""
    avoids: frozenset[str] = frozenset()
    """Ids of players to avoid: blocked players, the last opponent."""

    def __post_init__(self) -> None:
        checks.text("seeker.id", self.id, 1, 40)
        if not 0 <= self.rating <= checks.MAX_RATING:
            expected = f"0 to {checks.MAX_RATING}"
            raise TournamentError(f"seeker {self.id}, rating", self.rating, expected)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Wave:
    """Result of a wave."""

    pairings: tuple[Pairing, ...]
    waiting: tuple[Seeker, ...]
    """Unpaired seekers, with one more missed wave."""


def limit(rating: float) -> float:
    """Return the maximum cost of a pair that a player with this rating accepts.

    It is 300 below 2000, and infinite from 2000 on, where few players wait.
    """
    return LIMIT if rating < LIMITED_BELOW else math.inf


def wave(seekers: Sequence[Seeker], seed: int) -> Wave:
    """Pair the seekers: the maximum number of pairs, with the minimum total cost.

    The cost of a pair is the rating difference, minus 30 for each wave that either player has
    missed; the pair is excluded when the cost exceeds either player's limit. The player with the
    lower `balance` has White; if they are equal, `seed` decides. The result does not depend on the
    order of the seekers. Up to ten seekers are matched by exhaustive search, more in groups of 60.
    Raises TournamentError for a duplicate id, or more than 2,000 seekers.
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
    paired = {player for pairing in pairings for player in (pairing.white, pairing.black)}
    waiting = tuple(
        replace(each, missed=each.missed + 1) for each in seekers if each.id not in paired
    )
    return Wave(tuple(pairings), waiting)


def _cost(one: Seeker, other: Seeker) -> int | None:
    if one.id in other.avoids or other.id in one.avoids:
        return None
    cost = abs(one.rating - other.rating) - MISSED * (one.missed + other.missed)
    return round(cost) if cost <= min(limit(one.rating), limit(other.rating)) else None


def _with_colours(one: Seeker, other: Seeker, rng: random.Random) -> Pairing:
    random_first = rng.random() < 0.5
    first = random_first if one.balance == other.balance else one.balance < other.balance
    return Pairing(one.id, other.id) if first else Pairing(other.id, one.id)

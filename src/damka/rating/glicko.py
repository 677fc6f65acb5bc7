"""Glicko-2 with fractional rating periods.

First the player's deviation grows with the time since the last game; then the new games count as
one rating period. This lets ratings change after every game. Source: M. E. Glickman, "Example of
the Glicko-2 system", 2022; comments refer to its steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = [
    "START",
    "Game",
    "Rating",
    "Settings",
    "aged",
    "expected_score",
    "periods",
    "rating_for",
    "updated",
]

SCALE: Final = 173.7178
"""Points of the usual scale per unit of Glicko-2's scale."""

_TOLERANCE: Final = 1e-6
_MAX_STEPS: Final = 100
_MOST: Final = 5000
"""Highest rating."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Rating:
    """A rating in one rule set: 1500 ± 350 and a volatility of 0.06 before the first game.

    Raises ValueError for a rating outside 0 to 5000, a deviation not above 0 or above 500, or a
    volatility not above 0 or above 1.
    """

    rating: float = 1500
    deviation: float = 350
    volatility: float = 0.06

    def __post_init__(self) -> None:
        if not 0 <= self.rating <= _MOST:
            raise ValueError(f"rating: 0 to {_MOST}, not {self.rating}")
        if not 0 < self.deviation <= 500:
            raise ValueError(f"deviation: above 0, at most 500, not {self.deviation}")
        if not 0 < self.volatility <= 1:
            raise ValueError(f"volatility: above 0, at most 1, not {self.volatility}")

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is provisional: a deviation of 110 or more, shown as "1500?"."""
        return self.deviation >= 110

    @property
    def is_ranked(self) -> bool:
        """Whether the rating qualifies for a ranking list: a deviation below 80."""
        return self.deviation < 80


START: Final = Rating()


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Game:
    """A rated game: the opponent's rating at its start, and the score, 1, 0.5 or 0."""

    opponent: Rating
    score: float

    def __post_init__(self) -> None:
        if self.score not in (0, 0.5, 1):
            raise ValueError(f"score: 1, 0.5 or 0, not {self.score}")


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Settings:
    """Parameters of the rating system."""

    tau: float = 0.75
    """The system constant τ, 0.3 to 1.2, which limits changes of volatility."""
    periods_a_day: float = 0.21436
    """Rating periods per day: a deviation of 60 grows to 110 in a year, at volatility 0.06."""
    floor: float = 600
    least_deviation: float = 50
    most_deviation: float = 350
    most_volatility: float = 0.1


_SETTINGS: Final = Settings()


def rating_for(ratings: Mapping[str, Rating], rules: str) -> Rating:
    """Return the rating for the rule set named `rules`, by default the initial rating."""
    return ratings.get(rules, START)


def periods(days: float, settings: Settings = _SETTINGS) -> float:
    """Convert days to rating periods. Raises ValueError for negative days."""
    if not 0 <= days < math.inf:
        raise ValueError(f"days: 0 or more, not {days}")
    return days * settings.periods_a_day


def aged(rating: Rating, days: float, settings: Settings = _SETTINGS) -> Rating:
    """Return a rating with its deviation increased for `days` without a game.

    Apply this to opponents before passing them to `updated`.
    """
    grown = math.hypot(
        rating.deviation, SCALE * rating.volatility * math.sqrt(periods(days, settings))
    )
    return Rating(rating.rating, min(grown, settings.most_deviation), rating.volatility)


def expected_score(player: Rating, opponent: Rating) -> float:
    """Return the expected score, 0 to 1, with both deviations taken into account."""
    deviation = math.hypot(player.deviation, opponent.deviation) / SCALE
    return _expected(player.rating / SCALE, opponent.rating / SCALE, deviation)


def updated(
    rating: Rating, games: Sequence[Game], days: float, settings: Settings = _SETTINGS
) -> Rating:
    """Return the rating after some games, `days` after the previous game.

    All games count as one rating period, in any order; without games only the deviation grows.
    """
    if not games:
        return aged(rating, days, settings)
    mu, phi = (rating.rating - 1500) / SCALE, rating.deviation / SCALE
    information = gain = 0.0  # steps 3 and 4: 1 / v, and Δ / v
    for game in games:
        other, deviation = (game.opponent.rating - 1500) / SCALE, game.opponent.deviation / SCALE
        weight, expected = _weight(deviation), _expected(mu, other, deviation)
        information += weight**2 * expected * (1 - expected)
        gain += weight * (game.score - expected)
    variance = 1 / information
    sigma = min(
        _volatility(phi, rating.volatility, variance, variance * gain, settings.tau),
        settings.most_volatility,
    )
    # Step 6, for the number of periods that have passed.
    before = math.sqrt(phi**2 + sigma**2 * periods(days, settings))
    after = 1 / math.sqrt(1 / before**2 + information)  # step 7
    return Rating(
        min(max(1500 + SCALE * (mu + after**2 * gain), settings.floor), _MOST),
        min(max(SCALE * after, settings.least_deviation), settings.most_deviation),
        sigma,
    )


def _weight(deviation: float) -> float:
    """Return the weight of a result against an opponent of this deviation: the paper's g."""
    return 1 / math.sqrt(1 + 3 * (deviation / math.pi) ** 2)


def _expected(mu: float, other: float, deviation: float) -> float:
    """Return the expected score: the paper's E."""
    return 1 / (1 + math.exp(-_weight(deviation) * (mu - other)))


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Return the new volatility: step 5, by the Illinois variant of regula falsi."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        rise = math.exp(x)
        spread = phi**2 + variance + rise
        return rise * (delta**2 - spread) / (2 * spread**2) - (x - start) / tau**2

    low = start
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        high = next(x for k in range(1, 1000) if f(x := start - k * tau) >= 0)
    at_low, at_high = f(low), f(high)
    for _ in range(_MAX_STEPS):
        if abs(high - low) <= _TOLERANCE:
            break
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)

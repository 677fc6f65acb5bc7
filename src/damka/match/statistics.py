"""Match statistics: Elo with error bars, and the sequential test (SPRT).

Games are counted in pairs, with the same opening and swapped colours, because the two games of a
pair are correlated: a pair has 0, ½, 1, 1½ or 2 points (a "pentanomial"). Elo is logistic: the
expected score of a player d above another is 1 / (1 + 10^(-d/400)).

Interval and test use the likelihood of the observed pairs under the most likely distribution with
a given mean. That is valid near 0% and 100% too, unlike a normal approximation.
Source: the generalized sequential probability ratio test, M. Van den Bergh, "A practical
introduction to the GSPRT".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["PAIR_POINTS", "Estimate", "Sprt", "elo", "estimate", "expected", "likelihood"]


def __dir__() -> list[str]:
    return __all__


PAIR_POINTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Scores of a pair as shares of its points, in the order in which pairs are counted."""

_CHI2_95: Final = 3.841458820694124
"""The 95% quantile of the chi-squared distribution with one degree of freedom."""

_ITERATIONS: Final = 60


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Estimate:
    """Elo of the first player over the second: the estimate and its 95% confidence interval.

    A bound is infinite if the data does not determine it.
    """

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        """Write "+12.3 (-4.5 to +29.4)"."""
        return f"{_signed(self.elo)} ({_signed(self.low)} to {_signed(self.high)})"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Sprt:
    """A test of the hypothesis that the first player is `elo1` above the second, against `elo0`.

    `error` is the probability of an error of either kind.
    """

    elo0: float
    elo1: float
    error: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"expected ELO0 below ELO1, not {self.elo0:g} and {self.elo1:g}")
        if not 0 < self.error < 0.5:
            raise ValueError(f"error: between 0 and 0.5, not {self.error:g}")

    @property
    def bound(self) -> float:
        """The log-likelihood ratio that accepts the hypothesis; its negative rejects it."""
        return math.log((1 - self.error) / self.error)

    def ratio(self, pairs: Sequence[int]) -> float:
        """Return the log-likelihood ratio of the two hypotheses for the observed pairs."""
        if sum(pairs) < 2:
            return 0.0
        return likelihood(pairs, expected(self.elo1)) - likelihood(pairs, expected(self.elo0))

    def verdict(self, pairs: Sequence[int]) -> bool | None:
        """Return whether the first hypothesis is accepted, None while the test is undecided."""
        ratio = self.ratio(pairs)
        return None if abs(ratio) < self.bound else ratio > 0


def expected(elo: float) -> float:
    """Return the expected score of a player `elo` above another."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo(score: float) -> float:
    """Return the Elo difference of a score, a share of the points from 0 to 1."""
    if not 0 <= score <= 1:
        raise ValueError(f"score: 0 to 1, not {score}")
    if score in (0, 1):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


def estimate(pairs: Sequence[int]) -> Estimate:
    """Return Elo with its 95% interval; `pairs` counts pairs with 0, ½, 1, 1½ and 2 points."""
    n = sum(pairs)
    if n == 0:
        return Estimate(0.0, -math.inf, math.inf)
    mean = sum(p * x for p, x in zip(pairs, PAIR_POINTS, strict=True)) / n
    best = likelihood(pairs, mean)

    def excluded(score: float) -> bool:
        return 2 * (best - likelihood(pairs, score)) > _CHI2_95

    def bound(inside: float, outside: float) -> float:
        for _ in range(40):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if excluded(middle) else (middle, outside)
        return inside

    low = -math.inf if mean == 0 else elo(bound(mean, 0.0))
    high = math.inf if mean == 1 else elo(bound(mean, 1.0))
    return Estimate(elo(mean), low, high)


def likelihood(pairs: Sequence[int], mean: float) -> float:
    """Return the log-likelihood of the pairs under the likeliest distribution with this mean.

    `mean` is a share of the points, 0 to 1. The distribution gives the outcome x of n pairs the
    probability n / (N (1 + t (x - mean))), with the t for which the probabilities sum to 1 (a
    Lagrange multiplier). Unobserved outcomes get a small count, so that a solution exists.
    """
    if not 0 < mean < 1:
        other_counts = [n for n, x in zip(pairs, PAIR_POINTS, strict=True) if x != mean]
        return -math.inf if any(other_counts) else 0.0
    counts = [n or 1e-3 for n in pairs]
    total = sum(counts)
    gaps = [x - mean for x in PAIR_POINTS]
    # All probabilities are positive between these bounds, and the sum decreases in t.
    low, high = -1 / max(gaps), -1 / min(gaps)
    for _ in range(_ITERATIONS):
        t = (low + high) / 2
        if sum(n * gap / (1 + t * gap) for n, gap in zip(counts, gaps, strict=True)) > 0:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return sum(
        n * math.log(n / total / max(1 + t * gap, 1e-300))
        for n, gap in zip(counts, gaps, strict=True)
    )


def _signed(value: float) -> str:
    return f"{value:+.1f}" if math.isfinite(value) else ("+∞" if value > 0 else "−∞")

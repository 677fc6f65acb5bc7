"""Elo, its interval and the sequential test, compared with known values."""

from __future__ import annotations

import math
import random
import statistics as plain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka.match.statistics import (
    PAIR_POINTS,
    Sprt,
    elo,
    estimate,
    expected,
    likelihood,
)

PAIRS = st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(any)


@pytest.mark.parametrize(
    ("score", "value"),
    [(0.5, 0), (0.75, 190.848501), (10 / 11, 400), (0.01, -798.254)],
)
def test_elo_of_a_score(score: float, value: float) -> None:
    assert elo(score) == pytest.approx(value, abs=1e-3)
    assert expected(elo(score)) == pytest.approx(score)


def test_elo_of_a_perfect_score_is_infinite() -> None:
    assert (elo(0), elo(1)) == (-math.inf, math.inf)


@pytest.mark.parametrize(
    "pairs", [(100, 400, 1000, 450, 130), (0, 300, 1500, 700, 20), (500, 0, 900, 0, 520)]
)
def test_the_interval_of_many_pairs_is_approximately_normal(pairs: tuple[int, ...]) -> None:
    points = [x for n, x in zip(pairs, PAIR_POINTS, strict=True) for _ in range(n)]
    mean, error = plain.fmean(points), plain.pstdev(points) / math.sqrt(len(points))
    interval = estimate(pairs)
    assert interval.elo == pytest.approx(elo(mean))
    assert interval.low == pytest.approx(elo(mean - 1.959964 * error), abs=0.2)
    assert interval.high == pytest.approx(elo(mean + 1.959964 * error), abs=0.2)


def test_an_interval_for_wins_only_uses_the_likelihood_ratio() -> None:
    # If all n pairs are won, the likelihood ratio is s^n; at the bound -2 log of it is 3.8415.
    interval = estimate((0, 0, 0, 0, 20))
    assert (interval.elo, interval.high) == (math.inf, math.inf)
    assert interval.low == pytest.approx(elo(math.exp(-3.841459 / 40)), rel=0.01)
    lost = estimate((20, 0, 0, 0, 0))
    assert (lost.elo, lost.low) == (-math.inf, -math.inf)
    assert lost.high == pytest.approx(-interval.low)


def test_the_interval_without_pairs_is_infinite() -> None:
    interval = estimate((0,) * 5)
    assert (interval.low, interval.high) == (-math.inf, math.inf)
    assert str(interval) == "+0.0 (−∞ to +∞)"


@settings(deadline=None, max_examples=30)
@given(PAIRS)
def test_an_interval_contains_the_estimate_and_is_symmetric(pairs: list[int]) -> None:
    interval, mirrored = estimate(pairs), estimate(pairs[::-1])
    assert interval.low <= interval.elo <= interval.high
    assert mirrored.elo == pytest.approx(-interval.elo, abs=1e-6)
    assert mirrored.low == pytest.approx(-interval.high, abs=1e-3)


@settings(deadline=None)
@given(PAIRS, st.floats(0.02, 0.98))
def test_the_mean_of_the_pairs_has_the_maximum_likelihood(pairs: list[int], mean: float) -> None:
    observed = sum(n * x for n, x in zip(pairs, PAIR_POINTS, strict=True)) / sum(pairs)
    assert likelihood(pairs, mean) <= likelihood(pairs, observed) + 0.05


def test_the_test_has_wald_bounds() -> None:
    assert Sprt(0, 10).bound == pytest.approx(math.log(0.95 / 0.05))
    assert Sprt(0, 10, error=0.01).bound == pytest.approx(math.log(99))


def test_the_ratio_of_decided_pairs_is_binomial() -> None:
    test = Sprt(0, 100)
    s0, s1 = expected(0), expected(100)
    wald = 60 * math.log(s1 / s0) + 40 * math.log((1 - s1) / (1 - s0))
    assert test.ratio((40, 0, 0, 0, 60)) == pytest.approx(wald, abs=0.01)


def test_the_ratio_of_many_pairs_is_approximately_normal() -> None:
    pairs = (100, 400, 1000, 450, 130)
    points = [x for n, x in zip(pairs, PAIR_POINTS, strict=True) for _ in range(n)]
    s0, s1 = expected(0), expected(5)
    normal = len(points) * (s1 - s0) * (2 * plain.fmean(points) - s0 - s1) / 2
    assert Sprt(0, 5).ratio(pairs) == pytest.approx(normal / plain.pvariance(points), rel=0.02)


@pytest.mark.parametrize(("truth", "accepted"), [(60, True), (-60, False)])
def test_the_verdict_is_usually_right(truth: float, accepted: bool) -> None:
    rng = random.Random(truth)
    test, chance = Sprt(-60, 60), expected(truth)
    right = 0
    for _ in range(20):
        pairs = [0] * 5
        while test.verdict(pairs) is None:
            for _ in range(4):
                pairs[4 * (rng.random() < chance)] += 1
        right += test.verdict(pairs) is accepted
    assert right >= 16


@pytest.mark.parametrize(("elo0", "elo1"), [(5, 5), (10, 0), (0, math.inf), (math.nan, 0)])
def test_invalid_hypotheses_are_refused(elo0: float, elo1: float) -> None:
    with pytest.raises(ValueError, match="expected ELO0 below ELO1"):
        Sprt(elo0, elo1)

"""Elo, its interval and the sequential test, against known values."""

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


def test_elo_of_a_clean_score_is_infinite() -> None:
    assert (elo(0), elo(1)) == (-math.inf, math.inf)


@pytest.mark.parametrize(
    "pairs", [(100, 400, 1000, 450, 130), (0, 300, 1500, 700, 20), (500, 0, 900, 0, 520)]
)
def test_with_many_pairs_the_interval_is_the_normal_one(pairs: tuple[int, ...]) -> None:
    points = [x for n, x in zip(pairs, PAIR_POINTS, strict=True) for _ in range(n)]
    mean, error = plain.fmean(points), plain.pstdev(points) / math.sqrt(len(points))
    found = estimate(pairs)
    assert found.elo == pytest.approx(elo(mean))
    assert found.low == pytest.approx(elo(mean - 1.959964 * error), abs=0.2)
    assert found.high == pytest.approx(elo(mean + 1.959964 * error), abs=0.2)


def test_an_interval_for_wins_only_uses_the_likelihood_ratio() -> None:
    # n pairs won of n: the ratio of likelihoods is s^n, and 2 log of it is 3.8415 at the end.
    found = estimate((0, 0, 0, 0, 20))
    assert (found.elo, found.high) == (math.inf, math.inf)
    assert found.low == pytest.approx(elo(math.exp(-3.841459 / 40)), rel=0.01)
    lost = estimate((20, 0, 0, 0, 0))
    assert (lost.elo, lost.low) == (-math.inf, -math.inf)
    assert lost.high == pytest.approx(-found.low)


def test_nothing_is_known_before_the_first_pair() -> None:
    found = estimate((0,) * 5)
    assert (found.low, found.high) == (-math.inf, math.inf)
    assert str(found) == "+0.0 (−∞ to +∞)"


@settings(deadline=None, max_examples=30)
@given(PAIRS)
def test_an_interval_contains_the_estimate_and_is_symmetric(pairs: list[int]) -> None:
    found, mirrored = estimate(pairs), estimate(pairs[::-1])
    assert found.low <= found.elo <= found.high
    assert mirrored.elo == pytest.approx(-found.elo, abs=1e-6)
    assert mirrored.low == pytest.approx(-found.high, abs=1e-3)


@settings(deadline=None)
@given(PAIRS, st.floats(0.02, 0.98))
def test_the_mean_of_the_pairs_is_the_likeliest(pairs: list[int], mean: float) -> None:
    seen = sum(n * x for n, x in zip(pairs, PAIR_POINTS, strict=True)) / sum(pairs)
    assert likelihood(pairs, mean) <= likelihood(pairs, seen) + 0.05


def test_the_test_ends_at_wald_s_bounds() -> None:
    assert Sprt(0, 10).bound == pytest.approx(math.log(0.95 / 0.05))
    assert Sprt(0, 10, error=0.01).bound == pytest.approx(math.log(99))


def test_where_pairs_are_won_or_lost_the_ratio_is_the_binomial_one() -> None:
    test = Sprt(0, 100)
    s0, s1 = expected(0), expected(100)
    wald = 60 * math.log(s1 / s0) + 40 * math.log((1 - s1) / (1 - s0))
    assert test.ratio((40, 0, 0, 0, 60)) == pytest.approx(wald, abs=0.01)


def test_with_many_pairs_the_ratio_is_the_normal_one() -> None:
    pairs = (100, 400, 1000, 450, 130)
    points = [x for n, x in zip(pairs, PAIR_POINTS, strict=True) for _ in range(n)]
    s0, s1 = expected(0), expected(5)
    normal = len(points) * (s1 - s0) * (2 * plain.fmean(points) - s0 - s1) / 2
    assert Sprt(0, 5).ratio(pairs) == pytest.approx(normal / plain.pvariance(points), rel=0.02)


@pytest.mark.parametrize(("truth", "accepted"), [(60, True), (-60, False)])
def test_the_test_finds_the_truth(truth: float, accepted: bool) -> None:
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

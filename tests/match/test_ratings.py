"""Ratings of several players, and the levels' even steps of Elo."""

from __future__ import annotations

import tomllib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import levels as bench
from damka.match.ratings import Meeting, ratings
from damka.match.statistics import expected


def test_ratings_explain_the_results() -> None:
    truth = {"a": 0.0, "b": 150.0, "c": -80.0, "d": 420.0}
    meetings = [
        Meeting(one, other, 100_000, 100_000 * expected(truth[one] - truth[other]))
        for one, other in ("ab", "bc", "ca", "bd")
    ]
    rated = ratings(meetings, "a")
    assert rated == pytest.approx(truth, abs=0.5)


def test_a_perfect_score_has_a_finite_rating() -> None:
    rated = ratings([Meeting("a", "b", 20, 20), Meeting("c", "b", 20, 0)], "b")
    assert 500 < rated["a"] < 800
    assert rated["c"] == pytest.approx(-rated["a"])


@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=20))
def test_ratings_that_should_rise_are_made_monotone(values: list[float]) -> None:
    rising = bench.rising(values)
    assert len(rising) == len(values)
    assert all(low <= high + 1e-6 for low, high in pairwise(rising))
    assert sum(rising) == pytest.approx(sum(values), abs=1e-6)


def test_rising_ratings_are_not_changed() -> None:
    assert bench.rising([-1, 0, 0, 5]) == [-1, 0, 0, 5]
    assert bench.rising([1, 3, 2, 4]) == [1, 2.5, 2.5, 4]


def test_levels_are_in_even_steps() -> None:
    # Grade 0 is random play; each grade adds 150 Elo.
    rated = {f"grade:{grade:g}": 150 * grade for grade in bench.GRADES}
    steps = bench.even_steps(rated)
    assert len(steps) == 9
    elos = [elo for _, elo in steps]
    assert expected(elos[0]) == pytest.approx(0.65)
    assert expected(elos[1]) == pytest.approx(0.86)
    even = (1500 - elos[1]) / 8
    assert [high - low for low, high in pairwise(elos[1:])] == pytest.approx([even] * 7)
    for grade, elo in steps:
        assert 150 * grade == pytest.approx(elo)


def test_the_second_level_is_a_whole_step_above_the_first() -> None:
    rated = {f"grade:{grade:g}": 300 * grade for grade in bench.GRADES}
    elos = [elo for _, elo in bench.even_steps(rated)]
    assert expected(elos[0]) == pytest.approx(0.65)
    even = (3000 - elos[0]) / 9
    assert [high - low for low, high in pairwise(elos)] == pytest.approx([even] * 8)


def test_unmeasured_grades_keep_their_steps() -> None:
    rated = {f"grade:{grade:g}": 100 * grade for grade in bench.GRADES if grade <= bench.LOW}
    higher = bench.higher("american", rated)
    assert rated.keys() | higher.keys() == {f"grade:{grade:g}" for grade in bench.GRADES}
    table = tomllib.loads(bench.DATA.read_text("utf-8"))["american"]
    on_file = [np.interp(grade, table["grades"], table["elo"]) for grade in (3, 5, 6)]
    computed = [higher[f"grade:{grade}"] for grade in (3, 5, 6)]
    assert np.diff(computed) == pytest.approx(np.diff(on_file))

"""Glicko-2: the paper's example, inactivity, and limits."""

from __future__ import annotations

import glicko2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka.rating import Game, Rating, Settings, aged, expected_score, periods, rating_for, updated

PAPER = Settings(tau=0.5, periods_a_day=1, floor=0, least_deviation=1)
"""The paper's settings; its rating period is a day here."""

GAMES = (Game(Rating(1400, 30), 1), Game(Rating(1550, 100), 0), Game(Rating(1700, 300), 0))

RATINGS = st.builds(Rating, st.floats(600, 3000), st.floats(50, 350), st.floats(0.02, 0.1))
PLAYED = st.lists(st.builds(Game, RATINGS, st.sampled_from((0, 0.5, 1))), min_size=1, max_size=12)


def test_the_papers_example() -> None:
    """M. E. Glickman, "Example of the Glicko-2 system"."""
    after = updated(Rating(1500, 200, 0.06), GAMES, days=1, settings=PAPER)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_example_is_the_same_with_shifted_ratings() -> None:
    shifted = [Game(Rating(g.opponent.rating + 700, g.opponent.deviation), g.score) for g in GAMES]
    after = updated(Rating(2200, 200, 0.06), shifted, days=1, settings=PAPER)
    assert after.rating == pytest.approx(2164.06, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


@given(st.floats(50, 350), PLAYED)
def test_ratings_match_another_library(deviation: float, games: list[Game]) -> None:
    """Compare with glicko2 2.1.0, whose volatility is wrong (see the experiments)."""
    other = glicko2.Player(1500, deviation, 0.06)
    other._tau = 0.001  # constant volatility
    other.update_player(
        [g.opponent.rating for g in games],
        [g.opponent.deviation for g in games],
        [g.score for g in games],
    )
    constant_volatility = Settings(0.001, 1, 0, 1, 500)
    after = updated(Rating(1500, deviation, 0.06), games, days=1, settings=constant_volatility)
    assert after.rating == pytest.approx(max(other.rating, 0), abs=0.05)
    assert after.deviation == pytest.approx(other.rd, abs=0.05)


def test_a_deviation_of_60_becomes_110_in_a_year() -> None:
    after = aged(Rating(1800, 60), 365)
    assert after.deviation == pytest.approx(110, abs=0.1)
    assert after.rating == 1800
    assert aged(Rating(1800, 60), 36_500).deviation == 350
    assert aged(Rating(1800, 60), 0).deviation == 60


def test_time_can_be_split_into_parts() -> None:
    once, twice = aged(Rating(1800, 60), 30), aged(aged(Rating(1800, 60), 12.5), 17.5)
    assert once.deviation == pytest.approx(twice.deviation)
    assert periods(365) == pytest.approx(78.24, abs=0.01)
    with pytest.raises(ValueError, match="days"):
        periods(-1)


def test_a_long_absence_makes_larger_rating_changes() -> None:
    game = [Game(Rating(1800, 60), 1)]
    soon, late = (updated(Rating(1800, 60), game, days=days) for days in (0, 365))
    assert 1800 < soon.rating < late.rating


def test_a_large_deviation_makes_a_rating_provisional() -> None:
    assert Rating().is_provisional
    assert Rating(1500, 110).is_provisional
    assert not Rating(1500, 109.9).is_provisional
    assert not Rating(1500, 80).is_ranked
    assert Rating(1500, 79.9).is_ranked


def test_each_rule_set_has_its_rating() -> None:
    ratings = {"russian": Rating(1700, 60)}
    assert rating_for(ratings, "russian").rating == 1700
    assert rating_for(ratings, "international") == Rating(1500, 350, 0.06)


def test_without_games_only_the_deviation_grows() -> None:
    assert updated(Rating(1700, 60), [], days=100) == aged(Rating(1700, 60), 100)


@given(RATINGS, PLAYED, st.floats(0, 3650))
def test_updated_ratings_are_within_limits(rating: Rating, games: list[Game], days: float) -> None:
    after = updated(rating, games, days)
    assert 600 <= after.rating <= 5000
    assert 50 <= after.deviation <= 350
    assert 0 < after.volatility <= 0.1


def test_the_highest_rating_is_not_exceeded() -> None:
    wins = [Game(Rating(3600, 50), 1)] * 60
    assert updated(Rating(4500, 350), wins, 0).rating <= 5000
    assert updated(Rating(5000, 350), [Game(Rating(5000, 50), 1)] * 20, 0).rating == 5000


@given(RATINGS, RATINGS, st.floats(0, 400))
def test_a_win_raises_and_a_loss_lowers(one: Rating, other: Rating, days: float) -> None:
    results = [updated(one, [Game(other, score)], days).rating for score in (0, 0.5, 1)]
    assert results == sorted(results)
    assert results[0] <= one.rating <= results[2]


@given(RATINGS, RATINGS)
def test_expected_scores_add_up_to_one(one: Rating, other: Rating) -> None:
    assert expected_score(one, other) + expected_score(other, one) == pytest.approx(1)


@pytest.mark.parametrize("wrong", [(-1, 50, 0.06), (1500, 0, 0.06), (1500, 50, 0)])
def test_invalid_ratings_are_refused(wrong: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="not"):
        Rating(*wrong)
    with pytest.raises(ValueError, match="score"):
        Game(Rating(), 0.7)

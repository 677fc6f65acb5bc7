"""Winning chances of scores: the curves of the rules, and their properties."""

from __future__ import annotations

import pytest

from damka import Rules
from damka.engine import BEYOND, WIN, WinningChances, chances, winning_chances
from damka.rules import load, names


@pytest.mark.parametrize("name", names())
def test_chances_are_probabilities_and_rise_with_the_score(name: str) -> None:
    rules = load(name)
    for pieces in (1, 2, 5, rules.square_count // 2, rules.square_count):
        results = [winning_chances(rules, score, pieces) for score in range(-3000, 3001, 10)]
        for each in results:
            assert all(0 <= chance <= 1 for chance in each)
            assert sum(each) == pytest.approx(1, abs=1e-12)
        expected = [each.expected for each in results]
        assert expected == sorted(expected)
        assert [each.win for each in results] == sorted(each.win for each in results)
        assert expected[0] < 0.5
        assert expected[-1] > 0.5


@pytest.mark.parametrize("name", names())
def test_both_sides_have_the_same_chances(name: str) -> None:
    for score in (0, 37, 400, BEYOND, WIN - 7):
        ahead, behind = winning_chances(name, score), winning_chances(name, -score)
        assert ahead == pytest.approx(tuple(reversed(behind)), abs=1e-12)
    assert winning_chances(name, 0).expected == pytest.approx(0.5)


def test_proved_results_are_certain() -> None:
    assert winning_chances("dama64", WIN - 7) == WinningChances(1, 0, 0)
    assert winning_chances("dama64", BEYOND + 1) == WinningChances(1, 0, 0)
    assert winning_chances("dama64", -BEYOND - 1) == WinningChances(0, 0, 1)
    # A large score that is not proved is nearly certain, and does not overflow.
    assert winning_chances("dama64", BEYOND) == pytest.approx((1, 0, 0), abs=1e-3)


def test_the_number_of_pieces_matters_and_defaults_to_half_of_them() -> None:
    assert winning_chances("international", 80) == winning_chances("international", 80, 20)
    assert winning_chances("international", 80, 36) != winning_chances("international", 80, 6)
    for pieces in (-1, 51):
        with pytest.raises(ValueError, match="pieces: 0 to 50"):
            winning_chances("international", 0, pieces)


def test_a_man_ahead_wins_less_often_in_international_than_in_russian() -> None:
    man = 100
    assert winning_chances("international", man).win < winning_chances("russian", man).win


@pytest.mark.parametrize("name", ["dama64", "dama100", "american", "international", "turkish"])
def test_two_men_ahead_usually_win(name: str) -> None:
    for pieces in (10, 14, 20):
        assert winning_chances(name, 200, pieces).win > 0.65


@pytest.mark.parametrize(
    ("rules", "family"),
    [
        ("canadian", "flying-large"),
        ("czech", "flying"),
        ("mini-american", "short"),
        ("armenian", "straight"),
        ("antidraughts", "losing"),
        ("breakthrough", "breakthrough"),
        (load("russian").replace(name="mine", man_capture="forward"), "flying"),
        (load("italian").replace(name="mine", objective="losing"), "losing"),
    ],
)
def test_other_rule_sets_have_the_curve_of_their_family(rules: str | Rules, family: str) -> None:
    rules = load(rules) if isinstance(rules, str) else rules
    assert chances.family(rules) == family
    assert chances.source(rules) == family
    assert chances.curve(rules)["a"][0] > 0


def test_rules_that_play_alike_share_a_fitted_curve() -> None:
    assert chances.source(load("dama100")) == "dama100"
    assert chances.source(load("international")) == "international"
    assert chances.source(load("philippine")) == "brazilian"
    house = load("american").replace(name="mine", no_progress_moves=10)
    assert chances.source(house) == "american"


def test_a_curve_is_a_copy() -> None:
    curve = chances.curve(load("dama64"))
    curve["a"][0] = 0
    assert chances.curve(load("dama64"))["a"][0] > 0

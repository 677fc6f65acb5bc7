"""Reviews of games with planted mistakes: most are found, and few other moves are blamed."""

from __future__ import annotations

import pytest
from bench.review import GAMES, Outcome

from bench import review as measured

FILES = sorted(GAMES.glob("*.json"))
MISSED = {
    "american-giveaway-1": [23],
    "american-giveaway-3": [29],
    "frisian-4": [75],
    "international-2": [81],
}
"""Planted mistakes that a review of the usual length does not find."""


def test_there_are_four_games_of_each_of_ten_rule_sets() -> None:
    assert len(FILES) == len(measured.RULES) * measured.EACH
    planted = [each for file in FILES for each in measured.load(file)[1]["planted"]]
    deep = sum(each["depth"] >= measured.DEEP for each in planted)
    assert deep >= len(planted) / 2


@pytest.mark.parametrize("rules", measured.RULES)
def test_planted_mistakes_are_found(rules: str) -> None:
    """Half of the games; `python -m bench review` measures all."""
    for number in (1, 2):
        outcome = examined(f"{rules}-{number}")
        assert set(outcome.missed) <= set(MISSED.get(outcome.name, ())), outcome
        assert len(outcome.false_alarms) <= 2, outcome


def examined(name: str) -> Outcome:
    """Review a game of the tests."""
    return measured.examine(GAMES / f"{name}.json")

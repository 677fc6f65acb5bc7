"""Reviews of games with planted mistakes: most are found, and few other moves are blamed."""

from __future__ import annotations

import pytest
from bench.review import GAMES

from bench import review as measured

DAILY = ("dama64", "american", "international", "russian", "turkish")
"""A rule set of each kind of search and board; the others are for a release."""
FILES = sorted(GAMES.glob("*.json"))


def test_there_are_four_games_of_each_of_ten_rule_sets() -> None:
    assert len(FILES) == len(measured.RULES) * measured.EACH
    planted = [each for file in FILES for each in measured.load(file)[1]["planted"]]
    deep = sum(each["depth"] >= measured.DEEP for each in planted)
    assert deep >= len(planted) / 2


@pytest.mark.parametrize(
    "rules",
    [
        each if each in DAILY else pytest.param(each, marks=pytest.mark.release)
        for each in measured.RULES
    ],
)
def test_planted_mistakes_are_found(rules: str) -> None:
    """A quarter of the games; `python -m bench review` measures all."""
    outcome = measured.examine(GAMES / f"{rules}-1.json")
    assert not outcome.missed, outcome
    assert len(outcome.false_alarms) <= 2, outcome

"""Matches between players of any kind, and their statistics.

>>> from damka.match import MatchSettings, run
>>> from damka.engine import SearchLimits
>>> from damka.rules import load
>>> settings = MatchSettings("level:9", "random", load("mini-american"), SearchLimits())
>>> score = run(settings, games=10)
>>> score.games, score.points > 0.8
(10, True)
"""

from typing import TYPE_CHECKING

from damka._former import former_names
from damka.match.adjudication import AdjudicationRules, Adjudicator, Verdict
from damka.match.match import Score, run
from damka.match.play import MatchSettings, Task
from damka.match.players import Answer, create
from damka.match.statistics import Estimate, Sprt
from damka.match.store import MatchGame

__all__ = [
    "AdjudicationRules",
    "Adjudicator",
    "Answer",
    "Estimate",
    "MatchGame",
    "MatchSettings",
    "Score",
    "Sprt",
    "Task",
    "Verdict",
    "create",
    "run",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"Clear": "AdjudicationRules", "Played": "MatchGame"})

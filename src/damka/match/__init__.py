"""Matches between players of any kind, and statistics of their results.

>>> from damka.match import MatchSettings, run
>>> from damka.engine import SearchLimits
>>> from damka.rules import load
>>> settings = MatchSettings("level:9", "random", load("mini-american"), SearchLimits())
>>> score = run(settings, games=10)
>>> score.games, score.points > 0.8
(10, True)
"""

from damka.match.adjudication import Adjudicator, Clear, Verdict
from damka.match.match import Score, run
from damka.match.play import MatchSettings, Task
from damka.match.players import Answer, create
from damka.match.statistics import Estimate, Sprt
from damka.match.store import Played

__all__ = [
    "Adjudicator",
    "Answer",
    "Clear",
    "Estimate",
    "MatchSettings",
    "Played",
    "Score",
    "Sprt",
    "Task",
    "Verdict",
    "create",
    "run",
]


def __dir__() -> list[str]:
    return __all__

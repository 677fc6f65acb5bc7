"""Matches between players of any kind, and what their results mean.

>>> from damka.match import Settings, run
>>> from damka.engine import Limits
>>> from damka.rules import load
>>> settings = Settings("level:9", "random", load("mini-american"), Limits())
>>> score = run(settings, games=10)
>>> score.games, score.points > 0.8
(10, True)
"""

from damka.match.adjudication import Adjudicator, Clear, Verdict
from damka.match.match import Score, run
from damka.match.play import Settings, Task
from damka.match.players import Answer, create
from damka.match.statistics import Estimate, Sprt
from damka.match.store import Played

__all__ = [
    "Adjudicator",
    "Answer",
    "Clear",
    "Estimate",
    "Played",
    "Score",
    "Settings",
    "Sprt",
    "Task",
    "Verdict",
    "create",
    "run",
]

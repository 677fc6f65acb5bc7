"""Review of a game: its turning points in words, the accuracy of both sides, and a graph.

`review` searches with an engine. `Reviewer` does no search: it requests searches and receives
their analyses, so that they can run anywhere. `Judge` does the same for one retried move.

>>> import damka
>>> from damka.study.review import Reviewer
>>> game = damka.Game("american", "W:W22,29:B18,9,1")
>>> _ = game.play("22x15")
>>> _ = game.play("9-14")
>>> reviewer = Reviewer(game, nodes=1000)
>>> engine = damka.Engine(hash_mb=1)
>>> while request := reviewer.next():
...     reviewer.receive(request, reviewer.search(engine, request))
>>> len(reviewer.review().graph)
3
"""

from damka.study.review.judge import Judge, Verdict, judge
from damka.study.review.moment import KINDS, MISTAKES, Kind, Moment, Review
from damka.study.review.request import Request
from damka.study.review.reviewer import NODES, Reviewer
from damka.study.review.run import review

__all__ = [
    "KINDS",
    "MISTAKES",
    "NODES",
    "Judge",
    "Kind",
    "Moment",
    "Request",
    "Review",
    "Reviewer",
    "Verdict",
    "judge",
    "review",
]


def __dir__() -> list[str]:
    return __all__

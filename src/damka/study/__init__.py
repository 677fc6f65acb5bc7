"""Study of finished games: the review of a game, in words.

>>> import damka
>>> from damka.study import review
>>> review.Reviewer(damka.Game("dama64")).next().ply
0
"""

from damka.study import review

__all__ = ["review"]


def __dir__() -> list[str]:
    return __all__

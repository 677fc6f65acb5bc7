"""Study: the review of a game in words, and lessons for beginners.

>>> import damka
>>> from damka.study import review
>>> review.Reviewer(damka.Game("dama64")).next().ply
0
"""

from damka.study import lessons, review

__all__ = ["lessons", "review"]


def __dir__() -> list[str]:
    return __all__

"""Reasons for refusing a move: a code and arguments, with messages in any language.

>>> import damka
>>> from damka.refusal import explain
>>> board = damka.Board("dama64", "W:W22:B3,18")
>>> refusal = explain(board, "22-17")
>>> refusal.code
'must_capture'
>>> refusal.sentence("en")
'You must capture: the man on 22 can take 18.'
>>> refusal.sentence("it")
'Devi mangiare: la pedina in 22 può prendere 18.'
"""

from damka.refusal.explain import Attempt, ambiguous, explain, resolve
from damka.refusal.labelled import labelled, speaking
from damka.refusal.parse import error, parse, parse_hub
from damka.refusal.record import CODES, Refusal

__all__ = [
    "CODES",
    "Attempt",
    "Refusal",
    "ambiguous",
    "error",
    "explain",
    "labelled",
    "parse",
    "parse_hub",
    "resolve",
    "speaking",
]


def __dir__() -> list[str]:
    return __all__

"""Reasons for refused moves: a code with arguments, and messages in every language.

>>> import damka
>>> from damka.refusal import explain
>>> board = damka.Board("dama64", "W:W22:B3,18")
>>> refusal = explain(board, "22-17")
>>> refusal.code
'must_capture'
>>> refusal.sentence("en")
'You must capture: the man on 22 can take 18.'
>>> refusal.sentence("it")
'Devi mangiare: la pedina in 22 può mangiare 18.'
"""

from typing import TYPE_CHECKING

from damka._former import former_names
from damka.refusal.allowed import Allowance, why_allowed, why_huffed
from damka.refusal.explain import Attempt, ambiguous, explain, resolve
from damka.refusal.labelled import labelled, named_as_typed
from damka.refusal.parse import error, parse, parse_hub
from damka.refusal.record import CODES, Refusal

__all__ = [
    "CODES",
    "Allowance",
    "Attempt",
    "Refusal",
    "ambiguous",
    "error",
    "explain",
    "labelled",
    "named_as_typed",
    "parse",
    "parse_hub",
    "resolve",
    "why_allowed",
    "why_huffed",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"speaking": "named_as_typed"})

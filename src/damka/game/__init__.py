"""A game with its moves, huffs, draw offers and result; saving and loading."""

from typing import TYPE_CHECKING

from damka._former import former_names
from damka.game.decision import Decision
from damka.game.events import (
    Abandoned,
    Aborted,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    DrawWithdrawn,
    Event,
    Flagged,
    GameEvent,
    Huffed,
    Moved,
    Resigned,
)
from damka.game.game import Game
from damka.game.opening import Opening, ballot_of, check_openings
from damka.game.record import Ply, RepetitionKey
from damka.result import Counter, Reason, Result

__all__ = [
    "Abandoned",
    "Aborted",
    "Counter",
    "Decision",
    "DrawAccepted",
    "DrawDeclined",
    "DrawOffered",
    "DrawWithdrawn",
    "Event",
    "Flagged",
    "Game",
    "GameEvent",
    "Huffed",
    "Moved",
    "Opening",
    "Ply",
    "Reason",
    "RepetitionKey",
    "Resigned",
    "Result",
    "ballot_of",
    "check_openings",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"Situation": "RepetitionKey"})

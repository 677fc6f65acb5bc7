"""A whole game: moves, huffs, draws and the result, saved to a file and loaded from one."""

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
from damka.game.record import Ply, Situation
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
    "Resigned",
    "Result",
    "Situation",
    "ballot_of",
    "check_openings",
]


def __dir__() -> list[str]:
    return __all__

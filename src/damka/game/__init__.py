"""A whole game: moves, huffs, draws and the result, saved to a file and loaded from one."""

from damka.game.decision import Decision
from damka.game.game import Game
from damka.game.opening import check_openings
from damka.game.record import Counter, Event, Ply, Reason, Result, Situation

__all__ = [
    "Counter",
    "Decision",
    "Event",
    "Game",
    "Ply",
    "Reason",
    "Result",
    "Situation",
    "check_openings",
]

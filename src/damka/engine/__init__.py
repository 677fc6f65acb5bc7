"""Computer player: a search for any rules, and ten levels of play.

>>> from damka import Game
>>> from damka.engine import Engine, levels
>>> game = Game("dama64", "W:WK32,19:B12")
>>> analysis = Engine(hash_mb=1).search(game, depth=5)
>>> analysis.mate
3
>>> levels.describe(5, "en")
'Looks at your reply, but not much further.'
"""

from damka._core import Stop
from damka.engine import levels
from damka.engine.chances import WinningChances, winning_chances
from damka.engine.clock import Budget, Clock
from damka.engine.evaluation import Evaluation, evaluate
from damka.engine.levels import Decision, Level
from damka.engine.players import EnginePlayer, LevelPlayer, Player
from damka.engine.search import (
    BEYOND,
    CONTEMPT,
    MAX_THREADS,
    WIN,
    Analysis,
    Engine,
    Handicap,
    SearchLimits,
    Variation,
)

__all__ = [
    "BEYOND",
    "CONTEMPT",
    "MAX_THREADS",
    "WIN",
    "Analysis",
    "Budget",
    "Clock",
    "Decision",
    "Engine",
    "EnginePlayer",
    "Evaluation",
    "Handicap",
    "Level",
    "LevelPlayer",
    "Player",
    "SearchLimits",
    "Stop",
    "Variation",
    "WinningChances",
    "evaluate",
    "levels",
    "winning_chances",
]


def __dir__() -> list[str]:
    return __all__

"""Other programs as opponents, over the Hub protocol or DXP.

>>> from damka import Game
>>> from damka.engine.external import connect
>>> with connect("damka hub dama64", rules="dama64") as engine:  # doctest: +SKIP
...     engine.choose(Game("dama64"), seconds=0.2)
Move(22, 18)
"""

from damka.engine.errors import (
    EngineDeadError,
    EngineEndError,
    EngineError,
    EngineGarbageError,
    EngineMoveError,
    EngineSilentError,
    EngineSlowError,
    EngineUnfitError,
)
from damka.engine.external.base import ExternalEngine
from damka.engine.external.connect import Introduction, Protocol, connect, introduce
from damka.engine.external.dxp import DxpEngine
from damka.engine.external.hub import HubEngine
from damka.engine.external.player import ExternalPlayer

__all__ = [
    "DxpEngine",
    "EngineDeadError",
    "EngineEndError",
    "EngineError",
    "EngineGarbageError",
    "EngineMoveError",
    "EngineSilentError",
    "EngineSlowError",
    "EngineUnfitError",
    "ExternalEngine",
    "ExternalPlayer",
    "HubEngine",
    "Introduction",
    "Protocol",
    "connect",
    "introduce",
]


def __dir__() -> list[str]:
    return __all__

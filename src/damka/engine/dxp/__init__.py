"""DXP, the DamExchange protocol: messages, session, service.

Two engines play each other with this protocol over TCP. `message` parses and writes messages,
`session` is the state machine of one side and returns `effects`, and `service` performs them and
lets our engine play over a link.
"""

from damka.engine.dxp.effects import Ended, Refused, Started
from damka.engine.dxp.message import MAX_LENGTH, DxpError, GameRequest, Setup
from damka.engine.dxp.service import MARK, PORT, Service
from damka.engine.dxp.session import Session

__all__ = [
    "MARK",
    "MAX_LENGTH",
    "PORT",
    "DxpError",
    "Ended",
    "GameRequest",
    "Refused",
    "Service",
    "Session",
    "Setup",
    "Started",
]


def __dir__() -> list[str]:
    return __all__

"""The engine side of the Hub protocol, version 2: lines, session, service.

`line` and `position` parse and write, `session` is the state machine, and `service` searches in a
thread and reads and writes streams.
"""

from damka.engine.hub.line import HubError
from damka.engine.hub.service import Service, serve
from damka.engine.hub.session import Session, Setup

__all__ = ["HubError", "Service", "Session", "Setup", "serve"]


def __dir__() -> list[str]:
    return __all__

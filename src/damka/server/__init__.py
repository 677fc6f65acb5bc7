"""The server: pages, HTTP API and live games over WebSocket.

`run` serves until stopped; `create_app` returns the ASGI application for another server.
Requires the `damka[server]` extra; without it, importing this package raises MissingExtraError.
"""

from damka.errors import MissingExtraError

try:
    from damka.server.app import create_app
    from damka.server.serving import PortError, run
    from damka.server.settings import Limits, Settings
    from damka.server.store import StoreError
except ModuleNotFoundError as error:
    raise MissingExtraError("damka.server", "server", error) from error

__all__ = ["Limits", "PortError", "Settings", "StoreError", "create_app", "run"]


def __dir__() -> list[str]:
    return __all__

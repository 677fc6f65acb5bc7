"""The server: pages, HTTP API and live games over WebSocket.

`run` serves until it is stopped; `create_app` returns the ASGI application for another server.
Needs the extra `damka[server]`.
"""

from damka.server.app import create_app
from damka.server.serving import PortError, run
from damka.server.settings import Limits, Settings
from damka.server.store import StoreError

__all__ = ["Limits", "PortError", "Settings", "StoreError", "create_app", "run"]

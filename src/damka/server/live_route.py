"""Direct route to a game's live connection, bypassing the middleware for requests.

Each layer of the web framework uses memory as long as a connection lasts. Thousands of pages stay
connected for hours, so their connections go directly to `live.serve`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

__all__ = ["LiveRoute"]

_PREFIX: Final = "/live/"


class LiveRoute:
    """ASGI middleware that passes the sockets at `/live/ID` to `serve`."""

    path: Final = "/live/{game_id}"

    def __init__(self, app: ASGIApp, serve: Callable[[WebSocket, str], Awaitable[None]]) -> None:
        self._app: Final = app
        self._serve: Final = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "websocket":
            prefix, game_id = scope["path"][: len(_PREFIX)], scope["path"][len(_PREFIX) :]
            if prefix == _PREFIX and game_id and "/" not in game_id:
                # Like a router, so that the log and the metrics name the route.
                scope["route"], scope["path_params"] = self, {"game_id": game_id}
                await self._serve(WebSocket(scope, receive, send), game_id)
                return
        await self._app(scope, receive, send)

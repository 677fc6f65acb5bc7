"""The way to a live connection of a game, past the layers that requests need.

Each layer of the web framework keeps a part of itself for as long as a connection lasts. Thousands
of pages stay connected for hours, so theirs go straight to `live.serve`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

__all__ = ["LiveRoute"]

_PREFIX: Final = "/live/"


class LiveRoute:
    """ASGI middleware that lets `serve` have the sockets at `/live/ID`."""

    def __init__(self, app: ASGIApp, serve: Callable[[WebSocket, str], Awaitable[None]]) -> None:
        self._app: Final = app
        self._serve: Final = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "websocket":
            prefix, game_id = scope["path"][: len(_PREFIX)], scope["path"][len(_PREFIX) :]
            if prefix == _PREFIX and game_id and "/" not in game_id:
                await self._serve(WebSocket(scope, receive, send), game_id)
                return
        await self._app(scope, receive, send)

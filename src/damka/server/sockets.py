"""Helpers for all live connections: origin checks, sending and closing."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from damka.server import security
from damka.server.fault_log import log_closed

if TYPE_CHECKING:
    from damka.server.settings import Settings

__all__ = [
    "POLICY",
    "RESTART",
    "TOO_LARGE",
    "TRY_LATER",
    "accept",
    "close",
    "close_flood",
    "send",
]

log: Final = logging.getLogger(__name__)

# Standard WebSocket close codes
POLICY: Final = 1008
TOO_LARGE: Final = 1009
RESTART: Final = 1012
TRY_LATER: Final = 1013


async def accept(socket: WebSocket, settings: Settings, *, by_token: bool = False) -> bool:
    """Accept a connection from one of our own pages; return whether it was accepted.

    No page can send a token, so with `by_token` no origin is required.
    """
    scheme = {"wss": "https"}.get(socket.url.scheme, "http")
    if not (
        security.known_host(socket.headers, settings)
        and (
            by_token or security.same_origin(socket.headers, scheme, settings, require_origin=True)
        )
    ):
        await socket.close(POLICY)
        return False
    await socket.accept()
    return True


async def close(socket: WebSocket, code: int, reason: str) -> None:
    """Close an accepted connection, unless it is already closed."""
    if socket.application_state is WebSocketState.CONNECTED:
        with suppress(WebSocketDisconnect):
            await socket.close(code, reason)


async def close_flood(socket: WebSocket, address: str, code: int, reason: str) -> None:
    """Close a connection because of its input, and log it."""
    log_closed(log, address, reason)
    await close(socket, code, reason)


async def send(socket: WebSocket, frame: str) -> None:
    """Send a frame. Raises WebSocketDisconnect once either side has closed the connection."""
    if socket.application_state is not WebSocketState.CONNECTED:
        raise WebSocketDisconnect
    await socket.send_text(frame)

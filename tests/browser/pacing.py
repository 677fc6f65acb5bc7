"""Pages that arrive in pieces, as over a slow connection."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

SLOW: Final = {"x-slow": "1"}
"""Header of the requests whose answers arrive in pieces."""
_PIECE_BYTES: Final = 300
_SECONDS: Final = 0.02

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Pacing:
    """ASGI app that sends the pages of another app in pieces when a request is SLOW.

    Chromium shows what has arrived: whatever moves when the rest arrives is a layout shift. A
    page is sent uncompressed, because a compressed piece can be decoded only with later ones.
    """

    def __init__(self, app: Any) -> None:
        self._app: Final = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", ()))
        if b"x-slow" not in headers or headers.get(b"sec-fetch-mode") != b"navigate":
            await self._app(scope, receive, send)
            return

        async def send_slowly(message: Message) -> None:
            body: bytes = message.get("body", b"")
            for start in range(0, len(body), _PIECE_BYTES):
                piece = body[start : start + _PIECE_BYTES]
                await send({**message, "body": piece, "more_body": True})
                await asyncio.sleep(_SECONDS)
            await send({**message, "body": b""} if body else message)

        uncompressed = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
        await self._app({**scope, "headers": uncompressed}, receive, send_slowly)

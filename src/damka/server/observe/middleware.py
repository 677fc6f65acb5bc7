"""Outermost ASGI middleware: times each request, assigns it an id, and logs it."""

from __future__ import annotations

import logging
import secrets
import time
from typing import Any, Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from damka.server.forwarding import game_of
from damka.server.observe import access_log
from damka.server.observe.metrics import Metrics

__all__ = ["ObserveMiddleware"]

HEADER: Final = "x-request-id"
_CLIENT_GONE: Final = 499
"""Status of a request whose client disconnected before the response."""
_FAILED: Final = 500


class ObserveMiddleware:
    """Assigns each request an id, which the response returns in `X-Request-Id`."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app: Final = app
        self._metrics: Final = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        started, path = time.perf_counter(), str(scope.get("path", ""))
        request_id = secrets.token_hex(8)
        response = _ResponseRecord()
        failed = True

        async def send_recorded(message: Any) -> None:
            if response.record(message):
                message.setdefault("headers", [])
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        async def receive_recorded() -> Any:
            message = await receive()
            if message["type"] == "websocket.disconnect" and response.status in {0, 101}:
                response.status = int(message.get("code") or 1006)
            return message

        try:
            await self._app(scope, receive_recorded, send_recorded)
            failed = False
        finally:
            seconds = time.perf_counter() - started
            status = response.status or (_FAILED if failed else _CLIENT_GONE)
            self._log(scope, path, request_id, status, response, seconds)

    def _log(
        self,
        scope: Scope,
        path: str,
        request_id: str,
        status: int,
        response: _ResponseRecord,
        seconds: float,
    ) -> None:
        route = getattr(scope.get("route"), "path", None)
        if route is None:
            # A forwarded request has its route in the process that served it.
            is_forwarded = game_of(scope) is not None
            route = "forwarded" if is_forwarded else "other"
            route = "/static" if path.startswith("/static/") else route
        method = scope.get("method", "WEBSOCKET")
        timed = scope["type"] == "http" and not response.is_stream
        self._metrics.count_response(method, route, status, seconds if timed else None)
        if access_log.LOGGER.isEnabledFor(logging.INFO):
            record = access_log.entry(dict(scope), path, request_id, status, response.size, seconds)
            access_log.write(record)


class _ResponseRecord:
    """Statistics of a response."""

    __slots__ = ("is_stream", "size", "status")

    def __init__(self) -> None:
        self.status = 0
        self.size = 0
        self.is_stream = False

    def record(self, message: Any) -> bool:
        """Record a message; return whether headers can be added to it."""
        kind = message["type"]
        if kind == "http.response.start":
            self.status = message["status"]
            names = {name for name, _ in message.get("headers", ())}
            self.is_stream = b"x-accel-buffering" in names
        elif kind == "http.response.body":
            self.size += len(message.get("body", b""))
        elif kind == "websocket.accept":
            self.status = 101
        elif kind == "websocket.close":
            # Closing before the handshake is answered with 403.
            self.status = message.get("code", 1000) if self.status == 101 else 403
        elif kind == "websocket.send":
            self.size += len(message.get("text") or message.get("bytes") or "")
        return kind in {"http.response.start", "websocket.accept"}

"""uvicorn's protocols with limits for each connection and each address.

The application only sees complete requests and messages. Input before them (idle connections,
headers and bodies that never end) and between them (control frames, empty fragments) is limited
here.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.frames import Frame
from websockets.http11 import Request

from damka.server.fault_log import BoundedLog, log_closed
from damka.server.limits import Bucket, ConnectionCount, Networks
from damka.server.round_trip import max_milliseconds
from damka.server.settings import Settings

__all__ = ["ROUND_TRIP", "Config", "HttpProtocol", "WebSocketProtocol"]

log: Final = logging.getLogger(__name__)
_BOUNDED: Final = BoundedLog()

ROUND_TRIP: Final = "damka.round_trip"
"""ASGI extension that measures the round trip of live connections.

`measure(report)` sends a ping; `report` receives the milliseconds until the pong, if it arrives. A
delayed pong counts as no more than the round trip measured by the kernel, except behind a proxy,
where the kernel only measures the path to the proxy.
"""
_MAX_PINGS: Final = 4
"""Maximum number of pending pings of one connection; a new one replaces the oldest."""

_POLICY: Final = 1008
_INVALID_DATA: Final = 1007
_SLICE_BYTES: Final = 1024
"""Bytes of WebSocket data that are parsed at a time, so that a flood is detected early."""
_SLACK: Final = 10
_TOO_MANY_CONNECTIONS: Final = (
    b"HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\nretry-after: 5\r\n"
    b"content-type: text/plain\r\ncontent-length: 46\r\n\r\n"
    b"Too many connections; try again in a moment.\r\n"
)
"""The request has not been parsed, so its language is unknown."""


class Config(uvicorn.Config):
    """uvicorn's configuration, with Damka's settings and a connection counter."""

    def __init__(self, app: Any, settings: Settings, connections: int, **options: Any) -> None:
        super().__init__(
            app,
            http=HttpProtocol,
            ws=WebSocketProtocol,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=list(settings.proxies),
            **options,
        )
        # Clients can trigger these log lines at an unlimited rate.
        logging.getLogger("uvicorn.error").addFilter(_BOUNDED)
        self.settings: Final = settings
        self.proxies: Final = Networks(settings.proxies)
        self.connection_count: Final = ConnectionCount(
            connections, settings.limits.sockets_per_address, self.proxies
        )


class HttpProtocol(H11Protocol):
    """HTTP/1.1 with a time limit for each request and a limit of connections per address."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], **kwargs: Any
    ) -> None:
        super().__init__(config, server_state, app_state, **kwargs)
        self._limits: Final = config.settings.limits
        self._count: Final = config.connection_count
        self._counted = False
        self._deadline: asyncio.TimerHandle | None = None
        self._reading_body = False
        self._upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or close it if there are too many."""
        super().connection_made(transport)
        self._counted = self._count.enter(self.client[0] if self.client else "")
        if self._counted:
            self._set_deadline(self._limits.header_seconds)
        else:
            transport.write(_TOO_MANY_CONNECTIONS)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection from the count."""
        self._set_deadline(None)
        if self._counted:
            self._count.leave(self.client[0] if self.client else "")
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse data, with time limits for headers and body."""
        if self._deadline is None and self.conn.their_state is h11.IDLE:
            self._set_deadline(self._limits.header_seconds)
        super().data_received(data)
        if self._upgraded:
            self._set_deadline(None)
        elif self.conn.their_state is h11.SEND_BODY:
            if not self._reading_body:
                self._reading_body = True
                self._set_deadline(self._limits.body_seconds)
        elif self.conn.their_state is not h11.IDLE:
            self._reading_body = False
            self._set_deadline(None)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Pass the connection to the WebSocket protocol."""
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    def _set_deadline(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = (
            None if seconds is None else self.loop.call_later(seconds, self._on_timeout)
        )

    def _on_timeout(self) -> None:
        if self.transport.is_closing():
            return
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.write(
                b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            )
        self.transport.close()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket with a rate limit for control frames and fragments."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], **kwargs: Any
    ) -> None:
        super().__init__(config, server_state, app_state, **kwargs)
        limits = config.settings.limits
        self._count: Final = config.connection_count
        self._proxies: Final = config.proxies
        self._rate: Final = Bucket(limits.control_burst, limits.control_rate)
        self._send_seconds: Final = limits.send_seconds
        self._is_cut_off = False
        self._max_queued: Final = limits.message_burst + limits.excess_messages + _SLACK
        self._pings: Final[dict[bytes, tuple[float, Callable[[float], None]]]] = {}

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection, which `HttpProtocol` counted, from the count."""
        self._count.leave(self.client[0] if self.client else "")
        super().connection_lost(exc)

    def handle_connect(self, event: Request) -> None:
        """Add the round-trip extension to the scope."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope["extensions"][ROUND_TRIP] = {"measure": self.measure}

    def start_keepalive(self) -> None:
        """Start sending pings; the handshake's response is no longer needed."""
        super().start_keepalive()
        del self.response

    def measure(self, report: Callable[[float], None]) -> None:
        """Send a ping with an unpredictable payload."""
        if self.close_sent or not self.handshake_complete or self.transport.is_closing():
            return
        payload = secrets.token_bytes(8)
        while len(self._pings) >= _MAX_PINGS:
            del self._pings[next(iter(self._pings))]
        with suppress(InvalidState):
            self.conn.send_ping(payload)
            self._pings[payload] = (self.loop.time(), report)
            self.transport.write(b"".join(self.conn.data_to_send()))

    def data_received(self, data: bytes) -> None:
        """Parse data in slices, so that a flood is cut off early."""
        for start in range(0, len(data), _SLICE_BYTES):
            if self._is_cut_off:
                return
            super().data_received(data[start : start + _SLICE_BYTES])
            if self.queue.qsize() > self._max_queued:
                self._close_flood(_POLICY, "too many messages")

    async def send(self, message: Any) -> None:
        """Send a message from the application, unless the connection is closed."""
        await self.writable.wait()
        if self.close_sent:
            # It was closed while this call waited, or because of the client's input.
            raise ClientDisconnected
        await super().send(message)

    async def run_asgi(self) -> None:
        """Serve the connection; abort it if the client does not read the last data."""
        await super().run_asgi()
        # Break the reference cycle between the protocol and its scope.
        self.scope.get("extensions", {}).pop(ROUND_TRIP, None)
        if self.transport.get_write_buffer_size():
            # Closing waits until all data is sent, which may be never.
            self.loop.call_later(self._send_seconds, self.transport.abort)

    def handle_ping(self) -> None:
        """Answer a ping, within the rate limit."""
        if self._may_continue():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Handle a pong, within the rate limit."""
        if self._may_continue():
            sent = self._pings.pop(bytes(event.data), None)
            if sent is None:
                super().handle_pong(event)
            else:
                sent_at, report = sent
                report(self._limited((self.loop.time() - sent_at) * 1000))

    def _limited(self, milliseconds: float) -> float:
        """Limit a round trip, which the client can prolong, to the kernel's measurement."""
        if self.client is not None and self.client[0] in self._proxies:
            return milliseconds
        limit = max_milliseconds(self.transport.get_extra_info("socket"))
        return milliseconds if limit is None else min(milliseconds, limit)

    def handle_cont(self, event: Frame) -> None:
        """Add a fragment to its message, within the rate limit."""
        if self._may_continue():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message to the application; close the connection if text is not UTF-8."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._close_flood(_INVALID_DATA, "")
                return
        super().send_receive_event_to_app()

    def _may_continue(self) -> bool:
        if self._is_cut_off:
            return False
        if self._rate.take():
            return True
        self._close_flood(_POLICY, "too many control frames or fragments")
        return False

    def _close_flood(self, code: int, reason: str) -> None:
        self._is_cut_off = True
        log_closed(log, self.client[0] if self.client else "", reason or "not UTF-8")
        with suppress(InvalidState):
            self.conn.send_close(code, reason)
            self.handle_parser_exception()
            return
        # The handshake is not complete, or a close frame was already sent.
        self.transport.abort()

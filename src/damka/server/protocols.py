"""uvicorn's protocols with limits for each connection and each address.

The application sees requests and messages only. What comes before (connections that say nothing,
headers and bodies that never end) and between them (control frames, empty fragments) is bounded
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
from damka.server.round_trip import most_milliseconds
from damka.server.settings import Settings

__all__ = ["ROUND_TRIP", "Config", "HttpProtocol", "WebSocketProtocol"]

log: Final = logging.getLogger(__name__)
_BOUNDED: Final = BoundedLog()

ROUND_TRIP: Final = "damka.round_trip"
"""The ASGI extension of live connections: `measure(tell)` sends a ping, and `tell` gets the
milliseconds until its answer, if one comes. Answers that are held back count no more than what the
system has measured, but of a proxy: it would measure the way to the proxy alone."""
_PINGS: Final = 4
"""Pings of one connection that wait for their answers; the oldest is given up for a new one."""

_POLICY: Final = 1008
_INVALID_DATA: Final = 1007
_SLICE: Final = 1024
"""Bytes of WebSocket frames that are read at once, so that a flood is noticed early."""
_SLACK: Final = 10
_TOO_MANY: Final = (
    b"HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\nretry-after: 5\r\n"
    b"content-type: text/plain\r\ncontent-length: 46\r\n\r\n"
    b"Too many connections; try again in a moment.\r\n"
)
"""Nothing was read yet that would say in which language."""


class Config(uvicorn.Config):
    """uvicorn's configuration with Damka's settings and the count of open connections."""

    def __init__(self, app: Any, settings: Settings, connections: int, **options: Any) -> None:
        super().__init__(
            app,
            http=HttpProtocol,
            ws=WebSocketProtocol,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=list(settings.proxies),
            **options,
        )
        # What clients send may make it write at any rate.
        logging.getLogger("uvicorn.error").addFilter(_BOUNDED)
        self.settings: Final = settings
        self.proxies: Final = Networks(settings.proxies)
        self.connection_count: Final = ConnectionCount(
            connections, settings.limits.sockets_per_address, self.proxies
        )


class HttpProtocol(H11Protocol):
    """HTTP/1.1 with a time limit for each request and a limit of connections per address."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], **more: Any
    ) -> None:
        super().__init__(config, server_state, app_state, **more)
        self._limits: Final = config.settings.limits
        self._count: Final = config.connection_count
        self._counted = False
        self._deadline: asyncio.TimerHandle | None = None
        self._reading_body = False
        self._upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or close it at once when there are too many."""
        super().connection_made(transport)
        self._counted = self._count.enter(self.client[0] if self.client else "")
        if self._counted:
            self._set_deadline(self._limits.header_seconds)
        else:
            transport.write(_TOO_MANY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no more."""
        self._set_deadline(None)
        if self._counted:
            self._count.leave(self.client[0] if self.client else "")
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, as long as the whole request comes in time."""
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
        """Hand the connection over."""
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    def _set_deadline(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = (
            None if seconds is None else self.loop.call_later(seconds, self._out_of_time)
        )

    def _out_of_time(self) -> None:
        if self.transport.is_closing():
            return
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.write(
                b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            )
        self.transport.close()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket with a rate limit for everything that is no whole message."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], **more: Any
    ) -> None:
        super().__init__(config, server_state, app_state, **more)
        limits = config.settings.limits
        self._count: Final = config.connection_count
        self._proxies: Final = config.proxies
        self._rate: Final = Bucket(limits.control_burst, limits.control_rate)
        self._send_seconds: Final = limits.send_seconds
        self._is_cut_off = False
        self._waiting: Final = limits.message_burst + limits.excess_messages + _SLACK
        self._pings: Final[dict[bytes, tuple[float, Callable[[float], None]]]] = {}

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection, which `HttpProtocol` has counted, no more."""
        self._count.leave(self.client[0] if self.client else "")
        super().connection_lost(exc)

    def handle_connect(self, event: Request) -> None:
        """Let the application measure the round trip."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope["extensions"][ROUND_TRIP] = {"measure": self.measure}

    def start_keepalive(self) -> None:
        """Begin to send pings; the answer to the handshake is not needed any more."""
        super().start_keepalive()
        del self.response

    def measure(self, tell: Callable[[float], None]) -> None:
        """Send a ping of our own, whose payload nobody can guess."""
        if self.close_sent or not self.handshake_complete or self.transport.is_closing():
            return
        payload = secrets.token_bytes(8)
        while len(self._pings) >= _PINGS:
            del self._pings[next(iter(self._pings))]
        with suppress(InvalidState):
            self.conn.send_ping(payload)
            self._pings[payload] = (self.loop.time(), tell)
            self.transport.write(b"".join(self.conn.data_to_send()))

    def data_received(self, data: bytes) -> None:
        """Read in slices: a flood is cut off before all that has arrived is parsed."""
        for start in range(0, len(data), _SLICE):
            if self._is_cut_off:
                return
            super().data_received(data[start : start + _SLICE])
            if self.queue.qsize() > self._waiting:
                self._cut_off(_POLICY, "too many messages")

    async def send(self, message: Any) -> None:
        """Send what the application says, as long as the connection is not closed."""
        await self.writable.wait()
        if self.close_sent:
            # It was closed while the application waited, or because of what the client sent.
            raise ClientDisconnected
        await super().send(message)

    async def run_asgi(self) -> None:
        """Serve the connection, and drop a client that does not read the last of it."""
        await super().run_asgi()
        # The protocol and its scope would hold each other.
        self.scope.get("extensions", {}).pop(ROUND_TRIP, None)
        if self.transport.get_write_buffer_size():
            # Closing waits until everything is sent, which may be never.
            self.loop.call_later(self._send_seconds, self.transport.abort)

    def handle_ping(self) -> None:
        """Answer a ping, if they are not too many."""
        if self._may_go_on():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take note of a pong, if they are not too many."""
        if self._may_go_on():
            sent = self._pings.pop(bytes(event.data), None)
            if sent is None:
                super().handle_pong(event)
            else:
                then, tell = sent
                tell(self._believed((self.loop.time() - then) * 1000))

    def _believed(self, milliseconds: float) -> float:
        """Return what is believed of a round trip that the client could have made longer."""
        if self.client is not None and self.client[0] in self._proxies:
            return milliseconds
        most = most_milliseconds(self.transport.get_extra_info("socket"))
        return milliseconds if most is None else min(milliseconds, most)

    def handle_cont(self, event: Frame) -> None:
        """Add a fragment to its message, if they are not too many."""
        if self._may_go_on():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; text that is not UTF-8 closes the connection without a traceback."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._cut_off(_INVALID_DATA, "")
                return
        super().send_receive_event_to_app()

    def _may_go_on(self) -> bool:
        if self._is_cut_off:
            return False
        if self._rate.take():
            return True
        self._cut_off(_POLICY, "too many control frames or fragments")
        return False

    def _cut_off(self, code: int, reason: str) -> None:
        self._is_cut_off = True
        log_closed(log, self.client[0] if self.client else "", reason or "not UTF-8")
        with suppress(InvalidState):
            self.conn.send_close(code, reason)
            self.handle_parser_exception()
            return
        # Before the handshake's end, or after a farewell already.
        self.transport.abort()

"""A lightweight WebSocket client with configurable misbehaviour.

A library would be too slow, since the generator shares two cores with the server it measures, and
too well-behaved for fault tests, which answer pings late or stop reading.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Callable
from typing import Final

__all__ = ["GONE", "ClosedError", "Socket", "open_socket"]

_TEXT: Final = 1
_CLOSE: Final = 8
_PING: Final = 9
_PONG: Final = 10
_MASK: Final = b"\0\0\0\0"
"""A mask of zeros, which leaves the payload unchanged."""
BROKEN: Final = 1006
"""The code of a connection that closed without a close frame."""


class ClosedError(Exception):
    """The connection is closed; the message has the code and the reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"closed with {code} {reason}")


GONE: Final = (ClosedError, OSError, TimeoutError)
"""Errors that mean the connection is lost."""


class Socket(asyncio.Protocol):
    """A connection: `on_text` receives each message, `on_close` the final code and reason."""

    def __init__(
        self,
        request: bytes,
        on_text: Callable[[bytes], None],
        on_close: Callable[[int, str], None],
    ) -> None:
        self.opened: Final[asyncio.Future[None]] = asyncio.get_running_loop().create_future()
        self.pong_seconds = 0.0
        """Delay before answering a ping."""
        self.bytes_received = 0
        self._request: Final = request
        self._on_text: Final = on_text
        self._on_close: Final = on_close
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._is_open = False
        self._end = (BROKEN, "")

    @property
    def is_open(self) -> bool:
        """Whether messages can be sent."""
        return self._is_open

    def send(self, text: bytes) -> None:
        """Send a message of less than 64 KiB."""
        self._send(_TEXT, text)

    def close(self) -> None:
        """Close the connection as a browser does when its page is closed."""
        self._send(_CLOSE, (1001).to_bytes(2, "big"))

    def abort(self) -> None:
        """Drop the connection."""
        if self._transport is not None:
            self._transport.abort()

    def read_nothing(self) -> None:
        """Stop reading, so that data accumulates on the server."""
        if self._transport is not None:
            self._transport.pause_reading()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the WebSocket handshake."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Report how the connection ended."""
        was_open, self._is_open = self._is_open, False
        if not self.opened.done():
            self.opened.set_exception(ClosedError(*self._end))
        elif was_open:
            self._on_close(*self._end)

    def data_received(self, data: bytes) -> None:
        """Process complete frames; buffer the rest."""
        self.bytes_received += len(data)
        if self._buffer:
            data = self._buffer + data
        if not self._is_open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self._end = (BROKEN, head.partition(b"\r\n")[0].decode())
                self.abort()
                return
            self._is_open = True
            if not self.opened.done():
                self.opened.set_result(None)
        self._buffer = data[self._frames(data) :]

    def _frames(self, data: bytes) -> int:
        """Handle the complete frames in `data`; return the offset of the rest."""
        start = 0
        while len(data) >= start + 2:
            size, at = data[start + 1], start + 2
            if size >= 126:
                more = 2 if size == 126 else 8
                if len(data) < at + more:
                    break
                size, at = int.from_bytes(data[at : at + more], "big"), at + more
            if len(data) < at + size:
                break
            self._frame(data[start] & 15, data[at : at + size])
            start = at + size
        return start

    def _frame(self, kind: int, payload: bytes) -> None:
        if kind == _TEXT:
            self._on_text(payload)
        elif kind == _PING and self.pong_seconds:
            asyncio.get_running_loop().call_later(self.pong_seconds, self._send, _PONG, payload)
        elif kind == _PING:
            self._send(_PONG, payload)
        elif kind == _CLOSE:
            code = int.from_bytes(payload[:2], "big") if payload else BROKEN
            self._end = (code, payload[2:].decode(errors="replace"))
            if self._transport is not None:
                self._transport.close()

    def _send(self, kind: int, payload: bytes) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        size = len(payload)
        length = (
            bytes((0x80 | size,)) if size < 126 else bytes((0x80 | 126,)) + size.to_bytes(2, "big")
        )
        self._transport.write(bytes((0x80 | kind,)) + length + _MASK + payload)


async def open_socket(
    host: str,
    port: int,
    path: str,
    headers: dict[str, str],
    on_text: Callable[[bytes], None],
    on_close: Callable[[int, str], None],
) -> Socket:
    """Open a connection. Raises ClosedError or OSError on failure."""
    key = base64.b64encode(secrets.token_bytes(16)).decode()
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}:{port}",
        *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
        f"Sec-WebSocket-Key: {key}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(request, on_text, on_close), host, port)
    await socket.opened
    return socket

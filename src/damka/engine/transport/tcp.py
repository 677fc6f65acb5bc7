"""A connection over TCP as a stream."""

from __future__ import annotations

import contextlib
import socket
from typing import Final

from damka.engine.errors import EngineDeadError

__all__ = ["Connection", "address"]

_CHUNK: Final = 64 * 1024


class Connection:
    """An open connection; see `Connection.open`."""

    def __init__(self, sock: socket.socket) -> None:
        sock.settimeout(None)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket: Final = sock

    @classmethod
    def open(cls, host: str, port: int, seconds: float) -> Connection:
        """Connect. Raises EngineDeadError if the connection fails."""
        try:
            return cls(socket.create_connection((host, port), timeout=seconds))
        except OSError as error:
            reason = error.strerror or str(error)
            raise EngineDeadError(f"{host}:{port}", f"no connection: {reason}") from error

    def read(self) -> bytes:
        """Return some bytes, empty at the end."""
        return self._socket.recv(_CHUNK)

    def write(self, data: bytes) -> None:
        """Send all of `data`."""
        self._socket.sendall(data)

    def finish(self) -> None:
        """Close the sending direction."""
        self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Close the connection, and unblock waiting calls."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def close_reason(self) -> str:
        """Return why the connection ended; TCP gives no reason."""
        return "the connection has ended"


def address(text: str) -> tuple[str, int] | None:
    """Return the host and port of "host:port" or "[::1]:port", or None.

    >>> address("localhost:27531"), address("[::1]:8000"), address("./engine hub")
    (('localhost', 27531), ('::1', 8000), None)
    """
    host, colon, port = text.rpartition(":")
    if not (colon and port.isascii() and port.isdecimal() and len(port) <= 5):
        return None
    host = host.removeprefix("[").removesuffix("]")
    if not host or not int(port) <= 65535 or any(sign in host for sign in " /'\""):
        return None
    return host, int(port)

"""A connection over TCP as a stream."""

from __future__ import annotations

import contextlib
import socket
from typing import Final

from damka.engine.errors import EngineDeadError

__all__ = ["Connection", "address"]

_CHUNK: Final = 64 * 1024


class Connection:
    """An open connection; `Connection.to` makes one."""

    def __init__(self, connected: socket.socket) -> None:
        connected.settimeout(None)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket: Final = connected

    @classmethod
    def to(cls, host: str, port: int, seconds: float) -> Connection:
        """Connect. Raises EngineDeadError when nobody answers there."""
        try:
            return cls(socket.create_connection((host, port), timeout=seconds))
        except OSError as error:
            why = error.strerror or str(error)
            raise EngineDeadError(f"{host}:{port}", f"no connection: {why}") from error

    def read(self) -> bytes:
        """Return some bytes; none at the end."""
        return self._socket.recv(_CHUNK)

    def write(self, data: bytes) -> None:
        """Send everything."""
        self._socket.sendall(data)

    def finish(self) -> None:
        """Tell the other side that nothing more comes."""
        self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """End the connection, and every call that waits for it."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def obituary(self) -> str:
        """Return how the connection ended; TCP says no more."""
        return "the connection has ended"


def address(text: str) -> tuple[str, int] | None:
    """Return the host and port of "host:port" or "[::1]:port", None when it is neither.

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

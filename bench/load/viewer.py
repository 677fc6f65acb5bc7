"""A lightweight game connection that parses only the needed fields of frames."""

from __future__ import annotations

import asyncio
import itertools
import time
from typing import Final

import msgspec

from bench.load.socket import ClosedError, Socket, open_socket

__all__ = ["HOST", "PATIENCE", "Frame", "Viewer", "address"]

HOST: Final = "127.0.0.1"
PATIENCE: Final = 20.0
"""Seconds to wait for an answer, and for a restarting server."""
_number: Final = itertools.count(1)


def address() -> str:
    """Return an unused address."""
    number = next(_number)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


class Result(msgspec.Struct, frozen=True):
    """Why a game ended."""

    reason: str


class Presence(msgspec.Struct, frozen=True):
    """Whether a player is connected."""

    here: bool


class Changes(msgspec.Struct, frozen=True):
    """The changed fields of a state."""

    ply: int | msgspec.UnsetType = msgspec.UNSET
    result: Result | msgspec.UnsetType | None = msgspec.UNSET
    presence: dict[str, Presence] | msgspec.UnsetType | None = msgspec.UNSET


class Frame(msgspec.Struct, frozen=True, tag=False):
    """A frame of any kind; missing fields have their defaults."""

    t: str
    ply: int | None = None
    result: Result | None = None
    presence: dict[str, Presence] | None = None
    code: str = ""
    message: str = ""
    changes: Changes | None = None


_decoder: Final = msgspec.json.Decoder(Frame)


class Viewer:
    """A client of a game, at its own address by default."""

    def __init__(self, origin: str = "") -> None:
        self.address: Final = origin or address()
        self.cookie = ""
        self.socket: Socket | None = None
        self.last: Frame | None = None
        """The last state."""
        self.seen_at = 0.0
        """The `time.perf_counter` time when its ply was first seen."""
        self.end: tuple[int, str] | None = None
        """Close code and reason, if the other side closed the connection."""
        self._first: asyncio.Future[None] | None = None
        self._has_left = False

    @property
    def ply(self) -> int:
        """The number of moves seen; -1 before the first state."""
        return -1 if self.last is None or self.last.ply is None else self.last.ply

    @property
    def is_open(self) -> bool:
        """Whether it is connected."""
        return self.socket is not None and self.socket.is_open

    def headers(self, origin: str) -> dict[str, str]:
        """Return the headers of a browser at this address."""
        headers = {"Origin": origin, "X-Forwarded-For": self.address}
        return headers | ({"Cookie": f"damka_seat={self.cookie}"} if self.cookie else {})

    async def connect(self, port: int, game: str) -> None:
        """Connect to a game and wait for its state. Raises ClosedError, OSError, TimeoutError."""
        self._first = asyncio.get_running_loop().create_future()
        # After a failed handshake there is no reader.
        self._first.add_done_callback(lambda first: first.cancelled() or first.exception())
        self._has_left = False
        self.last = self.end = None
        async with asyncio.timeout(PATIENCE):
            self.socket = await open_socket(
                *(HOST, port, f"/live/{game}?lang=en&have="),
                self.headers(f"http://{HOST}:{port}"),
                self._text,
                self._closed,
            )
            await self._first

    def leave(self) -> None:
        """Close the connection."""
        self._has_left = True
        if self.socket is not None:
            self.socket.close()
        self.socket = None

    def received(self, frame: Frame) -> None:
        """Handle a frame and merge it into the state."""

    def broken(self, code: int, reason: str) -> None:
        """Handle a connection closed by the other side."""

    def _text(self, text: bytes) -> None:
        frame = _decoder.decode(text)
        if frame.changes is not None and self.last is not None:
            changes = msgspec.structs.asdict(frame.changes)
            changed = {name: value for name, value in changes.items() if value is not msgspec.UNSET}
            frame = msgspec.structs.replace(self.last, **changed)
        if frame.ply is not None and frame.t != "hint":
            if frame.ply != self.ply:
                self.seen_at = time.perf_counter()
            self.last = frame
            if self._first is not None and not self._first.done():
                self._first.set_result(None)
        self.received(frame)

    def _closed(self, code: int, reason: str) -> None:
        if self._has_left:
            return
        self.end = (code, reason)
        if self._first is not None and not self._first.done():
            self._first.set_exception(ClosedError(code, reason))
        self.broken(code, reason)

"""Two players at two connections who play one game after another, a move at a time."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import httpx

from bench.load.frames import Clock, Frame, read
from bench.load.scripts import Script
from bench.load.socket import ClosedError, Socket, open_socket
from bench.load.store_check import Played

__all__ = ["CLOCK", "Ledger", "Pair", "Seat", "address"]

CLOCK: Final[dict[str, Any]] = {"kind": "fischer", "seconds": 900, "increment": 10}
PATIENCE: Final = 20.0
"""Seconds to wait for an answer, and for a server that comes back."""
_AGAIN_SECONDS: Final = 0.25
_number: Final = itertools.count(1)


def address() -> str:
    """Return an address that no other player has."""
    number = next(_number)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


class Ledger:
    """What all players saw: how long it took, what was acknowledged, what went wrong."""

    def __init__(self) -> None:
        self.to_other: Final[list[float]] = []
        """Milliseconds from sending a move to its receipt at the other player."""
        self.to_self: Final[list[float]] = []
        """The same to the player who moved."""
        self.errors: Final[Counter[str]] = Counter()
        self.games: Final[list[Played]] = []
        self.late = 0
        """Moves that were due before the one before them had arrived."""
        self.moves = 0
        self.bytes = 0


class Seat:
    """One player's connection to a game."""

    def __init__(self, pair: Pair) -> None:
        self.address: Final = address()
        self.cookie = ""
        self.socket: Socket | None = None
        self.pong_seconds = 0.0
        """For how long answers to pings are held back."""
        self.last: Frame | None = None
        """The last state."""
        self.last_at = 0.0
        """When it came, by the wall clock."""
        self._pair: Final = pair
        self._first: asyncio.Future[None] | None = None
        self._has_left = False

    def headers(self, origin: str) -> dict[str, str]:
        """Return what a browser at this address sends."""
        headers = {"Origin": origin, "X-Forwarded-For": self.address}
        return headers | ({"Cookie": f"damka_seat={self.cookie}"} if self.cookie else {})

    @property
    def clock(self) -> Clock | None:
        """The clocks of the last state."""
        return None if self.last is None else self.last.clock

    async def connect(self, host: str, port: int, game: str) -> None:
        """Connect to a game and wait for its state. Raises ClosedError, OSError, TimeoutError."""
        self._first = asyncio.get_running_loop().create_future()
        # Where the handshake fails already, nobody asks for it.
        self._first.add_done_callback(lambda first: first.cancelled() or first.exception())
        self._has_left = False
        self.last = None
        async with asyncio.timeout(PATIENCE):
            self.socket = await open_socket(
                host,
                port,
                f"/live/{game}?lang=en&have=",
                self.headers(f"http://{host}:{port}"),
                self._text,
                self._closed,
            )
            self.socket.pong_seconds = self.pong_seconds
            await self._first

    def _text(self, text: bytes) -> None:
        frame = read(text, self.last)
        if frame.ply is not None and frame.t != "hint":
            self.last, self.last_at = frame, time.time()
            if self._first is not None and not self._first.done():
                self._first.set_result(None)
        self._pair.received(self, frame)

    def _closed(self, code: int, reason: str) -> None:
        if self._has_left:
            return
        if self._first is not None and not self._first.done():
            self._first.set_exception(ClosedError(code, reason))
        self._pair.broken(code, reason)

    def leave(self) -> None:
        """Close the connection."""
        self._has_left = True
        if self.socket is not None:
            self.socket.close()
        self.socket = None


class Pair:
    """Two players; `ports` are those of the servers, of which each player has one."""

    def __init__(
        self, http: httpx.AsyncClient, ports: Sequence[int], ledger: Ledger, *, lasting: bool
    ) -> None:
        self.seats: Final = (Seat(self), Seat(self))
        self.game = ""
        self.games: Final[list[str]] = []
        """The ids of all that they have begun."""
        self.ply = 0
        """How many moves both have seen."""
        self.moved_at = 0.0
        """When both had seen the last move, by the wall clock."""
        self.refused: list[float] = []
        """When errors came, by the wall clock."""
        self.script: Script | None = None
        self.is_over = False
        self._lasting: Final = lasting
        self._sent = 0
        self._http: Final = http
        self._ports = list(ports)
        self._ledger: Final = ledger
        self._sent_at = 0.0
        self._seen: set[Seat] = set()
        self._both: asyncio.Future[None] | None = None
        self._over: asyncio.Future[None] | None = None

    async def begin(self, script: Script, clock: dict[str, Any] | None = CLOCK) -> None:
        """Set up a game and sit down; lasting players try again where that fails.

        Raises RuntimeError when the server refuses it.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + 3 * PATIENCE
        while True:
            try:
                await self._begin(script, clock)
            except (RuntimeError, ClosedError, OSError, TimeoutError, httpx.HTTPError):
                if not self._lasting or loop.time() > until:
                    raise
                self._ports.reverse()
                await asyncio.sleep(_AGAIN_SECONDS)
            else:
                return

    async def _begin(self, script: Script, clock: dict[str, Any] | None) -> None:
        self.script, self.ply, self._sent, self.is_over, self.game = script, 0, 0, False, ""
        inviter, guest = self.seats
        wish = {"rules": script.rules, "opponent": "invite", "colour": "first", "clock": clock}
        self.game = (await self._post(0, inviter, "/api/games", wish))["id"]
        self.games.append(self.game)
        await self._post(1, guest, f"/api/games/{self.game}/join", {"name": ""})
        await self.connect()

    async def connect(self) -> None:
        """Connect both players to their game."""
        for seat, port in zip(self.seats, self._ports, strict=True):
            await seat.connect("127.0.0.1", port, self.game)

    async def move(self) -> None:
        """Let the side to move play its next move, until both have seen it.

        Where the players are lasting, a connection that breaks is opened again and the move is
        sent again, if the game is without it: as a page does. Otherwise it is an error.
        """
        assert self.script is not None
        key = self.script.moves[self.ply]
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE * (3 if self._lasting else 1)
        while True:
            try:
                await self._send(key)
            except (ClosedError, OSError, TimeoutError):
                if not self._lasting or loop.time() > until:
                    raise
                await self._recover(until)
                if self._has_seen():
                    break
            else:
                break
        self.ply += 1
        self.moved_at = time.time()
        self._ledger.moves += 1
        last = self.seats[0].last
        self.is_over = last is not None and last.result is not None

    async def resign(self) -> None:
        """Let the side to move give up, until both know."""
        mover = self.seats[self.ply % 2]
        assert mover.socket is not None
        self._over = asyncio.get_running_loop().create_future()
        mover.socket.send(b'{"t":"resign"}')
        async with asyncio.timeout(PATIENCE):
            await self._over
        self.is_over = True

    def end(self) -> None:
        """Write down what was played, and leave."""
        self.write_down()
        for seat in self.seats:
            if seat.socket is not None:
                self._ledger.bytes += seat.socket.bytes_received
            seat.leave()

    def write_down(self) -> None:
        """Write down what was played."""
        if self.script is not None and self.game:
            sent = self.script.moves[: max(self._sent, self.ply)]
            self._ledger.games.append(Played(self.game, sent, self.ply))

    async def _send(self, key: str) -> None:
        mover = self.seats[self.ply % 2]
        self._both = asyncio.get_running_loop().create_future()
        self._both.add_done_callback(lambda both: both.cancelled() or both.exception())
        self._seen = set()
        if mover.socket is None or not all(s.socket and s.socket.is_open for s in self.seats):
            raise ClosedError(1006, "not connected")
        self._sent = self.ply + 1
        self._sent_at = time.perf_counter()
        mover.socket.send(f'{{"t":"move","ply":{self.ply},"move":"{key}"}}'.encode())
        async with asyncio.timeout(PATIENCE):
            await self._both

    def received(self, seat: Seat, frame: Frame) -> None:
        """Take note of a frame."""
        if frame.t in {"error", "refusal"}:
            if not self._lasting:
                self._ledger.errors[f"{frame.t} {frame.code}"] += 1
            self.refused.append(time.time())
            self._fail(ClosedError(0, f"{frame.t} {frame.code}"))
        if self._over is not None and not self._over.done() and self._knows_result():
            self._over.set_result(None)
        waits = self._both is not None and not self._both.done()
        if not waits or frame.ply != self.ply + 1 or seat in self._seen:
            return
        took = 1000 * (time.perf_counter() - self._sent_at)
        is_mover = seat is self.seats[self.ply % 2]
        (self._ledger.to_self if is_mover else self._ledger.to_other).append(took)
        self._seen.add(seat)
        if len(self._seen) == 2 and self._both is not None:
            self._both.set_result(None)

    def broken(self, code: int, reason: str) -> None:
        """Take note of a connection that ended and should not have."""
        if not self._lasting:
            self._ledger.errors[f"closed {code} {reason}".strip()] += 1
        self._fail(ClosedError(code, reason))

    def _fail(self, error: Exception) -> None:
        if self._both is not None and not self._both.done():
            self._both.set_exception(error)

    def _knows_result(self) -> bool:
        return all(seat.last is not None and seat.last.result is not None for seat in self.seats)

    def _has_seen(self) -> bool:
        return all(seat.last is not None and seat.last.ply == self.ply + 1 for seat in self.seats)

    async def _recover(self, until: float) -> None:
        """Connect again, as often as need be."""
        while True:
            await asyncio.sleep(_AGAIN_SECONDS)
            try:
                for seat, port in zip(self.seats, self._ports, strict=True):
                    if seat.socket is None or not seat.socket.is_open:
                        await seat.connect("127.0.0.1", port, self.game)
            except (ClosedError, OSError, TimeoutError):
                # As a proxy does that finds one of two servers gone.
                self._ports.reverse()
                if asyncio.get_running_loop().time() > until:
                    raise
            else:
                return

    async def _post(self, which: int, seat: Seat, path: str, body: dict[str, Any]) -> Any:
        url = f"http://127.0.0.1:{self._ports[which]}"
        answer = await self._http.post(url + path, json=body, headers=seat.headers(url))
        if answer.status_code not in {200, 201}:
            if not self._lasting:
                self._ledger.errors[
                    f"{path.rsplit('/', maxsplit=1)[-1]}: {answer.status_code}"
                ] += 1
            raise RuntimeError(f"{path}: {answer.status_code} {answer.text[:200]}")
        seat.cookie = answer.cookies.get("damka_seat") or seat.cookie
        return answer.json()

"""Two players on two connections who play one game after another."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import httpx

from bench.load.scripts import Script
from bench.load.socket import GONE, ClosedError
from bench.load.store_check import SentGame
from bench.load.viewer import HOST, PATIENCE, Frame, Viewer

__all__ = ["CLOCK", "Ledger", "Pair", "Seat"]

CLOCK: Final[dict[str, Any]] = {"kind": "fischer", "seconds": 900, "increment": 10}
_RETRY_SECONDS: Final = 0.25


class Ledger:
    """The observations of all players: latencies, acknowledged moves, errors."""

    def __init__(self) -> None:
        self.to_other: Final[list[float]] = []
        """Milliseconds from sending a move to its receipt by the other player."""
        self.to_self: Final[list[float]] = []
        """The same until its receipt by the player who moved."""
        self.errors: Final[Counter[str]] = Counter()
        self.closed: Final[Counter[int]] = Counter()
        """Close codes of connections of persistent players."""
        self.games: Final[list[SentGame]] = []
        self.late = 0
        """Moves that were due before the previous one arrived."""
        self.moves = 0
        self.bytes = 0


class Seat(Viewer):
    """One player's connection to a game."""

    def __init__(self, pair: Pair) -> None:
        super().__init__()
        self.pong_seconds = 0.0
        """Delay before answering a ping."""
        self._pair: Final = pair

    async def connect(self, port: int, game: str) -> None:
        """Connect to a game and wait for its state."""
        await super().connect(port, game)
        assert self.socket is not None
        self.socket.pong_seconds = self.pong_seconds

    def received(self, frame: Frame) -> None:
        """Receive a frame."""
        self._pair.received(self, frame)

    def broken(self, code: int, reason: str) -> None:
        """Handle a connection closed by the other side."""
        self._pair.broken(code, reason)


class Pair:
    """Two players; `ports` are their servers' ports, one per player."""

    def __init__(
        self, http: httpx.AsyncClient, ports: Sequence[int], ledger: Ledger, *, persistent: bool
    ) -> None:
        self.seats: Final = (Seat(self), Seat(self))
        self.game = ""
        self.games: Final[list[str]] = []
        """The ids of all games that they have started."""
        self.ply = 0
        """The number of moves seen by both."""
        self.moved_at = 0.0
        """The wall-clock time when both had seen the last move."""
        self.refused: list[tuple[float, Frame]] = []
        """Errors with their wall-clock times."""
        self.script: Script | None = None
        self.is_over = False
        self._persistent: Final = persistent
        self._sent = 0
        self._http: Final = http
        self._ports = list(ports)
        self._ledger: Final = ledger
        self._sent_at = 0.0
        self._seen: set[Seat] = set()
        self._both_seen: asyncio.Future[None] | None = None
        self._over: asyncio.Future[None] | None = None

    async def begin(self, script: Script) -> None:
        """Create a game and take seats; persistent players retry on failure.

        Raises RuntimeError when the server refuses it.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + 3 * PATIENCE
        while True:
            try:
                await self._begin(script)
            except (RuntimeError, httpx.HTTPError, *GONE):
                if not self._persistent or loop.time() > until:
                    raise
                self._ports.reverse()
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return

    async def _begin(self, script: Script) -> None:
        self.script, self.ply, self._sent, self.is_over, self.game = script, 0, 0, False, ""
        inviter, guest = self.seats
        wish = {"rules": script.rules, "opponent": "invite", "colour": "first", "clock": CLOCK}
        self.game = (await self._post(0, inviter, "/api/games", wish))["id"]
        self.games.append(self.game)
        await self._post(1, guest, f"/api/games/{self.game}/join", {"name": ""})
        await self.connect()

    async def connect(self) -> None:
        """Connect both players to their game."""
        for seat, port in zip(self.seats, self._ports, strict=True):
            await seat.connect(port, self.game)

    async def move(self) -> None:
        """Play the next move of the side to move, and wait until both have seen it.

        Persistent players reconnect after a failure, like a page, and resend the move unless the
        game has it. For others a failure is an error.
        """
        assert self.script is not None
        key = self.script.moves[self.ply]
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE * (3 if self._persistent else 1)
        while True:
            try:
                await self._send(key)
            except GONE:
                if not self._persistent or loop.time() > until:
                    raise
                await self._recover(until)
                if self._both_have_moved():
                    break
            else:
                break
        self.ply += 1
        self.moved_at = time.time()
        self._ledger.moves += 1
        last = self.seats[0].last
        self.is_over = last is not None and last.result is not None

    async def resign(self) -> None:
        """Resign for the side to move, and wait until both know."""
        mover = self.seats[self.ply % 2]
        assert mover.socket is not None
        self._over = asyncio.get_running_loop().create_future()
        mover.socket.send(b'{"t":"resign"}')
        async with asyncio.timeout(PATIENCE):
            await self._over
        self.is_over = True

    def end(self) -> None:
        """Record the game, and leave."""
        if self.script is not None and self.game:
            sent = self.script.moves[: max(self._sent, self.ply)]
            self._ledger.games.append(SentGame(self.game, sent, self.ply))
        for seat in self.seats:
            if seat.socket is not None:
                self._ledger.bytes += seat.socket.bytes_received
            seat.leave()

    async def _send(self, key: str) -> None:
        mover = self.seats[self.ply % 2]
        self._both_seen = asyncio.get_running_loop().create_future()
        self._both_seen.add_done_callback(lambda both: both.cancelled() or both.exception())
        self._seen = set()
        if mover.socket is None or not all(s.is_open for s in self.seats):
            raise ClosedError(1006, "not connected")
        self._sent = self.ply + 1
        self._sent_at = time.perf_counter()
        mover.socket.send(f'{{"t":"move","ply":{self.ply},"move":"{key}"}}'.encode())
        async with asyncio.timeout(PATIENCE):
            await self._both_seen

    def received(self, seat: Seat, frame: Frame) -> None:
        """Record a frame."""
        if frame.t in {"error", "refusal"}:
            if not self._persistent:
                self._ledger.errors[f"{frame.t} {frame.code}"] += 1
            self.refused.append((time.time(), frame))
            self._fail(ClosedError(0, f"{frame.t} {frame.code}"))
        if self._over is not None and not self._over.done() and self._both_know_result():
            self._over.set_result(None)
        waits = self._both_seen is not None and not self._both_seen.done()
        if not waits or frame.ply != self.ply + 1 or seat in self._seen:
            return
        took = 1000 * (time.perf_counter() - self._sent_at)
        is_mover = seat is self.seats[self.ply % 2]
        (self._ledger.to_self if is_mover else self._ledger.to_other).append(took)
        self._seen.add(seat)
        if len(self._seen) == 2 and self._both_seen is not None:
            self._both_seen.set_result(None)

    def broken(self, code: int, reason: str) -> None:
        """Record an unexpected close."""
        if self._persistent:
            self._ledger.closed[code] += 1
        else:
            self._ledger.errors[f"closed {code} {reason}".strip()] += 1
        self._fail(ClosedError(code, reason))

    def _fail(self, error: Exception) -> None:
        if self._both_seen is not None and not self._both_seen.done():
            self._both_seen.set_exception(error)

    def _both_know_result(self) -> bool:
        return all(seat.last is not None and seat.last.result is not None for seat in self.seats)

    def _both_have_moved(self) -> bool:
        return all(seat.ply == self.ply + 1 for seat in self.seats)

    async def _recover(self, until: float) -> None:
        """Reconnect until it succeeds."""
        while True:
            await asyncio.sleep(_RETRY_SECONDS)
            try:
                for seat, port in zip(self.seats, self._ports, strict=True):
                    if not seat.is_open:
                        await seat.connect(port, self.game)
            except GONE:
                # As behind a proxy when one of two servers is down.
                self._ports.reverse()
                if asyncio.get_running_loop().time() > until:
                    raise
            else:
                return

    async def _post(self, which: int, seat: Seat, path: str, body: dict[str, Any]) -> Any:
        url = f"http://{HOST}:{self._ports[which]}"
        answer = await self._http.post(url + path, json=body, headers=seat.headers(url))
        if answer.status_code not in {200, 201}:
            if not self._persistent:
                self._ledger.errors[f"{path.rpartition('/')[2]}: {answer.status_code}"] += 1
            raise RuntimeError(f"{path}: {answer.status_code} {answer.text[:200]}")
        seat.cookie = answer.cookies.get("damka_seat") or seat.cookie
        return answer.json()

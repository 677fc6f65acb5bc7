"""Games against the computer: one address keeps it busy while another waits for a reply."""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any, Final

import httpx

from bench.load.context import ENOUGH, Context, Line, correct, figure
from bench.load.games import client
from bench.load.scripts import script
from bench.load.viewer import HOST, Frame, Viewer, address

__all__ = ["engines"]

ANSWER_SECONDS: Final = 1.0
_WAIT_SECONDS: Final = 60.0


class _Solo(Viewer):
    """A player who starts a game against the computer."""

    def __init__(self, origin: str) -> None:
        super().__init__(origin)
        self.errors: list[str] = []
        self._answered = asyncio.Event()

    async def begin(self, http: httpx.AsyncClient, port: int, level: int) -> None:
        """Start a game and move."""
        url = f"http://{HOST}:{port}"
        wish: dict[str, Any] = {"rules": script(0).rules, "level": level, "colour": "first"}
        answer = await http.post(f"{url}/api/games", json=wish, headers=self.headers(url))
        answer.raise_for_status()
        self.cookie = answer.cookies["damka_seat"]
        await self.connect(port, answer.json()["id"])
        assert self.socket is not None
        self.socket.send(f'{{"t":"move","ply":0,"move":"{script(0).moves[0]}"}}'.encode())

    async def answered(self) -> None:
        """Wait for the computer's move."""
        await asyncio.wait_for(self._answered.wait(), _WAIT_SECONDS)

    def received(self, frame: Frame) -> None:
        """Receive a frame."""
        if frame.t == "error":
            self.errors.append(frame.code)
        elif self.ply == 2:
            self._answered.set()

    def broken(self, code: int, reason: str) -> None:
        """Receive the end of the connection."""
        self.errors.append(f"closed {code} {reason}")


async def engines(context: Context) -> list[Line]:
    """A hundred games at level 10 from one address, and games at level 3 from another."""
    sizes = context.sizes
    greedy, modest, times = address(), address(), []
    # Otherwise the rate limits of one address would refuse its requests and connections.
    limits = {
        "connections_per_address": sizes.searches + 10,
        "connect_burst": sizes.searches + 10,
        "post_burst": sizes.searches + sizes.answers + 10,
    }
    with context.server(sizes.searches + sizes.answers + ENOUGH, **limits) as server:
        async with client() as http:
            busy = []
            for number in range(sizes.searches):
                solo = _Solo(greedy)
                await solo.begin(http, server.port, 10)
                busy.append(solo)
                context.progress("games at level 10", number + 1, sizes.searches)
            for number in range(sizes.answers):
                solo = _Solo(modest)
                await solo.begin(http, server.port, 3)
                began = time.perf_counter()
                await solo.answered()
                times.append(time.perf_counter() - began)
                context.progress("replies at level 3", number + 1, sizes.answers)
                solo.leave()
            errors = [error for solo in busy for error in solo.errors]
            for solo in busy:
                solo.leave()
    return [
        correct("searches: errors", not errors, str(errors[:3] or 0)),
        figure("reply of level 3, median", statistics.median(times), "s"),
        figure("reply of level 3, longest", max(times), "s", ANSWER_SECONDS),
    ]

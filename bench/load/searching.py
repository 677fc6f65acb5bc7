"""Searches: games against the computer, and analyses beside a game."""

from __future__ import annotations

import asyncio
import statistics
import time
from contextlib import suppress
from typing import Any, Final

import httpx

from bench.load.context import ENOUGH, Context, Line, correct, figure
from bench.load.games import client
from bench.load.scripts import script
from bench.load.viewer import HOST, Frame, Viewer, address

__all__ = ["analyses", "engines"]

ANSWER_SECONDS: Final = 1.0
_MOVE_MS: Final = 50.0
_PAUSE: Final = 0.1
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


async def analyses(context: Context) -> list[Line]:
    """Analyses of many addresses: their delay of the moves of a game between two people."""
    sizes, moves = context.sizes, script(0).moves
    delays: dict[str, list[float]] = {"without": [], "with": []}
    finals: list[bool] = []
    limits = {"post_burst": sizes.searches + 10, "analysis_nodes": 500_000}
    with context.server(ENOUGH, **limits) as server:
        url = f"http://{HOST}:{server.port}"
        async with client() as http:
            for name, times in delays.items():
                visitors = [
                    asyncio.create_task(_analyse(http, url, number, finals))
                    for number in range(max(2, sizes.searches // 5) if name == "with" else 0)
                ]
                # The workers have started.
                while visitors and not finals:
                    await asyncio.sleep(_PAUSE)
                player = Viewer()
                wish = {"rules": script(0).rules, "opponent": "person", "colour": "first"}
                answer = await http.post(f"{url}/api/games", json=wish, headers=player.headers(url))
                answer.raise_for_status()
                player.cookie = answer.cookies["damka_seat"]
                await player.connect(server.port, answer.json()["id"])
                assert player.socket is not None
                for ply, move in enumerate(moves[: 2 * sizes.answers]):
                    await asyncio.sleep(_PAUSE)
                    began = time.perf_counter()
                    player.socket.send(f'{{"t":"move","ply":{ply},"move":"{move}"}}'.encode())
                    async with asyncio.timeout(_WAIT_SECONDS):
                        while player.ply <= ply:
                            await asyncio.sleep(0.0005)
                    times.append(1000 * (player.seen_at - began))
                    context.progress(f"moves {name} analyses", ply + 1, 2 * sizes.answers)
                player.leave()
                for visitor in visitors:
                    visitor.cancel()
                await asyncio.gather(*visitors, return_exceptions=True)
    return [
        correct("analyses: finished", len(finals) > 0 and all(finals), str(len(finals))),
        *(
            line
            for name, times in delays.items()
            for line in (
                figure(f"a move {name} analyses, median", statistics.median(times), "ms"),
                figure(f"a move {name} analyses, longest", max(times), "ms", _MOVE_MS),
            )
        ),
    ]


async def _analyse(http: httpx.AsyncClient, url: str, number: int, finals: list[bool]) -> None:
    """Analyse one position after the other, as a page does."""
    viewer, of = Viewer(), script(number)
    for ply in range(len(of.moves)):
        body = {"stream": True, "rules": of.rules, "moves": of.moves[:ply]}
        request = http.stream(
            "POST", f"{url}/api/analysis", json=body, headers=viewer.headers(url), timeout=None
        )
        with suppress(httpx.TransportError):
            async with request as response:
                lines = [line async for line in response.aiter_lines() if line]
                if response.status_code == 200:
                    finals.append('"final":true' in lines[-1])
                else:  # too many searches are waiting
                    await asyncio.sleep(1)

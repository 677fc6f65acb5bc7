"""Games against the computer: one address keeps it busy, another one is answered."""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any, Final

import httpx

from bench.load.context import ENOUGH, Context
from bench.load.frames import Frame, read
from bench.load.games import client
from bench.load.players import address
from bench.load.report import Line, correct, figure
from bench.load.scripts import script
from bench.load.socket import Socket, open_socket

__all__ = ["engines"]

ANSWER_SECONDS: Final = 1.0
_WAIT_SECONDS: Final = 60.0
_HOST: Final = "127.0.0.1"


class _Solo:
    """A player of a game against the computer."""

    def __init__(self, origin: str) -> None:
        self.origin: Final = origin
        self.state: asyncio.Queue[Frame] = asyncio.Queue()
        self.socket: Socket | None = None
        self.errors: list[str] = []

    async def begin(self, http: httpx.AsyncClient, port: int, level: int) -> None:
        """Begin a game with the first move."""
        url = f"http://{_HOST}:{port}"
        headers = {"Origin": url, "X-Forwarded-For": self.origin}
        wish: dict[str, Any] = {"rules": script(0).rules, "level": level, "colour": "first"}
        answer = await http.post(f"{url}/api/games", json=wish, headers=headers)
        answer.raise_for_status()
        headers["Cookie"] = f"damka_seat={answer.cookies['damka_seat']}"
        game = answer.json()["id"]
        self.socket = await open_socket(
            *(_HOST, port, f"/live/{game}?lang=en", headers), self._text, self._closed
        )
        await asyncio.wait_for(self.state.get(), _WAIT_SECONDS)

    async def answered(self) -> float:
        """Play a move; return the seconds until the computer's."""
        assert self.socket is not None
        began = time.perf_counter()
        self.play()
        while True:
            frame = await asyncio.wait_for(self.state.get(), _WAIT_SECONDS)
            if frame.ply == 2:
                return time.perf_counter() - began

    def play(self) -> None:
        """Play the first move."""
        assert self.socket is not None
        self.socket.send(f'{{"t":"move","ply":0,"move":"{script(0).moves[0]}"}}'.encode())

    def _text(self, text: bytes) -> None:
        frame = read(text)
        if frame.t == "error":
            self.errors.append(frame.code)
        elif frame.ply is not None:
            self.state.put_nowait(frame)

    def _closed(self, code: int, reason: str) -> None:
        self.errors.append(f"closed {code} {reason}")


async def engines(context: Context) -> list[Line]:
    """A hundred games at level 10 from one address, and level 3 for another one."""
    sizes = context.sizes
    greedy, modest, times = address(), address(), []
    # The POSTs of one address, and its connections, are what would be refused otherwise.
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
                solo.play()
                busy.append(solo)
                context.told("games at level 10", number + 1, sizes.searches)
            for number in range(sizes.answers):
                solo = _Solo(modest)
                await solo.begin(http, server.port, 3)
                times.append(await solo.answered())
                context.told("answers at level 3", number + 1, sizes.answers)
                if solo.socket is not None:
                    solo.socket.close()
            errors = [error for solo in busy for error in solo.errors]
            for solo in busy:
                if solo.socket is not None:
                    solo.socket.close()
    return [
        correct("searches: errors", not errors, str(errors[:3] or 0)),
        figure("level 3 is answered, median", statistics.median(times), "s"),
        figure("level 3 is answered, longest", max(times), "s", ANSWER_SECONDS),
    ]

"""Load shedding: at its limits a server refuses with a message, and still serves its clients."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from bench.load.context import Context, Line, correct, figure, percentile
from bench.load.games import client, leave, start_games
from bench.load.players import Ledger
from bench.load.socket import GONE
from bench.load.viewer import Viewer, address

__all__ = ["shedding"]

_GAMES: Final = 10
_BEYOND: Final = 60
_POSTS: Final = 60
_AT_ONCE_MS: Final = 500.0


async def shedding(context: Context) -> list[Line]:
    """Connections and requests beyond the limits, during some games."""
    ledger = Ledger()
    ends: list[str] = []
    statuses: list[tuple[int, str]] = []
    times: list[float] = []
    limits = {"post_burst": 20, "post_rate": 1}
    with context.server(2 * _GAMES + 20, **limits) as server:
        async with client() as http:
            progress = context.part("starting games")
            pairs = await start_games(http, (server.port,), _GAMES, ledger, progress)
            ledger.to_other.clear()

            async def connect() -> None:
                viewer, began = Viewer(), time.perf_counter()
                try:
                    await viewer.connect(server.port, pairs[0].game)
                except GONE as error:
                    ends.append(str(error))
                times.append(1000 * (time.perf_counter() - began))

            async def post() -> None:
                began = time.perf_counter()
                url = f"http://127.0.0.1:{server.port}"
                headers = {"Origin": url, "X-Forwarded-For": flooder}
                answer = await http.post(
                    f"{url}/api/games", json={"rules": "dama64"}, headers=headers
                )
                times.append(1000 * (time.perf_counter() - began))
                statuses.append((answer.status_code, answer.text))

            flooder = address()
            for request, count in ((connect, _BEYOND), (post, _POSTS)):
                flood = asyncio.gather(*(request() for _ in range(count)))
                while not flood.done():
                    await asyncio.gather(*(pair.move() for pair in pairs))
                await flood
            await leave(pairs)
    refused = [end for end in ends if "too many connections" in end.lower() or " 429 " in end]
    too_many = [message for status, message in statuses if status == 429]
    return [
        correct(
            "connections beyond the limit get an error message",
            len(refused) == len(ends) and len(refused) >= _BEYOND - 20,
            f"{len(refused)} of {_BEYOND}",
        ),
        correct(
            "requests beyond the rate get 429 and a message",
            bool(too_many) and all(too_many) and {status for status, _ in statuses} <= {201, 429},
            f"{len(too_many)} of {_POSTS}",
        ),
        correct("errors of players", not ledger.errors, str(dict(ledger.errors) or 0)),
        figure("time to refuse, longest", max(times), "ms", _AT_ONCE_MS),
        figure("moves meanwhile, p99", percentile(ledger.to_other, 0.99), "ms", _AT_ONCE_MS),
    ]

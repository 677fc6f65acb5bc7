"""Memory of a connection, of an idle game and of many finished games."""

from __future__ import annotations

import asyncio
from typing import Final

import httpx
from tests.services import ServerProcess

from bench.load.context import ENOUGH, Context, Line, correct, figure
from bench.load.games import client, leave, start_games
from bench.load.players import Ledger, Pair
from bench.load.playing import resident_bytes
from bench.load.scripts import script
from bench.load.watching import watch

__all__ = ["finished", "idle", "sockets"]

SOCKET_KB: Final = 40.0
GAME_KB: Final = 10.0
GROWTH: Final = 5.0
_AT_ONCE: Final = 8
_SETTLE_SECONDS: Final = 3.0
_WARM: Final = 0.2
"""The share of the games after which memory should no longer grow."""
_MOVES: Final = 4


async def sockets(context: Context) -> list[Line]:
    """Memory per connection: the server's with many connections minus that with few."""
    count = context.sizes.sockets
    with context.server(count + ENOUGH, connections_per_game=count + ENOUGH) as server:
        async with client() as http:
            pair = Pair(http, (server.port, server.port), Ledger(), persistent=False)
            await pair.begin(script(0))
            few = await watch(context, server.port, pair.game, count // 4)
            await asyncio.sleep(_SETTLE_SECONDS)
            before = resident_bytes(server)
            many = await watch(context, server.port, pair.game, count - len(few))
            await asyncio.sleep(_SETTLE_SECONDS)
            after = resident_bytes(server)
            await leave([pair])
    return [
        figure("memory of a connection", (after - before) / len(many) / 1000, "kB", SOCKET_KB),
    ]


async def idle(context: Context) -> list[Line]:
    """Memory of a game with a running clock and no connections."""
    count = context.sizes.idle
    with context.server(2 * count + ENOUGH) as server:
        async with client() as http:
            before = await _leave_games(context, http, server, count // 4)
            after = await _leave_games(context, http, server, count)
    return [figure("memory of an idle game", (after - before) / count / 1000, "kB", GAME_KB)]


async def _leave_games(
    context: Context, http: httpx.AsyncClient, server: ServerProcess, count: int
) -> int:
    """Start games and leave them; return the server's memory afterwards."""
    progress = context.part("starting games")
    # A few at a time: the next ones reuse the memory of their connections.
    for begin in range(0, count, 50):
        pairs = await start_games(http, (server.port,), min(50, count - begin), Ledger(), progress)
        for _ in range(_MOVES):
            for pair in pairs:
                await pair.move()
        await leave(pairs)
        context.progress("leaving games", begin + len(pairs), count)
    await asyncio.sleep(_SETTLE_SECONDS)
    return resident_bytes(server)


async def finished(context: Context) -> list[Line]:
    """Whether memory stays flat while many games are played to the end."""
    count, samples = context.sizes.finished, []
    errors = Ledger().errors
    with context.server(ENOUGH) as server:
        async with client() as http:
            numbers = iter(range(count))
            done = 0

            async def keep_finishing() -> None:
                nonlocal done
                for number in numbers:
                    ledger = Ledger()
                    pair = Pair(http, (server.port, server.port), ledger, persistent=False)
                    await pair.begin(script(number))
                    for _ in range(_MOVES):
                        await pair.move()
                    await pair.resign()
                    pair.end()
                    errors.update(ledger.errors)
                    done += 1
                    if done % max(1, count // 50) == 0:
                        samples.append((done, resident_bytes(server)))
                        context.progress("finished games", done, count)

            await asyncio.gather(*(keep_finishing() for _ in range(_AT_ONCE)))
    warm = [memory for number, memory in samples if number <= _WARM * count]
    rest = [memory for number, memory in samples if number > _WARM * count]
    base, most = max(warm, default=1), max(rest, default=1)
    return [
        correct("finished games: errors", not errors, str(dict(errors) or 0)),
        figure("memory after a fifth of them", base / 2**20, "MiB"),
        figure(f"growth until {count}", 100 * (most / base - 1), "%", GROWTH),
    ]

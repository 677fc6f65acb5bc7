"""One game with many spectators, and many simultaneous reconnections."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from bench.load.context import ENOUGH, Context, Line, LoopLag, correct, figure, percentile
from bench.load.games import client, leave, start_games
from bench.load.players import Ledger, Pair
from bench.load.scripts import script
from bench.load.viewer import Viewer

__all__ = ["reconnects", "spectators", "watch"]

SPECTATORS_MS: Final = 100.0
RECONNECT_SECONDS: Final = 3.0
_AT_ONCE: Final = 32


async def watch(context: Context, port: int, game: str, count: int) -> list[Viewer]:
    """Let `count` spectators watch a game."""
    turn = asyncio.Semaphore(_AT_ONCE)
    watchers = [Viewer() for _ in range(count)]
    done = 0

    async def connect(watcher: Viewer) -> None:
        nonlocal done
        async with turn:
            await watcher.connect(port, game)
        done += 1
        context.progress("connecting spectators", done, count)

    await asyncio.gather(*map(connect, watchers))
    return watchers


async def spectators(context: Context) -> list[Line]:
    """One game with a thousand spectators."""
    sizes, ledger, times = context.sizes, Ledger(), []
    missed = 0
    most = sizes.spectators + ENOUGH
    with context.server(most, connections_per_game=most) as server:
        async with client() as http:
            pair = Pair(http, (server.port, server.port), ledger, persistent=False)
            await pair.begin(script(0))
            watchers = await watch(context, server.port, pair.game, sizes.spectators)
            lag = LoopLag()
            for number in range(sizes.shown_moves):
                began = time.perf_counter()
                await pair.move()
                until = began + 5.0
                while any(watcher.ply != pair.ply for watcher in watchers):
                    if time.perf_counter() > until:
                        break
                    await asyncio.sleep(0.01)
                here = [each.seen_at for each in watchers if each.ply == pair.ply]
                missed += len(watchers) - len(here)
                times += [1000 * (at - began) for at in here]
                context.progress("moves shown", number + 1, sizes.shown_moves)
                await asyncio.sleep(max(0.0, began + 1.0 - time.perf_counter()))
            lag.stop()
            await leave([pair])
    lost = sum(watcher.end is not None and watcher.end[0] != 1012 for watcher in watchers)
    return [
        correct("errors of spectators", not lost and not missed, str(lost + missed)),
        figure("to a spectator, median", percentile(times, 0.5), "ms"),
        figure("to a spectator, p99", percentile(times, 0.99), "ms", SPECTATORS_MS),
        figure("to a spectator, longest", max(times, default=0.0), "ms"),
        figure("the generator's own delay, p99", percentile(lag.milliseconds, 0.99), "ms"),
    ]


async def reconnects(context: Context) -> list[Line]:
    """A thousand connections that drop and reconnect at once."""
    count, ledger = context.sizes.reconnects, Ledger()
    with context.server(2 * count + ENOUGH) as server:
        async with client() as http:
            progress = context.part("starting games")
            pairs = await start_games(
                http, (server.port,), count // 2, ledger, progress, persistent=True
            )
            seats = [seat for pair in pairs for seat in pair.seats]
            for seat in seats:
                if seat.socket is not None:
                    seat.socket.abort()
            began = time.perf_counter()
            times: list[float] = []

            async def reconnect(pair: Pair, which: int) -> None:
                await pair.seats[which].connect(server.port, pair.game)
                times.append(time.perf_counter() - began)
                context.progress("reconnections", len(times), count)

            answers = await asyncio.gather(
                *(reconnect(pair, which) for pair in pairs for which in (0, 1)),
                return_exceptions=True,
            )
            failed = [answer for answer in answers if answer is not None]
            for pair in pairs:
                await pair.move()
            await leave(pairs)
    return [
        correct("errors on reconnecting", not failed, str(failed[0]) if failed else "0"),
        figure("reconnecting, p50", percentile(times, 0.5), "s"),
        figure(
            f"until all {count} are reconnected", max(times, default=0.0), "s", RECONNECT_SECONDS
        ),
    ]

"""Clients that misbehave: one that is gone without a word, late pongs, one that does not read."""

from __future__ import annotations

import asyncio
from typing import Final

from bench.faults.audit import given_back
from bench.faults.tables import kept, room
from bench.load.context import ENOUGH, Context
from bench.load.frames import Frame
from bench.load.games import Table
from bench.load.players import CLOCK, Pair
from bench.load.report import Line, correct, figure, percentile
from bench.load.socket import Socket
from bench.load.watching import Watcher

__all__ = ["clients"]

OTHERS_MS: Final = 100.0
QUOTA_MS: Final = 1000.0 + 100.0
"""What a move may be given back in games as long as these, once the reserve is used."""
FIRST_MS: Final = 2000.0
"""The reserve: the quota begins with three times what it grows by with each move."""
GROWTH_MIB: Final = 64.0
GONE_SECONDS: Final = 45.0
"""A server pings every 20 seconds and waits 20 for the answer."""
_SHARE: Final = 20
_PONG_SECONDS: Final = 3.0
_STALE: Final = b'{"t":"move","ply":999,"move":"1-2"}'


async def clients(context: Context) -> list[Line]:
    """Some of two hundred games have a blackholed player, late pongs, or a reader who is slow."""
    count = max(1, context.sizes.games // _SHARE)
    seconds = context.sizes.seconds
    with context.server(2 * context.sizes.games + count + ENOUGH) as server:
        async with room(context, [server.port]) as playing:
            await playing.wait(seconds, "before the fault")
            before = server.memory
            gone, late = playing.pairs[:count], playing.pairs[count : 2 * count]
            before_late = [len(pair.games) - 1 for pair in late]
            slow = await _misbehave(server.port, gone, late)
            playing.ledger.to_other.clear()
            until = asyncio.get_running_loop().time() + max(seconds, GONE_SECONDS)
            begun = asyncio.get_running_loop().time()
            while (now := asyncio.get_running_loop().time()) < until:
                for socket in slow:
                    # Each brings a whole state, which piles up.
                    socket.send(_STALE)
                context.told("seconds with bad clients", int(now - begun), int(until - begun))
                await asyncio.sleep(0.15)
            noticed = [_is_away(pair.seats[0].last) for pair in gone]
            growth = (server.memory - before) / 2**20
            good = playing.pairs[2 * count :]
            times = list(playing.ledger.to_other)
            still = sum(pair.moved_at > 0 for pair in good)
            for pair in gone:
                _of(pair, 1).abort()
            failed = await playing.stop()
    # A pair whose game has ended has begun another one.
    with_late = {
        game for pair, first in zip(late, before_late, strict=True) for game in pair.games[first:]
    }
    for_lag = given_back(server.database_url, 1000 * CLOCK["increment"], with_late, FIRST_MS)
    return [
        *kept(server.database_url, playing.ledger, [], failed, but=with_late),
        correct(
            "late pongs gain no more than the quota",
            for_lag <= QUOTA_MS,
            f"{for_lag:.0f} ms a move",
        ),
        correct("who is gone is shown as away", all(noticed), f"{sum(noticed)} of {len(gone)}"),
        figure("to the other player meanwhile, p99", percentile(times, 0.99), "ms", OTHERS_MS),
        figure("growth of the server's memory", growth, "MiB", GROWTH_MIB),
        Line("games that went on", f"{still} of {len(good)}"),
    ]


async def _misbehave(port: int, gone: Table, late: Table) -> list[Socket]:
    """Let some players be gone, and others answer late and have spectators who read nothing."""
    slow = []
    for pair in late:
        for which in (0, 1):
            pair.seats[which].pong_seconds = _of(pair, which).pong_seconds = _PONG_SECONDS
        watcher = Watcher()
        await watcher.connect(port, pair.game)
        assert watcher.socket is not None
        watcher.socket.read_nothing()
        slow.append(watcher.socket)
    for pair in gone:
        _of(pair, 1).read_nothing()
    return slow


def _of(pair: Pair, which: int) -> Socket:
    socket = pair.seats[which].socket
    assert socket is not None
    return socket


def _is_away(state: Frame | None) -> bool:
    return state is not None and any(not each.here for each in (state.presence or {}).values())

"""A part of an installation of two processes is killed in the middle of many games.

`python -m bench.faults` runs these with hundreds of games.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable

import httpx

from tests.server.cluster.fleet import Fleet
from tests.server.faults import DOWN_SECONDS, Gap, playing
from tests.services import Broker, PostgreSql

Note = Callable[[str, object], None]
EARLIER = 0.1
"""Seconds by which the last sign of life of a process that is killed may lie before that."""


def test_the_broker_is_killed(fleet: Fleet, broker: Broker, record_property: Note) -> None:
    async def run() -> None:
        async with playing(record_property, *fleet.nodes()) as games:
            begin = time.time()
            broker.end(signal.SIGKILL)
            try:
                await games.all_move("without it")
                await asyncio.sleep(DOWN_SECONDS)
            finally:
                broker.start()
            await games.all_move()
            gap = Gap(begin, time.time(), begin, begin)
            await games.stop()
        games.check(fleet.database, gap)

    asyncio.run(run())


def test_the_database_is_killed(
    fleet: Fleet, postgresql: PostgreSql, record_property: Note
) -> None:
    async def run() -> None:
        nodes = fleet.nodes()
        async with playing(record_property, *nodes) as games:
            owners = {pair.game: fleet.owner_of(pair.game) for pair in games.pairs if pair.game}
            begin = time.time()
            postgresql.end(signal.SIGKILL)
            try:
                await asyncio.sleep(DOWN_SECONDS)
                async with httpx.AsyncClient(base_url=nodes[1].url, trust_env=False) as http:
                    page = await http.get(f"/game/{next(iter(owners))}")
                    assert page.status_code == 503
                    assert page.json()["message"] == "The server is busy; try again in a moment."
                    assert (await http.get("/readyz")).status_code == 503
            finally:
                await asyncio.to_thread(postgresql.start)
            works = time.time()
            took = await games.all_move()
            async with httpx.AsyncClient(base_url=nodes[1].url, trust_env=False) as http:
                assert (await http.get("/readyz")).status_code == 200
            await games.stop()
        refused = [frame for _, frame in games.refused_since(begin) if frame.code == "store_fails"]
        assert refused
        assert all(
            frame.message.startswith("This server cannot keep moves at the moment.")
            for frame in refused
        )
        assert {game: fleet.owner_of(game) for game in owners} == owners, "nobody was thought dead"
        games.check(fleet.database, Gap(begin, works + took, works, works))

    asyncio.run(run())


def test_one_of_two_processes_is_killed(fleet: Fleet, record_property: Note) -> None:
    async def run() -> None:
        async with playing(record_property, *fleet.nodes()) as games:
            killed = time.time()
            fleet.processes[0].end(signal.SIGKILL)
            await games.all_move()
            over = time.time()
            await games.stop()
        assert games.ledger.closed[1012], "the pages of the other process connect again"
        gap = Gap(killed - EARLIER, over, killed, killed)
        assert games.check(fleet.database, gap).resumed

    asyncio.run(run())

"""Processes that are killed: the server, one of two, the database, the broker."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from bench.faults.audit import Gap
from bench.faults.page import Page
from bench.faults.tables import kept, late, room
from bench.load.context import ENOUGH, Context
from bench.load.report import Line, figure
from bench.load.servers import Server, serving
from bench.load.services import Postgres, Redis

__all__ = ["broker", "database", "one_of_two", "server"]

TAKEN_OVER_SECONDS: Final = 2.0
_PATIENCE: Final = 30.0
_SLACK: Final = 0.1
"""Seconds by which the moment of a fault may be misjudged."""


async def server(context: Context) -> list[Line]:
    """SIGKILL of the server, which is started again a second later; a browser watches."""
    seconds = context.sizes.seconds
    with context.server(2 * context.sizes.games + ENOUGH) as only:
        async with (
            room(context, [only.port]) as playing,
            Page(wanted=context.sizes.browser) as page,
        ):
            await page.watch(f"{only.url}/game/{playing.pairs[0].game}")
            await playing.wait(seconds, "before the fault")
            killed = only.kill()
            told = await page.says_offline()
            await asyncio.sleep(1.0)
            only.start()
            back = time.time()
            took = await playing.all_move(_PATIENCE)
            online = await page.is_back()
            await playing.wait(seconds, "after the fault")
            failed = await playing.stop()
    gap = Gap(killed, back, killed, killed)
    return [
        *kept(only.database_url, playing.ledger, [gap], failed),
        page.line("the page says that the server is away, and comes back", told and online),
        figure("until every game had a move again", took, "s"),
        late(playing.ledger),
    ]


async def one_of_two(context: Context) -> list[Line]:
    """SIGKILL of one of two servers: the other takes its games over."""
    with _two(context) as (servers, postgres, _):
        async with room(context, [each.port for each in servers]) as playing:
            await playing.wait(context.sizes.seconds, "before the fault")
            killed = servers[0].kill()
            took = await playing.all_move(_PATIENCE)
            over = time.time()
            await playing.wait(context.sizes.seconds, "after the fault")
            failed = await playing.stop()
        gap = Gap(killed - _SLACK, over, killed, killed)
        lines = kept(postgres.url, playing.ledger, [gap], failed)
    moves = context.sizes.every / 2
    return [*lines, figure("until every game had a move", took, "s", TAKEN_OVER_SECONDS + moves)]


async def database(context: Context) -> list[Line]:
    """SIGKILL of PostgreSQL, which is started again two seconds later."""
    with _two(context) as (servers, postgres, _):
        async with room(context, [each.port for each in servers]) as playing:
            await playing.wait(context.sizes.seconds, "before the fault")
            begin = time.time()
            postgres.kill()
            await asyncio.sleep(2.0)
            postgres.start()
            works = time.time()
            took = await playing.all_move(_PATIENCE)
            gap = Gap(begin, works + took, works, works)
            await playing.wait(context.sizes.seconds, "after the fault")
            failed = await playing.stop()
        lines = kept(postgres.url, playing.ledger, [gap], failed)
    return [*lines, figure("until every game had a move again", took, "s")]


async def broker(context: Context) -> list[Line]:
    """SIGKILL of Redis or Valkey, which is started again two seconds later."""
    with _two(context) as (servers, postgres, redis):
        async with room(context, [each.port for each in servers]) as playing:
            await playing.wait(context.sizes.seconds, "before the fault")
            begin = time.time()
            redis.kill()
            await asyncio.sleep(2.0)
            redis.start()
            took = await playing.all_move(_PATIENCE)
            gap = Gap(begin, time.time(), begin, begin)
            await playing.wait(context.sizes.seconds, "after the fault")
            failed = await playing.stop()
        lines = kept(postgres.url, playing.ledger, [gap], failed)
    return [*lines, figure("until every game had a move again", took, "s")]


@contextmanager
def _two(context: Context) -> Iterator[tuple[list[Server], Postgres, Redis]]:
    with (
        Postgres() as postgres,
        Redis() as redis,
        serving(
            context.folder,
            count=2,
            database_url=postgres.url,
            limits={"connections": 2 * context.sizes.games + ENOUGH},
            environment={"DAMKA_BROKER_URL": redis.url},
        ) as servers,
    ):
        yield servers, postgres, redis

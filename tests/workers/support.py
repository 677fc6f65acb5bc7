"""A worker pool for tests, and thread workers for tests that patch code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from damka import Game
from damka.engine import Engine, Stop
from damka.errors import PositionTooComplexError
from damka.live.search_request import SearchRequest
from damka.server.engine_pool import EnginePool
from damka.server.external_engines import ExternalEngines
from damka.workers import Equipment, Processes, TaskFailedError, Workers
from damka.workers.protocol import Duty, OnPartial
from damka.workers.serving import run_task
from damka.workers.wire import Done

EQUIPMENT = Equipment(hash_mb=1, memory_mb=256)


class Here:
    """Workers that are threads."""

    count = 1

    async def start(self, duty: Duty) -> _Thread:
        return _Thread()


class _Thread:
    def __init__(self) -> None:
        self._engine = Engine(hash_mb=1)
        self._stop = Stop()

    async def run(self, task: bytes, on_partial: OnPartial) -> bytes:
        stop = self._stop = Stop()
        done = await asyncio.to_thread(run_task, task, self._engine, stop, on_partial)
        if isinstance(done, Done):
            return done.result
        raise (PositionTooComplexError if done.too_complex else TaskFailedError)(done.message)

    def stop(self) -> None:
        self._stop.set()

    kill = stop

    async def close(self) -> None:
        self.stop()


@asynccontextmanager
async def pool(
    workers: Workers | None = None, engines: ExternalEngines | None = None, waiting: int = 8
) -> AsyncIterator[EnginePool]:
    opened = EnginePool(
        workers or Processes(1, EQUIPMENT),
        engines or ExternalEngines((), 1, 1),
        at_once=1,
        waiting=waiting,
    )
    try:
        yield opened
    finally:
        await opened.close()


def question(level: int, game: Game | None = None) -> SearchRequest:
    return SearchRequest(
        Game("dama64") if game is None else game, "W", level, about_draw=False, may_offer_draw=False
    )

"""The threads in which moves are generated where that can take long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar

__all__ = ["RuleThreads"]

T = TypeVar("T")

_THREADS: Final = 4


class RuleThreads:
    """A pool of threads, so that the event loop serves other games meanwhile."""

    def __init__(self) -> None:
        self._pool: Final = ThreadPoolExecutor(_THREADS, thread_name_prefix="damka-rules")

    async def run(self, call: Callable[[], T]) -> T:
        """Return what `call` gives, run to its end even when cancelled.

        A game that is being changed there stays locked until the end.
        """
        future = asyncio.get_running_loop().run_in_executor(self._pool, call)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            while not future.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait({future})
            raise

    async def close(self) -> None:
        """Wait for what is being run."""
        await asyncio.to_thread(self._pool.shutdown)

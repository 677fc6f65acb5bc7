"""Threads for move generation, where that may be slow."""

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
    """Pool of threads, so that the event loop serves other games meanwhile."""

    def __init__(self) -> None:
        self._pool: Final = ThreadPoolExecutor(_THREADS, thread_name_prefix="damka-rules")

    async def run(self, call: Callable[[], T]) -> T:
        """Run `call` and return its result; it completes even when the caller is cancelled.

        A game that is being changed by it stays locked until then.
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
        """Wait for the running calls."""
        await asyncio.to_thread(self._pool.shutdown)

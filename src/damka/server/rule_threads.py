"""Threads for move generation in positions where it may be slow."""

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
    """Thread pool that keeps the event loop free for other games."""

    def __init__(self) -> None:
        self._pool: Final = ThreadPoolExecutor(_THREADS, thread_name_prefix="damka-rules")

    async def run(self, call: Callable[[], T]) -> T:
        """Run `call` and return its result; it completes even when the caller is cancelled.

        A game that it is changing remains locked until then.
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

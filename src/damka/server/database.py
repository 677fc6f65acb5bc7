"""Asynchronous access to the store: one thread writes, others read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from typing import Final, TypeVar

from damka.server.store import Append, Store, Writer

__all__ = ["Database"]

T = TypeVar("T")

_READERS: Final = 2


class Database:
    """A store and its threads. Every call runs to completion, even if its caller is cancelled."""

    def __init__(self, store: Store) -> None:
        self.timed: Callable[[str], AbstractContextManager[object]] = lambda _: nullcontext()
        """Returns a context manager that times a call of the store: "read" or "write"."""
        self._store: Final = store
        self._writer: Final = Writer(store)
        self._readers: Final = ThreadPoolExecutor(_READERS, thread_name_prefix="damka-read")

    async def write(self, call: Callable[[Store], T]) -> T:
        """Run `call`, which writes, and return its result."""
        with self.timed("write"):
            return await _shield(self._writer.run(call))

    async def append(self, entry: Append) -> None:
        """Append an entry to a game's log; entries of other games may share its transaction."""
        with self.timed("write"):
            await _shield(self._writer.append(entry))

    async def read(self, call: Callable[[Store], T]) -> T:
        """Run `call`, which only reads, and return its result; pending writes do not delay it."""
        with self.timed("read"):
            future = asyncio.get_running_loop().run_in_executor(self._readers, call, self._store)
            return await asyncio.shield(future)

    async def close(self) -> None:
        """Wait for pending calls and close the store."""
        await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._readers.shutdown)
        self._store.close()


async def _shield(thread_future: Future[T]) -> T:
    """Wait for a thread's call to complete, even when the caller is cancelled."""
    future = asyncio.wrap_future(thread_future)
    future.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(future)

"""Tasks that every process runs for the games that it serves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from damka.server.cluster import Cluster

__all__ = ["Broadcast"]

_TIMEOUT_SECONDS: Final = 3.0
_POLL_SECONDS: Final = 0.04


class Broadcast:
    """Calls `handle` in every process for each message of a topic; `handle` must not raise."""

    def __init__(
        self, cluster: Cluster, topic: str, handle: Callable[[bytes], Coroutine[Any, Any, None]]
    ) -> None:
        self._cluster: Final = cluster
        self._topic: Final = topic
        self._handle: Final = handle
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._unsubscribe: Callable[[], None] | None = None

    def start(self) -> None:
        """Subscribe to the topic."""
        self._unsubscribe = self._cluster.subscribe(self._topic, self._on_message)

    async def close(self) -> None:
        """Unsubscribe, and wait for the running tasks."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def publish(self, message: bytes) -> None:
        """Send a message to all processes, without waiting for them."""
        await self._cluster.publish(self._topic, message)

    async def publish_and_wait(
        self, message: bytes, is_done: Callable[[], Awaitable[bool]]
    ) -> None:
        """Send a message to all processes, and wait until `is_done` returns true.

        Raises TimeoutError after a few seconds: the broker may be unreachable.
        """
        await self.publish(message)
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            while not await is_done():
                await asyncio.sleep(_POLL_SECONDS)

    def _on_message(self, message: bytes) -> None:
        task = asyncio.get_running_loop().create_task(self._handle(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

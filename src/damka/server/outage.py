"""Outages of the store: no move is acknowledged, clocks stop, and pages show a warning.

An outage begins with the first failed write, or when the file watch detects a change. Each attempt
to move and a periodic check test whether it is over. The time of an outage is not charged to any
player.
"""

from __future__ import annotations

import asyncio
import math
import shutil
from collections.abc import Awaitable, Callable
from typing import Final

from damka.server.store import Store, StoreError
from damka.server.timekeeper import Timekeeper

__all__ = ["Outage", "check"]

_RELAPSE_SECONDS: Final = 2.0
_REQUIRED_BYTES: Final = 256 * 1024
"""Free disk space that a file needs: the row of a check may fit where a move does not."""


def check(store: Store) -> None:
    """Raise StoreError unless the store is writable and has free disk space."""
    store.check()
    if store.path is not None and shutil.disk_usage(store.path.parent).free < _REQUIRED_BYTES:
        raise StoreError(f"the disk of {store.path} is full")


class Outage:
    """Outage state of the store. `check` writes to the store; it raises StoreError on failure.

    `on_begin` is called at the beginning of an outage, `on_end` at its end, with the time of the
    beginning.
    """

    def __init__(
        self,
        check: Callable[[], Awaitable[None]],
        on_begin: Callable[[], None],
        on_end: Callable[[float], None],
    ) -> None:
        self.since: float | None = None
        """Start of the outage, by the monotonic clock; None while the store works."""
        self._last_end = -math.inf
        self._check: Final = check
        self._on_begin: Final = on_begin
        self._on_end: Final = on_end
        self._attempt: asyncio.Future[None] | None = None

    def begin(self, at: float) -> None:
        """Record that the store failed for a write requested at `at`."""
        # A write failed soon after a successful check: the outage was not over.
        is_relapse = at - self._last_end < _RELAPSE_SECONDS
        since = self._last_end if is_relapse else at
        if self.since is None:
            self.since = since
            self._on_begin()
        else:
            # Concurrent writes may fail in a different order than they were requested.
            self.since = min(self.since, since)

    async def require_available(self) -> None:
        """Check the store if there is an outage. Raises StoreError while it continues."""
        if self.since is not None:
            # All callers share one attempt, which takes as long as a write.
            if self._attempt is None:
                self._attempt = asyncio.ensure_future(self._end())
                self._attempt.add_done_callback(self._on_attempt_done)
            await asyncio.shield(self._attempt)

    def _on_attempt_done(self, attempt: asyncio.Future[None]) -> None:
        self._attempt = None
        if not attempt.cancelled():
            attempt.exception()  # Callers that are still waiting receive the error.

    async def _end(self) -> None:
        await self._check()
        since, self.since = self.since, None
        if since is not None:
            self._last_end = Timekeeper.now()
            self._on_end(since)

    async def is_over(self) -> bool:
        """Return whether there is no outage, after a check if there was one."""
        try:
            await self.require_available()
        except StoreError:
            return False
        return True

"""Outages of the store: no move is acknowledged, clocks stop, and pages show a warning.

An outage begins with the first failed write, or when the file watch detects a change. Every attempt
to move, and a periodic check, tests whether it has ended. The time of an outage is charged to no
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
"""Bytes that must be free on a file's disk: the row of a check may fit where a move does not."""


def check(store: Store) -> None:
    """Raise StoreError unless the store works again, with room for more than a few bytes."""
    store.check()
    if store.path is not None and shutil.disk_usage(store.path.parent).free < _REQUIRED_BYTES:
        raise StoreError(f"the disk of {store.path} is full")


class Outage:
    """State of the store. `check` writes to it, and raises StoreError when it fails.

    `began` is called at the beginning of an outage, `ended` at its end with the time of the
    beginning.
    """

    def __init__(
        self,
        check: Callable[[], Awaitable[None]],
        began: Callable[[], None],
        ended: Callable[[float], None],
    ) -> None:
        self.since: float | None = None
        """Start of the outage, by the monotonic clock; None while the store works."""
        self._last_end = -math.inf
        self._check: Final = check
        self._began: Final = began
        self._ended: Final = ended
        self._attempt: asyncio.Future[None] | None = None

    def begin(self, at: float) -> None:
        """Record that the store failed for a write requested at `at`."""
        # The check succeeded but a write failed shortly after: the outage had not ended.
        relapsed = at - self._last_end < _RELAPSE_SECONDS
        since = self._last_end if relapsed else at
        if self.since is None:
            self.since = since
            self._began()
        else:
            # Concurrent writes may fail in another order than they were requested.
            self.since = min(self.since, since)

    async def require_available(self) -> None:
        """Check the store during an outage. Raises StoreError while it fails."""
        if self.since is not None:
            # All callers share one attempt: each takes as long as a write.
            if self._attempt is None:
                self._attempt = asyncio.ensure_future(self._end())
                self._attempt.add_done_callback(self._tried)
            await asyncio.shield(self._attempt)

    def _tried(self, attempt: asyncio.Future[None]) -> None:
        self._attempt = None
        if not attempt.cancelled():
            attempt.exception()  # The callers that still wait receive the error.

    async def _end(self) -> None:
        await self._check()
        since, self.since = self.since, None
        if since is not None:
            self._last_end = Timekeeper.now()
            self._ended(since)

    async def is_over(self) -> bool:
        """Return whether the store works, after a check during an outage."""
        try:
            await self.require_available()
        except StoreError:
            return False
        return True

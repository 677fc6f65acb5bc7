"""When the store fails: nothing is acknowledged, clocks stand still, and pages are told.

An outage begins with the first move that cannot be stored, or when the watch finds the file
changed. Its end is tried for by whoever wants to move, and now and then. The time in between is
charged to nobody.
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
_ROOM: Final = 256 * 1024
"""Bytes that must be free on the disk of a file: the row of a check may fit where no move does."""


def check(store: Store) -> None:
    """Raise StoreError unless the store works again, and has room for more than a few bytes."""
    store.check()
    if store.path is not None and shutil.disk_usage(store.path.parent).free < _ROOM:
        raise StoreError(f"the disk of {store.path} is full")


class Outage:
    """Whether the store fails now. `check` writes to it, and raises StoreError when it fails.

    `began` is called at the beginning, `ended` at the end with the time at which it began.
    """

    def __init__(
        self,
        check: Callable[[], Awaitable[None]],
        began: Callable[[], None],
        ended: Callable[[float], None],
    ) -> None:
        self.since: float | None = None
        """When it began, by the monotonic clock; None while the store works."""
        self._last_end = -math.inf
        self._check: Final = check
        self._began: Final = began
        self._ended: Final = ended
        self._attempt: asyncio.Future[None] | None = None

    def begin(self, at: float) -> None:
        """Take note that the store failed for what was asked of it at that time."""
        # There was room for the check and not for a move: it was no end.
        relapsed = at - self._last_end < _RELAPSE_SECONDS
        since = self._last_end if relapsed else at
        if self.since is None:
            self.since = since
            self._began()
        else:
            # Of what was asked for at once the first need not be heard of first.
            self.since = min(self.since, since)

    async def require_none(self) -> None:
        """Return when the store works, or works again. Raises StoreError while it does not."""
        if self.since is not None:
            # One attempt is enough for all who wait: each takes as long as a write.
            if self._attempt is None:
                self._attempt = asyncio.ensure_future(self._end())
                self._attempt.add_done_callback(self._tried)
            await asyncio.shield(self._attempt)

    def _tried(self, attempt: asyncio.Future[None]) -> None:
        self._attempt = None
        if not attempt.cancelled():
            attempt.exception()  # Those who wait for it hear of it, if somebody still does.

    async def _end(self) -> None:
        await self._check()
        since, self.since = self.since, None
        if since is not None:
            self._last_end = Timekeeper.now()
            self._ended(since)

    async def is_over(self) -> bool:
        """Tell whether the store works, or works again."""
        try:
            await self.require_none()
        except StoreError:
            return False
        return True

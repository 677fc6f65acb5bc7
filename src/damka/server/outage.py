"""When the store fails: nothing is acknowledged, clocks stand still, and pages are told.

An outage begins with the first move that cannot be stored, or when the watch finds the file
changed. Its end is tried for by whoever wants to move, and now and then. The time in between is
charged to nobody.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Final

from damka.server.store import StoreError
from damka.server.timekeeper import Timekeeper

__all__ = ["Outage"]

_RELAPSE_SECONDS: Final = 2.0


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
        self._turn: Final = asyncio.Lock()

    def begin(self, at: float) -> None:
        """Take note that the store failed for what was asked of it at that time."""
        if self.since is None:
            # There was room for the check and not for a move: it was no end.
            relapsed = at - self._last_end < _RELAPSE_SECONDS
            self.since = min(at, self._last_end) if relapsed else at
            self._began()

    async def require_none(self) -> None:
        """Return when the store works, or works again. Raises StoreError while it does not."""
        if self.since is not None:
            async with self._turn:
                await self._end()

    async def _end(self) -> None:
        """End it if it is not over by now, which may be after a wait for another who tried."""
        if self.since is not None:
            await self._check()
            since, self.since = self.since, None
            self._last_end = Timekeeper.now()
            self._ended(since)

    async def is_over(self) -> bool:
        """Tell whether the store works, or works again."""
        try:
            await self.require_none()
        except StoreError:
            return False
        return True

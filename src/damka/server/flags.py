"""When to look at the clock of which game: timers for all running games, watched or not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from damka.server.timekeeper import Timekeeper

__all__ = ["FlagSchedule"]

_LONGEST: Final = 24 * 3600.0
"""Seconds for which a timer is set at most; then it is set again."""


class FlagSchedule:
    """Calls `due` with the id of a game when its time has come.

    `changed` is told whether any game is scheduled at all.
    """

    def __init__(self, due: Callable[[str], None], changed: Callable[[bool], None]) -> None:
        self._due: Final = due
        self._changed: Final = changed
        self._timers: Final[dict[str, asyncio.TimerHandle]] = {}

    def set(self, game_id: str, when: float | None) -> None:
        """Look at a game at that time of the monotonic clock; None: no more."""
        timer = self._timers.pop(game_id, None)
        if timer is not None:
            timer.cancel()
        if when is not None:
            wait = min(_LONGEST, max(0.0, when - Timekeeper.now()))
            loop = asyncio.get_running_loop()
            self._timers[game_id] = loop.call_later(wait, self._fire, game_id)
        self._changed(bool(self._timers))

    def close(self) -> None:
        """Forget all games."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _fire(self, game_id: str) -> None:
        # It counts as scheduled until the game is looked at and sets the next time.
        self._due(game_id)

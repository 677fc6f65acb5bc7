"""Flag timers of all running games, with or without viewers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from damka.server.timekeeper import Timekeeper

__all__ = ["FlagSchedule"]

_MAX_DELAY: Final = 24 * 3600.0
"""Longest timer in seconds; for a longer wait it is renewed."""


class FlagSchedule:
    """Calls `on_due` with the id of a game when its timer expires.

    `on_change` receives whether any game has a timer.
    """

    def __init__(self, on_due: Callable[[str], None], on_change: Callable[[bool], None]) -> None:
        self._on_due: Final = on_due
        self._on_change: Final = on_change
        self._timers: Final[dict[str, asyncio.TimerHandle]] = {}

    def set(self, game_id: str, when: float | None) -> None:
        """Set a game's timer to a time of the monotonic clock; None removes it."""
        timer = self._timers.pop(game_id, None)
        if timer is not None:
            timer.cancel()
        if when is not None:
            wait = min(_MAX_DELAY, max(0.0, when - Timekeeper.now()))
            loop = asyncio.get_running_loop()
            self._timers[game_id] = loop.call_later(wait, self._fire, game_id)
        self._on_change(bool(self._timers))

    def close(self) -> None:
        """Remove all timers."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _fire(self, game_id: str) -> None:
        # The game keeps its entry until its clock has been checked and the next timer set.
        self._on_due(game_id)

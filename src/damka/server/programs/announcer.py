"""Notifications to the programs of a member, on one cluster topic for each holder.

The published payload is small: the kind and the game. The subscriber reads the game and renders it
in its own language.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

import msgspec

from damka.live.events import Joined
from damka.server.fault_log import log_fault

if TYPE_CHECKING:
    from damka.live.events import Event
    from damka.live.live_game import LiveGame
    from damka.live.setup import GameSetup
    from damka.server.cluster import Cluster

__all__ = ["Announcer", "Notice"]

log: Final = logging.getLogger(__name__)


class Notice(msgspec.Struct, frozen=True):
    """A notification to a holder: `line` is a complete line, otherwise `game` is to be loaded.

    `kind` is that of the line: "game_start", "game_over", "challenge", "challenge_declined".
    """

    kind: str
    game: str
    line: dict[str, Any] | None = None


class Announcer:
    """Notifies members' programs in all processes."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster: Final = cluster
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    def game_created(self, game_setup: GameSetup) -> None:
        """Notify the players of a game without open seats that it has begun."""
        if not any(seat.is_open for seat in game_setup.seats):
            self._notify_all(
                {seat.holder for seat in game_setup.seats}, Notice("game_start", game_setup.id)
            )

    def entry_committed(self, live: LiveGame, event: Event, was_over: bool) -> None:
        """Notify the players of the effects of a game's log entry."""
        holders = {seat.holder for seat in live.seats.values()}
        if live.result is not None and not was_over:
            self._notify_all(holders, Notice("game_over", live.id))
        elif isinstance(event, Joined) and live.open_side is None and live.result is None:
            self._notify_all(holders, Notice("game_start", live.id))

    async def notify(self, holder: str, notice: Notice) -> None:
        """Send a notification to a holder's programs."""
        await self._cluster.publish(_topic(holder), msgspec.json.encode(notice))

    def listen(self, holder: str, receive: Callable[[Notice], None]) -> Callable[[], None]:
        """Subscribe to a holder's notifications; return a function that unsubscribes."""

        def read(message: bytes) -> None:
            receive(msgspec.json.decode(message, type=Notice))

        return self._cluster.subscribe(_topic(holder), read)

    async def close(self) -> None:
        """Wait for pending notifications."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _notify_all(self, holders: set[str | None], notice: Notice) -> None:
        for holder in holders:
            if holder is not None:
                self._spawn(self.notify(holder, notice))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log_fault(log, error, "a notification was lost")


def _topic(holder: str) -> str:
    return f"holder:{holder}"

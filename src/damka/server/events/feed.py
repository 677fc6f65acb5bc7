"""Live feed of an event: notifies viewers of changes and sends the positions of its boards.

A slow viewer skips intermediate states but always gets the latest one. Boards are read from the
store, because the games may be open in any process.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Final

from damka.errors import DamkaError
from damka.server.events import rows
from damka.server.events.messages import BoardPosition, EventUpdate
from damka.server.events.service import Events, topic
from damka.server.events.values import ARENA, StoredEvent
from damka.server.fault_log import log_fault

if TYPE_CHECKING:
    from damka.server.cluster import Cluster
    from damka.server.game_sessions import GameSessions

__all__ = ["BOARDS", "Feeds", "Viewer", "boards_of"]

log: Final = logging.getLogger(__name__)

BOARDS: Final = 60
"""Maximum number of boards of an event in the feed."""
_POLL_SECONDS: Final = 0.4
_CACHE_SIZE: Final = 512


def boards_of(stored: StoredEvent) -> list[tuple[int, str]]:
    """Return the games in the feed: board number from 1, and game id.

    These are the games of the latest begun round, or the running games of an arena; at most
    `BOARDS`.
    """
    state = stored.state
    if state.arena is not None:
        places = [place for place, game in enumerate(state.arena.games) if game.outcome is None]
        games = [(place + 1, stored.games.get((ARENA, place))) for place in places]
    else:
        number = state.begun
        boards = sorted(board for round_, board in stored.games if round_ == number and number)
        games = [(board, stored.games.get((number, board))) for board in boards]
    return [(board, game) for board, game in games if game is not None][:BOARDS]


class Viewer:
    """A subscriber of the feed; `wait` returns the next unsent changes."""

    def __init__(self) -> None:
        self._boards: dict[str, BoardPosition] = {}
        self._version: int | None = None
        self._has_changes: Final = asyncio.Event()

    def add(self, version: int | None, boards: dict[str, BoardPosition]) -> None:
        """Add changes to the next message."""
        self._boards |= boards
        self._version = version or self._version
        if boards or version:
            self._has_changes.set()

    async def wait(self) -> EventUpdate:
        """Wait for the next message and return it."""
        await self._has_changes.wait()
        self._has_changes.clear()
        boards, self._boards = self._boards, {}
        version, self._version = self._version, None
        return EventUpdate(version, boards)


class Feeds:
    """The watched events of this process, with a cache of their boards."""

    def __init__(self, events: Events, sessions: GameSessions, cluster: Cluster) -> None:
        self._events: Final = events
        self._sessions: Final = sessions
        self._cluster: Final = cluster
        self._feeds: Final[dict[str, _Feed]] = {}
        self._cache: Final[OrderedDict[str, tuple[datetime, BoardPosition]]] = OrderedDict()

    def enter(self, event_id: str, viewer: Viewer) -> None:
        """Subscribe a viewer to an event."""
        feed = self._feeds.get(event_id)
        if feed is None:
            feed = self._feeds[event_id] = _Feed(event_id, self, self._events, self._cluster)
        feed.enter(viewer)

    def leave(self, event_id: str, viewer: Viewer) -> None:
        """Unsubscribe a viewer from an event."""
        feed = self._feeds.get(event_id)
        if feed is not None and feed.leave(viewer):
            del self._feeds[event_id]

    def watching(self, event_id: str) -> int:
        """Return the number of viewers of an event in this process."""
        feed = self._feeds.get(event_id)
        return 0 if feed is None else feed.count

    async def close(self) -> None:
        """Close all feeds."""
        for feed in tuple(self._feeds.values()):
            feed.stop()
        self._feeds.clear()

    async def boards(self, games: Collection[str]) -> dict[str, BoardPosition]:
        """Return the positions of those games that are stored."""
        changed = await self._events.read(lambda c: rows.update_times(c, games)) if games else {}
        positions = {}
        for game_id, stamp in changed.items():
            cached = self._cache.get(game_id)
            if cached is None or cached[0] != stamp:
                live = await self._sessions.load(game_id)
                if live is None:
                    continue
                turn = "" if live.result is not None else live.game.turn
                cached = (stamp, BoardPosition(live.game.board.pieces, turn, live.ply))
                self._cache[game_id] = cached
                while len(self._cache) > _CACHE_SIZE:
                    self._cache.popitem(last=False)
            self._cache.move_to_end(game_id)
            positions[game_id] = cached[1]
        return positions


class _Feed:
    """The feed of one event."""

    def __init__(self, event_id: str, feeds: Feeds, events: Events, cluster: Cluster) -> None:
        self._event_id: Final = event_id
        self._feeds: Final = feeds
        self._events: Final = events
        self._viewers: Final[set[Viewer]] = set()
        self._new_viewers: Final[set[Viewer]] = set()
        self._wake: Final = asyncio.Event()
        self._unsubscribe: Final = cluster.subscribe(topic(event_id), self._changed)
        self._version = 0
        self._boards: dict[str, BoardPosition] = {}
        self._task: Final = asyncio.get_running_loop().create_task(self._run())

    @property
    def count(self) -> int:
        return len(self._viewers)

    def enter(self, viewer: Viewer) -> None:
        self._viewers.add(viewer)
        self._new_viewers.add(viewer)
        self._wake.set()

    def leave(self, viewer: Viewer) -> bool:
        """Unsubscribe a viewer; return whether it was the last one."""
        self._viewers.discard(viewer)
        self._new_viewers.discard(viewer)
        if self._viewers:
            return False
        self.stop()
        return True

    def stop(self) -> None:
        self._unsubscribe()
        self._task.cancel()

    def _changed(self, _: bytes) -> None:
        self._wake.set()

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self._send_changes()
            except DamkaError as error:
                log_fault(log, error, "tournament %s: cannot follow it for now", self._event_id)
            with suppress(TimeoutError):
                async with asyncio.timeout(_POLL_SECONDS):
                    await self._wake.wait()

    async def _send_changes(self) -> None:
        """Send the changes since the last message, and the full state to new viewers."""
        new_viewers = tuple(self._new_viewers)
        self._new_viewers.clear()
        stored = await self._events.get(self._event_id)
        version = stored.stamp
        previous = self._boards
        self._boards = await self._feeds.boards([game for _, game in boards_of(stored)])
        changed = {
            game: position
            for game, position in self._boards.items()
            if previous.get(game) != position
        }
        news = None if version == self._version else version
        self._version = version
        for viewer in self._viewers:
            if viewer in new_viewers:
                viewer.add(version, self._boards)
            else:
                viewer.add(news, changed)

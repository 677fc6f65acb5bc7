"""What those who watch an event are told: that something has changed, and the boards as they stand.

A viewer who reads slowly misses states in between, never the latest. Boards are read from the
store: the games may be open in any process.
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
from damka.server.events import tables
from damka.server.events.messages import EventNews, Shown
from damka.server.events.service import Events, topic
from damka.server.events.values import ARENA, Stored
from damka.server.fault_log import log_fault

if TYPE_CHECKING:
    from damka.server.cluster import Cluster
    from damka.server.game_sessions import GameSessions

__all__ = ["BOARDS", "Feeds", "Viewer", "boards_of"]

log: Final = logging.getLogger(__name__)

BOARDS: Final = 60
"""As many boards of an event are followed."""
_SECONDS: Final = 0.4
_KEPT: Final = 512


def boards_of(stored: Stored) -> list[tuple[int, str]]:
    """Return the games to be followed: the board's number from 1, and the game's id.

    Those of the round, or the latest that go on in an arena.
    """
    state = stored.state
    if state.arena is not None:
        on = [place for place, game in enumerate(state.arena.games) if game.outcome is None]
        found = [(place + 1, stored.games.get((ARENA, place))) for place in on]
    else:
        number = state.begun
        boards = sorted(board for round_, board in stored.games if round_ == number and number)
        found = [(board, stored.games.get((number, board))) for board in boards]
    return [(board, game) for board, game in found if game is not None][:BOARDS]


class Viewer:
    """A connection that watches; `wait` returns what it has not been told yet."""

    def __init__(self) -> None:
        self._boards: dict[str, Shown] = {}
        self._version: int | None = None
        self._filled: Final = asyncio.Event()

    def tell(self, version: int | None, boards: dict[str, Shown]) -> None:
        """Take what has changed."""
        self._boards |= boards
        self._version = version or self._version
        if boards or version:
            self._filled.set()

    async def wait(self) -> EventNews:
        """Return the next message."""
        await self._filled.wait()
        self._filled.clear()
        boards, self._boards = self._boards, {}
        version, self._version = self._version, None
        return EventNews(version, boards)


class Feeds:
    """The events that are watched in this process, and the boards that were read for them."""

    def __init__(self, events: Events, sessions: GameSessions, cluster: Cluster) -> None:
        self._events: Final = events
        self._sessions: Final = sessions
        self._cluster: Final = cluster
        self._feeds: Final[dict[str, _Feed]] = {}
        self._read: Final[OrderedDict[str, tuple[datetime, Shown]]] = OrderedDict()

    def enter(self, event_id: str, viewer: Viewer) -> None:
        """Tell a viewer of an event from now on."""
        feed = self._feeds.get(event_id)
        if feed is None:
            feed = self._feeds[event_id] = _Feed(event_id, self, self._events, self._cluster)
        feed.enter(viewer)

    def leave(self, event_id: str, viewer: Viewer) -> None:
        """Tell a viewer nothing more."""
        feed = self._feeds.get(event_id)
        if feed is not None and feed.leave(viewer):
            del self._feeds[event_id]

    def watching(self, event_id: str) -> int:
        """Return how many watch an event here."""
        feed = self._feeds.get(event_id)
        return 0 if feed is None else feed.count

    async def close(self) -> None:
        """Tell nobody any more."""
        for feed in tuple(self._feeds.values()):
            feed.stop()
        self._feeds.clear()

    async def boards(self, games: Collection[str]) -> dict[str, Shown]:
        """Return games as they stand, those that are stored."""
        changed = await self._events.read(lambda c: tables.stamps(c, games)) if games else {}
        shown = {}
        for game_id, stamp in changed.items():
            kept = self._read.get(game_id)
            if kept is None or kept[0] != stamp:
                live = await self._sessions.load(game_id)
                if live is None:
                    continue
                turn = "" if live.result is not None else live.game.turn
                kept = (stamp, Shown(live.game.board.pieces, turn, live.ply))
                self._read[game_id] = kept
                while len(self._read) > _KEPT:
                    self._read.popitem(last=False)
            self._read.move_to_end(game_id)
            shown[game_id] = kept[1]
        return shown


class _Feed:
    """One event that is watched."""

    def __init__(self, event_id: str, feeds: Feeds, events: Events, cluster: Cluster) -> None:
        self._event_id: Final = event_id
        self._feeds: Final = feeds
        self._events: Final = events
        self._viewers: Final[set[Viewer]] = set()
        self._new: Final[set[Viewer]] = set()
        self._poke: Final = asyncio.Event()
        self._end: Final = cluster.subscribe(topic(event_id), self._changed)
        self._version = 0
        self._boards: dict[str, Shown] = {}
        self._task: Final = asyncio.get_running_loop().create_task(self._run())

    @property
    def count(self) -> int:
        return len(self._viewers)

    def enter(self, viewer: Viewer) -> None:
        self._viewers.add(viewer)
        self._new.add(viewer)
        self._poke.set()

    def leave(self, viewer: Viewer) -> bool:
        """Tell a viewer nothing more; whether it was the last one."""
        self._viewers.discard(viewer)
        self._new.discard(viewer)
        if self._viewers:
            return False
        self.stop()
        return True

    def stop(self) -> None:
        self._end()
        self._task.cancel()

    def _changed(self, _: bytes) -> None:
        self._poke.set()

    async def _run(self) -> None:
        while True:
            self._poke.clear()
            try:
                await self._tell()
            except DamkaError as error:
                log_fault(log, error, "event %s: it cannot be followed for now", self._event_id)
            with suppress(TimeoutError):
                async with asyncio.timeout(_SECONDS):
                    await self._poke.wait()

    async def _tell(self) -> None:
        """Tell what has changed since the last time, and newcomers how everything stands."""
        new = tuple(self._new)
        self._new.clear()
        stored = await self._events.get(self._event_id)
        version = stored.stamp
        known = self._boards
        self._boards = await self._feeds.boards([game for _, game in boards_of(stored)])
        changed = {game: shown for game, shown in self._boards.items() if known.get(game) != shown}
        news = None if version == self._version else version
        self._version = version
        for viewer in self._viewers:
            if viewer in new:
                viewer.tell(version, self._boards)
            else:
                viewer.tell(news, changed)

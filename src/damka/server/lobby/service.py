"""The lobby of one process: its viewers, and the waves that pair the pool.

Viewers are woken when the lobby changes. One process of a cluster runs the waves and deletes closed
seeks; every process renews the seeks of its own viewers.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Protocol

from damka import rules
from damka.errors import DamkaError
from damka.live import setup
from damka.live.problems import Problem
from damka.server import games, ratings
from damka.server.accounts import moderation
from damka.server.fault_log import log_fault
from damka.server.lobby import pool, seeks
from damka.server.lobby.seeks import Seek
from damka.server.store import ConflictError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damka.live.clock import ClockSettings
    from damka.live.setup import GameSetup
    from damka.rules import Side
    from damka.server.accounts import Accounts
    from damka.server.cluster import Cluster
    from damka.server.game_sessions import GameSessions
    from damka.server.ratings import Standing
    from damka.server.settings import Settings

__all__ = ["Lobby", "LobbySnapshot", "Viewer"]

log: Final = logging.getLogger(__name__)

TOPIC: Final = "lobby"
_RENEW_SECONDS: Final = 4.0
"""Interval for renewing the seeks of open pages; less than `seeks.EXPIRY`."""
_DEBOUNCE_SECONDS: Final = 0.1
"""Changes within this time are combined."""

_Group = tuple[str, "ClockSettings | None", bool]


class Viewer(Protocol):
    """A page that shows the lobby or waits for a game."""

    @property
    def holder(self) -> str | None:
        """Holder of the user's seats."""

    def wake(self) -> None:
        """Read the lobby again; called in the event loop, must not block."""


@dataclass(frozen=True, slots=True)
class LobbySnapshot:
    """A snapshot of the lobby."""

    challenges: tuple[tuple[Seek, Standing | None], ...] = ()
    """Open challenges, oldest first, with the ratings of their creators."""
    waiting: Counter[_Group] = field(default_factory=Counter)
    """Number of players in each group of the pool."""
    seeks_by_holder: dict[str, tuple[Seek, ...]] = field(default_factory=dict)
    """Seeks of each holder, including those whose game has begun."""


class Lobby:
    """The lobby as seen by one process."""

    def __init__(
        self, settings: Settings, sessions: GameSessions, accounts: Accounts, cluster: Cluster
    ) -> None:
        self._settings: Final = settings
        self._sessions: Final = sessions
        self._accounts: Final = accounts
        self._cluster: Final = cluster
        self._viewers: Final[set[Viewer]] = set()
        self._stale: Final = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._leaving: Final[set[asyncio.Task[None]]] = set()
        self._unsubscribe: Callable[[], None] | None = None
        self._read_lock: Final = asyncio.Lock()
        self._requested_reads = 0
        self._completed_reads = 0
        self.snapshot = LobbySnapshot()

    def start(self) -> None:
        """Subscribe to changes by other processes, and start the waves."""
        self._unsubscribe = self._cluster.subscribe(TOPIC, lambda _: self._stale.set())
        self._tasks = [
            asyncio.create_task(each) for each in (self._refresh_on_change(), self._run_waves())
        ]

    async def close(self) -> None:
        """Stop."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._leaving, return_exceptions=True)

    # Viewers

    async def enter(self, viewer: Viewer) -> None:
        """Wake `viewer` at every change until it leaves, and keep its user's seeks open."""
        self._viewers.add(viewer)
        await self.refresh()
        await self._renew(viewer.holder)

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer. A user who has just closed the page must not be paired."""
        self._viewers.discard(viewer)
        holder = viewer.holder
        if holder in self.snapshot.seeks_by_holder and all(
            each.holder != holder for each in self._viewers
        ):
            task = asyncio.create_task(self._mark_left(holder))
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)

    async def _mark_left(self, holder: str) -> None:
        with suppress(DamkaError):  # it then expires a little later
            await self._accounts.write(lambda c: seeks.renew(c, {holder}, left=True))

    async def refresh(self) -> LobbySnapshot:
        """Read the current state; wake the viewers if it has changed.

        Concurrent calls share one read that started after they were made.
        """
        self._requested_reads += 1
        number = self._requested_reads
        async with self._read_lock:
            if self._completed_reads < number:
                latest = self._requested_reads
                snapshot = await self._accounts.read(_read_snapshot)
                self._completed_reads = latest
                if snapshot != self.snapshot:
                    self.snapshot = snapshot
                    for viewer in tuple(self._viewers):
                        viewer.wake()
            return self.snapshot

    async def is_seeking(self, holder: str) -> bool:
        """Whether a holder has an open challenge or is in the pool."""
        return await self._accounts.read(lambda c: seeks.has_any(c, holder))

    # Changes

    async def add(self, seek: Seek) -> None:
        """Add a seek. Raises Problem when there are too many."""
        limit = self._settings.limits.open_seeks
        try:
            await self._accounts.write(lambda c: seeks.add(c, seek, limit))
        except seeks.FullError as error:
            raise Problem(429, "many_challenges" if error.mine else "lobby_full") from error
        except ConflictError as error:
            # Of two concurrent seeks of one player, only one is added.
            raise Problem(409, "busy") from error
        await self._publish_change()

    async def cancel(self, seek_id: str, holder: str) -> None:
        """Cancel a seek. Raises Problem when the holder has no such seek."""
        if not await self._accounts.write(lambda c: seeks.cancel(c, seek_id, holder)):
            raise Problem(409, "challenge_gone")
        await self._publish_change()

    async def leave_all(self, holder: str) -> None:
        """Cancel every seek of a holder."""
        await self._accounts.write(lambda c: seeks.cancel_all(c, holder))
        await self._publish_change()

    async def mark_opened(self, seek_id: str, holder: str) -> None:
        """Delete a seek whose creator has opened the game."""
        await self._accounts.write(lambda c: seeks.delete_opened(c, seek_id, holder))
        self._stale.set()

    async def accept(self, seek_id: str, holder: str) -> GameSetup:
        """Accept a challenge as `holder` and start its game.

        Raises Problem when the challenge is closed, one's own, blocked in either direction, or
        rated and not between members.
        """
        seek = await self._accounts.read(lambda c: _unless_banned(c, seeks.find(c, seek_id)))
        if seek is None or seek.pool or not seeks.is_open(seek, datetime.now(UTC)):
            raise Problem(409, "challenge_gone")
        if seek.holder == holder:
            raise Problem(409, "own_challenge")
        if not await self._accounts.may_play(seek.holder, holder):
            raise Problem(403, "no_meeting")
        try:
            return await self._begin((seek,), seek, (seek.holder, holder), None)
        except ConflictError as error:
            raise Problem(409, "challenge_gone") from error
        finally:
            await self._publish_change()

    async def _publish_change(self) -> None:
        await self._cluster.publish(TOPIC, b"")

    async def _begin(
        self,
        accepted: tuple[Seek, ...],
        seek: Seek,
        holders: tuple[str, str],
        side: Side | None,
    ) -> GameSetup:
        """Store the game of the seeks and start its clock.

        `holders` are the players; the first one has `side`, or else the colour of `seek`.
        """
        game_setup = await self._sessions.rule_threads.run(
            lambda: setup.paired(
                *(rules.load(seek.rules), holders),
                side=side,
                colour=seek.colour,
                clock=seek.clock,
                rated=seek.rated,
            )
        )
        game_setup = await self._with_names(game_setup)
        await games.store(
            self._sessions,
            game_setup,
            in_transaction=lambda c: seeks.take(c, accepted, game_setup.id, *holders),
        )
        async with self._sessions.enter(game_setup.id) as session:
            if session is not None:
                await session.check_clock()
        return game_setup

    async def _with_names(self, game_setup: GameSetup) -> GameSetup:
        """Return a game with the names and ratings of its members."""
        if game_setup.rated:
            return await ratings.with_ratings(self._accounts, game_setup)
        names = await self._accounts.names_of({seat.holder or "" for seat in game_setup.seats})
        one, two = (replace(seat, name=names.get(seat.holder or "")) for seat in game_setup.seats)
        return replace(game_setup, seats=(one, two))

    # Background tasks

    async def _refresh_on_change(self) -> None:
        while True:
            await self._stale.wait()
            await asyncio.sleep(_DEBOUNCE_SECONDS)
            self._stale.clear()
            with suppress(DamkaError):  # retried with the next wave
                if self._viewers:
                    await self.refresh()

    async def _run_waves(self) -> None:
        renewed_at = 0.0
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._settings.wave_seconds)
            try:
                if loop.time() - renewed_at >= _RENEW_SECONDS:
                    renewed_at = loop.time()
                    await self._renew(*(viewer.holder for viewer in self._viewers))
                if await self._cluster.leads(TOPIC):
                    await self._wave()
                if self._viewers:
                    await self.refresh()
            except Exception as error:
                # An error with one seek must not stop the lobby.
                log_fault(log, error, "cannot update the lobby")

    async def _renew(self, *holders: str | None) -> None:
        """Renew the seeks of open pages."""
        present = {holder or "" for holder in holders} & self.snapshot.seeks_by_holder.keys()
        if present:
            await self._accounts.write(lambda c: seeks.renew(c, present))

    async def _wave(self) -> None:
        """Pair the pool, and delete closed seeks."""
        waiting, is_over = await self._accounts.read(_due_for_pairing)
        if is_over:
            await self._accounts.write(seeks.sweep)
        missed: list[str] = []
        for group in waiting:
            matched, unpaired = await asyncio.to_thread(pool.pairs, group)
            missed += [seek.id for seek in unpaired]
            for white, black in matched:
                try:
                    await self._begin((white, black), white, (white.holder, black.holder), "W")
                except (ConflictError, Problem) as error:
                    # One player has left in the meantime; the other is in the next wave.
                    log.info("a lobby pairing failed: %s", error)
        if missed:
            await self._accounts.write(lambda c: seeks.miss(c, missed))
        if waiting or is_over:
            await self._publish_change()


def _due_for_pairing(connection: Connection) -> tuple[list[pool.Waiting], bool]:
    """Return the groups to pair, and whether any seek is closed or expired."""
    all_seeks = seeks.all_seeks(connection)
    now = datetime.now(UTC)
    is_over = any(not seeks.is_open(each, now) for each in all_seeks if each.game_id is None)
    is_over |= any(now - each.seen > seeks.ACCEPTED_LIFETIME for each in all_seeks)
    banned = moderation.banned(connection, {each.holder for each in all_seeks})
    return pool.groups(
        connection, [each for each in all_seeks if each.holder not in banned]
    ), is_over


def _unless_banned(connection: Connection, seek: Seek | None) -> Seek | None:
    """Return a seek unless its creator has been banned in the meantime."""
    if seek is None or moderation.banned(connection, {seek.holder}):
        return None
    return seek


def _read_snapshot(connection: Connection) -> LobbySnapshot:
    now = datetime.now(UTC)
    current = [
        replace(each, seen=each.created, missed=0) for each in _current_seeks(connection, now)
    ]
    challenges = [each for each in current if not each.pool and each.game_id is None]
    standings = ratings.standings(connection, {(each.holder, each.rules) for each in challenges})
    seeks_by_holder: dict[str, Any] = {}
    for each in current:
        seeks_by_holder[each.holder] = (*seeks_by_holder.get(each.holder, ()), each)
    return LobbySnapshot(
        tuple((each, standings.get((each.holder, each.rules))) for each in challenges),
        Counter(each.group for each in current if each.pool),
        seeks_by_holder,
    )


def _current_seeks(connection: Connection, now: datetime) -> list[Seek]:
    all_seeks = seeks.all_seeks(connection)
    banned = moderation.banned(connection, {each.holder for each in all_seeks})
    return [
        each
        for each in all_seeks
        if each.game_id is not None or (seeks.is_open(each, now) and each.holder not in banned)
    ]

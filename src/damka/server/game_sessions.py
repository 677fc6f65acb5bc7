"""Open game sessions of a process, and the store, threads and clocks that they share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from damka.errors import DamkaError
from damka.live.events import Event
from damka.live.live_game import LiveGame
from damka.live.problems import Refused
from damka.server.database import Database
from damka.server.engine_pool import EnginePool
from damka.server.fault_log import log_fault
from damka.server.flags import FlagSchedule
from damka.server.game_session import GameSession
from damka.server.outage import Outage
from damka.server.outage import check as outage_check
from damka.server.rescue import Rescue
from damka.server.rule_threads import RuleThreads
from damka.server.store import SeatChange, Store, beat_file
from damka.server.timekeeper import Heartbeat, Timekeeper

if TYPE_CHECKING:
    from damka.live.setup import GameSetup
    from damka.server.ownership import Ownership
    from damka.server.settings import Settings

__all__ = ["GameSessions"]

log: Final = logging.getLogger(__name__)

_RETRY_SECONDS: Final = 1.0


class _OpenSession:
    __slots__ = ("session", "users")

    def __init__(self, session: asyncio.Future[GameSession | None]) -> None:
        self.session = session
        self.users = 0


class GameSessions:
    """Open sessions, with the store and the engine that they use."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        engine_pool: EnginePool,
        ownership: Ownership | None = None,
    ) -> None:
        self.settings: Final = settings
        self._ownership: Final = ownership
        self.engine_pool: Final = engine_pool
        self.closed = False
        self.keeper: Final = Timekeeper() if ownership is None else ownership.membership.keeper
        # To resume the clocks, the next server needs the time at which this one stopped.
        heartbeat_file = None if store.path is None else beat_file(store.path)
        self._heartbeat: Final = Heartbeat(heartbeat_file)
        self.flags: Final = FlagSchedule(self._schedule_clock_check, self._heartbeat.run)
        self._pinned: Final[dict[str, _OpenSession]] = {}
        self.commit_listeners: Final[list[Callable[[LiveGame, Event, bool], None]]] = []
        """Callbacks for each stored log entry; they must not block or raise.

        The last argument is whether the game was already over.
        """
        self.creation_listeners: Final[list[Callable[[GameSetup], None]]] = []
        """Callbacks for each new game, after it was stored."""
        self.database: Final = Database(store)
        self.rule_threads: Final = RuleThreads()
        self._open: Final[dict[str, _OpenSession]] = {}
        self._clock_checks: Final[set[asyncio.Task[None]]] = set()
        self.outage: Final = Outage(
            lambda: self.database.write(outage_check), self._on_outage_begin, self._on_outage_end
        )
        self.rescue: Final = Rescue(
            store,
            self.outage,
            self._running_ids,
            self._game_files,
            lambda: self._warn("store_lost"),
        )
        self._store_monitor: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def enter(self, game_id: str) -> AsyncIterator[GameSession | None]:
        """Enter a game's session, which stays open while it has users; None for an unknown game."""
        entry = self._open.get(game_id)
        if entry is None:
            entry = self._open[game_id] = _OpenSession(asyncio.ensure_future(self._load(game_id)))
        entry.users += 1
        try:
            yield await asyncio.shield(entry.session)
        finally:
            self._release(game_id, entry)

    def spawn(self, session: GameSession, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` as a task that keeps the session open until it is done."""
        game_id = session.live.id
        # A game that was dropped has no entry.
        entry = self._open.get(game_id) or _OpenSession(asyncio.Future())
        entry.users += 1
        task: asyncio.Task[None] = asyncio.create_task(work)

        def done(task: asyncio.Task[None]) -> None:
            self._release(game_id, entry)
            if not task.cancelled() and (error := task.exception()) is not None:
                log_fault(log, error, "game %s: a task failed", game_id)

        task.add_done_callback(done)
        return task

    def monitor_store(self) -> None:
        """Start monitoring the store for outages."""
        self._store_monitor = asyncio.create_task(self.rescue.run())

    async def resume_clocks(self) -> None:
        """Resume the clocks of all games; the downtime is not charged.

        Call it once, before the first connection is served.
        """
        self.monitor_store()
        last = self._heartbeat.last
        self._heartbeat.follow(self.keeper)
        until = None if last is None else min(self.keeper.monotonic(last), self.keeper.now())
        resumed = []
        for game_id in await self.database.read(lambda store: store.with_clocks()):
            try:
                async with self.enter(game_id) as session:
                    if session is not None:
                        resumed.append((session, await session.resume(until)))
            except DamkaError as error:
                log_fault(log, error, "game %s: cannot resume the clock", game_id)
        # No player could move before all games were resumed.
        for session, at in resumed:
            if at is not None:
                session.clock.skip(at)

    def open_games(self) -> Iterator[LiveGame]:
        """Yield the games in memory, read-only; a game being changed may be ahead of the store."""
        for entry in tuple(self._open.values()):
            is_loaded = entry.session.done() and not entry.session.cancelled()
            if is_loaded and entry.session.exception() is None:
                session = entry.session.result()
                if session is not None:
                    yield session.live

    @property
    def open_count(self) -> int:
        """Number of games in memory."""
        return len(self._open)

    def keep_open(self, session: GameSession, on: bool) -> None:
        """Keep a session open without viewers, or stop doing so if `on` is false."""
        game_id = session.live.id
        if on and game_id not in self._pinned and self.is_open(session):
            entry = self._pinned[game_id] = self._open[game_id]
            entry.users += 1
        elif not on and game_id in self._pinned:
            self._release(game_id, self._pinned.pop(game_id))

    def is_open(self, session: GameSession) -> bool:
        """Return whether this is the current session of its game."""
        entry = self._open.get(session.live.id)
        return (
            entry is not None
            and entry.session.done()
            and not entry.session.cancelled()
            and entry.session.exception() is None
            and entry.session.result() is session
        )

    def _open_sessions(self) -> list[GameSession]:
        """Return the open sessions."""
        done = [entry.session for entry in self._open.values() if entry.session.done()]
        sessions = [each.result() for each in done if not each.cancelled() and not each.exception()]
        return [session for session in sessions if session is not None]

    def _running_ids(self) -> list[str]:
        return [each.live.id for each in self._open_sessions() if each.live.result is None]

    async def _game_files(self) -> dict[str, str]:
        """Return the game files of the running games, by id."""
        files = {}
        for session in self._open_sessions():
            if session.live.result is None:
                try:
                    files[session.live.id] = await session.game_file()
                except DamkaError as error:
                    log_fault(log, error, "game %s: cannot save the game", session.live.id)
        return files

    def _on_outage_begin(self) -> None:
        """Stop all clocks and warn all viewers."""
        self._heartbeat.freeze(True)
        self._warn("store_fails")

    def _warn(self, code: str) -> None:
        for session in self._open_sessions():
            session.warn(code)

    def _on_outage_end(self, since: float) -> None:
        """Resume the clocks; the time of the outage is not charged."""
        self._heartbeat.freeze(False)
        for session in self._open_sessions():
            session.clock.skip(since)
            if session.viewers:
                self.spawn(session, session.check_clock())

    def _schedule_clock_check(self, game_id: str) -> None:
        if not self.closed:
            task = asyncio.get_running_loop().create_task(self._check_clock_of(game_id))
            self._clock_checks.add(task)
            task.add_done_callback(self._clock_checks.discard)

    async def _check_clock_of(self, game_id: str) -> None:
        try:
            async with self.enter(game_id) as session:
                if session is not None:
                    await session.check_clock()
        except DamkaError as error:
            # The store is busy or unavailable: check the clock again later. No player loses time.
            if self.outage.since is None:
                log_fault(log, error, "game %s: cannot check the clock", game_id)
            self.flags.set(game_id, self.keeper.now() + _RETRY_SECONDS)

    async def close(self) -> None:
        """Stop the computer in all games and finish pending writes."""
        self.closed = True
        self.flags.close()
        if self._store_monitor is not None:
            self._store_monitor.cancel()
            await asyncio.gather(self._store_monitor, return_exceptions=True)
        await asyncio.gather(*self._clock_checks, return_exceptions=True)
        sessions = [entry.session for entry in self._open.values()]
        for session in await asyncio.gather(*sessions, return_exceptions=True):
            if isinstance(session, GameSession):
                await session.close()
        await self.rule_threads.close()
        self._heartbeat.close()
        await self.database.close()

    async def _load(self, game_id: str) -> GameSession | None:
        ownership = self._ownership
        if ownership is None:
            live = await self.load(game_id)
            if live is None:
                return None
            self._warm(live)
            return GameSession(live, self)
        own_id = ownership.id
        ownership_record = await ownership.take(game_id)
        live = await self.load(game_id)
        if live is None:
            return None
        session = GameSession(live, self, own_id, owned=ownership_record.owner == own_id)
        if ownership_record.after:
            until = ownership_record.until
            await session.resume(None if until is None else self.keeper.monotonic(until))
            ownership.mark_resumed(game_id)
        self._warm(live)
        return session

    def _warm(self, live: LiveGame) -> None:
        """Start the workers if the computer plays in this game."""
        if live.computer is not None and live.result is None:
            self.engine_pool.warm()

    async def change_elsewhere(
        self, game_id: str, action: Callable[[LiveGame], tuple[Event, SeatChange | None]]
    ) -> None:
        """Take over a game that another process owns, and change it."""
        if self._ownership is not None:
            await self._ownership.fetch(game_id)
        self._open.pop(game_id, None)
        async with self.enter(game_id) as session:
            if session is None or not session.owned:
                raise Refused("stale")
            await session.change(action)

    @asynccontextmanager
    async def releasing(self, game_id: str) -> AsyncIterator[None]:
        """Hold a game's lock during the block, then drop the game and make its pages reconnect."""
        entry = self._open.get(game_id)
        session = None if entry is None else await asyncio.shield(entry.session)
        if session is None:
            yield
            return
        async with session.lock:
            yield
            self._drop(session)

    def drop_all(self) -> None:
        """Drop all games: another process owns them now."""
        for entry in tuple(self._open.values()):
            if entry.session.done() and not entry.session.cancelled():
                session = None if entry.session.exception() else entry.session.result()
                if session is not None:
                    self._drop(session)
        self._pinned.clear()
        self._open.clear()

    def _drop(self, session: GameSession) -> None:
        game_id = session.live.id
        self._pinned.pop(game_id, None)
        self._open.pop(game_id, None)
        self.flags.set(game_id, None)
        session.reconnect()

    async def load(self, game_id: str) -> LiveGame | None:
        """Load a game from the store; None for an unknown game."""
        stored = await self.database.read(lambda store: store.load(game_id))
        if stored is None:
            return None
        # Replaying a long log is slow, and the event loop must stay responsive.
        return await self.rule_threads.run(lambda: LiveGame(stored, self.settings.limits))

    def _release(self, game_id: str, entry: _OpenSession) -> None:
        entry.users -= 1
        if entry.users == 0 and self._open.get(game_id) is entry:
            del self._open[game_id]

"""An open game: its lock, its log in the store, and its viewers.

Every change goes through `GameSession.act`: under the session's lock the live game returns the
entry for its log, the entry is appended to the store, and then the viewers are told. The computer's
moves take the same way. The live game may be read under the lock only, because for a moment it is
ahead of the store.

What generates moves runs in a pool of threads, but for positions in which it is known to be quick:
finding the captures of a made-up position can take long, and the event loop must serve the other
games meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from damka.errors import DamkaError, PositionTooComplexError
from damka.live import messages
from damka.live.events import (
    Abandoned,
    Aborted,
    ClockResumed,
    DrawAccepted,
    Event,
    Flagged,
    InvitationExpired,
    Moved,
    Resigned,
)
from damka.live.live_game import LiveGame
from damka.live.problems import Refused
from damka.live.replay import Sides, require_showable
from damka.live.sentences import Paused
from damka.live.state import Table
from damka.rules import SIDES, Side
from damka.server import ratings
from damka.server.engine_pool import (
    EnginePool,
    Payer,
    Reply,
    SearchFailedError,
    StoppedError,
)
from damka.server.flags import FlagSchedule
from damka.server.light import is_light, is_shipped
from damka.server.outage import Outage
from damka.server.outage import check as outage_check
from damka.server.presence import Presence
from damka.server.publisher import Publisher, Viewer
from damka.server.rescue import Rescue
from damka.server.session_clock import Before, Lags, SessionClock
from damka.server.store import Append, ConflictError, SeatChange, Store, StoreError, Writer
from damka.server.timekeeper import Heartbeat, Timekeeper
from damka.server.watching import watcher_list

if TYPE_CHECKING:
    from damka.live.setup import Made
    from damka.server.ownership import Ownership
    from damka.server.settings import Settings

__all__ = ["GameSession", "GameSessions"]

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

AWAY_SECONDS: Final = 1.5
"""How long a player's connection may be gone before the others are told: a page is reloaded."""
_SOON_SECONDS: Final = 0.25
_AGAIN_SECONDS: Final = 1.0
_RULE_THREADS: Final = 4
_READERS: Final = 2

_ENDS: Final = (Flagged, Resigned, Aborted, InvitationExpired, Abandoned, DrawAccepted)
"""What ends a game fits into its log however long that is."""


class GameSession:
    """One open game."""

    def __init__(
        self,
        live: LiveGame,
        sessions: GameSessions,
        owner: str | None = None,
        *,
        owned: bool = True,
    ) -> None:
        self.live = live
        self._owner: Final = owner
        self.owned: Final = owned
        """Whether the game is played in this process; else it can only be looked at."""
        self.lock: Final = asyncio.Lock()
        self.publisher: Final = Publisher(self._in_rules)
        self._sessions: Final = sessions
        self._ahead = False
        self._shipped: Final = is_shipped(live.rules)
        self._opponent: asyncio.Task[None] | None = None
        self._search: Reply[tuple[Event, ...]] | None = None
        self._watchers: messages.WatcherList | None = None
        self._paused: Paused | None = None
        keeper = sessions.keeper
        self.clock: Final = SessionClock(live, keeper)
        self._presence: Final = Presence(keeper.now())
        self._present: Final[dict[Viewer, Side]] = {}
        self._soon: asyncio.TimerHandle | None = None

    @property
    def viewers(self) -> set[Viewer]:
        """Who is shown the game."""
        return self.publisher.viewers

    @property
    def thinking(self) -> bool:
        """Whether the computer is choosing its move."""
        return self._opponent is not None and self.live.computer_to_move

    @property
    def paused(self) -> Paused | None:
        """Why the computer does not go on, if it does not."""
        return self._paused

    async def act(
        self, action: Callable[[LiveGame], Event], *, received: float | None = None
    ) -> None:
        """Do what `action` proposes: append it, tell everybody, wake the computer.

        `received` is when it was asked for, by the monotonic clock. Raises what the action raises,
        and Refused when another server has written to the log.
        """
        await self.change(lambda live: (action(live), None), received=received)

    async def change(
        self,
        action: Callable[[LiveGame], tuple[Event, SeatChange | None]],
        *,
        received: float | None = None,
    ) -> None:
        """Do what `action` proposes as `act` does; seats may change by it."""
        now = self._sessions.keeper.now() if received is None else received
        if not self.owned:
            await self._sessions.change_elsewhere(self.live.id, action)
            return
        async with self._live() as live:
            if await self._end_overdue(now):
                raise Refused("game_over")
            event, seat = await self._in_rules(lambda: action(live))
            await self._commit(event, now, seat)
            self._paused = None  # The position may have changed meanwhile.
            if self._search is not None:
                self._search.stop()
            self.wake()
            await self.publish()

    async def look_at_clock(self) -> None:
        """End the game if a time is over; tell the viewers what has changed by itself."""
        async with self._live():
            if not await self._end_overdue(self._sessions.keeper.now()):
                await self.publish()
            self.schedule()

    async def nudge(self, received: float) -> None:
        """End the game if a time is over. Somebody thinks so; only the clock decides."""
        async with self._live():
            await self._end_overdue(received)

    async def resume(self, until: float | None) -> float | None:
        """Go on with a clock: the server, or the process, before this one served `until` then.

        Return when it goes on; None for a game whose clock does not run.
        """
        async with self._live() as live:
            side, clock = live.game.turn, live.clock
            if clock is None or live.result is not None or live.open_side is not None:
                return None
            now = self._sessions.keeper.now()
            begun = live.running is not None
            spent = self.clock.used(until) if begun and until is not None else clock.spent
            live.clock = clock.at(max(spent, clock.spent) if begun else 0)
            await self._commit(ClockResumed(side), now)
            return now

    async def _end_overdue(self, now: float) -> bool:
        """End the game for a time that is over; whether it was. Call under the lock.

        Raises StoreError while the store fails: no time passes then.
        """
        await self._sessions.outage.require_none()
        live, lags = self.live, self._lags()
        event: Event
        if self.clock.is_over(live, now, lags):
            event = await self._sessions.in_rules(live.flagged)
        elif self.clock.is_unbegun(live, now):
            event = Aborted(live.game.turn)
        else:
            return False
        await self._commit(event, now)
        await self.publish()
        return True

    def _lags(self) -> Lags:
        """Return the lag of each side: the least of its connections, so that a slow one is none."""
        lags: Lags = {}
        for viewer in self.viewers:
            for side in viewer.view[0]:
                lags[side] = min(viewer.lag, lags.get(side, viewer.lag))
        return lags

    def schedule(self) -> None:
        """Set when the clock has to be looked at. Call under the lock."""
        live, clock = self.live, self.live.clock
        times: list[float] = []
        deadline = self.clock.deadline(live, self._lags())
        if deadline is not None:
            times.append(deadline)
        if clock is not None and live.result is None and live.open_side is None:
            now = self._sessions.keeper.now()
            waits = [self._presence.wait(side, clock.settings) for side in SIDES]
            times += [wait for wait in waits if wait is not None and wait > now]
        self._sessions.flags.set(live.id, min(times, default=None))
        sits = deadline is not None and clock is not None and clock.settings.kind != "days"
        self._sessions.keep(self, sits)

    def away(self) -> Sides:
        """Return the sides that have been away for so long that the other may claim."""
        live = self.live
        settings = None if live.clock is None else live.clock.settings
        now = self._sessions.keeper.now()
        waits = {side: self._presence.wait(side, settings) for side in SIDES}
        return tuple(side for side, wait in waits.items() if wait is not None and wait <= now)

    def _table(self) -> Table:
        """Return what pages of a game on two devices are told besides the game."""
        live = self.live
        if not live.online:
            return Table()
        now = self._sessions.keeper.now()
        settings = None if live.clock is None else live.clock.settings
        return Table(
            clock=self.clock.info(live, now),
            presence=self._presence.told(now, settings),
            watching=sum(not viewer.view[0] for viewer in self.viewers),
            claimable=self.away(),
        )

    async def read(self, look: Callable[[LiveGame], T]) -> T:
        """Return what `look` sees of the game, between two changes, from a thread for rules."""
        async with self._live() as live:
            return await self._in_rules(lambda: look(live))

    async def join(self, viewer: Viewer) -> None:
        """Show the game to `viewer`, now and after every change, until it leaves.

        The computer goes on thinking if it was to move: perhaps the server was stopped then.
        """
        async with self._live() as live:
            self.viewers.add(viewer)
            returned = self._enter(viewer)
            news = self.wake() or returned
            await self._show([viewer], joined=True)
            if news:
                await self._show(self.viewers - {viewer})
            if live.online:
                self.schedule()
                if not returned:
                    self._publish_soon(_SOON_SECONDS)

    def _enter(self, viewer: Viewer) -> bool:
        """Count a player's connection; whether it is the first one."""
        sides = viewer.view[0]
        if not self.live.online or not sides:
            return False
        self._present[viewer] = sides[0]
        return self._presence.enter(sides[0])

    async def refresh(self, viewer: Viewer) -> None:
        """Show the game to one viewer again."""
        async with self._live():
            await self._show([viewer])

    async def followed_by(self, game_id: str) -> None:
        """Give every viewer the link to the rematch."""
        async with self._live() as live:
            live.next_id = game_id
            await self.publish()

    def leave(self, viewer: Viewer, *, left: bool = False) -> None:
        """Tell `viewer` nothing more. Without viewers the computer stops searching.

        `left` tells that its page was closed, and that not just the connection broke.
        """
        self.publisher.leave(viewer)
        side = self._present.pop(viewer, None)
        if side is not None:
            self._presence.leave(side, self._sessions.keeper.now(), left=left)
        if self.live.online:
            self._publish_soon(AWAY_SECONDS)
        if not self.viewers and self._search is not None:
            self._search.stop()

    def watcher_list(self) -> messages.WatcherList:
        """Return who watches, as it was when the game was shown last or is now."""
        if self._watchers is None:
            self._watchers = watcher_list(each.name for each in self.viewers if not each.view[0])
        return self._watchers

    async def publish(self) -> None:
        """Show the game to everybody at the session. Call under the lock."""
        self._watchers = None
        await self._show(tuple(self.viewers))

    def _publish_soon(self, seconds: float) -> None:
        """Tell everybody who is there, once for all who come and go meanwhile."""
        if self._soon is None and not self._sessions.closed:
            loop = asyncio.get_running_loop()
            self._soon = loop.call_later(seconds, self._begin_publishing)

    def _begin_publishing(self) -> None:
        self._soon = None
        if self.viewers and self._sessions.is_open(self):
            self._sessions.spawn(self, self.look_at_clock())

    async def _show(self, viewers: Collection[Viewer], *, joined: bool = False) -> None:
        await self.publisher.show(
            self.live,
            self._table(),
            viewers,
            thinking=self.thinking,
            paused=self.paused,
            joined=joined,
        )

    def wake(self) -> bool:
        """Let the computer think if it has something to decide; whether it was woken by this.

        Call under the lock.
        """
        if self._opponent is not None or self._sessions.closed:
            return False
        if not self.live.computer_has_to_act or self._paused == "too_complex":
            return False
        self._paused = None
        self._opponent = self._sessions.spawn(self, self._play_opponent())
        return True

    async def file(self) -> str:
        """Return the game as a game file, without what was not stored."""
        async with self.lock:
            game = self.live.game
            if self._ahead and isinstance(self.live.last, Moved):
                game = game.copy()
                game.undo()
            return await self._in_rules(game.to_json)

    def warn(self, code: str) -> None:
        """Tell everybody what is the matter with the server."""
        for viewer in self.viewers:
            sentence = Refused(code).sentence(viewer.view[1])
            viewer.tell(messages.encode(messages.ErrorMessage(code, sentence)))

    def send_away(self) -> None:
        """Let everybody connect again; the computer stops thinking."""
        for viewer in tuple(self.viewers):
            viewer.send_away()
        if self._search is not None:
            self._search.stop()

    async def close(self) -> None:
        """Stop the computer's thinking."""
        if self._soon is not None:
            self._soon.cancel()
        if self._opponent is not None:
            self._opponent.cancel()
            await asyncio.gather(self._opponent, return_exceptions=True)

    @asynccontextmanager
    async def _live(self) -> AsyncIterator[LiveGame]:
        async with self.lock:
            if self._ahead:
                await self._reload()
            yield self.live

    def _payer(self) -> Payer:
        """Return to whose share the computer's thinking counts: a player's, if one is there."""
        payers = {bool(viewer.view[0]): viewer.payer for viewer in self.viewers}
        return payers.get(True) or payers.get(False, Payer())

    async def _in_rules(self, call: Callable[[], T]) -> T:
        """Return what `call` gives, run in a thread for rules where it may take long."""
        if self._shipped and is_light(self.live):
            return call()
        return await self._sessions.in_rules(call)

    async def _commit(
        self, event: Event, now: float | None = None, seat: SeatChange | None = None
    ) -> None:
        live, before, was_over = self.live, Before(self.live), self.live.result is not None
        now = self._sessions.keeper.now() if now is None else now
        full = live.seq >= self._sessions.settings.limits.events_per_game
        if full and not isinstance(event, _ENDS):
            raise Refused("too_long")
        seq = live.seq
        self._ahead, asked = True, self._sessions.keeper.now()
        try:
            result = await self._in_rules(lambda: _applied(live, event))
            time = self.clock.entry(live, event, before, now, self._lags())
            rates = None if was_over else ratings.settling(live, time.at)
            await self._sessions.append(
                Append(live.id, seq, event, result, time, seat, self._owner, rates)
            )
            self.clock.kept()
            if seat is not None or rates is not None:
                await self._reload()
            if seat is not None:
                self._seat_viewers()
            self._ahead = False
            if before.clock is not None or self.live.clock is not None:
                self.schedule()
            for told in self._sessions.committed:
                told(self.live, event, was_over)
        except ConflictError as error:
            await self._go_back()
            raise Refused("stale") from error
        except StoreError:
            self._sessions.outage.begin(asked)
            await self._go_back()
            raise
        except BaseException:
            await self._go_back()
            raise

    async def _go_back(self) -> None:
        """Reload the game from the store; nobody has seen a later state."""
        await self._reload()
        await self.publish()

    async def _reload(self) -> None:
        table_id = self.live.id
        live = await self._sessions.load(table_id)
        if live is not None:
            self.live = live
            self.clock.read(live)
            self._ahead = False

    def _seat_viewers(self) -> None:
        """Count those as players who sit now and did not before, and the other way round."""
        for viewer in self.viewers:
            sides = viewer.view[0]
            side = sides[0] if sides and self.live.online else None
            held = self._present.get(viewer)
            if held == side:
                continue
            if held is not None:
                del self._present[viewer]
                self._presence.leave(held, self._sessions.keeper.now(), left=False)
            if side is not None:
                self._enter(viewer)

    async def _play_opponent(self) -> None:
        """Think and act for the computer for as long as it has something to decide."""
        try:
            while await self._act_once():
                pass
        except PositionTooComplexError as error:
            log.warning("game %s: the computer cannot go on: %s", self.live.id, error)
            async with self._live():
                self._paused, self._opponent = "too_complex", None
                await self.publish()
        except SearchFailedError as error:
            # It tries again when somebody joins or acts.
            log.error("game %s: the computer has not moved: %s", self.live.id, error)
            async with self._live():
                self._paused, self._opponent = "failed", None
                await self.publish()
        except BaseException:
            # The next viewer wakes it again.
            self._opponent = None
            async with self._live():
                await self.publish()
            raise

    async def _act_once(self) -> bool:
        """Make one decision of the computer's; False when there is none to make."""
        async with self._live() as live:
            question = await self._sessions.in_rules(live.question)
            if not self._sessions.is_open(self):
                question = None  # It goes on in another process.
            if question is None or self._sessions.closed or not self.viewers:
                # Cleared under the lock: an action after this wakes the computer anew.
                self._opponent = None
                return False
            seen = live.seq
            self._search = self._sessions.engine_pool.decide(question, self._payer())
        try:
            events = await self._search.answer()
        except StoppedError:
            return True  # The game has changed meanwhile; decide again.
        finally:
            self._search = None
        async with self._live() as live:
            if live.seq != seen:
                return True
            for event in events:
                if self.live.result is None:
                    await self._commit(event)
                    await self.publish()
        return True


class GameSessions:
    """The open sessions, the store and the computer behind them."""

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
        # Where a game has a clock, the next server has to know until when this one served.
        beside = None if store.path is None else store.path.with_name(f"{store.path.name}.beat")
        self._heartbeat: Final = Heartbeat(beside)
        self.flags: Final = FlagSchedule(self._look_at_clock, self._heartbeat.run)
        self._kept: Final[dict[str, _Entry]] = {}
        self.committed: Final[list[Callable[[LiveGame, Event, bool], None]]] = []
        """Called for each entry of a log that was written, with whether the game was over before;
        must not block, and must not raise."""
        self.began: Final[list[Callable[[Made], None]]] = []
        """Called for each game that was put into the store."""
        self.timed: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext()
        """Measures a call of the store: "read" or "write"."""
        self._store: Final = store
        self._writer: Final = Writer(store)
        self._readers: Final = ThreadPoolExecutor(_READERS, thread_name_prefix="damka-read")
        self._rule_threads: Final = ThreadPoolExecutor(
            _RULE_THREADS, thread_name_prefix="damka-rules"
        )
        self._open: Final[dict[str, _Entry]] = {}
        self._looks: Final[set[asyncio.Task[None]]] = set()
        self.outage: Final = Outage(
            lambda: self.in_store(outage_check), self._store_fails, self._store_works
        )
        self.rescue: Final = Rescue(
            store, self.outage, self._running, self._files, lambda: self._warn("store_lost")
        )
        self._watching: asyncio.Task[None] | None = None

    async def in_store(self, call: Callable[[Store], T]) -> T:
        """Return what `call`, which writes, gives, run in the store's thread to its end."""
        with self.timed("write"):
            return await _shielded(self._writer.run(call))

    async def append(self, entry: Append) -> None:
        """Write an entry of a game's log; those of other games may come in the same transaction."""
        with self.timed("write"):
            await _shielded(self._writer.append(entry))

    async def from_store(self, call: Callable[[Store], T]) -> T:
        """Return what `call`, which only reads, gives; it need not wait for what is written."""
        with self.timed("read"):
            future = asyncio.get_running_loop().run_in_executor(self._readers, call, self._store)
            return await asyncio.shield(future)

    async def in_rules(self, call: Callable[[], T]) -> T:
        """Return what `call` gives, run in a thread for rules to its end, even when cancelled.

        A game that is being changed there stays locked until the end.
        """
        future = asyncio.get_running_loop().run_in_executor(self._rule_threads, call)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            while not future.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait({future})
            raise

    @asynccontextmanager
    async def enter(self, game_id: str) -> AsyncIterator[GameSession | None]:
        """Take part in a game's session, open while anybody does; None for no such game."""
        entry = self._open.get(game_id)
        if entry is None:
            entry = self._open[game_id] = _Entry(asyncio.ensure_future(self._load(game_id)))
        entry.users += 1
        try:
            yield await asyncio.shield(entry.session)
        finally:
            self._leave(game_id, entry)

    def spawn(self, session: GameSession, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` as a task that keeps the session open until it is done."""
        game_id = session.live.id
        entry = self._open.get(game_id) or _Entry(asyncio.Future())  # none when it was forgotten
        entry.users += 1
        task: asyncio.Task[None] = asyncio.create_task(work)

        def done(task: asyncio.Task[None]) -> None:
            self._leave(game_id, entry)
            if not task.cancelled() and (error := task.exception()) is not None:
                log.error("game %s: a task failed", game_id, exc_info=error)

        task.add_done_callback(done)
        return task

    def watch(self) -> None:
        """Notice, from now on, when the store is lost, and when it works again."""
        self._watching = asyncio.create_task(self.rescue.run())

    async def resume_clocks(self) -> None:
        """Let the clocks of all games run on that have one; the time without a server is nobody's.

        Called once, before anybody is served.
        """
        self.watch()
        last = self._heartbeat.last
        self._heartbeat.follow(self.keeper)
        until = None if last is None else min(self.keeper.monotonic(last), self.keeper.now())
        resumed = []
        for game_id in await self.from_store(lambda store: store.with_clocks()):
            try:
                async with self.enter(game_id) as session:
                    if session is not None:
                        resumed.append((session, await session.resume(until)))
            except DamkaError:
                log.exception("game %s: its clock cannot go on", game_id)
        # Nobody could move while the games after theirs were resumed.
        for session, at in resumed:
            if at is not None:
                session.clock.skip(at)

    def open_games(self) -> Iterator[LiveGame]:
        """Give the games in memory, to be looked at only: one that is being changed is ahead."""
        for entry in tuple(self._open.values()):
            done = entry.session.done() and not entry.session.cancelled()
            if done and entry.session.exception() is None:
                session = entry.session.result()
                if session is not None:
                    yield session.live

    @property
    def open_count(self) -> int:
        """How many games are in memory."""
        return len(self._open)

    def keep(self, session: GameSession, on: bool) -> None:
        """Keep a session open while its clock runs, also when nobody watches; or no more."""
        game_id = session.live.id
        if on and game_id not in self._kept and self.is_open(session):
            entry = self._kept[game_id] = self._open[game_id]
            entry.users += 1
        elif not on and game_id in self._kept:
            self._leave(game_id, self._kept.pop(game_id))

    def is_open(self, session: GameSession) -> bool:
        """Tell whether it is this session that people enter for its game."""
        entry = self._open.get(session.live.id)
        return (
            entry is not None
            and entry.session.done()
            and not entry.session.cancelled()
            and entry.session.exception() is None
            and entry.session.result() is session
        )

    def _sessions_now(self) -> list[GameSession]:
        """Return the sessions that are open."""
        done = [entry.session for entry in self._open.values() if entry.session.done()]
        found = [each.result() for each in done if not each.cancelled() and not each.exception()]
        return [session for session in found if session is not None]

    def _running(self) -> list[str]:
        return [each.live.id for each in self._sessions_now() if each.live.result is None]

    async def _files(self) -> dict[str, str]:
        """Return the game files of the running games, by id."""
        files = {}
        for session in self._sessions_now():
            if session.live.result is None:
                try:
                    files[session.live.id] = await session.file()
                except DamkaError:
                    log.exception("game %s: it cannot be saved", session.live.id)
        return files

    def _store_fails(self) -> None:
        """Let all clocks stand still, and tell everybody."""
        self._heartbeat.hold(True)
        self._warn("store_fails")

    def _warn(self, code: str) -> None:
        for session in self._sessions_now():
            session.warn(code)

    def _store_works(self, since: float) -> None:
        """Let the clocks go on where they were."""
        self._heartbeat.hold(False)
        for session in self._sessions_now():
            session.clock.skip(since)
            if session.viewers:
                self.spawn(session, session.look_at_clock())

    def _look_at_clock(self, game_id: str) -> None:
        if not self.closed:
            task = asyncio.get_running_loop().create_task(self._enter_and_look(game_id))
            self._looks.add(task)
            task.add_done_callback(self._looks.discard)

    async def _enter_and_look(self, game_id: str) -> None:
        try:
            async with self.enter(game_id) as session:
                if session is not None:
                    await session.look_at_clock()
        except DamkaError:
            # The store is busy or broken: the clock is looked at again, nobody's time is lost.
            if self.outage.since is None:
                log.exception("game %s: its clock cannot be looked at", game_id)
            self.flags.set(game_id, self.keeper.now() + _AGAIN_SECONDS)

    async def close(self) -> None:
        """Stop all thinking and wait for what is being written."""
        self.closed = True
        self.flags.close()
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await asyncio.gather(*self._looks, return_exceptions=True)
        sessions = [entry.session for entry in self._open.values()]
        for session in await asyncio.gather(*sessions, return_exceptions=True):
            if isinstance(session, GameSession):
                await session.close()
        await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._readers.shutdown)
        await asyncio.to_thread(self._rule_threads.shutdown)
        self._heartbeat.close()
        self._store.close()

    async def _load(self, game_id: str) -> GameSession | None:
        ownership = self._ownership
        if ownership is None:
            live = await self.load(game_id)
            if live is None:
                return None
            self._warm(live)
            return GameSession(live, self)
        me = ownership.id
        taken = await ownership.take(game_id)
        live = await self.load(game_id)
        if live is None:
            return None
        session = GameSession(live, self, me, owned=taken.owner == me)
        if taken.after:
            until = taken.until
            await session.resume(None if until is None else self.keeper.monotonic(until))
            ownership.settled(game_id)
        self._warm(live)
        return session

    def _warm(self, live: LiveGame) -> None:
        """Let the computer get ready where it plays."""
        if live.computer is not None and live.result is None:
            self.engine_pool.warm()

    async def change_elsewhere(
        self, game_id: str, action: Callable[[LiveGame], tuple[Event, SeatChange | None]]
    ) -> None:
        """Change a game that another process owns: this one has it from then on."""
        if self._ownership is not None:
            await self._ownership.fetch(game_id)
        self._open.pop(game_id, None)
        async with self.enter(game_id) as session:
            if session is None or not session.owned:
                raise Refused("stale")
            await session.change(action)

    @asynccontextmanager
    async def letting_go(self, game_id: str) -> AsyncIterator[None]:
        """Change a game no more from here on, and then let its pages go to another process."""
        entry = self._open.get(game_id)
        session = None if entry is None else await asyncio.shield(entry.session)
        if session is None:
            yield
            return
        async with session.lock:
            yield
            self._drop(session)

    def forget(self) -> None:
        """Let go of all games: they are another process's now."""
        for entry in tuple(self._open.values()):
            if entry.session.done() and not entry.session.cancelled():
                session = None if entry.session.exception() else entry.session.result()
                if session is not None:
                    self._drop(session)
        self._kept.clear()
        self._open.clear()

    def _drop(self, session: GameSession) -> None:
        game_id = session.live.id
        self._kept.pop(game_id, None)
        self._open.pop(game_id, None)
        self.flags.set(game_id, None)
        session.send_away()

    async def load(self, game_id: str) -> LiveGame | None:
        """Return the game that the store tells, or None when there is no such game."""
        stored = await self.from_store(lambda store: store.load(game_id))
        if stored is None:
            return None
        # Replaying a long log takes a while; others are served meanwhile.
        return await self.in_rules(lambda: LiveGame(stored, self.settings.limits))

    def _leave(self, game_id: str, entry: _Entry) -> None:
        entry.users -= 1
        if entry.users == 0 and self._open.get(game_id) is entry:
            del self._open[game_id]


async def _shielded(asked: Future[T]) -> T:
    """Wait for what a thread does to its end, whether anybody still waits for it or not."""
    future = asyncio.wrap_future(asked)
    future.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(future)


def _applied(live: LiveGame, event: Event) -> tuple[Side | None, str] | None:
    """Let an entry of the log happen; return the result that the game then has."""
    live.apply(event)
    require_showable(live.game)
    return live.result


class _Entry:
    __slots__ = ("session", "users")

    def __init__(self, session: asyncio.Future[GameSession | None]) -> None:
        self.session = session
        self.users = 0

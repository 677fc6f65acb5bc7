"""An open game: its lock, its log in the store, and its viewers.

Every change goes through `GameSession.act`: under the session's lock the live game returns a log
entry, the entry is appended to the store, and then the viewers are updated. The computer's moves
follow the same path. The live game may only be read under the lock, because for a moment it is
ahead of the store.

Move generation runs in a thread pool, except in positions where it is known to be fast: generating
the captures of a composed position may take long, and must not block the other games.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from damka.live import actions, messages
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
from damka.live.replay import require_showable
from damka.live.seating import Sides
from damka.live.sentences import Paused
from damka.live.state import OnlineInfo
from damka.rules import SIDES, Side
from damka.server import ratings
from damka.server.computer import Computer
from damka.server.light import is_light, is_shipped
from damka.server.presence import Presence
from damka.server.publisher import Publisher, Viewer
from damka.server.session_clock import ClockBefore, Lags, SessionClock
from damka.server.store import Append, ConflictError, SeatChange, StoreError
from damka.server.watchers import watcher_list

if TYPE_CHECKING:
    from damka.server.database import Database
    from damka.server.engine_pool import EnginePool
    from damka.server.flags import FlagSchedule
    from damka.server.outage import Outage
    from damka.server.rule_threads import RuleThreads
    from damka.server.settings import Settings
    from damka.server.timekeeper import Timekeeper

__all__ = ["GameMessage", "GameSession", "Host"]

T = TypeVar("T")

GameMessage = actions.Action | messages.Claim
"""Messages of the live protocol that change a game."""

AWAY_SECONDS: Final = 1.5
"""Delay before a player is shown as away: a reloaded page reconnects at once."""
_PUBLISH_DELAY_SECONDS: Final = 0.25

_ENDINGS: Final = (Flagged, Resigned, Aborted, InvitationExpired, Abandoned, DrawAccepted)
"""Events that end a game; they are accepted even when its log is full."""


class Host(Protocol):
    """Owner of the sessions, with the objects that they share."""

    @property
    def settings(self) -> Settings:
        """Settings and limits of the server."""

    @property
    def keeper(self) -> Timekeeper:
        """Clock of the server."""

    @property
    def database(self) -> Database:
        """The store."""

    @property
    def rule_threads(self) -> RuleThreads:
        """Threads for move generation."""

    @property
    def engine_pool(self) -> EnginePool:
        """Searches of the computer."""

    @property
    def flags(self) -> FlagSchedule:
        """Flag timers of the games."""

    @property
    def outage(self) -> Outage:
        """State of a store outage."""

    @property
    def commit_listeners(self) -> list[Callable[[LiveGame, Event, bool], None]]:
        """Callbacks for each stored log entry."""

    @property
    def closed(self) -> bool:
        """Whether the server is shutting down and starts nothing new."""

    def is_open(self, session: GameSession) -> bool:
        """Return whether this is the current session of its game."""

    def keep_open(self, session: GameSession, on: bool) -> None:
        """Keep a session open even without viewers, or stop doing so if `on` is false."""

    def spawn(self, session: GameSession, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` as a task that keeps the session open until it is done."""

    async def load(self, game_id: str) -> LiveGame | None:
        """Load a game from the store; None for an unknown game."""

    async def change_elsewhere(
        self, game_id: str, action: Callable[[LiveGame], tuple[Event, SeatChange | None]]
    ) -> None:
        """Change a game that another process owns."""


class GameSession:
    """One open game."""

    def __init__(
        self,
        live: LiveGame,
        host: Host,
        owner: str | None = None,
        *,
        owned: bool = True,
    ) -> None:
        self.live = live
        self._owner: Final = owner
        self.owned: Final = owned
        """Whether this process owns the game; otherwise it is read-only."""
        self.lock: Final = asyncio.Lock()
        self.publisher: Final = Publisher()
        self._host: Final = host
        self._has_unstored_entry = False
        self._has_shipped_rules: Final = is_shipped(live.rules)
        self._computer: Final = Computer(host.engine_pool, host.rule_threads)
        self._watchers: messages.WatcherList | None = None
        keeper = host.keeper
        self.clock: Final = SessionClock(live, keeper)
        self._presence: Final = Presence(keeper.now())
        self._player_viewers: Final[dict[Viewer, Side]] = {}
        self._publish_timer: asyncio.TimerHandle | None = None

    @property
    def viewers(self) -> set[Viewer]:
        """Connected viewers of the game."""
        return self.publisher.viewers

    @property
    def thinking(self) -> bool:
        """Whether the computer is choosing its move."""
        return self._computer.is_busy and self.live.computer_to_move

    @property
    def paused(self) -> Paused | None:
        """Reason why the computer does not move, if it is paused."""
        return self._computer.paused

    async def execute(
        self,
        holder: str | None,
        message_of: Callable[[LiveGame, Sides], GameMessage],
        received: float,
    ) -> None:
        """Execute the message that `message_of` returns for the game and the sender's sides.

        Raises the same errors as `act`.
        """

        def action(live: LiveGame) -> Event:
            # Seats are looked up now, because they may have changed since the message arrived.
            you = live.sides_of(holder)
            message = message_of(live, you)
            if isinstance(message, messages.Claim):
                return live.claim(you, message.draw, self.claimable_sides())
            return actions.event(live, you, message)

        await self.act(action, received=received)

    async def act(
        self, action: Callable[[LiveGame], Event], *, received: float | None = None
    ) -> None:
        """Execute an action: append its event, update the viewers, start the computer.

        `received` is the arrival time of the request, by the monotonic clock. Raises the errors of
        the action, and Refused when another process has written to the log.
        """
        await self.change(lambda live: (action(live), None), received=received)

    async def change(
        self,
        action: Callable[[LiveGame], tuple[Event, SeatChange | None]],
        *,
        received: float | None = None,
    ) -> None:
        """Execute an action like `act`; it may also change seats."""
        now = self._host.keeper.now() if received is None else received
        if not self.owned:
            await self._host.change_elsewhere(self.live.id, action)
            return
        async with self.locked() as live:
            if await self._end_overdue(now):
                raise Refused("game_over")
            event, seat = await self._in_rule_thread(lambda: action(live))
            await self.commit(event, now, seat)
            self._computer.decide_again()
            self.wake()
            await self.publish()

    async def check_clock(self) -> None:
        """End the game if a flag has fallen; otherwise update the viewers."""
        async with self.locked():
            if not await self._end_overdue(self._host.keeper.now()):
                await self.publish()
            self.schedule()

    async def check_flag(self, received: float) -> None:
        """End the game if a flag has fallen, as a page claims; the server's clock decides."""
        async with self.locked():
            await self._end_overdue(received)

    async def resume(self, until: float | None) -> float | None:
        """Resume a running clock; `until` is when the previous server or process stopped.

        Return the time of resumption; None if no clock is running.
        """
        async with self.locked() as live:
            side, clock = live.game.turn, live.clock
            if clock is None or live.result is not None or live.open_side is not None:
                return None
            now = self._host.keeper.now()
            was_running = live.running is not None
            spent = self.clock.used(until) if was_running and until is not None else clock.spent
            live.clock = clock.at(max(spent, clock.spent) if was_running else 0)
            await self.commit(ClockResumed(side), now)
            return now

    async def _end_overdue(self, now: float) -> bool:
        """End the game if a flag has fallen or its first move is overdue; return whether it was.

        Call under the lock. Raises StoreError during an outage, when clocks stop.
        """
        await self._host.outage.require_available()
        live, lags = self.live, self._lags()
        event: Event
        if self.clock.is_over(live, now, lags):
            event = await self._host.rule_threads.run(live.flag)
        elif self.clock.is_first_move_overdue(live, now):
            event = Aborted(live.game.turn)
        else:
            return False
        await self.commit(event, now)
        await self.publish()
        return True

    def _lags(self) -> Lags:
        """Return the lag of each side: the minimum of its connections."""
        lags: Lags = {}
        for viewer in self.viewers:
            for side in viewer.view[0]:
                lags[side] = min(viewer.lag, lags.get(side, viewer.lag))
        return lags

    def schedule(self) -> None:
        """Set the next flag timer. Call under the lock."""
        live, clock = self.live, self.live.clock
        times: list[float] = []
        deadline = self.clock.deadline(live, self._lags())
        if deadline is not None:
            times.append(deadline)
        if clock is not None and live.result is None and live.open_side is None:
            now = self._host.keeper.now()
            claim_times = [self._presence.claim_time(side, clock.settings) for side in SIDES]
            times += [time for time in claim_times if time is not None and time > now]
        self._host.flags.set(live.id, min(times, default=None))
        is_timed = deadline is not None and clock is not None and clock.settings.kind != "days"
        self._host.keep_open(self, is_timed)

    def claimable_sides(self) -> Sides:
        """Return the sides that have been absent for so long that the opponent may claim."""
        live = self.live
        settings = None if live.clock is None else live.clock.settings
        now = self._host.keeper.now()
        claim_times = {side: self._presence.claim_time(side, settings) for side in SIDES}
        return tuple(side for side, time in claim_times.items() if time is not None and time <= now)

    def _online_info(self) -> OnlineInfo:
        """Return the data that the pages of a game between two devices need from the server."""
        live = self.live
        if not live.online:
            return OnlineInfo()
        now = self._host.keeper.now()
        settings = None if live.clock is None else live.clock.settings
        return OnlineInfo(
            clock=self.clock.info(live, now),
            presence=self._presence.info(now, settings),
            watching=sum(not viewer.view[0] for viewer in self.viewers),
            claimable=self.claimable_sides(),
        )

    async def read(self, query: Callable[[LiveGame], T]) -> T:
        """Run `query` on the game between two changes, in a rule thread, and return its result."""
        async with self.locked() as live:
            return await self._in_rule_thread(lambda: query(live))

    async def join(self, viewer: Viewer) -> None:
        """Show the game to `viewer`, now and after every change, until it leaves.

        The computer starts again if it is to move: the server may have been restarted.
        """
        async with self.locked() as live:
            self.viewers.add(viewer)
            returned = self._enter(viewer)
            has_changed = self.wake() or returned
            await self._show([viewer], joined=True)
            if has_changed:
                await self._show(self.viewers - {viewer})
            if live.online:
                self.schedule()
                if not returned:
                    self._publish_soon(_PUBLISH_DELAY_SECONDS)

    def _enter(self, viewer: Viewer) -> bool:
        """Count a player's connection; return whether it is the first one."""
        sides = viewer.view[0]
        if not self.live.online or not sides:
            return False
        self._player_viewers[viewer] = sides[0]
        return self._presence.enter(sides[0])

    async def refresh(self, viewer: Viewer) -> None:
        """Send the state of the game to one viewer again."""
        async with self.locked():
            await self._show([viewer])

    async def link_rematch(self, game_id: str) -> None:
        """Send the link to the rematch to every viewer."""
        async with self.locked() as live:
            live.next_id = game_id
            await self.publish()

    def leave(self, viewer: Viewer, *, page_closed: bool = False, silent: bool = False) -> None:
        """Remove `viewer`. Without viewers the computer stops searching.

        `page_closed` means that the page was closed, not that the connection was lost; `silent`
        that it has already been silent for a while, so that the others are notified at once.
        """
        self.publisher.leave(viewer)
        side = self._player_viewers.pop(viewer, None)
        if side is not None:
            self._presence.leave(side, self._host.keeper.now(), page_closed=page_closed)
        if self.live.online:
            self._publish_soon(0.0 if silent else AWAY_SECONDS)
        if not self.viewers:
            self._computer.stop_search()

    def watcher_list(self) -> messages.WatcherList:
        """Return the spectators, from the cache if the game has not been shown since."""
        if self._watchers is None:
            self._watchers = watcher_list(each.name for each in self.viewers if not each.view[0])
        return self._watchers

    async def publish(self) -> None:
        """Send the state to all viewers. Call under the lock."""
        self._watchers = None
        await self._show(tuple(self.viewers))

    def _publish_soon(self, seconds: float) -> None:
        """Schedule one update of all viewers for all arrivals and departures until then."""
        if self._publish_timer is None and not self._host.closed:
            loop = asyncio.get_running_loop()
            self._publish_timer = loop.call_later(seconds, self._begin_publishing)

    def _begin_publishing(self) -> None:
        self._publish_timer = None
        if self.viewers and self._host.is_open(self):
            self._host.spawn(self, self.check_clock())

    async def _show(self, viewers: Collection[Viewer], *, joined: bool = False) -> None:
        await self.publisher.show(
            self.live,
            self._online_info(),
            viewers,
            self._in_rule_thread,
            thinking=self.thinking,
            paused=self.paused,
            joined=joined,
        )

    def wake(self) -> bool:
        """Start the computer if it has a decision to make; return whether it was started.

        Call under the lock.
        """
        if self._host.closed or not self._computer.should_begin(self.live):
            return False
        self._computer.begin(self, lambda work: self._host.spawn(self, work))
        return True

    @property
    def should_play(self) -> bool:
        """Whether the computer should keep playing: the session is open and has viewers."""
        return self._host.is_open(self) and not self._host.closed and bool(self.viewers)

    async def game_file(self) -> str:
        """Return the game as a game file, without an unstored move."""
        async with self.lock:
            game = self.live.game
            if self._has_unstored_entry and isinstance(self.live.last, Moved):
                game = game.copy()
                game.undo()
            return await self._in_rule_thread(game.to_json)

    def warn(self, code: str) -> None:
        """Send an error message about the server to all viewers."""
        for viewer in self.viewers:
            sentence = Refused(code).sentence(viewer.view[1])
            viewer.send(messages.encode(messages.ErrorMessage(code, sentence)))

    def reconnect(self) -> None:
        """Close all viewers' connections so that they reconnect; the computer stops searching."""
        for viewer in tuple(self.viewers):
            viewer.reconnect()
        self._computer.stop_search()

    async def close(self) -> None:
        """Stop the computer."""
        if self._publish_timer is not None:
            self._publish_timer.cancel()
        await self._computer.close()

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[LiveGame]:
        """Hold the lock for a change of the game, or for reading it between two changes."""
        async with self.lock:
            if self._has_unstored_entry:
                await self._reload()
            yield self.live

    async def _in_rule_thread(self, call: Callable[[], T]) -> T:
        """Run `call`, in a rule thread if it may be slow, and return its result."""
        if self._has_shipped_rules and is_light(self.live):
            return call()
        return await self._host.rule_threads.run(call)

    async def commit(
        self, event: Event, now: float | None = None, seat: SeatChange | None = None
    ) -> None:
        """Apply a log entry and store it. Call under the lock."""
        live, before, was_over = self.live, ClockBefore(self.live), self.live.result is not None
        now = self._host.keeper.now() if now is None else now
        is_full = live.seq >= self._host.settings.limits.events_per_game
        if is_full and not isinstance(event, _ENDINGS):
            raise Refused("too_long")
        seq = live.seq
        self._has_unstored_entry, requested_at = True, self._host.keeper.now()
        try:
            result = await self._in_rule_thread(lambda: _apply(live, event))
            time = self.clock.entry(live, event, before, now, self._lags())
            live.add_time(time, before.running)
            update_ratings = None if was_over else ratings.rating_update(live, time.at)
            await self._host.database.append(
                Append(live.id, seq, event, result, time, seat, self._owner, update_ratings)
            )
            self.clock.mark_stored()
            if seat is not None or update_ratings is not None:
                await self._reload()
            if seat is not None:
                self._seat_viewers()
            self._has_unstored_entry = False
            if before.clock is not None or self.live.clock is not None:
                self.schedule()
            for notify in self._host.commit_listeners:
                notify(self.live, event, was_over)
        except ConflictError as error:
            await self._roll_back()
            raise Refused("stale") from error
        except StoreError:
            self._host.outage.begin(requested_at)
            await self._roll_back()
            raise
        except BaseException:
            await self._roll_back()
            raise

    async def _roll_back(self) -> None:
        """Reload the game from the store; no viewer has seen a later state."""
        await self._reload()
        await self.publish()

    async def _reload(self) -> None:
        game_id = self.live.id
        live = await self._host.load(game_id)
        if live is not None:
            self.live = live
            self.clock.read(live)
            self._has_unstored_entry = False

    def _seat_viewers(self) -> None:
        """Update the presence of viewers who have become players or spectators."""
        for viewer in self.viewers:
            sides = viewer.view[0]
            side = sides[0] if sides and self.live.online else None
            previous = self._player_viewers.get(viewer)
            if previous == side:
                continue
            if previous is not None:
                del self._player_viewers[viewer]
                self._presence.leave(previous, self._host.keeper.now(), page_closed=False)
            if side is not None:
                self._enter(viewer)


def _apply(live: LiveGame, event: Event) -> tuple[Side | None, str] | None:
    """Apply a log entry and return the result of the game."""
    live.apply(event)
    require_showable(live.game)
    return live.result

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
from damka.live.state import Table
from damka.rules import SIDES, Side
from damka.server import ratings
from damka.server.computer import Computer
from damka.server.light import is_light, is_shipped
from damka.server.presence import Presence
from damka.server.publisher import Publisher, Viewer
from damka.server.session_clock import Before, Lags, SessionClock
from damka.server.store import Append, ConflictError, SeatChange, StoreError
from damka.server.watching import watcher_list

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
"""The messages of the live protocol that change a game."""

AWAY_SECONDS: Final = 1.5
"""How long a player's connection may be gone before the others are told: a page is reloaded."""
_SOON_SECONDS: Final = 0.25

_ENDS: Final = (Flagged, Resigned, Aborted, InvitationExpired, Abandoned, DrawAccepted)
"""What ends a game fits into its log however long that is."""


class Host(Protocol):
    """What has the sessions open, and what they share."""

    @property
    def settings(self) -> Settings:
        """The limits of the server."""

    @property
    def keeper(self) -> Timekeeper:
        """Its times."""

    @property
    def database(self) -> Database:
        """The store."""

    @property
    def rule_threads(self) -> RuleThreads:
        """Where moves are generated."""

    @property
    def engine_pool(self) -> EnginePool:
        """What the computer thinks with."""

    @property
    def flags(self) -> FlagSchedule:
        """When clocks have to be looked at."""

    @property
    def outage(self) -> Outage:
        """Whether the store fails."""

    @property
    def committed(self) -> list[Callable[[LiveGame, Event, bool], None]]:
        """What is called for each entry of a log that was written."""

    @property
    def closed(self) -> bool:
        """Whether nothing new is begun any more."""

    def is_open(self, session: GameSession) -> bool:
        """Tell whether it is this session that people enter for its game."""

    def keep(self, session: GameSession, on: bool) -> None:
        """Keep a session open also when nobody watches; or no more."""

    def spawn(self, session: GameSession, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` as a task that keeps the session open until it is done."""

    async def load(self, game_id: str) -> LiveGame | None:
        """Return the game that the store tells, or None when there is no such game."""

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
        """Whether the game is played in this process; else it can only be looked at."""
        self.lock: Final = asyncio.Lock()
        self.publisher: Final = Publisher()
        self._host: Final = host
        self._ahead = False
        self._shipped: Final = is_shipped(live.rules)
        self._computer: Final = Computer(host.engine_pool, host.rule_threads)
        self._watchers: messages.WatcherList | None = None
        keeper = host.keeper
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
        return self._computer.is_busy and self.live.computer_to_move

    @property
    def paused(self) -> Paused | None:
        """Why the computer does not go on, if it does not."""
        return self._computer.paused

    async def obey(
        self,
        holder: str | None,
        message_of: Callable[[LiveGame, Sides], GameMessage],
        received: float,
    ) -> None:
        """Do what a message says: `message_of` returns it for the game and the sender's sides.

        Raises as `act` does.
        """

        def action(live: LiveGame) -> Event:
            # Seats are looked up when the message is obeyed, not when it came.
            you = live.sides_of(holder)
            message = message_of(live, you)
            if isinstance(message, messages.Claim):
                return live.claim(you, message.draw, self.away())
            return actions.event(live, you, message)

        await self.act(action, received=received)

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
        now = self._host.keeper.now() if received is None else received
        if not self.owned:
            await self._host.change_elsewhere(self.live.id, action)
            return
        async with self.locked() as live:
            if await self._end_overdue(now):
                raise Refused("game_over")
            event, seat = await self._in_rules(lambda: action(live))
            await self.commit(event, now, seat)
            self._computer.decide_again()
            self.wake()
            await self.publish()

    async def look_at_clock(self) -> None:
        """End the game if a time is over; tell the viewers what has changed by itself."""
        async with self.locked():
            if not await self._end_overdue(self._host.keeper.now()):
                await self.publish()
            self.schedule()

    async def nudge(self, received: float) -> None:
        """End the game if a time is over. Somebody thinks so; only the clock decides."""
        async with self.locked():
            await self._end_overdue(received)

    async def resume(self, until: float | None) -> float | None:
        """Go on with a clock: the server, or the process, before this one served `until` then.

        Return when it goes on; None for a game whose clock does not run.
        """
        async with self.locked() as live:
            side, clock = live.game.turn, live.clock
            if clock is None or live.result is not None or live.open_side is not None:
                return None
            now = self._host.keeper.now()
            begun = live.running is not None
            spent = self.clock.used(until) if begun and until is not None else clock.spent
            live.clock = clock.at(max(spent, clock.spent) if begun else 0)
            await self.commit(ClockResumed(side), now)
            return now

    async def _end_overdue(self, now: float) -> bool:
        """End the game for a time that is over; whether it was. Call under the lock.

        Raises StoreError while the store fails: no time passes then.
        """
        await self._host.outage.require_none()
        live, lags = self.live, self._lags()
        event: Event
        if self.clock.is_over(live, now, lags):
            event = await self._host.rule_threads.run(live.flagged)
        elif self.clock.is_unbegun(live, now):
            event = Aborted(live.game.turn)
        else:
            return False
        await self.commit(event, now)
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
            now = self._host.keeper.now()
            waits = [self._presence.wait(side, clock.settings) for side in SIDES]
            times += [wait for wait in waits if wait is not None and wait > now]
        self._host.flags.set(live.id, min(times, default=None))
        sits = deadline is not None and clock is not None and clock.settings.kind != "days"
        self._host.keep(self, sits)

    def away(self) -> Sides:
        """Return the sides that have been away for so long that the other may claim."""
        live = self.live
        settings = None if live.clock is None else live.clock.settings
        now = self._host.keeper.now()
        waits = {side: self._presence.wait(side, settings) for side in SIDES}
        return tuple(side for side, wait in waits.items() if wait is not None and wait <= now)

    def _table(self) -> Table:
        """Return what pages of a game on two devices are told besides the game."""
        live = self.live
        if not live.online:
            return Table()
        now = self._host.keeper.now()
        settings = None if live.clock is None else live.clock.settings
        return Table(
            clock=self.clock.info(live, now),
            presence=self._presence.told(now, settings),
            watching=sum(not viewer.view[0] for viewer in self.viewers),
            claimable=self.away(),
        )

    async def read(self, look: Callable[[LiveGame], T]) -> T:
        """Return what `look` sees of the game, between two changes, from a thread for rules."""
        async with self.locked() as live:
            return await self._in_rules(lambda: look(live))

    async def join(self, viewer: Viewer) -> None:
        """Show the game to `viewer`, now and after every change, until it leaves.

        The computer goes on thinking if it was to move: perhaps the server was stopped then.
        """
        async with self.locked() as live:
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
        async with self.locked():
            await self._show([viewer])

    async def followed_by(self, game_id: str) -> None:
        """Give every viewer the link to the rematch."""
        async with self.locked() as live:
            live.next_id = game_id
            await self.publish()

    def leave(self, viewer: Viewer, *, left: bool = False, silent: bool = False) -> None:
        """Tell `viewer` nothing more. Without viewers the computer stops searching.

        `left` tells that its page was closed, and that not just the connection broke; `silent` that
        nothing had come from it for a while, so that the others need not wait for its return.
        """
        self.publisher.leave(viewer)
        side = self._present.pop(viewer, None)
        if side is not None:
            self._presence.leave(side, self._host.keeper.now(), left=left)
        if self.live.online:
            self._publish_soon(0.0 if silent else AWAY_SECONDS)
        if not self.viewers:
            self._computer.stop_search()

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
        if self._soon is None and not self._host.closed:
            loop = asyncio.get_running_loop()
            self._soon = loop.call_later(seconds, self._begin_publishing)

    def _begin_publishing(self) -> None:
        self._soon = None
        if self.viewers and self._host.is_open(self):
            self._host.spawn(self, self.look_at_clock())

    async def _show(self, viewers: Collection[Viewer], *, joined: bool = False) -> None:
        await self.publisher.show(
            self.live,
            self._table(),
            viewers,
            self._in_rules,
            thinking=self.thinking,
            paused=self.paused,
            joined=joined,
        )

    def wake(self) -> bool:
        """Let the computer think if it has something to decide; whether it was woken by this.

        Call under the lock.
        """
        if self._host.closed or not self._computer.has_to_begin(self.live):
            return False
        self._computer.begin(self, lambda work: self._host.spawn(self, work))
        return True

    @property
    def goes_on(self) -> bool:
        """Whether the computer has somebody to play for, in this process."""
        return self._host.is_open(self) and not self._host.closed and bool(self.viewers)

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
        self._computer.stop_search()

    async def close(self) -> None:
        """Stop the computer's thinking."""
        if self._soon is not None:
            self._soon.cancel()
        await self._computer.close()

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[LiveGame]:
        """Change the game, or look at it between two changes."""
        async with self.lock:
            if self._ahead:
                await self._reload()
            yield self.live

    async def _in_rules(self, call: Callable[[], T]) -> T:
        """Return what `call` gives, run in a thread for rules where it may take long."""
        if self._shipped and is_light(self.live):
            return call()
        return await self._host.rule_threads.run(call)

    async def commit(
        self, event: Event, now: float | None = None, seat: SeatChange | None = None
    ) -> None:
        """Let an entry of the log happen, and store it. Call under the lock."""
        live, before, was_over = self.live, Before(self.live), self.live.result is not None
        now = self._host.keeper.now() if now is None else now
        full = live.seq >= self._host.settings.limits.events_per_game
        if full and not isinstance(event, _ENDS):
            raise Refused("too_long")
        seq = live.seq
        self._ahead, asked = True, self._host.keeper.now()
        try:
            result = await self._in_rules(lambda: _applied(live, event))
            time = self.clock.entry(live, event, before, now, self._lags())
            rates = None if was_over else ratings.settling(live, time.at)
            await self._host.database.append(
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
            for told in self._host.committed:
                told(self.live, event, was_over)
        except ConflictError as error:
            await self._go_back()
            raise Refused("stale") from error
        except StoreError:
            self._host.outage.begin(asked)
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
        live = await self._host.load(table_id)
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
                self._presence.leave(held, self._host.keeper.now(), left=False)
            if side is not None:
                self._enter(viewer)


def _applied(live: LiveGame, event: Event) -> tuple[Side | None, str] | None:
    """Let an entry of the log happen; return the result that the game then has."""
    live.apply(event)
    require_showable(live.game)
    return live.result

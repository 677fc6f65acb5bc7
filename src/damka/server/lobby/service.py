"""The lobby of one process: what its viewers see, and the waves that pair those who wait.

Viewers are told when what they see has changed. One process of those that serve together runs the
waves and deletes what is over; every process keeps the seeks of those alive whose pages it serves.
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
    from damka.live.setup import Made
    from damka.rules import Side
    from damka.server.accounts import Accounts
    from damka.server.cluster import Cluster
    from damka.server.game_sessions import GameSessions
    from damka.server.ratings import Standing
    from damka.server.settings import Settings

__all__ = ["Lobby", "Sight", "Viewer"]

log: Final = logging.getLogger(__name__)

TOPIC: Final = "lobby"
_KEEP_SECONDS: Final = 4.0
"""How often it is written that pages are still open; less than `seeks.GONE`."""
_TOGETHER_SECONDS: Final = 0.1
"""Changes within so long are shown together."""

_Group = tuple[str, "ClockSettings | None", bool]


class Viewer(Protocol):
    """A page that shows the lobby, or waits for a game."""

    @property
    def holder(self) -> str | None:
        """Under which its user's seats are stored."""

    def wake(self) -> None:
        """Look again; called in the event loop, must not block."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What there is to see at a moment."""

    challenges: tuple[tuple[Seek, Standing | None], ...] = ()
    """The open challenges, the oldest first, and how strong their makers are."""
    waiting: Counter[_Group] = field(default_factory=Counter)
    """How many wait in the pool."""
    mine: dict[str, tuple[Seek, ...]] = field(default_factory=dict)
    """The seeks of each holder, with those of which a game has come."""


class Lobby:
    """The lobby as one process knows it."""

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
        self._looking: Final = asyncio.Lock()
        self._asked = 0
        self._read = 0
        self.sight = Sight()

    def start(self) -> None:
        """Begin to follow what other processes tell, and to run waves."""
        self._unsubscribe = self._cluster.subscribe(TOPIC, lambda _: self._stale.set())
        self._tasks = [asyncio.create_task(each) for each in (self._follow(), self._beat())]

    async def close(self) -> None:
        """Stop."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._leaving, return_exceptions=True)

    # Viewers

    async def enter(self, viewer: Viewer) -> None:
        """Wake `viewer` at every change until it leaves; its user's seeks live as long."""
        self._viewers.add(viewer)
        await self.look()
        await self._keep(viewer.holder)

    def leave(self, viewer: Viewer) -> None:
        """Wake `viewer` no more. Nobody shall be paired with one who has just closed the page."""
        self._viewers.discard(viewer)
        holder = viewer.holder
        if holder in self.sight.mine and all(each.holder != holder for each in self._viewers):
            task = asyncio.create_task(self._left(holder))
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)

    async def _left(self, holder: str) -> None:
        with suppress(DamkaError):  # Then it is gone a little later.
            await self._accounts.write(lambda c: seeks.keep(c, {holder}, left=True))

    async def look(self) -> Sight:
        """Read what is true now; wake the viewers if that has changed.

        Many that look at once share what is read after they have asked.
        """
        self._asked += 1
        number = self._asked
        async with self._looking:
            if self._read < number:
                reading = self._asked
                sight = await self._accounts.read(_sight)
                self._read = reading
                if sight != self.sight:
                    self.sight = sight
                    for viewer in tuple(self._viewers):
                        viewer.wake()
            return self.sight

    async def seeks(self, holder: str) -> bool:
        """Tell whether a holder has a challenge open, or waits for an opponent."""
        return await self._accounts.read(lambda c: seeks.has_any(c, holder))

    # Changes

    async def add(self, seek: Seek) -> None:
        """Put a seek into the lobby. Raises Problem when there are too many."""
        most = self._settings.limits.open_seeks
        try:
            await self._accounts.write(lambda c: seeks.add(c, seek, most))
        except seeks.FullError as error:
            raise Problem(429, "many_challenges" if error.mine else "lobby_full") from error
        except ConflictError as error:
            # Somebody sought twice at once: one of the two waits.
            raise Problem(409, "busy") from error
        await self._changed()

    async def cancel(self, seek_id: str, holder: str) -> None:
        """Take a seek back. Raises Problem when there is none of this holder."""
        if not await self._accounts.write(lambda c: seeks.cancel(c, seek_id, holder)):
            raise Problem(409, "challenge_gone")
        await self._changed()

    async def leave_all(self, holder: str) -> None:
        """Take every seek of a holder back."""
        await self._accounts.write(lambda c: seeks.cancel_all(c, holder))
        await self._changed()

    async def went(self, seek_id: str, holder: str) -> None:
        """Forget a seek whose maker is led to the game."""
        await self._accounts.write(lambda c: seeks.forget(c, seek_id, holder))
        self._stale.set()

    async def accept(self, seek_id: str, holder: str) -> Made:
        """Begin the game of a challenge; `holder` has accepted it.

        Raises Problem when it is gone, one's own, of somebody whom one does not want to meet or who
        does not want to be met, or rated and not between members.
        """
        seek = await self._accounts.read(lambda c: _allowed(c, seeks.find(c, seek_id)))
        if seek is None or seek.pool or not seeks.is_open(seek, datetime.now(UTC)):
            raise Problem(409, "challenge_gone")
        if seek.holder == holder:
            raise Problem(409, "own_challenge")
        if not await self._accounts.may_meet(seek.holder, holder):
            raise Problem(403, "no_meeting")
        try:
            return await self._begin((seek,), seek, (seek.holder, holder), None)
        except ConflictError as error:
            raise Problem(409, "challenge_gone") from error
        finally:
            await self._changed()

    async def _changed(self) -> None:
        await self._cluster.publish(TOPIC, b"")

    async def _begin(
        self,
        taken: tuple[Seek, ...],
        seek: Seek,
        holders: tuple[str, str],
        side: Side | None,
    ) -> Made:
        """Store the game that comes of seeks, and let its clock run.

        `holders` are the players, the first one with `side`, or the colour that `seek` says.
        """
        made = await self._sessions.rule_threads.run(
            lambda: setup.paired(
                *(rules.load(seek.rules), holders),
                side=side,
                colour=seek.colour,
                clock=seek.clock,
                rated=seek.rated,
            )
        )
        made = await self._named(made)
        await games.store(
            self._sessions, made, also=lambda c: seeks.take(c, taken, made.id, *holders)
        )
        async with self._sessions.enter(made.id) as session:
            if session is not None:
                await session.look_at_clock()
        return made

    async def _named(self, made: Made) -> Made:
        """Return a game with the names of the members who play it, and their ratings."""
        if made.rated:
            return await ratings.seated(self._accounts, made)
        names = await self._accounts.names_of({seat.holder or "" for seat in made.seats})
        one, two = (replace(seat, name=names.get(seat.holder or "")) for seat in made.seats)
        return replace(made, seats=(one, two))

    # What happens by itself

    async def _follow(self) -> None:
        while True:
            await self._stale.wait()
            await asyncio.sleep(_TOGETHER_SECONDS)
            self._stale.clear()
            with suppress(DamkaError):  # The next beat looks again.
                if self._viewers:
                    await self.look()

    async def _beat(self) -> None:
        kept = 0.0
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._settings.wave_seconds)
            try:
                if loop.time() - kept >= _KEEP_SECONDS:
                    kept = loop.time()
                    await self._keep(*(viewer.holder for viewer in self._viewers))
                if await self._cluster.leads(TOPIC):
                    await self._wave()
                if self._viewers:
                    await self.look()
            except Exception as error:
                # One seek that cannot be served must not end the lobby of all others.
                log_fault(log, error, "the lobby cannot be looked after")

    async def _keep(self, *holders: str | None) -> None:
        """Keep that the pages of those who seek something are still open."""
        here = {holder or "" for holder in holders} & self.sight.mine.keys()
        if here:
            await self._accounts.write(lambda c: seeks.keep(c, here))

    async def _wave(self) -> None:
        """Pair those who wait, and delete what is over."""
        waiting, is_over = await self._accounts.read(_due)
        if is_over:
            await self._accounts.write(seeks.sweep)
        missed: list[str] = []
        for group in waiting:
            matched, alone = await asyncio.to_thread(pool.pairs, group)
            missed += [seek.id for seek in alone]
            for white, black in matched:
                try:
                    await self._begin((white, black), white, (white.holder, black.holder), "W")
                except (ConflictError, Problem) as error:
                    # One of them has left meanwhile; the other is in the next wave.
                    log.info("a pair of the lobby was not made: %s", error)
        if missed:
            await self._accounts.write(lambda c: seeks.miss(c, missed))
        if waiting or is_over:
            await self._changed()


def _due(connection: Connection) -> tuple[list[pool.Waiting], bool]:
    """Return who waits for a wave, and whether something is over."""
    found = seeks.all_seeks(connection)
    now = datetime.now(UTC)
    is_over = any(not seeks.is_open(each, now) for each in found if each.game_id is None)
    is_over |= any(now - each.seen > seeks.LED for each in found)
    out = moderation.banned(connection, {each.holder for each in found})
    return pool.groups(connection, [each for each in found if each.holder not in out]), is_over


def _allowed(connection: Connection, seek: Seek | None) -> Seek | None:
    """Return a seek unless its maker has been banned meanwhile."""
    if seek is None or moderation.banned(connection, {seek.holder}):
        return None
    return seek


def _sight(connection: Connection) -> Sight:
    now = datetime.now(UTC)
    found = [replace(each, seen=each.created, missed=0) for each in _living(connection, now)]
    challenges = [each for each in found if not each.pool and each.game_id is None]
    strong = ratings.standings(connection, {(each.holder, each.rules) for each in challenges})
    mine: dict[str, Any] = {}
    for each in found:
        mine[each.holder] = (*mine.get(each.holder, ()), each)
    return Sight(
        tuple((each, strong.get((each.holder, each.rules))) for each in challenges),
        Counter(each.group for each in found if each.pool),
        mine,
    )


def _living(connection: Connection, now: datetime) -> list[Seek]:
    found = seeks.all_seeks(connection)
    out = moderation.banned(connection, {each.holder for each in found})
    return [
        each
        for each in found
        if each.game_id is not None or (seeks.is_open(each, now) and each.holder not in out)
    ]

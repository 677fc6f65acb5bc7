"""An open game: its lock, its log in the store, and its viewers.

Every change goes through `GameSession.act`: under the session's lock the live game returns the
entry for its log, the entry is appended to the store, and then the viewers are told. The computer's
moves take the same way. The live game may be read under the lock only, because for a moment it is
ahead of the store.

Everything that generates moves runs in a pool of threads: finding the captures of a made-up
position can take long, and the event loop must serve the other games meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from damka.errors import PositionTooComplexError
from damka.live import messages
from damka.live.events import Event
from damka.live.live_game import LiveGame
from damka.live.problems import Refused
from damka.live.replay import Sides, require_showable
from damka.live.state import state
from damka.rules import Side
from damka.server.engine_pool import EnginePool, Reply, StoppedError
from damka.server.store import ConflictError, Store

if TYPE_CHECKING:
    from damka.server.settings import Settings

__all__ = ["GameSession", "GameSessions", "Viewer"]

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

_RULE_THREADS: Final = 4
_READERS: Final = 2

View = tuple[Sides, str]
"""What a viewer's state message depends on: the sides they play and their language."""


class Viewer(Protocol):
    """A receiver of the game's states."""

    @property
    def view(self) -> View:
        """The sides the viewer plays and the language it reads."""

    @property
    def address(self) -> str:
        """Where the viewer is, for its share of the engines."""

    def show(self, frame: str) -> None:
        """Take the frame of the newest state; called under the session's lock, must not block."""


class GameSession:
    """One open game."""

    def __init__(self, live: LiveGame, sessions: GameSessions) -> None:
        self.live = live
        self.lock: Final = asyncio.Lock()
        self.viewers: Final[set[Viewer]] = set()
        self._sessions: Final = sessions
        self._ahead = False
        self._opponent: asyncio.Task[None] | None = None
        self._search: Reply[tuple[Event, ...]] | None = None
        self._frames: dict[View, str] = {}
        self._paused = False

    @property
    def thinking(self) -> bool:
        """Whether the computer is choosing its move."""
        return self._opponent is not None and self.live.computer_to_move

    @property
    def paused(self) -> bool:
        """Whether the computer cannot go on, because the position is too complex for it."""
        return self._paused

    async def act(self, action: Callable[[LiveGame], Event]) -> None:
        """Do what `action` proposes: append it, tell everybody, wake the computer.

        Raises what the action raises, and Refused when another server has written to the log.
        """
        async with self._live() as live:
            await self._commit(await self._sessions.in_rules(lambda: action(live)))
            self._paused = False  # The position may have changed meanwhile.
            if self._search is not None:
                self._search.stop()
            self.wake()
            await self.publish()

    async def read(self, look: Callable[[LiveGame], T]) -> T:
        """Return what `look` sees of the game, between two changes, from a thread for rules."""
        async with self._live() as live:
            return await self._sessions.in_rules(lambda: look(live))

    async def join(self, viewer: Viewer) -> None:
        """Show the game to `viewer`, now and after every change, until it leaves.

        The computer goes on thinking if it was to move: perhaps the server was stopped then.
        """
        async with self._live():
            self.viewers.add(viewer)
            if self.wake():
                await self.publish()
            else:
                await self._show([viewer])

    async def refresh(self, viewer: Viewer) -> None:
        """Show the game to one viewer again."""
        async with self._live():
            await self._show([viewer])

    async def followed_by(self, game_id: str) -> None:
        """Give every viewer the link to the rematch."""
        async with self._live() as live:
            live.next_id = game_id
            await self.publish()

    def leave(self, viewer: Viewer) -> None:
        """Tell `viewer` nothing more. Without viewers the computer stops searching."""
        self.viewers.discard(viewer)
        if not self.viewers and self._search is not None:
            self._search.stop()

    async def publish(self) -> None:
        """Show the game to everybody at the session. Call under the lock."""
        self._frames.clear()
        await self._show(tuple(self.viewers))

    async def _show(self, viewers: Collection[Viewer]) -> None:
        """Show the game to `viewers`; what looks the same to several is made once."""
        missing = {viewer.view for viewer in viewers} - self._frames.keys()
        if missing:
            live, thinking, paused = self.live, self.thinking, self.paused
            self._frames |= await self._sessions.in_rules(
                lambda: {
                    (you, language): messages.encode(
                        state(live, you, language, thinking=thinking, paused=paused)
                    )
                    for you, language in missing
                }
            )
        for viewer in viewers:
            viewer.show(self._frames[viewer.view])

    def wake(self) -> bool:
        """Let the computer think if it has something to decide; whether it was woken by this.

        Call under the lock.
        """
        if self._opponent is not None or self._paused or self._sessions.closed:
            return False
        if not self.live.computer_has_to_act:
            return False
        self._opponent = self._sessions.spawn(self, self._play_opponent())
        return True

    async def close(self) -> None:
        """Stop the computer's thinking."""
        if self._opponent is not None:
            self._opponent.cancel()
            await asyncio.gather(self._opponent, return_exceptions=True)

    @asynccontextmanager
    async def _live(self) -> AsyncIterator[LiveGame]:
        async with self.lock:
            if self._ahead:
                await self._reload()
            yield self.live

    def _payer(self) -> str:
        """Return the address to whose share the computer's thinking counts: a player's, if any."""
        addresses = {bool(viewer.view[0]): viewer.address for viewer in self.viewers}
        return addresses.get(True) or addresses.get(False, "")

    async def _commit(self, event: Event) -> None:
        live = self.live
        if live.seq >= self._sessions.settings.limits.events_per_game:
            raise Refused("too_long")
        seq = live.seq
        self._ahead = True
        try:
            result = await self._sessions.in_rules(lambda: _applied(live, event))
            await self._sessions.in_store(
                lambda store: store.append(live.id, seq, event, result=result)
            )
            self._ahead = False
        except ConflictError as error:
            await self._go_back()
            raise Refused("stale") from error
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
            self._ahead = False

    async def _play_opponent(self) -> None:
        """Think and act for the computer for as long as it has something to decide."""
        try:
            while await self._act_once():
                pass
        except PositionTooComplexError as error:
            log.warning("game %s: the computer cannot go on: %s", self.live.id, error)
            async with self._live():
                self._paused, self._opponent = True, None
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

    def __init__(self, settings: Settings, store: Store, engine_pool: EnginePool) -> None:
        self.settings: Final = settings
        self.engine_pool: Final = engine_pool
        self.closed = False
        self._store: Final = store
        # Only one thread writes: SQLite allows no more, and entries stay in order.
        self._writer: Final = ThreadPoolExecutor(1, thread_name_prefix="damka-store")
        self._readers: Final = ThreadPoolExecutor(_READERS, thread_name_prefix="damka-read")
        self._rule_threads: Final = ThreadPoolExecutor(
            _RULE_THREADS, thread_name_prefix="damka-rules"
        )
        self._open: Final[dict[str, _Entry]] = {}

    async def in_store(self, call: Callable[[Store], T]) -> T:
        """Return what `call`, which writes, gives, run in the store's thread to its end."""
        future = asyncio.get_running_loop().run_in_executor(self._writer, call, self._store)
        return await asyncio.shield(future)

    async def from_store(self, call: Callable[[Store], T]) -> T:
        """Return what `call`, which only reads, gives; it need not wait for what is written."""
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
        entry = self._open[game_id]
        entry.users += 1
        task: asyncio.Task[None] = asyncio.create_task(work)

        def done(task: asyncio.Task[None]) -> None:
            self._leave(game_id, entry)
            if not task.cancelled() and (error := task.exception()) is not None:
                log.error("game %s: the computer failed", game_id, exc_info=error)

        task.add_done_callback(done)
        return task

    async def close(self) -> None:
        """Stop all thinking and wait for what is being written."""
        self.closed = True
        sessions = [entry.session for entry in self._open.values()]
        for session in await asyncio.gather(*sessions, return_exceptions=True):
            if isinstance(session, GameSession):
                await session.close()
        await asyncio.to_thread(self._writer.shutdown)
        await asyncio.to_thread(self._readers.shutdown)
        await asyncio.to_thread(self._rule_threads.shutdown)
        self._store.close()

    async def _load(self, game_id: str) -> GameSession | None:
        live = await self.load(game_id)
        return None if live is None else GameSession(live, self)

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

"""The computer player of an open game: schedules its searches and plays its decisions."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Final, Protocol

from damka.errors import PositionTooComplexError
from damka.server.engine_pool import (
    EnginePool,
    Reply,
    Requester,
    SearchFailedError,
    StoppedError,
)
from damka.server.fault_log import log_fault

if TYPE_CHECKING:
    from damka.live.events import Event
    from damka.live.live_game import LiveGame
    from damka.live.sentences import Paused
    from damka.server.publisher import Viewer
    from damka.server.rule_threads import RuleThreads

__all__ = ["Computer"]

log: Final = logging.getLogger(__name__)


class _Session(Protocol):
    live: LiveGame

    @property
    def viewers(self) -> set[Viewer]: ...

    @property
    def should_play(self) -> bool: ...

    def locked(self) -> AbstractAsyncContextManager[LiveGame]: ...

    async def commit(self, event: Event) -> None: ...

    async def publish(self) -> None: ...


class Computer:
    """Decides for the sides of the computer, and acts through the session like a player."""

    def __init__(self, engine_pool: EnginePool, rule_threads: RuleThreads) -> None:
        self.paused: Paused | None = None
        """Reason why the computer does not move, if it is paused."""
        self._engine_pool: Final = engine_pool
        self._rule_threads: Final = rule_threads
        self._task: asyncio.Task[None] | None = None
        self._search: Reply[tuple[Event, ...]] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it is deciding."""
        return self._task is not None

    def should_begin(self, live: LiveGame) -> bool:
        """Return whether to start deciding: a decision is due and possible, and none is running."""
        is_idle = self._task is None and self.paused != "too_complex"
        return is_idle and live.computer_has_to_act

    def begin(
        self,
        session: _Session,
        spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
    ) -> None:
        """Decide until no decision is due. Call under the session's lock."""
        self.paused = None
        self._task = spawn(self._play(session))

    def decide_again(self) -> None:
        """Stop the current search: the game has changed, so its decision may be obsolete."""
        self.paused = None
        self.stop_search()

    def stop_search(self) -> None:
        """Stop the current search."""
        if self._search is not None:
            self._search.stop()

    async def close(self) -> None:
        """Stop deciding."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _play(self, session: _Session) -> None:
        try:
            while await self._act_once(session):
                pass
        except PositionTooComplexError as error:
            message = "game %s: position too complex for the computer"
            log_fault(log, error, message, session.live.id, expected=True)
            await self._pause(session, "too_complex")
        except SearchFailedError as error:
            # The next action or new viewer starts it again.
            message = "game %s: the computer's search failed"
            log_fault(log, error, message, session.live.id, expected=True)
            await self._pause(session, "failed")
        except BaseException:
            # The next viewer starts it again.
            self._task = None
            async with session.locked():
                await session.publish()
            raise

    async def _pause(self, session: _Session, reason: Paused) -> None:
        async with session.locked():
            self.paused, self._task = reason, None
            await session.publish()

    async def _act_once(self, session: _Session) -> bool:
        """Make one decision; return False when none is due."""
        async with session.locked() as live:
            request = await self._rule_threads.run(live.search_request)
            if request is None or not session.should_play:
                # Cleared under the lock, so that a later action starts the computer again.
                self._task = None
                return False
            seq = live.seq
            self._search = self._engine_pool.decide(request, _requester(session.viewers))
        try:
            events = await self._search.answer()
        except StoppedError:
            return True  # The game has changed in the meantime; decide again.
        finally:
            self._search = None
        async with session.locked() as live:
            if live.seq != seq:
                return True
            for event in events:
                if session.live.result is None:
                    await session.commit(event)
                    await session.publish()
        return True


def _requester(viewers: set[Viewer]) -> Requester:
    """Return the requester of the search: a player, if one is present."""
    requesters = {bool(viewer.view[0]): viewer.requester for viewer in viewers}
    return requesters.get(True) or requesters.get(False, Requester())

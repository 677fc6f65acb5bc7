"""Ownership of games among several processes: each game is played in one process at a time.

A process takes a game without an owner on its first request, and owns it until the process ends.
The games of a process that has ended are taken on their next request; those with a running clock
are taken immediately.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Protocol

from damka.errors import DamkaError
from damka.server.fault_log import log_fault
from damka.server.store import Store, StoreError, processes
from damka.server.store.processes import Known, Taken

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from damka.server.database import Database
    from damka.server.game_session import GameSession
    from damka.server.membership import Membership

__all__ = ["Ownership"]

log: Final = logging.getLogger(__name__)

_REMEMBERED: Final = 20_000
"""Size of the cache of owners."""
_BATCH: Final = 20
_TRIES: Final = 20
_AGAIN_SECONDS: Final = 0.25

AskFor = Callable[[Known, str], Awaitable[float]]


class Games(Protocol):
    """Open games of this process, as the ownership needs them."""

    @property
    def database(self) -> Database:
        """The store."""

    def enter(self, game_id: str) -> AbstractAsyncContextManager[GameSession | None]:
        """Enter a game's session, which stays open while it has users; None for no such game."""

    def letting_go(self, game_id: str) -> AbstractAsyncContextManager[None]:
        """Hold a game's lock during the block, then drop the game and send its pages away."""

    def forget(self) -> None:
        """Drop all games: another process owns them now."""


class Ownership:
    """The games of this process and of the others.

    `came_or_went` receives the other processes when one of them joins or leaves; `ask_for` requests
    a game from one of them.
    """

    def __init__(
        self,
        membership: Membership,
        came_or_went: Callable[[Mapping[str, Known]], None],
        ask_for: AskFor | None = None,
    ) -> None:
        self._ask_for: Final = ask_for
        self.membership: Final = membership
        self._came_or_went: Final = came_or_went
        self._owners: Final[OrderedDict[str, str]] = OrderedDict()
        self._inherited: Final[dict[str, Taken]] = {}
        # A game that is taken must be remembered before anybody opens it.
        self._turn: Final = asyncio.Lock()
        self._sessions: Games | None = None
        self._task: asyncio.Task[None] | None = None
        self._again = False

    async def start(self, sessions: Games, address: str, *, alone: bool) -> None:
        """Announce this process; other processes reach it at `address`.

        With `alone` the clocks are resumed before the first connection is served.
        """
        self._sessions = sessions
        loop = asyncio.get_running_loop()

        def changed(lost: bool) -> None:
            loop.call_soon_threadsafe(self._on_change, lost)

        await asyncio.to_thread(self.membership.join, address, changed)
        self._on_change(lost=False)
        if alone and self._task is not None:
            await self._task

    async def stop(self) -> None:
        """Stop taking over games."""
        self._sessions = None
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def id(self) -> str:
        """Id of this process."""
        return self.membership.id

    async def take(self, game_id: str, *, anew: bool = False) -> Taken:
        """Take a game unless a live process owns it; return its owner.

        With `anew` the cache is bypassed. Raises StoreError.
        """
        owner = self._owners.get(game_id)
        if owner is not None and not anew and (owner == self.id or self.other(owner)):
            self._owners.move_to_end(game_id)
            return self._inherited.get(game_id, Taken(owner))
        if self._sessions is None:
            return Taken(self.id)
        # Most games have an owner, and some ids are unknown: a read is enough for these.
        there, owner = await self._sessions.database.read(lambda store: _look(store, game_id))
        if not there:
            return Taken(None)
        if owner is not None and owner != self.id:
            self._remember(game_id, Taken(owner))
            return Taken(owner)
        async with self._turn:
            me = self.id

            def ask(store: Store) -> Taken:
                with store.transaction(of_games=True) as connection:
                    return processes.take(connection, game_id, me)

            taken: Taken = await self._sessions.database.write(ask)
            if taken.owner is not None:
                self._remember(game_id, taken)
        return self._inherited.get(game_id, taken)

    async def fetch(self, game_id: str) -> None:
        """Take a game from the process that owns it; its pages reconnect. Raises DamkaError."""
        for _ in range(_TRIES):
            taken = await self.take(game_id)
            owner = None if taken.owner is None else self.other(taken.owner)
            if owner is None and taken.owner in {None, self.id}:
                return
            if owner is not None and self._ask_for is not None:
                until = datetime.fromtimestamp(await self._ask_for(owner, game_id), UTC)
                taken = await self.take(game_id, anew=True)
                if taken.owner == self.id:
                    self._inherited.setdefault(game_id, Taken(self.id, True, until))
                    return
            await asyncio.sleep(_AGAIN_SECONDS)
        raise StoreError("the process that owns the game does not let it go")

    async def release(self, game_id: str) -> datetime:
        """Give up a game to another process; return the time until which it was played here."""
        sessions, me = self._sessions, self.id
        if sessions is None:
            raise StoreError("this process ends")

        def give(store: Store) -> None:
            with store.transaction(of_games=True) as connection:
                processes.release(connection, game_id, me)

        async with sessions.letting_go(game_id):
            until = self.membership.keeper.wall()
            await sessions.database.write(give)
            self._owners.pop(game_id, None)
            self._inherited.pop(game_id, None)
        return until

    def other(self, owner: str) -> Known | None:
        """Return another live process by its id."""
        return self.membership.others.get(owner)

    def settled(self, game_id: str) -> None:
        """Record that the clock of an inherited game has been resumed."""
        self._inherited.pop(game_id, None)

    def _remember(self, game_id: str, taken: Taken) -> None:
        if taken.owner is None:
            return
        self._owners[game_id] = taken.owner
        self._owners.move_to_end(game_id)
        if len(self._owners) > _REMEMBERED:
            self._owners.popitem(last=False)
        if taken.after:
            self._inherited[game_id] = taken

    def _on_change(self, lost: bool) -> None:
        sessions = self._sessions
        if sessions is None:
            return
        self._came_or_went(self.membership.others)
        if lost:
            self._owners.clear()
            self._inherited.clear()
            sessions.forget()
        self._again = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._take_over(sessions))

    async def _take_over(self, sessions: Games) -> None:
        """Resume the clocks of processes that have ended."""
        while self._again:
            self._again = False
            try:
                while taken := await self._take_batch(sessions):
                    await asyncio.gather(*(self._go_on(sessions, each) for each in taken))
                await sessions.database.write(_forget)
            except DamkaError as error:
                log_fault(log, error, "games cannot be taken over")
                self._again = True
                await asyncio.sleep(_AGAIN_SECONDS)

    async def _take_batch(self, sessions: Games) -> list[str]:
        async with self._turn:
            me = self.id

            def ask(store: Store) -> list[tuple[str, Any]]:
                with store.transaction(of_games=True) as connection:
                    return processes.take_clocks(connection, me, _BATCH)

            found = await sessions.database.write(ask)
            for game_id, until in found:
                self._remember(game_id, Taken(me, True, until))
        return [game_id for game_id, _ in found]

    async def _go_on(self, sessions: Games, game_id: str) -> None:
        for _ in range(_TRIES):
            try:
                async with sessions.enter(game_id) as session:
                    if session is None:
                        return
                    if session.owned:
                        await session.look_at_clock()
                        return
            except DamkaError as error:
                log_fault(log, error, "game %s: its clock cannot go on", game_id)
            await asyncio.sleep(_AGAIN_SECONDS)


def _look(store: Store, game_id: str) -> tuple[bool, str | None]:
    with store.transaction(of_games=True) as connection:
        return processes.owner_of(connection, game_id)


def _forget(store: Store) -> None:
    with store.transaction(of_games=True) as connection:
        processes.forget(connection)

"""Ownership of games among several processes: each game is played in one process at a time.

A process becomes the owner of a game on the first request for it, and remains the owner until it
exits. The games of a process that has exited are taken over on their next request; games with a
running clock are taken over immediately.
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
from damka.server.store.processes import OwnershipRecord, ProcessRecord

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from damka.server.database import Database
    from damka.server.game_session import GameSession
    from damka.server.membership import Membership

__all__ = ["Ownership"]

log: Final = logging.getLogger(__name__)

_CACHE_SIZE: Final = 20_000
"""Number of games whose owners are cached."""
_BATCH: Final = 20
_MAX_ATTEMPTS: Final = 20
_RETRY_SECONDS: Final = 0.25

RequestGame = Callable[[ProcessRecord, str], Awaitable[float]]


class Games(Protocol):
    """Interface to the open games of this process."""

    @property
    def database(self) -> Database:
        """The store."""

    def enter(self, game_id: str) -> AbstractAsyncContextManager[GameSession | None]:
        """Enter a game's session, which stays open while it has users; None for an unknown game."""

    def releasing(self, game_id: str) -> AbstractAsyncContextManager[None]:
        """Hold a game's lock during the block, then drop the game and make its pages reconnect."""

    def drop_all(self) -> None:
        """Drop all games: another process owns them now."""


class Ownership:
    """Owners of the games of this and the other processes.

    `on_membership_change` receives the other processes whenever one of them joins or leaves;
    `request_game` requests a game from one of them.
    """

    def __init__(
        self,
        membership: Membership,
        on_membership_change: Callable[[Mapping[str, ProcessRecord]], None],
        request_game: RequestGame | None = None,
    ) -> None:
        self._request_game: Final = request_game
        self.membership: Final = membership
        self._on_membership_change: Final = on_membership_change
        self._owners: Final[OrderedDict[str, str]] = OrderedDict()
        self._inherited: Final[dict[str, OwnershipRecord]] = {}
        # Cache the owner of a taken game before another task opens the game.
        self._take_lock: Final = asyncio.Lock()
        self._sessions: Games | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_pending = False

    async def start(self, sessions: Games, address: str, *, exclusive: bool) -> None:
        """Register this process, which others reach at `address`.

        If it is `exclusive`, wait until the clocks are resumed, before any connection is served.
        """
        self._sessions = sessions
        loop = asyncio.get_running_loop()

        def on_change(lost: bool) -> None:
            loop.call_soon_threadsafe(self._on_change, lost)

        await asyncio.to_thread(self.membership.join, address, on_change)
        self._on_change(lost=False)
        if exclusive and self._task is not None:
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

    async def take(self, game_id: str, *, refresh: bool = False) -> OwnershipRecord:
        """Take a game unless a live process owns it; return its owner.

        With `refresh` the cache is bypassed. Raises StoreError.
        """
        owner = self._owners.get(game_id)
        if owner is not None and not refresh and (owner == self.id or self.live_process(owner)):
            self._owners.move_to_end(game_id)
            return self._inherited.get(game_id, OwnershipRecord(owner))
        if self._sessions is None:
            return OwnershipRecord(self.id)
        # Most games already have an owner, and some ids are unknown: for these a read is enough.
        exists, owner = await self._sessions.database.read(
            lambda store: _read_owner(store, game_id)
        )
        if not exists:
            return OwnershipRecord(None)
        if owner is not None and owner != self.id:
            self._cache_owner(game_id, OwnershipRecord(owner))
            return OwnershipRecord(owner)
        async with self._take_lock:
            own_id = self.id

            def write(store: Store) -> OwnershipRecord:
                with store.transaction(of_games=True) as connection:
                    return processes.take(connection, game_id, own_id)

            record: OwnershipRecord = await self._sessions.database.write(write)
            if record.owner is not None:
                self._cache_owner(game_id, record)
        return self._inherited.get(game_id, record)

    async def fetch(self, game_id: str) -> None:
        """Take over a game from its owner; its pages reconnect. Raises DamkaError."""
        for _ in range(_MAX_ATTEMPTS):
            record = await self.take(game_id)
            owner = None if record.owner is None else self.live_process(record.owner)
            if owner is None and record.owner in {None, self.id}:
                return
            if owner is not None and self._request_game is not None:
                until = datetime.fromtimestamp(await self._request_game(owner, game_id), UTC)
                record = await self.take(game_id, refresh=True)
                if record.owner == self.id:
                    self._inherited.setdefault(game_id, OwnershipRecord(self.id, True, until))
                    return
            await asyncio.sleep(_RETRY_SECONDS)
        raise StoreError("the process that owns the game did not release it")

    async def release(self, game_id: str) -> datetime:
        """Release a game to another process; return the time until which it was played here."""
        sessions, own_id = self._sessions, self.id
        if sessions is None:
            raise StoreError("this process is shutting down")

        def write(store: Store) -> None:
            with store.transaction(of_games=True) as connection:
                processes.release(connection, game_id, own_id)

        async with sessions.releasing(game_id):
            until = self.membership.keeper.wall()
            await sessions.database.write(write)
            self._owners.pop(game_id, None)
            self._inherited.pop(game_id, None)
        return until

    def live_process(self, owner: str) -> ProcessRecord | None:
        """Return another live process by its id."""
        return self.membership.others.get(owner)

    def mark_resumed(self, game_id: str) -> None:
        """Record that the clock of an inherited game has been resumed."""
        self._inherited.pop(game_id, None)

    def _cache_owner(self, game_id: str, record: OwnershipRecord) -> None:
        if record.owner is None:
            return
        self._owners[game_id] = record.owner
        self._owners.move_to_end(game_id)
        if len(self._owners) > _CACHE_SIZE:
            self._owners.popitem(last=False)
        if record.after:
            self._inherited[game_id] = record

    def _on_change(self, lost: bool) -> None:
        sessions = self._sessions
        if sessions is None:
            return
        self._on_membership_change(self.membership.others)
        if lost:
            self._owners.clear()
            self._inherited.clear()
            sessions.drop_all()
        self._is_pending = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._take_over(sessions))

    async def _take_over(self, sessions: Games) -> None:
        """Resume the clocks of games whose processes have exited."""
        while self._is_pending:
            self._is_pending = False
            try:
                while game_ids := await self._take_batch(sessions):
                    await asyncio.gather(*(self._resume_clock(sessions, each) for each in game_ids))
                await sessions.database.write(_delete_exited)
            except DamkaError as error:
                log_fault(log, error, "cannot take over games")
                self._is_pending = True
                await asyncio.sleep(_RETRY_SECONDS)

    async def _take_batch(self, sessions: Games) -> list[str]:
        async with self._take_lock:
            own_id = self.id

            def write(store: Store) -> list[tuple[str, Any]]:
                with store.transaction(of_games=True) as connection:
                    return processes.take_clocks(connection, own_id, _BATCH)

            games = await sessions.database.write(write)
            for game_id, until in games:
                self._cache_owner(game_id, OwnershipRecord(own_id, True, until))
        return [game_id for game_id, _ in games]

    async def _resume_clock(self, sessions: Games, game_id: str) -> None:
        for _ in range(_MAX_ATTEMPTS):
            try:
                async with sessions.enter(game_id) as session:
                    if session is None:
                        return
                    if session.owned:
                        await session.check_clock()
                        return
            except DamkaError as error:
                log_fault(log, error, "game %s: cannot resume the clock", game_id)
            await asyncio.sleep(_RETRY_SECONDS)


def _read_owner(store: Store, game_id: str) -> tuple[bool, str | None]:
    with store.transaction(of_games=True) as connection:
        return processes.owner_of(connection, game_id)


def _delete_exited(store: Store) -> None:
    with store.transaction(of_games=True) as connection:
        processes.forget(connection)

"""The events of a server: reads, and changes by compare-and-set.

Any process may change an event. A change is a function from one state to the next; after a conflict
it is retried on the new state.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection

from damka.errors import TournamentError
from damka.live import codes
from damka.live.problems import Problem
from damka.server.events import rows
from damka.server.events.values import LETTERS, EventState, StoredEvent, new_code
from damka.server.limits import Bucket, Buckets
from damka.server.store import ConflictError, Store

if TYPE_CHECKING:
    from damka.server.cluster import Cluster
    from damka.server.game_sessions import GameSessions
    from damka.server.settings import Limits

__all__ = ["ChangeLogEntry", "Events", "is_event_id", "topic"]

T = TypeVar("T")

_ID: Final = re.compile(r"[a-z2-9]{8}")
_ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE_LETTERS: Final = 4
_DAY: Final = 24 * 3600
_MAX_ATTEMPTS: Final = 20
_CACHE_SIZE: Final = 64

Change = Callable[[EventState], EventState]


class ChangeLogEntry(NamedTuple):
    """A log entry for a change: actor, action and details."""

    actor: str
    action: str
    details: dict[str, Any] = {}  # noqa: RUF012  never mutated


class NotAllowed(Problem):
    """The tournament refuses a change, with a technical reason in English."""

    def __init__(self, reason: str) -> None:
        super().__init__(409, "event_refused", detail=reason[:300])

    def sentence(self, language: str) -> str:
        """Return a sentence that the change is not allowed, with the reason."""
        return f"{super().sentence(language)} ({self.detail})"


def is_event_id(text: str) -> bool:
    """Whether `text` has the form of an event id, checked without the database."""
    return _ID.fullmatch(text) is not None


def topic(event_id: str) -> str:
    """Return the cluster topic for changes of an event."""
    return f"event:{event_id}"


def normalise(code: str) -> str:
    """Normalise a typed code."""
    letters = code.strip().upper().replace(" ", "").replace("-", "")[:16]
    return letters if set(letters) <= set(LETTERS) else ""


class Events:
    """The events of one server."""

    def __init__(self, sessions: GameSessions, cluster: Cluster, limits: Limits) -> None:
        self._sessions: Final = sessions
        self._cluster: Final = cluster
        self._cache: Final[OrderedDict[str, StoredEvent]] = OrderedDict()
        self.changed: Callable[[], object] = bool
        """Called after a change in this process."""
        self._locks: Final[dict[str, asyncio.Lock]] = {}
        self._joins: Final = Buckets(
            limits.event_join_burst, limits.event_join_rate, limits.addresses
        )
        self._guesses: Final = Buckets(
            limits.event_guess_burst, limits.event_guess_rate, limits.addresses
        )
        self._short_codes: Final = Bucket(limits.short_codes, limits.short_codes / _DAY)

    def limit_joins(self, address: str) -> None:
        """Raise Problem for an address that has entered too many players."""
        if not self._joins.take(address):
            raise Problem(429, "too_many")

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Return the result of `query`, run in a transaction."""

        def work(store: Store) -> T:
            with store.transaction() as connection:
                return query(connection)

        return await self._sessions.database.read(work)

    async def write(self, change: Callable[[Connection], T]) -> T:
        """Return the result of `change`, once committed. Raises ConflictError as `Store` does."""

        def work(store: Store) -> T:
            with store.transaction() as connection:
                return change(connection)

        return await self._sessions.database.write(work)

    async def create(self, state: EventState, actor: str) -> str:
        """Store a new event; return its id."""
        event_id = new_event_id()
        for _ in range(_MAX_ATTEMPTS):
            code = new_code(_CODE_LETTERS)

            def insert(connection: Connection, code: str = code) -> None:
                rows.create(connection, event_id, code, state)
                rows.add_log_record(connection, event_id, actor, "created", {})

            try:
                await self.write(insert)
            except ConflictError:
                continue
            return event_id
        raise Problem(503, "no_codes")

    async def get(self, event_id: str) -> StoredEvent:
        """Return the current state of an event. Raises Problem when there is no such event."""
        if not is_event_id(event_id):
            raise Problem(404, "unknown_event")
        cached = self._cache.get(event_id)

        def read(connection: Connection) -> StoredEvent | None:
            version = rows.version_of(connection, event_id)
            if cached is not None and version == cached.version:
                # Games are stored after the change that begins them.
                return cached._replace(games=rows.games_of(connection, event_id))
            return None if version is None else rows.load(connection, event_id)

        stored = await self.read(read)
        if stored is None:
            raise Problem(404, "unknown_event")
        self._cache[event_id] = stored
        self._cache.move_to_end(event_id)
        while len(self._cache) > _CACHE_SIZE:
            self._cache.popitem(last=False)
        return stored

    async def change(
        self,
        event_id: str,
        change: Change,
        log_record: ChangeLogEntry | None = None,
        *,
        over: tuple[tuple[int, int], ...] = (),
        version: int | None = None,
    ) -> StoredEvent:
        """Change an event, log the change and notify its viewers.

        `change` runs in a thread, perhaps more than once, and returns its argument when there is
        nothing to change. `over` lists the games whose results it records. With `version`, only
        that version is changed. Raises the Problem that `change` raises, or one for a
        TournamentError.
        """
        lock = self._locks.setdefault(event_id, asyncio.Lock())
        try:
            async with lock:
                for _ in range(_MAX_ATTEMPTS):
                    stored = await self.get(event_id)
                    if version is not None and stored.version != version:
                        raise Problem(409, "event_changed")
                    changed = await self._try(stored, change, log_record, over)
                    if changed is not None:
                        return changed
            raise Problem(503, "busy")
        finally:
            if not lock.locked() and self._locks.get(event_id) is lock:
                del self._locks[event_id]

    async def _try(
        self,
        stored: StoredEvent,
        change: Change,
        log_record: ChangeLogEntry | None,
        over: tuple[tuple[int, int], ...],
    ) -> StoredEvent | None:
        """Return the changed event; None after a conflict."""
        try:
            state = await asyncio.to_thread(change, stored.state)
        except TournamentError as error:
            raise NotAllowed(str(error)) from error
        if state is stored.state and not over:
            return stored

        def commit(connection: Connection) -> bool:
            if not rows.write(connection, stored.id, stored.version, state, over):
                return False
            if log_record is not None:
                rows.add_log_record(
                    connection, stored.id, log_record.actor, log_record.action, log_record.details
                )
            return True

        if not await self.write(commit):
            return None
        code = None if state.status == "over" else stored.code
        new = StoredEvent(stored.id, code, stored.version + 1, state, stored.games)
        self._cache[stored.id] = new
        await self._cluster.publish(topic(stored.id), b"changed")
        self.changed()
        return new

    async def notify(self, event_id: str) -> None:
        """Notify the viewers of news such as new games."""
        await self._cluster.publish(topic(event_id), b"changed")

    async def of_game(self, game_id: str) -> dict[str, str] | None:
        """Return the address and the name of a game's event, or None."""
        event = await self.read(lambda c: rows.event_of(c, game_id[:32]))
        return None if event is None else {"url": f"/events/{event[0]}", "name": event[1]}

    async def find(self, code: str) -> str:
        """Return the id of the event with a code. Raises Problem when there is none."""
        normalised = normalise(code)
        event_id = None
        if len(normalised) == _CODE_LETTERS:
            event_id = await self.read(lambda c: rows.find_by_code(c, normalised))
        if event_id is None:
            raise Problem(404, "unknown_event")
        return event_id

    def limit_guesses(self, event_id: str, address: str, code: str) -> None:
        """Raise Problem when the rate limit for wrong seat codes is reached.

        Codes of full length may always be tried: they cannot be guessed, and their holders must not
        be locked out. Codes of earlier versions are shorter; for these, a daily limit applies to
        all addresses together.
        """
        if len(code) == codes.LENGTH:
            return
        if not (self._short_codes.has_token() and self._guesses.has_token(f"{event_id} {address}")):
            raise Problem(429, "too_many")

    def count_wrong_code(self, event_id: str, address: str, code: str) -> None:
        """Count a wrong code. Raises Problem for an address over the limit."""
        if code and len(code) < codes.LENGTH:
            self._short_codes.take()
        if not self._guesses.take(f"{event_id} {address}"):
            raise Problem(429, "too_many")


def new_event_id() -> str:
    """Create an id for an event: short, because events are not secret."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(8))

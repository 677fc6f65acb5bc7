"""The browser's store of games: a record and an event log for each game."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, Protocol

import msgspec

from damka.errors import DamkaError
from damka.live.events import Event
from damka.live.setup import GameSetup
from damka.live.stored_game import Seat, StoredGame
from damka.rules import SIDES, Side

__all__ = [
    "FullError",
    "NewerError",
    "NotKeptError",
    "Record",
    "Store",
    "StoredElsewhereError",
    "record_of",
    "stored",
]

VERSION: Final = 1
"""Version of the stored format: later versions may change the meaning of fields."""


class NotKeptError(DamkaError):
    """The browser could not store a game; `code` is one of the page's errors."""

    code = "not_kept"


class FullError(NotKeptError):
    """The browser's storage is full."""

    code = "full"


class StoredElsewhereError(NotKeptError):
    """Another window has written to the game's log."""

    code = "stale"


class NewerError(NotKeptError):
    """The stored game is of a newer version of the site."""


class _Versioned(msgspec.Struct, frozen=True):
    version: int = VERSION


class Record(_Versioned, frozen=True, kw_only=True):
    """Setup of a game."""

    id: str
    rules: dict[str, Any]
    seats: tuple[Seat, Seat]
    created: datetime
    base: str | None = None
    lot: Side | None = None
    previous: str | None = None


class Store(Protocol):
    """Store of games in IndexedDB. Every text is JSON."""

    async def create(self, game_id: str, record: str, previous: str | None) -> str:
        """Store a new game; return its id, or that of an existing rematch of `previous`.

        Raises NotKeptError.
        """

    async def load(self, game_id: str) -> tuple[str, tuple[str, ...], str | None] | None:
        """Return a game's record, its log and the id of its rematch; None for an unknown game."""

    async def append(self, game_id: str, seq: int, event: str, over: bool) -> None:
        """Store the log entry with this number, from 0, before it is published.

        Raises StoredElsewhereError if the entry exists, NotKeptError.
        """

    async def whole(self) -> None:
        """Wait for the whole program, including modules that a first game does not need."""

    async def show(self, game_id: str, shown: str) -> None:
        """Store a page's state of the game until this worker runs again."""


def record_of(made: GameSetup) -> str:
    """Return the record of a new game."""
    record = Record(
        id=made.id,
        rules=made.rules,
        seats=made.seats,
        created=datetime.now(UTC),
        base=made.base,
        lot=made.lot,
        previous=made.previous,
    )
    return msgspec.json.encode(record).decode()


def stored(record: str, log: tuple[str, ...], next_id: str | None) -> StoredGame:
    """Restore a game from the store.

    Raises msgspec.MsgspecError for a damaged one, NewerError.
    """
    if msgspec.json.decode(record, type=_Versioned).version > VERSION:
        raise NewerError("the game's record is of a newer version")
    read = msgspec.json.decode(record, type=Record)
    if {seat.side for seat in read.seats} != set(SIDES):
        raise msgspec.ValidationError("the seats are not those of two sides")
    events: tuple[Event, ...] = tuple(msgspec.json.decode(entry, type=Event) for entry in log)
    return StoredGame(
        id=read.id,
        rules=read.rules,
        base=read.base,
        lot=read.lot,
        previous=read.previous,
        next=next_id,
        created=read.created,
        updated=read.created,
        seats=read.seats,
        events=events,
    )

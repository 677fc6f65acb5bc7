"""The browser's store of games, as the session sees it: a record for each, and its log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, Protocol

import msgspec

from damka.errors import DamkaError
from damka.live.events import Event
from damka.live.setup import Made
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
"""The form of what is stored: a later one may mean something else by the same words."""


class NotKeptError(DamkaError):
    """The browser did not store what it was to store; `code` is one of the page's errors."""

    code = "not_kept"


class FullError(NotKeptError):
    """The browser has no room left."""

    code = "full"


class StoredElsewhereError(NotKeptError):
    """Another window has written to the game's log."""

    code = "stale"


class NewerError(NotKeptError):
    """What is stored is of a newer version of the site."""


class _Versioned(msgspec.Struct, frozen=True):
    version: int = VERSION


class Record(_Versioned, frozen=True, kw_only=True):
    """How a game was set up."""

    id: str
    rules: dict[str, Any]
    seats: tuple[Seat, Seat]
    created: datetime
    base: str | None = None
    lot: Side | None = None
    previous: str | None = None


class Store(Protocol):
    """Where games are kept: IndexedDB. Every text is JSON."""

    async def create(self, game_id: str, record: str, previous: str | None) -> str:
        """Keep a new game; return its id, or that of the rematch that `previous` already has.

        Raises NotKeptError.
        """

    async def load(self, game_id: str) -> tuple[str, tuple[str, ...], str | None] | None:
        """Return a game's record, its log and the id of its rematch; None for no such game."""

    async def append(self, game_id: str, seq: int, event: str, over: bool) -> None:
        """Keep the entry with this number, from 0, before anybody is told.

        Raises StoredElsewhereError when there is an entry with the number, NotKeptError.
        """

    async def whole(self) -> None:
        """Wait until all of the program has arrived, also what a first game can do without."""

    async def show(self, game_id: str, shown: str) -> None:
        """Keep what a page shows of the game until this worker runs again."""


def record_of(made: Made) -> str:
    """Return the record of a game that was set up."""
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
    """Return the game that the store tells.

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

"""The browser's store of games, as the session sees it: a record for each, and its log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Protocol

import msgspec

from damka.errors import DamkaError
from damka.live.events import Event
from damka.live.setup import Made
from damka.live.stored_game import Seat, StoredGame
from damka.rules import Side

__all__ = ["FullError", "Record", "Store", "StoredElsewhereError", "record_of", "stored"]


class FullError(DamkaError):
    """The browser has no room left, or may not store anything."""


class StoredElsewhereError(DamkaError):
    """Another window has written to the game's log."""


class Record(msgspec.Struct, frozen=True):
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

        Raises FullError.
        """

    async def load(self, game_id: str) -> tuple[str, tuple[str, ...], str | None] | None:
        """Return a game's record, its log and the id of its rematch; None for no such game."""

    async def append(self, game_id: str, seq: int, event: str, over: bool) -> None:
        """Keep the entry with this number, from 0, before anybody is told.

        Raises StoredElsewhereError when there is an entry with the number, FullError.
        """

    async def show(self, game_id: str, shown: str) -> None:
        """Keep what a page shows of the game until this worker runs again."""


def record_of(made: Made) -> str:
    """Return the record of a game that was set up."""
    record = Record(
        made.id,
        made.rules,
        made.seats,
        datetime.now(UTC),
        base=made.base,
        lot=made.lot,
        previous=made.previous,
    )
    return msgspec.json.encode(record).decode()


def stored(record: str, log: tuple[str, ...], next_id: str | None) -> StoredGame:
    """Return the game that the store tells. Raises msgspec.MsgspecError for a damaged one."""
    read = msgspec.json.decode(record, type=Record)
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

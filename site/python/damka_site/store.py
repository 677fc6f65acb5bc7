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
    "ListedGame",
    "NewerVersionError",
    "Record",
    "StorageError",
    "Store",
    "StoredElsewhereError",
    "StoredResult",
    "read_record",
    "record_of",
    "restore",
]

VERSION: Final = 1
"""Version of the stored format."""


class StorageError(DamkaError):
    """The browser could not store a game; `code` is one of the page's errors."""

    code = "not_kept"


class FullError(StorageError):
    """The browser's storage is full."""

    code = "full"


class StoredElsewhereError(StorageError):
    """Another window has written to the game's log."""

    code = "stale"


class NewerVersionError(StorageError):
    """The game was stored by a newer version of the site."""


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
    guide: dict[str, Any] | None = None


class StoredResult(msgspec.Struct, frozen=True):
    """Result of a finished game."""

    winner: Side | None
    reason: str


class ListedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the store, without its log."""

    id: str
    record: str
    updated: float
    """Time of the last change, in milliseconds since 1970."""
    over: bool
    played: bool
    """Whether its log has entries."""
    title: str | None
    result: StoredResult | None
    """None while the game is running, and if it is unknown."""


class Store(Protocol):
    """Store of games in IndexedDB. Every text is JSON."""

    async def create(self, game_id: str, record: str, previous: str | None) -> str:
        """Store a new game; return its id, or that of an existing rematch of `previous`.

        Raises StorageError.
        """

    async def load(self, game_id: str) -> tuple[str, tuple[str, ...], str | None] | None:
        """Return a game's record, its log and the id of its rematch; None for an unknown game."""

    async def append(self, game_id: str, seq: int, event: str, result: str | None) -> None:
        """Store the log entry with this number, from 0, before it is published.

        `result` is the game's result, a `StoredResult`, once it is over.

        Raises StoredElsewhereError if the entry exists, StorageError.
        """

    async def list(self) -> str:
        """Return the games that were not removed, as `ListedGame`s."""

    async def change_listing(self, game_id: str, change: str) -> str:
        """Change a game's `title`, or whether it is `removed`; return both, or "".

        Raises StorageError.
        """

    async def load_rest(self) -> None:
        """Load the modules that a first game does not need."""

    async def save_shown(self, game_id: str, shown: str) -> None:
        """Store a page's state of the game, to show while the site starts."""


def record_of(game_setup: GameSetup) -> str:
    """Return the record of a new game."""
    record = Record(
        id=game_setup.id,
        rules=game_setup.rules,
        seats=game_setup.seats,
        created=datetime.now(UTC),
        base=game_setup.base,
        lot=game_setup.lot,
        previous=game_setup.previous,
        guide=game_setup.guide,
    )
    return msgspec.json.encode(record).decode()


def read_record(record: str) -> Record:
    """Parse the setup of a game. Raises as `restore` does."""
    if msgspec.json.decode(record, type=_Versioned).version > VERSION:
        raise NewerVersionError("the game was stored by a newer version")
    setup = msgspec.json.decode(record, type=Record)
    if {seat.side for seat in setup.seats} != set(SIDES):
        raise msgspec.ValidationError("expected one seat for each side")
    return setup


def restore(record: str, log: tuple[str, ...], next_id: str | None) -> StoredGame:
    """Restore a game from the store.

    Raises msgspec.MsgspecError for a damaged game, NewerVersionError.
    """
    setup = read_record(record)
    events: tuple[Event, ...] = tuple(msgspec.json.decode(entry, type=Event) for entry in log)
    return StoredGame(
        id=setup.id,
        rules=setup.rules,
        base=setup.base,
        lot=setup.lot,
        previous=setup.previous,
        next=next_id,
        created=setup.created,
        updated=setup.created,
        seats=setup.seats,
        events=events,
        guide=setup.guide,
    )

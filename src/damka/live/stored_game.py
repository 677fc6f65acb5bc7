"""A stored game as plain values, independent of the database and of the web."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from damka.live.clock import ClockSettings
from damka.live.events import Event
from damka.rules import Side

__all__ = ["BOT", "EntryTime", "Seat", "StoredGame"]

BOT: Final = "BOT "
"""Prefix of a program's name at a seat; other names cannot begin with it."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Seat:
    """Player of a side: `holder` is the hash of the player's seat cookie.

    A person's seat without a holder is open.

    `player` is 1 or 2, whichever side that player has in this game. `engine` names the operator's
    program that plays here; `level` is the level of Damka's engine as its fallback.
    """

    side: Side
    kind: Literal["person", "computer"]
    player: int
    level: int | None = None
    holder: str | None = None
    engine: str | None = None
    name: str | None = None
    """Name of the person, in a game on two devices."""
    rating: int | None = None
    """For a member in a rated game: the rating before it."""
    provisional: bool = False
    """Whether that rating was provisional."""
    rating_diff: int | None = None
    """Rating change by the game, once it is over and rated."""
    member: bool = False
    """Whether the person has an account; other names are unverified."""

    @property
    def is_open(self) -> bool:
        """Whether the seat is open."""
        return self.kind == "person" and self.holder is None


@dataclass(frozen=True, slots=True)
class EntryTime:
    """Time of a log entry, and the clock after it.

    `white` and `black` are the milliseconds left at the beginning of the turn, `spent` the
    milliseconds of the turn that have passed; None in a game without a clock.
    """

    at: datetime
    white: int | None = None
    black: int | None = None
    spent: int | None = None


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class StoredGame:
    """A game read from the store: its settings and its whole log."""

    id: str
    rules: dict[str, Any]
    base: str | None
    lot: Side | None
    previous: str | None
    next: str | None
    created: datetime
    updated: datetime
    seats: tuple[Seat, ...]
    events: tuple[Event, ...]
    times: tuple[EntryTime, ...] = ()
    """Times of the entries, where known."""
    clock: ClockSettings | None = None
    no_draw_before: int | None = None
    """Move from which a draw may be offered."""
    code: str | None = None
    """Invitation code, while a seat is open."""
    rated: bool = False
    """Whether its result changes the ratings of the two players."""
    guide: dict[str, Any] | None = None
    """Guide that plays for the computer in a guided game (`damka.live.guided`)."""
    in_event: bool = False
    """Whether it is a game of a tournament or an arena."""

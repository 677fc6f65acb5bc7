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
"""What the name at a seat begins with when a program plays there; nobody else has such a name."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Seat:
    """Who plays a side: `holder` is the hash of the seat cookie of the person sitting there.

    The seat of a person without a holder is open: it waits for somebody to take it.

    `player` is 1 or 2, whichever side that player has in this game. `engine` names the program that
    the operator lets play here; `level` is then Damka's own, which takes its place if need be.
    """

    side: Side
    kind: Literal["person", "computer"]
    player: int
    level: int | None = None
    holder: str | None = None
    engine: str | None = None
    name: str | None = None
    """What the person is called, in a game on two devices."""
    rating: int | None = None
    """Of a member in a rated game: the rating before it."""
    provisional: bool = False
    """Whether little was known of that rating."""
    rating_diff: int | None = None
    """What the game has changed about it, once it is over and was rated."""
    member: bool = False
    """Whether the person has an account; the name of anybody else is only what they say."""

    @property
    def is_open(self) -> bool:
        """Whether nobody sits here yet."""
        return self.kind == "person" and self.holder is None


@dataclass(frozen=True, slots=True)
class EntryTime:
    """When an entry of the log was written, and the clock after it.

    `white` and `black` are the milliseconds left at the beginning of the turn, `spent` those of the
    turn that are over; None in a game without a clock.
    """

    at: datetime
    white: int | None = None
    black: int | None = None
    spent: int | None = None


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class StoredGame:
    """A game as read from the store: its setting and its whole log."""

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
    """Of each entry, as far as they are known."""
    clock: ClockSettings | None = None
    no_draw_before: int | None = None
    """The move of the game from which a draw may be offered."""
    code: str | None = None
    """The code of the invitation, while a seat is open."""
    rated: bool = False
    """Whether its result changes the ratings of the two players."""
    in_event: bool = False
    """Whether it is a game of a tournament or an arena."""

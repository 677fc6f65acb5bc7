"""A stored game as plain values, independent of the database and of the web."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from damka.live.events import Event
from damka.rules import Side

__all__ = ["Seat", "StoredGame"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a side: `holder` is the hash of the seat cookie of the person sitting there.

    `player` is 1 or 2, whichever side that player has in this game. `engine` names the program that
    the operator lets play here; `level` is then Damka's own, which takes its place if need be.
    """

    side: Side
    kind: Literal["person", "computer"]
    player: int
    level: int | None = None
    holder: str | None = None
    engine: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
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

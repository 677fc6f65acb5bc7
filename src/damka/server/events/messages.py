"""Types of the live messages and responses of an event."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

__all__ = [
    "BoardPosition",
    "EventAnswer",
    "EventQuery",
    "EventUpdate",
    "FromPage",
    "ListedEvent",
    "Ping",
    "Pong",
    "ToPage",
]


class BoardPosition(msgspec.Struct, frozen=True):
    """A board: `pieces` has one character per square, `turn` is "" once the game is over."""

    pieces: str
    turn: Literal["W", "B", ""]
    ply: int


class Ping(msgspec.Struct, frozen=True, tag="ping", tag_field="t"):
    """Heartbeat request."""


class Pong(msgspec.Struct, frozen=True, tag="pong", tag_field="t"):
    """Heartbeat response."""


class EventUpdate(msgspec.Struct, frozen=True, tag="event", tag_field="t"):
    """Changes: a new `version` of the event, and changed boards by game id."""

    version: int | None
    """Null when only boards have changed."""
    boards: dict[str, BoardPosition]


FromPage = Ping
ToPage = EventUpdate | Pong


class ListedEvent(msgspec.Struct, frozen=True):
    """An event in the list of all events."""

    id: str
    name: str
    kind: Literal["swiss", "round-robin", "arena"]
    rules: str
    status: Literal["soon", "running", "over"]
    players: int
    starts: str | None
    url: str


class EventPlayer(msgspec.Struct, frozen=True):
    """The requesting player: the entry, and the path of the current game."""

    player: dict[str, Any] | None
    game: str | None
    next: str
    """The player's seat in a paired round that has not begun, or a note that there is no opponent
    in the current round, in words; otherwise empty."""
    arbiter: bool


class EventQuery(msgspec.Struct, frozen=True):
    """Optional parameters of a request for an event."""

    game: str = ""
    """Id of a game of the event, to get its official result."""


class EventAnswer(msgspec.Struct, frozen=True):
    """The state of an event: settings, standings, the round or the latest games of an arena."""

    event: dict[str, Any]
    standings: list[dict[str, Any]]
    round: dict[str, Any] | None
    games: list[dict[str, Any]]
    me: EventPlayer
    counts: str
    """Official result of the requested game, in words; otherwise empty."""

"""The messages of an event's live connection, and what requests are answered with, as types."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

__all__ = [
    "EventAnswer",
    "EventNews",
    "EventQuery",
    "FromPage",
    "ListedEvent",
    "Ping",
    "Pong",
    "Shown",
    "ToPage",
]


class Shown(msgspec.Struct, frozen=True):
    """A board as it stands: `pieces` has one character a square, `turn` is "" once it is over."""

    pieces: str
    turn: Literal["W", "B", ""]
    ply: int


class Ping(msgspec.Struct, frozen=True, tag="ping", tag_field="t"):
    """Is the connection alive?"""


class Pong(msgspec.Struct, frozen=True, tag="pong", tag_field="t"):
    """The answer to a ping."""


class EventNews(msgspec.Struct, frozen=True, tag="event", tag_field="t"):
    """What has changed: a new `version` of the event, and boards by the ids of their games."""

    version: int | None
    """Null where only boards have moved."""
    boards: dict[str, Shown]


FromPage = Ping
ToPage = EventNews | Pong


class ListedEvent(msgspec.Struct, frozen=True):
    """An event in the list of all."""

    id: str
    name: str
    kind: Literal["swiss", "round-robin", "arena"]
    rules: str
    status: Literal["soon", "running", "over"]
    players: int
    starts: str | None
    url: str


class EventPlayer(msgspec.Struct, frozen=True):
    """As whom somebody asks: the player's entry, and the path of the game that is to be played."""

    player: dict[str, Any] | None
    game: str | None
    next: str
    """Where the player sits in a round that is paired and has not begun, or that there is no
    opponent in a round that is not over, in words; else empty."""
    arbiter: bool


class EventQuery(msgspec.Struct, frozen=True):
    """What is asked about an event besides."""

    game: str = ""
    """A game of the event, by id: what does it count?"""


class EventAnswer(msgspec.Struct, frozen=True):
    """How an event stands: what it is, standings, the round or the latest games of an arena."""

    event: dict[str, Any]
    standings: list[dict[str, Any]]
    round: dict[str, Any] | None
    games: list[dict[str, Any]]
    me: EventPlayer
    counts: str
    """What the game that was asked about counts, in words, as the arbiter has it; else empty."""

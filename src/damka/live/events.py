"""Entries of a game's log: the events of the game and the actions of people at the server.

Replaying a log from the start restores the game. Each kind is a tagged struct; the tag is the
`kind` column, the other fields are the payload.
"""

from __future__ import annotations

from typing import Any

import msgspec

from damka.game import (
    Abandoned,
    Aborted,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    DrawWithdrawn,
    Flagged,
    GameEvent,
    Huffed,
    Moved,
    Resigned,
)
from damka.game import Event as _GameEvent

__all__ = [
    "Abandoned",
    "Aborted",
    "ClockResumed",
    "DrawAccepted",
    "DrawDeclined",
    "DrawOffered",
    "DrawWithdrawn",
    "EngineLost",
    "Event",
    "Flagged",
    "Huffed",
    "InvitationExpired",
    "Joined",
    "Moved",
    "RematchDeclined",
    "RematchOffered",
    "Reseated",
    "Resigned",
    "SideFreed",
    "TimeGiven",
    "UndoDeclined",
    "UndoOffered",
    "UndoWithdrawn",
    "Undone",
    "payload_of",
    "read",
]


class Undone(GameEvent, frozen=True, tag="undo"):
    """A takeback of `steps` plies or huffs for `side`."""

    steps: int


class UndoOffered(GameEvent, frozen=True, tag="undo_offer"):
    """A takeback request, which the other side answers."""


class UndoDeclined(GameEvent, frozen=True, tag="undo_decline"):
    """The other side declined the takeback."""


class UndoWithdrawn(GameEvent, frozen=True, tag="undo_withdraw"):
    """`side` withdrew its takeback request before an answer."""


class EngineLost(GameEvent, frozen=True, tag="engine_lost"):
    """The engine that played `side` failed; Damka's own engine replaces it."""


class Joined(GameEvent, frozen=True, tag="join"):
    """A person, or the computer at `level`, took the open seat of `side`."""

    name: str = ""
    level: int | None = None


class SideFreed(GameEvent, frozen=True, tag="free"):
    """`side`, until now played at the same screen, became an open seat for another device."""


class Reseated(GameEvent, frozen=True, tag="reseat"):
    """The player of `side` continues on another device."""


class InvitationExpired(GameEvent, frozen=True, tag="expire"):
    """The invitation for `side` expired: the game is aborted."""


class TimeGiven(GameEvent, frozen=True, tag="give_time"):
    """`side` gave the other side more time."""

    seconds: int


class ClockResumed(GameEvent, frozen=True, tag="resume"):
    """The clock of `side` runs again after an outage of the server."""


class RematchOffered(GameEvent, frozen=True, tag="rematch_offer"):
    """A rematch offer, after the end of the game."""


class RematchDeclined(GameEvent, frozen=True, tag="rematch_no"):
    """The other side declined the rematch."""


Event = (
    _GameEvent
    | Undone
    | UndoOffered
    | UndoDeclined
    | UndoWithdrawn
    | EngineLost
    | Joined
    | SideFreed
    | Reseated
    | InvitationExpired
    | TimeGiven
    | ClockResumed
    | RematchOffered
    | RematchDeclined
)


def payload_of(event: Event) -> dict[str, Any]:
    """Return the event's fields, without its kind, as plain values."""
    plain: dict[str, Any] = msgspec.to_builtins(event)
    del plain["kind"]
    return plain


def read(kind: str, payload: dict[str, Any]) -> Event:
    """Return the event of this kind with a payload from `payload_of`.

    Raises msgspec.ValidationError when they do not describe an event.
    """
    event: Event = msgspec.convert({"kind": kind, **payload}, Event)
    return event

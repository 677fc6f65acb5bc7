"""The entries of a game's log: what happens in a game, and what people at a server do besides.

A log replayed from the start gives the game. Each kind is a tagged struct; the tag is the `kind`
column, the other fields are the payload.
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
    """`steps` plies or huffs taken back for `side`."""

    steps: int


class UndoOffered(GameEvent, frozen=True, tag="undo_offer"):
    """A request to take back, which the other side answers."""


class UndoDeclined(GameEvent, frozen=True, tag="undo_decline"):
    """The other side's no."""


class UndoWithdrawn(GameEvent, frozen=True, tag="undo_withdraw"):
    """`side` withdrew its request to take back before an answer."""


class EngineLost(GameEvent, frozen=True, tag="engine_lost"):
    """The engine that played `side` plays no more; Damka's own plays in its place."""


class Joined(GameEvent, frozen=True, tag="join"):
    """Somebody took the open seat of `side`: a person, or the computer at `level`."""

    name: str = ""
    level: int | None = None


class SideFreed(GameEvent, frozen=True, tag="free"):
    """`side`, played at the same screen until now, waits for somebody at another."""


class Reseated(GameEvent, frozen=True, tag="reseat"):
    """Whoever plays `side` goes on at another device."""


class InvitationExpired(GameEvent, frozen=True, tag="expire"):
    """Nobody has taken the open seat of `side` in time: the game is broken off."""


class TimeGiven(GameEvent, frozen=True, tag="give_time"):
    """`side` gave the other side more time."""

    seconds: int


class ClockResumed(GameEvent, frozen=True, tag="resume"):
    """The clock of `side` runs again, after a time in which no server served the game."""


class RematchOffered(GameEvent, frozen=True, tag="rematch_offer"):
    """An offer to play again, after the end of the game."""


class RematchDeclined(GameEvent, frozen=True, tag="rematch_no"):
    """The other side's no."""


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
    """Return the event's other fields as plain values."""
    plain: dict[str, Any] = msgspec.to_builtins(event)
    del plain["kind"]
    return plain


def read(kind: str, payload: dict[str, Any]) -> Event:
    """Return the event of this kind with the payload that `payload_of` gave.

    Raises msgspec.ValidationError when they do not describe one.
    """
    event: Event = msgspec.convert({"kind": kind, **payload}, Event)
    return event

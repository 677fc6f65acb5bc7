"""The entries of a game's log: what happened, in values that can be stored and replayed.

A log replayed from the start gives the game. Each kind is a tagged struct; the tag is the `kind`
column, the other fields are the payload.
"""

from __future__ import annotations

from typing import Any

import msgspec

from damka.rules import Side

__all__ = [
    "DrawAccepted",
    "DrawDeclined",
    "DrawOffered",
    "EngineLost",
    "Event",
    "Huffed",
    "Moved",
    "Resigned",
    "UndoDeclined",
    "UndoOffered",
    "Undone",
    "kind_of",
    "payload_of",
    "read",
]


class _Base(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    side: Side
    """The side that did it."""


class Moved(_Base, frozen=True, tag="move"):
    """A move: its hub text, and whether the mover is crowned, which the hub text leaves open."""

    hub: str
    crowns: bool = False


class Huffed(_Base, frozen=True, tag="huff"):
    """A piece taken from the opponent because it did not capture."""

    square: int


class Undone(_Base, frozen=True, tag="undo"):
    """`steps` plies or huffs taken back for `side`."""

    steps: int


class UndoOffered(_Base, frozen=True, tag="undo_offer"):
    """A request to take back, which the other side answers."""


class UndoDeclined(_Base, frozen=True, tag="undo_decline"):
    """The other side's no."""


class DrawOffered(_Base, frozen=True, tag="draw_offer"):
    """An offer of a draw, which the other side answers or lets lapse by moving."""


class DrawAccepted(_Base, frozen=True, tag="draw_accept"):
    """The other side's yes, which ends the game."""


class DrawDeclined(_Base, frozen=True, tag="draw_decline"):
    """The other side's no."""


class EngineLost(_Base, frozen=True, tag="engine_lost"):
    """The engine that played `side` plays no more; Damka's own plays in its place."""


class Resigned(_Base, frozen=True, tag="resign"):
    """`side` gave the game up."""


Event = (
    Moved
    | Huffed
    | Undone
    | UndoOffered
    | UndoDeclined
    | DrawOffered
    | DrawAccepted
    | DrawDeclined
    | EngineLost
    | Resigned
)


def kind_of(event: Event) -> str:
    """Return the event's kind, as stored."""
    return str(event.__struct_config__.tag)


def payload_of(event: Event) -> dict[str, Any]:
    """Return the event's other fields as plain values."""
    plain: dict[str, Any] = msgspec.to_builtins(event)
    del plain["kind"]
    return plain


def read(kind: str, payload: dict[str, Any]) -> Event:
    """Return the event that `kind_of` and `payload_of` described.

    Raises msgspec.ValidationError when they do not describe one.
    """
    event: Event = msgspec.convert({"kind": kind, **payload}, Event)
    return event

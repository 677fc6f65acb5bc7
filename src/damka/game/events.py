"""Events of a game, as values that can be compared, stored and replayed.

Each kind is a tagged struct. The additional events of live games also derive from `GameEvent`.
"""

from __future__ import annotations

import msgspec

from damka.rules import Side

__all__ = [
    "Abandoned",
    "Aborted",
    "DrawAccepted",
    "DrawDeclined",
    "DrawOffered",
    "DrawWithdrawn",
    "Event",
    "Flagged",
    "GameEvent",
    "Huffed",
    "Moved",
    "Resigned",
]


class GameEvent(
    msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, weakref=True
):
    """An action of a side."""

    side: Side
    """The acting side."""

    @property
    def kind(self) -> str:
        """The tag of the struct.

        It is "move", "huff", "draw_offer", "draw_accept", "draw_decline", "draw_withdraw",
        "resign", "flag", "abandon" or "abort". In live games it can also be "undo", "undo_offer",
        "undo_decline", "undo_withdraw", "engine_lost", "join", "free", "reseat", "expire",
        "give_time", "resume", "rematch_offer" or "rematch_no".
        """
        return str(self.__struct_config__.tag)


class Moved(GameEvent, frozen=True, tag="move"):
    """A move in Hub notation, and whether it crowns the man, which Hub notation omits."""

    hub: str
    crowns: bool = False


class Huffed(GameEvent, frozen=True, tag="huff"):
    """The removal of an opponent's piece that did not capture."""

    square: int


class DrawOffered(GameEvent, frozen=True, tag="draw_offer"):
    """A draw offer. It lapses if the other side moves without an answer."""


class DrawAccepted(GameEvent, frozen=True, tag="draw_accept"):
    """`side` accepted the draw offer, which ends the game."""


class DrawDeclined(GameEvent, frozen=True, tag="draw_decline"):
    """`side` declined the draw offer."""


class DrawWithdrawn(GameEvent, frozen=True, tag="draw_withdraw"):
    """`side` withdrew its draw offer before an answer."""


class Resigned(GameEvent, frozen=True, tag="resign"):
    """`side` resigned."""


class Flagged(GameEvent, frozen=True, tag="flag"):
    """`side` ran out of time and lost, or drew if the other side could not win."""

    drawn: bool = False


class Abandoned(GameEvent, frozen=True, tag="abandon"):
    """`side` left the game and did not return; the other side claimed the win, or a draw."""

    drawn: bool = False


class Aborted(GameEvent, frozen=True, tag="abort"):
    """`side` aborted the game, before both sides had moved."""


Event = (
    Moved
    | Huffed
    | DrawOffered
    | DrawAccepted
    | DrawDeclined
    | DrawWithdrawn
    | Resigned
    | Flagged
    | Abandoned
    | Aborted
)

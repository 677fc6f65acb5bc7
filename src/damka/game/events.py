"""What happens in a game, as values that can be compared, stored and replayed.

Each kind is a tagged struct. Where a game runs for several people more can happen than the rules
speak of; such kinds derive from `GameEvent` as well.
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
    """Something that a side did."""

    side: Side
    """The side that did it."""

    @property
    def kind(self) -> str:
        """What was done, the tag of the struct.

        It is "move", "huff", "draw_offer", "draw_accept", "draw_decline", "draw_withdraw",
        "resign", "flag", "abandon" or "abort". In live games it can also be "undo", "undo_offer",
        "undo_decline", "undo_withdraw", "engine_lost", "join", "free", "reseat", "expire",
        "give_time", "resume", "rematch_offer" or "rematch_no".
        """
        return str(self.__struct_config__.tag)


class Moved(GameEvent, frozen=True, tag="move"):
    """A move: its hub text, and whether the mover is crowned, which the hub text leaves open."""

    hub: str
    crowns: bool = False


class Huffed(GameEvent, frozen=True, tag="huff"):
    """A piece taken from the opponent because it did not capture."""

    square: int


class DrawOffered(GameEvent, frozen=True, tag="draw_offer"):
    """An offer of a draw, which the other side answers or lets lapse by moving."""


class DrawAccepted(GameEvent, frozen=True, tag="draw_accept"):
    """The other side's yes, which ends the game."""


class DrawDeclined(GameEvent, frozen=True, tag="draw_decline"):
    """The other side's no."""


class DrawWithdrawn(GameEvent, frozen=True, tag="draw_withdraw"):
    """`side` withdrew its offer of a draw before an answer."""


class Resigned(GameEvent, frozen=True, tag="resign"):
    """`side` gave the game up."""


class Flagged(GameEvent, frozen=True, tag="flag"):
    """The time of `side` ran out: it has lost, or drawn where the other side could not win."""

    drawn: bool = False


class Abandoned(GameEvent, frozen=True, tag="abandon"):
    """`side` left the game and did not return; the other claimed the win, or a draw."""

    drawn: bool = False


class Aborted(GameEvent, frozen=True, tag="abort"):
    """The game ended before it really began, through `side`; nobody has won or drawn."""


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

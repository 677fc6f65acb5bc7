"""The effects of a DXP session: messages to send, moves to choose, events to report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from damka.engine.clock import Clock
    from damka.game import Game
    from damka.rules import Side

__all__ = [
    "Bye",
    "ChatReceived",
    "Effect",
    "Ended",
    "Outcome",
    "Problem",
    "Refused",
    "Send",
    "Started",
    "Think",
    "Wait",
]

Outcome = Literal["won", "lost", "drawn", "unknown"]
"""The result for us; unknown if the game was aborted."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send a message."""

    text: str


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Started:
    """A game has started against `opponent`; `side` is ours."""

    game: Game
    opponent: str
    side: Side


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Refused:
    """The opponent has refused the requested game."""

    opponent: str
    code: int


@dataclass(frozen=True, slots=True)
class Think:
    """Choose our move in `game` by our `clock`, if any, then call `Session.play_move`."""

    game: Game
    clock: Clock | None


@dataclass(frozen=True, slots=True)
class Wait:
    """Stop the search: the move is no longer needed."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Ended:
    """The game has ended."""

    game: Game
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class ChatReceived:
    """The other side has sent a chat line."""

    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """The other side has violated the protocol; `illegal` marks an illegal move."""

    what: str
    illegal: bool = False


@dataclass(frozen=True, slots=True)
class Bye:
    """The other side plays no more games."""


Effect = Send | Started | Refused | Think | Wait | Ended | ChatReceived | Problem | Bye

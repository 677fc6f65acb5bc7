"""The rooms of a game: its players have one, its spectators another until the game is over.

While the game runs a message reaches those of its own room alone. Afterwards the players join the
spectators: what is said then, all of them read.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from damka import locales
from damka.live import messages
from damka.live.sentences import Sentences
from damka.rules import Side
from damka.server.chat import texts

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame
    from damka.live.seating import Sides

__all__ = ["Called", "Posted", "Reader", "Room", "kid_topic", "line", "posted", "topic"]

Room = Literal["players", "watchers"]

_WHO: Final = 12


class Posted(msgspec.Struct, frozen=True, kw_only=True):
    """A message, as the processes of a server tell it to each other."""

    id: int
    game: str
    room: Room
    holder: str
    side: Side | None
    name: str | None
    """That of a member's account. What players are called, the game says."""
    preset: str | None = None
    text: str | None = None
    apart: tuple[str, ...] = ()
    """The holders who have blocked the sender, or whom the sender has blocked."""

    @property
    def who(self) -> str:
        """Return what tells senders at this game apart, and nothing else of them."""
        return hashlib.sha256(f"{self.game} {self.holder}".encode()).hexdigest()[:_WHO]


@functools.lru_cache(maxsize=64)
def posted(data: bytes) -> Posted:
    """Return the message in what one process has told; every connection of a game asks it."""
    return msgspec.json.decode(data, type=Posted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Somebody at a game, as far as it decides what they read and write."""

    holder: str | None
    plays: bool
    over: bool
    kid: bool = False

    @property
    def room(self) -> Room | None:
        """Where this person may write; None for a child who does not play."""
        if self.kid and not self.plays:
            return None
        return "players" if self.plays and not self.over else "watchers"

    @property
    def rooms(self) -> tuple[Room, ...]:
        """What this person may read."""
        if not self.plays:
            return () if self.kid else ("watchers",)
        return ("players", "watchers") if self.over else ("players",)

    def reads(self, message: Posted) -> bool:
        """Tell whether this person reads a message.

        A child reads the presets of the two players and nothing else.
        """
        if message.room not in self.rooms or self.holder in message.apart:
            return False
        return not self.kid or (message.preset is not None and message.side is not None)


def topic(game_id: str) -> str:
    """Return the topic under which a game's messages are told."""
    return f"chat:{game_id}"


def kid_topic(account_id: str) -> str:
    """Return the topic that says whether an account is a child's from now on: b"1" or b"0"."""
    return f"kid:{account_id}"


@dataclass(frozen=True, slots=True)
class Called:
    """What senders are called by a reader of some language."""

    language: str
    players: dict[Side, str]

    @classmethod
    def of(cls, live: LiveGame, you: Sides, language: str) -> Called:
        """Return what senders at a game are called by who plays `you` in it."""
        sentences = Sentences(live, you, language)
        return cls(language, {side: sentences.name(side) for side in live.seats})

    def name(self, message: Posted) -> str:
        """Return the name of a message's sender."""
        if message.side is not None:
            return self.players[message.side]
        return message.name or locales.translate(self.language, "chat.guest")


def line(message: Posted, reader: Reader, called: Called) -> messages.ChatLine:
    """Return a message as a page gets it."""
    said = message.text or ""
    if message.preset is not None:
        said = texts.preset(message.preset, called.language)
    return messages.ChatLine(
        id=message.id,
        room=message.room,
        who=message.who,
        side=message.side,
        name=called.name(message),
        text=said,
        preset=message.preset is not None,
        mine=message.holder == reader.holder,
    )

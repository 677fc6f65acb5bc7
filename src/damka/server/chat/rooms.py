"""The rooms of a game: one for its players, another for its spectators.

While the game is running, a message is visible only in its own room. After the game the players
join the spectators' room, where everyone reads all messages.
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

__all__ = [
    "ChatMessage",
    "Reader",
    "Room",
    "SenderNames",
    "decode_message",
    "kid_topic",
    "line",
    "topic",
]

Room = Literal["players", "watchers"]

_SENDER_ID_LENGTH: Final = 12


class ChatMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message, as published between the processes of a server."""

    id: int
    game: str
    room: Room
    holder: str
    side: Side | None
    name: str | None
    """Name of the sender's account. A player's name comes from the game."""
    preset: str | None = None
    text: str | None = None
    apart: tuple[str, ...] = ()
    """Holders who have blocked the sender or are blocked by the sender."""

    @property
    def who(self) -> str:
        """Return an opaque id that only distinguishes the senders at this game."""
        return hashlib.sha256(f"{self.game} {self.holder}".encode()).hexdigest()[:_SENDER_ID_LENGTH]


@functools.lru_cache(maxsize=64)
def decode_message(data: bytes) -> ChatMessage:
    """Decode a published message; cached, because every connection of a game decodes it."""
    return msgspec.json.decode(data, type=ChatMessage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A person at a game, with the properties that determine what they may read and write."""

    holder: str | None
    plays: bool
    over: bool
    kid: bool = False

    @property
    def room(self) -> Room | None:
        """The room in which this person may write; None for a child who does not play."""
        if self.kid and not self.plays:
            return None
        return "players" if self.plays and not self.over else "watchers"

    @property
    def rooms(self) -> tuple[Room, ...]:
        """The rooms that this person may read."""
        if not self.plays:
            return () if self.kid else ("watchers",)
        return ("players", "watchers") if self.over else ("players",)

    def reads(self, message: ChatMessage) -> bool:
        """Whether this person may read a message.

        A child may read only the presets of the two players.
        """
        if message.room not in self.rooms or self.holder in message.apart:
            return False
        return not self.kid or (message.preset is not None and message.side is not None)


def topic(game_id: str) -> str:
    """Return the topic of a game's messages."""
    return f"chat:{game_id}"


def kid_topic(account_id: str) -> str:
    """Return the topic for changes of an account's child status: b"1" or b"0"."""
    return f"kid:{account_id}"


@dataclass(frozen=True, slots=True)
class SenderNames:
    """The displayed names of senders, for a reader's language."""

    language: str
    players: dict[Side, str]

    @classmethod
    def of(cls, live: LiveGame, you: Sides, language: str) -> SenderNames:
        """Return the names at a game for a reader who plays `you`."""
        sentences = Sentences(live, you, language)
        return cls(language, {side: sentences.name(side) for side in live.seats})

    def name(self, message: ChatMessage) -> str:
        """Return the name of a message's sender."""
        if message.side is not None:
            return self.players[message.side]
        return message.name or locales.translate(self.language, "chat.guest")


def line(message: ChatMessage, reader: Reader, sender_names: SenderNames) -> messages.ChatLine:
    """Convert a message for the page."""
    text = message.text or ""
    if message.preset is not None:
        text = texts.preset(message.preset, sender_names.language)
    return messages.ChatLine(
        id=message.id,
        room=message.room,
        who=message.who,
        side=message.side,
        name=sender_names.name(message),
        text=text,
        preset=message.preset is not None,
        mine=message.holder == reader.holder,
    )

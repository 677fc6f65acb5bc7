"""Types of the messages between the lobby page and the server."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

__all__ = [
    "Challenge",
    "FromPage",
    "LobbyState",
    "Pong",
    "Seeking",
    "ToGame",
    "ToPage",
    "encode",
    "read",
]


# To the page


class Challenge(msgspec.Struct, frozen=True):
    """An open challenge, in the viewer's language."""

    id: str
    who: str
    rating: str | None
    """A member's rating by these rules, "1500?" if provisional."""
    game: str
    clock: str
    colour: str
    """Colour of the viewer as the opponent, or the viewer's own choice."""
    rated: str
    """Whether it is rated, in words."""
    mine: bool = False


class Seeking(msgspec.Struct, frozen=True):
    """The viewer is waiting in the pool."""

    id: str
    game: str
    """Rules and clock."""
    sentence: str
    """Number of others waiting for the same."""


class LobbyState(msgspec.Struct, frozen=True, tag_field="t", tag="lobby"):
    """The complete lobby state of a viewer; it replaces the previous one."""

    known: bool
    """Whether the viewer has a seat cookie or is logged in."""
    challenges: tuple[Challenge, ...]
    seeking: Seeking | None


class ToGame(msgspec.Struct, frozen=True, tag_field="t", tag="game"):
    """A game has started from a seek of the viewer; the page replies with "went"."""

    id: str
    url: str


class Pong(msgspec.Struct, frozen=True, tag_field="t", tag="pong"):
    """Heartbeat response."""


# From the page


class Ping(msgspec.Struct, frozen=True, tag_field="t", tag="ping"):
    """Heartbeat request."""


class Went(msgspec.Struct, frozen=True, tag_field="t", tag="went"):
    """The page opens the game that started from the seek `id`."""

    id: Annotated[str, Meta(max_length=32)]


FromPage = Ping | Went
ToPage = LobbyState | ToGame | Pong

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(FromPage)


def encode(message: LobbyState | ToGame | Pong) -> str:
    """Encode a message as a frame."""
    return _encoder.encode(message).decode("utf-8")


def read(data: bytes) -> Ping | Went | None:
    """Decode a frame; None when it is invalid."""
    try:
        message: Ping | Went = _decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    return message

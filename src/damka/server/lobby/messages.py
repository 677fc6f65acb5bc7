"""What the page of the lobby and the server tell each other over a live connection."""

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
    """Of a member by these rules, "1500?" where it is not sure yet."""
    game: str
    clock: str
    colour: str
    """What the viewer would play, or what the viewer has asked for."""
    rated: str
    """Whether it is rated, in words."""
    mine: bool = False


class Seeking(msgspec.Struct, frozen=True):
    """The viewer waits for an opponent to be found."""

    id: str
    game: str
    """What game, with which clock."""
    sentence: str
    """How many others wait for the same."""


class LobbyState(msgspec.Struct, frozen=True, tag_field="t", tag="lobby"):
    """Everything a viewer sees of the lobby; it replaces whatever the page had."""

    known: bool
    """Whether the viewer has a seat cookie or is logged in."""
    challenges: tuple[Challenge, ...]
    seeking: Seeking | None


class ToGame(msgspec.Struct, frozen=True, tag_field="t", tag="game"):
    """A game has come of a seek of the viewer's; "went" is the answer."""

    id: str
    url: str


class Pong(msgspec.Struct, frozen=True, tag_field="t", tag="pong"):
    """The server is there."""


# From the page


class Ping(msgspec.Struct, frozen=True, tag_field="t", tag="ping"):
    """Is the server there?"""


class Went(msgspec.Struct, frozen=True, tag_field="t", tag="went"):
    """The page opens the game that has come of the seek `id`."""

    id: Annotated[str, Meta(max_length=32)]


FromPage = Ping | Went
ToPage = LobbyState | ToGame | Pong

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(FromPage)


def encode(message: LobbyState | ToGame | Pong) -> str:
    """Return the frame of a message."""
    return _encoder.encode(message).decode("utf-8")


def read(data: bytes) -> Ping | Went | None:
    """Return the message in a frame; None where it is none."""
    try:
        message: Ping | Went = _decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    return message

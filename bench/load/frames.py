"""What the generator reads of the frames that a server sends, and no more: it must stay light."""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = ["Clock", "Frame", "Presence", "Result", "read"]


class Clock(msgspec.Struct, frozen=True):
    """The clocks as a page is told them, in milliseconds."""

    left: dict[str, int]
    running: str | None


class Result(msgspec.Struct, frozen=True):
    """Why a game is over."""

    reason: str


class Presence(msgspec.Struct, frozen=True):
    """Whether a player is there."""

    here: bool


class Frame(msgspec.Struct, frozen=True, tag=False):
    """A frame of any kind; fields that it does not have keep their defaults."""

    t: str
    ply: int | None = None
    version: int | None = None
    turn: str | None = None
    you: tuple[str, ...] = ()
    result: Result | None = None
    clock: Clock | None = None
    presence: dict[str, Presence] | None = None
    code: str = ""


_decoder: Final = msgspec.json.Decoder(Frame)


def read(text: bytes) -> Frame:
    """Return what a frame says."""
    return _decoder.decode(text)

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


class Changes(msgspec.Struct, frozen=True):
    """The fields of a state that are not as they were."""

    ply: int | msgspec.UnsetType = msgspec.UNSET
    version: int | msgspec.UnsetType = msgspec.UNSET
    turn: str | msgspec.UnsetType = msgspec.UNSET
    you: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    result: Result | msgspec.UnsetType | None = msgspec.UNSET
    clock: Clock | msgspec.UnsetType | None = msgspec.UNSET
    presence: dict[str, Presence] | msgspec.UnsetType | None = msgspec.UNSET


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
    changes: Changes | None = None


_decoder: Final = msgspec.json.Decoder(Frame)


def read(text: bytes, last: Frame | None = None) -> Frame:
    """Return what a frame says: the whole state where it tells what has changed since `last`."""
    frame = _decoder.decode(text)
    if frame.changes is None or last is None:
        return frame
    changes = msgspec.structs.asdict(frame.changes)
    changed = {name: value for name, value in changes.items() if value is not msgspec.UNSET}
    return msgspec.structs.replace(last, **changed)

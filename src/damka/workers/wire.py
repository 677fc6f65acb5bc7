"""Messages between server and worker process: length-prefixed msgpack."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

import msgspec

from damka.workers.tasks import Equipment

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "LENGTH",
    "Begin",
    "Done",
    "Failed",
    "Halt",
    "Partial",
    "frame",
    "from_worker",
    "to_worker",
]

LENGTH: Final = struct.Struct(">I")


class Begin(msgspec.Struct, frozen=True, tag="begin"):
    """A task; `number` identifies it in a `Halt`."""

    number: int
    task: bytes


class Halt(msgspec.Struct, frozen=True, tag="halt"):
    """Stop a task early."""

    number: int


class Partial(msgspec.Struct, frozen=True, tag="partial"):
    """A partial result of an analysis."""

    result: bytes


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The result of a task."""

    result: bytes


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """An error instead of a result."""

    message: str
    too_complex: bool
    """Whether it is a PositionTooComplexError."""


_encoder: Final = msgspec.msgpack.Encoder()

to_worker: Final[Callable[[bytes], Equipment | Begin | Halt]] = msgspec.msgpack.Decoder(
    Equipment | Begin | Halt
).decode
from_worker: Final[Callable[[bytes], Partial | Done | Failed]] = msgspec.msgpack.Decoder(
    Partial | Done | Failed
).decode


def frame(message: msgspec.Struct) -> bytes:
    """Return a message with its length prefix."""
    data = _encoder.encode(message)
    return LENGTH.pack(len(data)) + data

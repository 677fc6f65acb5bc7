"""What a server and its worker process write into each other's pipe: msgpack with its length."""

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
    "Found",
    "Halt",
    "frame",
    "from_worker",
    "to_worker",
]

LENGTH: Final = struct.Struct(">I")


class Begin(msgspec.Struct, frozen=True, tag="begin"):
    """A task; `number` is what it is called when it is to be halted."""

    number: int
    task: bytes


class Halt(msgspec.Struct, frozen=True, tag="halt"):
    """Let a task end early."""

    number: int


class Found(msgspec.Struct, frozen=True, tag="found"):
    """What an analysis has found so far."""

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
from_worker: Final[Callable[[bytes], Found | Done | Failed]] = msgspec.msgpack.Decoder(
    Found | Done | Failed
).decode


def frame(message: msgspec.Struct) -> bytes:
    """Return a message with its length before it."""
    data = _encoder.encode(message)
    return LENGTH.pack(len(data)) + data

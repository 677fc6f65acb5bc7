"""The immutable move value: where it starts and ends, what it captures, whether it crowns."""

from damka._core import Move

__all__ = ["Move"]

"""The immutable move value: where it starts and ends, what it captures, whether it crowns."""

from __future__ import annotations

from damka._core import Move

__all__ = ["Move"]


def _rebuild(
    start: int,
    end: int,
    captures: tuple[int, ...],
    route: tuple[int, ...],
    crowns: bool,
    is_king: bool,
) -> Move:
    """Make a pickled move again."""
    return Move(start, end, captures, route=route, crowns=crowns, is_king=is_king)

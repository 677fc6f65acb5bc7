"""The immutable move value: where it starts and ends, what it captures, whether it crowns."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from damka._core import Move

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Move"]


def _arguments(
    start: int,
    end: int,
    captures: Iterable[int] = (),
    *,
    route: Iterable[int] | None = None,
    crowns: bool = False,
    is_king: bool = False,
) -> None:
    """Take what a Move is made of."""


# `inspect` and `help` find no signature of a native class by themselves.
Move.__signature__ = inspect.signature(_arguments)  # type: ignore[attr-defined]


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

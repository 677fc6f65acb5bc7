"""The class `Move`: an immutable move."""

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
    """Declare the arguments of `Move`, for its signature."""


# `inspect` and `help` find no signature of a native class.
Move.__signature__ = inspect.signature(_arguments)  # type: ignore[attr-defined]


def _rebuild(
    start: int,
    end: int,
    captures: tuple[int, ...],
    route: tuple[int, ...],
    crowns: bool,
    is_king: bool,
) -> Move:
    """Restore a pickled move."""
    return Move(start, end, captures, route=route, crowns=crowns, is_king=is_king)

"""Who watches a game: the names of members, and how many there are besides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from damka.live.messages import WatcherList

__all__ = ["watcher_list"]

NAMED: Final = 50
"""The most names that are told."""


def watcher_list(names: Iterable[str | None]) -> WatcherList:
    """Return what is told of some spectators, of each the name or None.

    A member is named once, however many pages show the game.
    """
    known, guests = set(), 0
    for name in names:
        if name is None:
            guests += 1
        else:
            known.add(name)
    shown = sorted(known, key=str.casefold)
    return WatcherList(tuple(shown[:NAMED]), guests + len(shown[NAMED:]))

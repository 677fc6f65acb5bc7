"""Spectators of a game: the names of members, and the number of others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from damka.live.messages import WatcherList

__all__ = ["watcher_list"]

NAMED: Final = 50
"""Maximum number of names in the list."""


def watcher_list(names: Iterable[str | None]) -> WatcherList:
    """Return the list of spectators, from the name of each or None.

    A member is named once, even with several pages open.
    """
    known, guests = set(), 0
    for name in names:
        if name is None:
            guests += 1
        else:
            known.add(name)
    shown = sorted(known, key=str.casefold)
    return WatcherList(tuple(shown[:NAMED]), guests + len(shown[NAMED:]))

"""Spectators of a game: the names of members, and the number of others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from damka.live.messages import WatcherList

__all__ = ["watcher_list"]

MAX_NAMES: Final = 50
"""Maximum number of names in the list."""


def watcher_list(names: Iterable[str | None]) -> WatcherList:
    """Return the list of spectators, from the name of each or None.

    A member is named once, even with several pages open.
    """
    names_seen, guests = set(), 0
    for name in names:
        if name is None:
            guests += 1
        else:
            names_seen.add(name)
    sorted_names = sorted(names_seen, key=str.casefold)
    return WatcherList(tuple(sorted_names[:MAX_NAMES]), guests + len(sorted_names[MAX_NAMES:]))

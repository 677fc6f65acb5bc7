"""Spectators of a game: names of members, and the number of guests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from damka.live.messages import WatcherList

__all__ = ["watcher_list"]

MAX_NAMES: Final = 50
"""Maximum number of names in the list."""


def watcher_list(names: Iterable[str | None]) -> WatcherList:
    """Return the list of spectators; a name is None for a guest.

    A member with several open pages is listed once.
    """
    member_names, guests = set(), 0
    for name in names:
        if name is None:
            guests += 1
        else:
            member_names.add(name)
    sorted_names = sorted(member_names, key=str.casefold)
    return WatcherList(tuple(sorted_names[:MAX_NAMES]), guests + len(sorted_names[MAX_NAMES:]))

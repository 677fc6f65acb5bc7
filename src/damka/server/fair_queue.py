"""A queue that shares the engine threads fairly between addresses.

It is self-clocked fair queueing (Golestani 1994): every job is stamped with the time at which it
would be finished if each address had its share all along, and the earliest stamp goes first. So an
address with many jobs waits for its own, cheap jobs go before expensive ones, and none starves.
"""

from __future__ import annotations

import bisect
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

__all__ = ["FairQueue"]

T = TypeVar("T")

_REMEMBERED: Final = 1024


@dataclass(frozen=True, order=True, slots=True)
class _Entry(Generic[T]):
    stamp: float
    number: int
    key: str = field(compare=False)
    item: T = field(compare=False)


class FairQueue(Generic[T]):
    """Items by key, of which at most `at_once` of one key are out at a time; for many threads."""

    def __init__(self, at_once: int) -> None:
        self._at_once: Final = at_once
        self._changed: Final = threading.Condition()
        self._entries: list[_Entry[T]] = []
        self._out: Final[Counter[str]] = Counter()
        self._stamps: dict[str, float] = {}
        """The stamp of each key's latest entry."""
        self._clock = 0.0
        """The stamp of the entry taken last."""
        self._count = 0
        self._closed = False

    def __len__(self) -> int:
        """Return how many items wait."""
        with self._changed:
            return len(self._entries)

    def put(self, key: str, cost: float, item: T) -> None:
        """Add an item that takes about `cost`, in any unit, once it is taken."""
        with self._changed:
            if len(self._stamps) > _REMEMBERED:
                # An address that has had no more than its share needs no stamp.
                self._stamps = {k: s for k, s in self._stamps.items() if s > self._clock}
            stamp = max(self._clock, self._stamps.get(key, 0.0)) + cost
            self._stamps[key] = stamp
            self._count += 1
            bisect.insort(self._entries, _Entry(stamp, self._count, key, item))
            self._changed.notify()

    def take(self) -> tuple[str, T] | None:
        """Wait for the next item and return it with its key; None when the queue is closed.

        Call `done` with the key when the work is done.
        """
        with self._changed:
            while not self._closed:
                for at, entry in enumerate(self._entries):
                    if self._out[entry.key] < self._at_once:
                        del self._entries[at]
                        self._clock = max(self._clock, entry.stamp)
                        self._out[entry.key] += 1
                        return entry.key, entry.item
                self._changed.wait()
            return None

    def done(self, key: str) -> None:
        """Say that an item of this key is done with."""
        with self._changed:
            self._out[key] -= 1
            if self._out[key] <= 0:
                del self._out[key]
            self._changed.notify()

    def discard(self, item: T) -> None:
        """Drop an item that still waits, if it does."""
        with self._changed:
            self._entries = [entry for entry in self._entries if entry.item is not item]

    def close(self) -> None:
        """Let every `take` that waits return None."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

"""A queue that is fair to its users.

Each address has an account of its work, and so has each member, who may use several addresses; the
lowest account is served next (start-time fair queueing: Goyal, Vin and Cheng 1996). Users at one
address take turns too, and cheap jobs precede expensive ones. A newcomer's account starts at the
level of the last job served, so idle time gives no credit.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["FairQueue", "JobKind", "Requester"]

T = TypeVar("T")

JobKind = Literal["quick", "slow", "hint", "analysis"]
"""The kind of job. Each kind has separate accounts, so that moves never wait behind another user's
analyses from the same address.
"""

_WEIGHTS: Final[dict[JobKind, float]] = {"quick": 1, "slow": 1, "hint": 2, "analysis": 4}
"""Cost factors: running games come first, then hints, then analyses."""
_UNLIMITED: Final = {"quick"}
"""Jobs so short that one address may have any number in progress."""
_MAX_ACCOUNTS: Final = 4096

_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Requester:
    """The user who requested a job."""

    address: str = ""
    account: str = ""
    """The member's id; "" for a guest."""
    person: str = ""
    """The user among those at the address: the storage key of a guest's seats."""


@dataclass(slots=True, eq=False)
class _Entry(Generic[T]):
    item: T
    keys: tuple[_Key, ...]
    person: _Key
    cost: float
    since: float
    number: int


class FairQueue(Generic[T]):
    """A queue of items, at most `at_once` expensive items of each in progress."""

    def __init__(self, at_once: int) -> None:
        self._at_once: Final = at_once
        self._entries: Final[dict[int, _Entry[T]]] = {}
        self._in_progress: Final[Counter[_Key]] = Counter()
        self._running: Final[dict[int, _Entry[T]]] = {}
        self._work_done: dict[_Key, float] = {}
        """The work done for each key, on the queue's clock."""
        self._clock = 0.0
        """The starting level of a newcomer's account."""
        self._count = 0

    def __len__(self) -> int:
        """Return the number of waiting items."""
        return len(self._entries)

    def items(self) -> Iterator[T]:
        """Yield the waiting items."""
        return (entry.item for entry in self._entries.values())

    def put(self, item: T, requester: Requester, kind: JobKind, cost: float) -> None:
        """Add an item with an estimated `cost`, in any unit."""
        self._count += 1
        keys = [(kind, "address", requester.address)]
        if requester.account:
            keys.append((kind, "account", requester.account))
        person = requester.account or requester.person
        self._entries[id(item)] = _Entry(
            item,
            tuple(keys),
            (kind, "person", f"{requester.address} {person}"),
            cost * _WEIGHTS[kind],
            self._clock,
            self._count,
        )

    def take(self, fits: Callable[[T], bool] = lambda _: True) -> T | None:
        """Return the next item that `fits`, or None. Call `done` afterwards."""
        free = (e for e in self._entries.values() if self._is_allowed(e) and fits(e.item))
        entry = min(free, key=self._order, default=None)
        if entry is None:
            return None
        del self._entries[id(entry.item)]
        finish_time, _, _ = self._order(entry)
        self._clock = max(self._clock, finish_time - entry.cost)
        for key in (*entry.keys, entry.person):
            self._work_done[key] = self._level(key, entry.since) + entry.cost
            self._in_progress[key] += 1
        self._running[id(entry.item)] = entry
        if len(self._work_done) > _MAX_ACCOUNTS:
            # Accounts below the clock are the same as new ones.
            self._work_done = {
                key: done for key, done in self._work_done.items() if done > self._clock
            }
        return entry.item

    def done(self, item: T) -> None:
        """Mark an item as finished."""
        entry = self._running.pop(id(item))
        for key in (*entry.keys, entry.person):
            self._in_progress[key] -= 1
            if self._in_progress[key] <= 0:
                del self._in_progress[key]

    def discard(self, item: T) -> bool:
        """Remove a waiting item; return whether it was waiting."""
        return self._entries.pop(id(item), None) is not None

    def _is_allowed(self, entry: _Entry[T]) -> bool:
        if entry.person[0] in _UNLIMITED:
            return True
        return all(self._in_progress[key] < self._at_once for key in entry.keys)

    def _level(self, key: _Key, since: float) -> float:
        return max(since, self._work_done.get(key, 0.0))

    def _order(self, entry: _Entry[T]) -> tuple[float, float, int]:
        """Return the finish time of the item: by its address and member, then by its user."""
        work = max(self._level(key, entry.since) for key in entry.keys)
        return work + entry.cost, self._level(entry.person, entry.since), entry.number

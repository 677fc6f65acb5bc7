"""A queue that shares the workers fairly between people.

Each address has its own account of work done, and so has each member, who may come from several
addresses; whose account stands lowest goes next (start-time fair queueing: Goyal, Vin and Cheng
1996). Behind one address people take turns too, and cheap jobs go before dear ones. A newcomer's
account begins at the level of the job taken last, so idle time is not saved up.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Band", "FairQueue", "Payer"]

T = TypeVar("T")

Band = Literal["quick", "slow", "hint", "analysis"]
"""What kind of job it is: each kind has accounts of its own, so that nobody's moves wait behind
somebody's analyses from the same address."""

_WEIGHTS: Final[dict[Band, float]] = {"quick": 1, "slow": 1, "hint": 2, "analysis": 4}
"""Running games come first, then hints, then analyses: by how much dearer these count."""
_UNLIMITED: Final = {"quick"}
"""Jobs so short that one address may have any number under way."""
_REMEMBERED: Final = 4096

_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Payer:
    """To whose share a job counts."""

    address: str = ""
    account: str = ""
    """The member's id; "" for a guest."""
    person: str = ""
    """Who it is among those at the address: what a guest's seats are stored under."""


@dataclass(slots=True, eq=False)
class _Entry(Generic[T]):
    item: T
    keys: tuple[_Key, ...]
    person: _Key
    cost: float
    since: float
    number: int


class FairQueue(Generic[T]):
    """Items with who pays for them; at most `at_once` dear ones of one payer are out at a time."""

    def __init__(self, at_once: int) -> None:
        self._at_once: Final = at_once
        self._entries: Final[dict[int, _Entry[T]]] = {}
        self._out: Final[Counter[_Key]] = Counter()
        self._taken: Final[dict[int, _Entry[T]]] = {}
        self._done: dict[_Key, float] = {}
        """The work done for each key, on the queue's clock."""
        self._clock = 0.0
        """Where the account of a newcomer begins."""
        self._count = 0

    def __len__(self) -> int:
        """Return how many items wait."""
        return len(self._entries)

    def put(self, item: T, payer: Payer, band: Band, cost: float) -> None:
        """Add an item that takes about `cost`, in any unit, once it is taken."""
        self._count += 1
        keys = [(band, "address", payer.address)]
        if payer.account:
            keys.append((band, "account", payer.account))
        person = payer.account or payer.person
        self._entries[id(item)] = _Entry(
            item,
            tuple(keys),
            (band, "person", f"{payer.address} {person}"),
            cost * _WEIGHTS[band],
            self._clock,
            self._count,
        )

    def take(self, fits: Callable[[T], bool] = lambda _: True) -> T | None:
        """Return the next item that `fits`; None when there is none. Call `done` afterwards."""
        free = (e for e in self._entries.values() if self._may(e) and fits(e.item))
        entry = min(free, key=self._order, default=None)
        if entry is None:
            return None
        del self._entries[id(entry.item)]
        begun, _, _ = self._order(entry)
        self._clock = max(self._clock, begun - entry.cost)
        for key in (*entry.keys, entry.person):
            self._done[key] = self._level(key, entry.since) + entry.cost
            self._out[key] += 1
        self._taken[id(entry.item)] = entry
        if len(self._done) > _REMEMBERED:
            # Who has had no more than their share needs no account.
            self._done = {key: done for key, done in self._done.items() if done > self._clock}
        return entry.item

    def done(self, item: T) -> None:
        """Say that an item that was taken is done with."""
        entry = self._taken.pop(id(item))
        for key in (*entry.keys, entry.person):
            self._out[key] -= 1
            if self._out[key] <= 0:
                del self._out[key]

    def discard(self, item: T) -> bool:
        """Drop an item that still waits; whether it did."""
        return self._entries.pop(id(item), None) is not None

    def _may(self, entry: _Entry[T]) -> bool:
        if entry.person[0] in _UNLIMITED:
            return True
        return all(self._out[key] < self._at_once for key in entry.keys)

    def _level(self, key: _Key, since: float) -> float:
        return max(since, self._done.get(key, 0.0))

    def _order(self, entry: _Entry[T]) -> tuple[float, float, int]:
        """Return when the item would be done: by its address and member, then by its person."""
        done = max(self._level(key, entry.since) for key in entry.keys)
        return done + entry.cost, self._level(entry.person, entry.since), entry.number

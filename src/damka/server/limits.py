"""Rate limits: token buckets, and counters of what is open at the same time."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Container, Iterable
from typing import Final

__all__ = ["Bucket", "Buckets", "ConnectionCount", "LiveConnectionCount", "Networks"]


class Bucket:
    """A token bucket: `burst` at once, `rate` a second after."""

    __slots__ = ("_burst", "_clock", "_level", "_rate", "_then")

    def __init__(
        self, burst: int, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst: Final = float(burst)
        self._rate: Final = rate
        self._clock: Final = clock
        self._level = float(burst)
        self._then = clock()

    def take(self) -> bool:
        """Take one token; False when there is none."""
        if not self.left():
            return False
        self._level -= 1.0
        return True

    def left(self) -> bool:
        """Tell whether there is a token, without taking it."""
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._then) * self._rate)
        self._then = now
        return self._level >= 1.0


class Buckets:
    """A bucket for each key, at most `size` of them; the least recently used is forgotten."""

    def __init__(
        self, burst: int, rate: float, size: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst: Final = burst
        self._rate: Final = rate
        self._size: Final = size
        self._clock: Final = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str) -> bool:
        """Take one token of `key`'s bucket; False when there is none."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._burst, self._rate, self._clock)
            if len(self._buckets) > self._size:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take()

    def __contains__(self, key: str) -> bool:
        """Tell whether `key` has a bucket, because it has taken a token lately."""
        return key in self._buckets

    def left(self, key: str) -> bool:
        """Tell whether `key`'s bucket has a token, without taking it."""
        bucket = self._buckets.get(key)
        return bucket is None or bucket.left()


class Networks(Container[str]):
    """The addresses in some networks, each written as an address or as "10.0.0.0/8"."""

    def __init__(self, networks: Iterable[str]) -> None:
        self._networks: Final = [ipaddress.ip_network(each) for each in networks]

    def __contains__(self, address: object) -> bool:
        """Tell whether an address is in one of them; what is no address is in none."""
        try:
            there = ipaddress.ip_address(str(address))
        except ValueError:
            return False
        return any(there in network for network in self._networks)


class ConnectionCount:
    """How many TCP connections are open: in all, and for each address that is no proxy."""

    def __init__(self, total: int, per_address: int, proxies: Container[str] = ()) -> None:
        self._total: Final = total
        self._per_address: Final = per_address
        self._proxies: Final = proxies
        self._addresses: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count one connection more; False, and nothing counted, when a limit is reached."""
        full = self._addresses[address] >= self._per_address and address not in self._proxies
        if full or self._addresses.total() >= self._total:
            return False
        self._addresses[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Count one connection less."""
        self._addresses[address] -= 1
        if self._addresses[address] <= 0:
            del self._addresses[address]


class LiveConnectionCount:
    """How many connections are open: in all, for each address, for each game."""

    def __init__(self, total: int, per_address: int, per_game: int) -> None:
        self._total: Final = total
        self._per_address: Final = per_address
        self._per_game: Final = per_game
        self._addresses: Counter[str] = Counter()
        self._games: Counter[str] = Counter()

    def enter(self, address: str, game: str, *, plays: bool = False) -> bool:
        """Count one connection more; False, and nothing counted, when a limit is reached.

        The limit of a game is for those who watch.
        """
        if (
            self.is_full
            or self._addresses[address] >= self._per_address
            or (self._games[game] >= self._per_game and not plays)
        ):
            return False
        self._addresses[address] += 1
        self._games[game] += 1
        return True

    @property
    def total(self) -> int:
        """How many are open."""
        return self._addresses.total()

    @property
    def is_full(self) -> bool:
        """Whether no more are taken."""
        return self.total >= self._total

    def leave(self, address: str, game: str) -> None:
        """Count one connection less."""
        for counter, key in ((self._addresses, address), (self._games, game)):
            counter[key] -= 1
            if counter[key] <= 0:
                del counter[key]

"""Rate limits: token buckets, and counters of what is open at the same time.

An IPv6 customer has at least 2^64 addresses, so a limit "of one address" counts a /64 network as
one; a /48, the largest that one customer usually gets, may have `WIDE` times as much.
"""

from __future__ import annotations

import functools
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Container, Iterable
from typing import Final

__all__ = [
    "WIDE",
    "Bucket",
    "Buckets",
    "ConnectionCount",
    "LiveConnectionCount",
    "Networks",
    "network",
    "networks",
]

WIDE: Final = 8
"""The limit of a /48 network, in those of a /64."""


@functools.lru_cache(4096)
def networks(address: str) -> tuple[str, ...]:
    """Return the networks that are limited for an address, the narrow one first.

    >>> networks("192.0.2.7"), networks("::ffff:192.0.2.7")
    (('192.0.2.7',), ('192.0.2.7',))
    >>> networks("2001:db8:1:2::7")
    ('2001:db8:1:2::/64', '2001:db8:1::/48')
    """
    if ":" not in address:
        return (address,)
    try:
        there = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return (address,)
    if there.ipv4_mapped is not None:
        return (str(there.ipv4_mapped),)
    narrow, wide = (ipaddress.IPv6Network((int(there), bits), strict=False) for bits in (64, 48))
    return (str(narrow), str(wide))


def network(address: str) -> str:
    """Return what counts as one address: an IPv4 address, or the /64 of an IPv6 address."""
    return networks(address)[0]


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
    """A bucket for each key, at most `size` of them; the least recently used is forgotten.

    A key is any text. Where it is an address, or ends with a blank and one, its networks have the
    buckets.
    """

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
        buckets = [self._bucket(*each) for each in _keys(key)]
        has_room = all(bucket.left() for bucket in buckets)
        if has_room:
            for bucket in buckets:
                bucket.take()
        return has_room

    def _bucket(self, key: str, times: int) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = Bucket(times * self._burst, times * self._rate, self._clock)
            self._buckets[key] = bucket
            if len(self._buckets) > self._size:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket

    def __contains__(self, key: str) -> bool:
        """Tell whether `key` has a bucket, because it has taken a token lately."""
        return _keys(key)[0][0] in self._buckets

    def left(self, key: str) -> bool:
        """Tell whether `key`'s bucket has a token, without taking it."""
        buckets = [self._buckets.get(each) for each, _ in _keys(key)]
        return all(bucket is None or bucket.left() for bucket in buckets)


def _keys(key: str) -> list[tuple[str, int]]:
    """Return the keys of the buckets that `key` takes from, each with how large they are."""
    head, blank, address = key.rpartition(" ")
    return [
        (f"{head}{blank}{each}", WIDE if number else 1)
        for number, each in enumerate(networks(address))
    ]


class _AddressCount:
    """How many of something there are: in all, and for each network."""

    def __init__(self, per_address: int) -> None:
        self._per_address: Final = per_address
        self._networks: Final[Counter[str]] = Counter()
        self.total = 0

    def has_room(self, address: str) -> bool:
        """Tell whether an address may have one more."""
        return all(
            self._networks[each] < self._per_address * (WIDE if number else 1)
            for number, each in enumerate(networks(address))
        )

    def add(self, address: str) -> None:
        """Count one more."""
        self._networks.update(networks(address))
        self.total += 1

    def remove(self, address: str) -> None:
        """Count one less."""
        self.total -= 1
        for each in networks(address):
            self._networks[each] -= 1
            if self._networks[each] <= 0:
                del self._networks[each]


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
        self._proxies: Final = proxies
        self._addresses: Final = _AddressCount(per_address)

    def enter(self, address: str) -> bool:
        """Count one connection more; False, and nothing counted, when a limit is reached."""
        full = not self._addresses.has_room(address) and address not in self._proxies
        if full or self._addresses.total >= self._total:
            return False
        self._addresses.add(address)
        return True

    def leave(self, address: str) -> None:
        """Count one connection less."""
        self._addresses.remove(address)


class LiveConnectionCount:
    """How many connections are open: in all, for each address, for each game."""

    def __init__(self, total: int, per_address: int, per_game: int) -> None:
        self._total: Final = total
        self._per_game: Final = per_game
        self._addresses: Final = _AddressCount(per_address)
        self._games: Counter[str] = Counter()

    def enter(self, address: str, game: str, *, plays: bool = False) -> bool:
        """Count one connection more; False, and nothing counted, when a limit is reached.

        The limit of a game is for those who watch.
        """
        if (
            self.is_full
            or not self._addresses.has_room(address)
            or (self._games[game] >= self._per_game and not plays)
        ):
            return False
        self._addresses.add(address)
        self._games[game] += 1
        return True

    @property
    def total(self) -> int:
        """How many are open."""
        return self._addresses.total

    @property
    def is_full(self) -> bool:
        """Whether no more are taken."""
        return self.total >= self._total

    def leave(self, address: str, game: str) -> None:
        """Count one connection less."""
        self._addresses.remove(address)
        self._games[game] -= 1
        if self._games[game] <= 0:
            del self._games[game]

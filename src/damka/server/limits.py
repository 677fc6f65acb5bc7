"""Rate limits: token buckets, and counters of open connections.

An IPv6 customer has at least 2^64 addresses, so a limit "per address" treats a /64 network as one
address. A /48 network, the largest that a customer usually gets, has `WIDE_FACTOR` times the limit.
"""

from __future__ import annotations

import functools
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Container, Iterable
from typing import Final

__all__ = [
    "WIDE_FACTOR",
    "Bucket",
    "Buckets",
    "ConnectionCount",
    "LiveConnectionCount",
    "Networks",
    "network",
    "networks",
]

WIDE_FACTOR: Final = 8
"""Ratio of the limit of a /48 network to that of a /64."""


@functools.lru_cache(4096)
def networks(address: str) -> tuple[str, ...]:
    """Return the networks whose limits apply to an address, the smaller one first.

    >>> networks("192.0.2.7"), networks("::ffff:192.0.2.7")
    (('192.0.2.7',), ('192.0.2.7',))
    >>> networks("2001:db8:1:2::7")
    ('2001:db8:1:2::/64', '2001:db8:1::/48')
    """
    if ":" not in address:
        return (address,)
    try:
        ip = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return (address,)
    if ip.ipv4_mapped is not None:
        return (str(ip.ipv4_mapped),)
    narrow, wide = (ipaddress.IPv6Network((int(ip), bits), strict=False) for bits in (64, 48))
    return (str(narrow), str(wide))


def network(address: str) -> str:
    """Return the network that counts as one address: an IPv4 address, or an IPv6 /64."""
    return networks(address)[0]


class Bucket:
    """Token bucket with a capacity of `burst`, refilled with `rate` tokens per second."""

    __slots__ = ("_burst", "_clock", "_level", "_rate", "_updated")

    def __init__(
        self, burst: int, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst: Final = float(burst)
        self._rate: Final = rate
        self._clock: Final = clock
        self._level = float(burst)
        self._updated = clock()

    def take(self) -> bool:
        """Take one token; return False if there is none."""
        if not self.has_token():
            return False
        self._level -= 1.0
        return True

    def has_token(self) -> bool:
        """Return whether there is a token, without taking it."""
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._updated) * self._rate)
        self._updated = now
        return self._level >= 1.0


class Buckets:
    """Token buckets by key, at most `size` of them; the least recently used is dropped.

    A key is any text. If it is an address, or ends with a space and an address, its buckets are
    those of the address's networks.
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
        """Take one token from `key`'s bucket; return False if there is none."""
        buckets = [self._bucket(*each) for each in _keys(key)]
        has_capacity = all(bucket.has_token() for bucket in buckets)
        if has_capacity:
            for bucket in buckets:
                bucket.take()
        return has_capacity

    def _bucket(self, key: str, factor: int) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = Bucket(factor * self._burst, factor * self._rate, self._clock)
            self._buckets[key] = bucket
            if len(self._buckets) > self._size:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket

    def __contains__(self, key: str) -> bool:
        """Return whether `key` has a bucket, which means that it took a token recently."""
        return _keys(key)[0][0] in self._buckets

    def has_token(self, key: str) -> bool:
        """Return whether `key`'s bucket has a token, without taking it."""
        buckets = [self._buckets.get(each) for each, _ in _keys(key)]
        return all(bucket is None or bucket.has_token() for bucket in buckets)


def _keys(key: str) -> list[tuple[str, int]]:
    """Return the keys of the buckets that `key` takes from, each with its size factor."""
    head, blank, address = key.rpartition(" ")
    return [
        (f"{head}{blank}{each}", WIDE_FACTOR if number else 1)
        for number, each in enumerate(networks(address))
    ]


class _AddressCount:
    """Counter of connections, in total and per network."""

    def __init__(self, per_address: int) -> None:
        self._per_address: Final = per_address
        self._networks: Final[Counter[str]] = Counter()
        self.total = 0

    def has_capacity(self, address: str) -> bool:
        """Return whether an address is below its limit."""
        return all(
            self._networks[each] < self._per_address * (WIDE_FACTOR if number else 1)
            for number, each in enumerate(networks(address))
        )

    def add(self, address: str) -> None:
        """Increment the counts of an address."""
        self._networks.update(networks(address))
        self.total += 1

    def remove(self, address: str) -> None:
        """Decrement the counts of an address."""
        self.total -= 1
        for each in networks(address):
            self._networks[each] -= 1
            if self._networks[each] <= 0:
                del self._networks[each]


class Networks(Container[str]):
    """Set of addresses given by networks, each written as an address or as "10.0.0.0/8"."""

    def __init__(self, networks: Iterable[str]) -> None:
        self._networks: Final = [ipaddress.ip_network(each) for each in networks]

    def __contains__(self, address: object) -> bool:
        """Return whether an address is in one of the networks; False for an invalid address."""
        try:
            ip = ipaddress.ip_address(str(address))
        except ValueError:
            return False
        return any(ip in network for network in self._networks)


class ConnectionCount:
    """Counter of open TCP connections: in total, and per address that is not a proxy."""

    def __init__(self, total: int, per_address: int, proxies: Container[str] = ()) -> None:
        self._total: Final = total
        self._proxies: Final = proxies
        self._addresses: Final = _AddressCount(per_address)

    def enter(self, address: str) -> bool:
        """Count a new connection; return False, without counting it, if a limit is reached."""
        is_full = not self._addresses.has_capacity(address) and address not in self._proxies
        if is_full or self._addresses.total >= self._total:
            return False
        self._addresses.add(address)
        return True

    def leave(self, address: str) -> None:
        """Remove a connection from the counts."""
        self._addresses.remove(address)


class LiveConnectionCount:
    """Counter of live connections: in total, per address and per game."""

    def __init__(self, total: int, per_address: int, per_game: int) -> None:
        self._total: Final = total
        self._per_game: Final = per_game
        self._addresses: Final = _AddressCount(per_address)
        self._games: Counter[str] = Counter()

    def enter(self, address: str, game: str, *, is_exempt: bool = False) -> bool:
        """Count a new connection; return False, without counting it, if a limit is reached.

        The limit per game does not apply to exempt connections, such as the players'.
        """
        if (
            self.is_full
            or not self._addresses.has_capacity(address)
            or (self._games[game] >= self._per_game and not is_exempt)
        ):
            return False
        self._addresses.add(address)
        self._games[game] += 1
        return True

    @property
    def total(self) -> int:
        """Number of open connections."""
        return self._addresses.total

    @property
    def is_full(self) -> bool:
        """Whether the total limit is reached."""
        return self.total >= self._total

    def leave(self, address: str, game: str) -> None:
        """Remove a connection from the counts."""
        self._addresses.remove(address)
        self._games[game] -= 1
        if self._games[game] <= 0:
            del self._games[game]

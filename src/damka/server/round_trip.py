"""What the system itself has measured of a TCP connection, which no page can hold back.

A system acknowledges a ping as soon as it arrives, whatever the program above it does with it. So
the round trip of these acknowledgements is the most that the network can have taken.
"""

from __future__ import annotations

import socket
import struct
from typing import Final, Protocol

__all__ = ["Socket", "most_milliseconds"]

_TCP_INFO: Final[int | None] = getattr(socket, "TCP_INFO", None)
"""Of Linux; other systems have none, or another."""
_RTT: Final = struct.Struct("68xI76xI")
"""tcpi_rtt, a moving average, and tcpi_min_rtt, the least of some minutes: both in microseconds, of
Linux 4.6 and later."""
_UNKNOWN: Final = 2**32 - 1

_ALLOWED: Final = 20.0
"""Milliseconds that a program may take to answer."""
_DELAYED: Final = 50.0
"""Milliseconds for which a system may keep an acknowledgement, in the hope of data to go with it.
The least round trip has none of them, the average has."""


class Socket(Protocol):
    """What is asked of a socket."""

    def getsockopt(self, level: int, optname: int, buflen: int, /) -> bytes:
        """Return an option, of at most so many bytes."""
        ...


def most_milliseconds(of: Socket | None) -> float | None:
    """Return the longest round trip that the other end may claim; None where nobody knows.

    The least one of some minutes, or the average of late, when the network has become slower.
    """
    if of is None or _TCP_INFO is None:
        return None
    try:
        info = of.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, _RTT.size)
    except OSError:
        return None
    if len(info) < _RTT.size:
        return None
    rtt: int
    least: int
    rtt, least = _RTT.unpack(info)
    if least in {0, _UNKNOWN}:
        return None
    return max(least / 1000, rtt / 1000 - _DELAYED) + _ALLOWED

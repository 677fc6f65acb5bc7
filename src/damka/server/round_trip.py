"""Round trip of a TCP connection as measured by the kernel, which a page cannot prolong.

The client's system acknowledges a ping on arrival, even if the program is busy or dishonest. So the
round trip of these acknowledgements is an upper bound of the network delay.
"""

from __future__ import annotations

import socket
import struct
from typing import Final, Protocol

__all__ = ["Socket", "most_milliseconds"]

_TCP_INFO: Final[int | None] = getattr(socket, "TCP_INFO", None)
"""Linux only; other systems lack it or define another."""
_RTT: Final = struct.Struct("68xI76xI")
"""tcpi_rtt, a moving average, and tcpi_min_rtt, in microseconds; from Linux 4.6.

The minimum covers the last few minutes.
"""
_UNKNOWN: Final = 2**32 - 1

_ALLOWED: Final = 20.0
"""Milliseconds that a program may take to answer."""
_DELAYED: Final = 50.0
"""Milliseconds by which a system may delay an acknowledgement, to combine it with data.

The average includes such delays, the minimum does not.
"""


class Socket(Protocol):
    """Socket methods used by this module."""

    def getsockopt(self, level: int, optname: int, buflen: int, /) -> bytes:
        """Return an option, of at most `buflen` bytes."""
        ...


def most_milliseconds(of: Socket | None) -> float | None:
    """Return the longest round trip that the client may claim; None if unknown.

    This is the minimum over a few minutes, or the recent average if the network has become slower.
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
    min_rtt: int
    rtt, min_rtt = _RTT.unpack(info)
    if min_rtt in {0, _UNKNOWN}:
        return None
    return max(min_rtt / 1000, rtt / 1000 - _DELAYED) + _ALLOWED

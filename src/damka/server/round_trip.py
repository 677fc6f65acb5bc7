"""Round trip of a TCP connection as measured by the kernel, which a page cannot prolong.

The client's operating system acknowledges a ping on arrival, even if the program is busy or
cheating. So the round trip of the acknowledgements limits the network delay that a client can
claim.
"""

from __future__ import annotations

import socket
import struct
from typing import Final, Protocol

__all__ = ["Socket", "max_milliseconds"]

_TCP_INFO: Final[int | None] = getattr(socket, "TCP_INFO", None)
"""Linux only; other systems do not have it, or define another one."""
_RTT: Final = struct.Struct("68xI76xI")
"""tcpi_rtt, a moving average, and tcpi_min_rtt, in microseconds; from Linux 4.6.

The minimum covers the last few minutes.
"""
_UNKNOWN: Final = 2**32 - 1

_RESPONSE_MS: Final = 20.0
"""Milliseconds that a program may take to respond."""
_DELAYED_ACK_MS: Final = 50.0
"""Milliseconds by which a system may delay an acknowledgement, to send it with data.

The average includes such delays, the minimum does not.
"""


class Socket(Protocol):
    """Socket methods used by this module."""

    def getsockopt(self, level: int, optname: int, buflen: int, /) -> bytes:
        """Return an option, of at most `buflen` bytes."""
        ...


def max_milliseconds(tcp_socket: Socket | None) -> float | None:
    """Return the longest round trip that the client may claim; None if unknown.

    This is the minimum of the last minutes, or the average if the network has become slower.
    """
    if tcp_socket is None or _TCP_INFO is None:
        return None
    try:
        info = tcp_socket.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, _RTT.size)
    except OSError:
        return None
    if len(info) < _RTT.size:
        return None
    rtt: int
    min_rtt: int
    rtt, min_rtt = _RTT.unpack(info)
    if min_rtt in {0, _UNKNOWN}:
        return None
    return max(min_rtt / 1000, rtt / 1000 - _DELAYED_ACK_MS) + _RESPONSE_MS

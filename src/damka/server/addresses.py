"""Network addresses of this machine, to show where other devices can reach it."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Final

__all__ = ["network_addresses"]

_TARGETS: Final = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "192.0.2.1")
"""One address in each private network, and one outside; no packet is sent to them."""


def network_addresses() -> list[str]:
    """Return the IPv4 addresses under which other devices may reach this machine."""
    addresses = []
    for target in _TARGETS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            # The system selects the source address of the route to the target.
            probe.connect((target, 9))
            addresses.append(str(probe.getsockname()[0]))
    with suppress(OSError):
        addresses += socket.gethostbyname_ex(socket.gethostname())[2]
    return [each for each in dict.fromkeys(addresses) if not each.startswith(("127.", "0."))]

"""A game over a network with a high latency that the kernel measures: `python -m …long_way`.

Runs in its own network namespace (`unshare --map-root-user --net`). The network is a tunnel device:
packets sent to REMOTE return to LOCAL as if from REMOTE, 150 ms later. A connection of this machine
to itself thus has a round-trip time of 300 ms, including handshake and acknowledgements. Prints a
list of the milliseconds charged per move beyond the thinking time.
"""

from __future__ import annotations

import fcntl
import json
import os
import queue
import socket
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path
from unittest import mock

from damka.server.timekeeper import Timekeeper
from tests.server.online import play, start_online_game
from tests.server.support import serving
from tests.server.test_clocks import (
    MAX_CHARGE_MS,
    MAX_MOVES,
    NO_NETWORK,
    OPENING,
    TEN_MINUTES,
    Clock,
    overcharges,
    route_through,
)

LOCAL, REMOTE = "198.18.0.1", "198.18.0.2"
_SECONDS = 0.15

# Of <linux/if_tun.h> and <linux/sockios.h>
_TUNSETIFF = 0x400454CA
_TUN, _NO_INFORMATION = 0x0001, 0x1000
_SET_FLAGS, _SET_ADDRESS, _SET_MASK = 0x8914, 0x8916, 0x891C
_UP = 0x0001


def make_network() -> int:
    """Set up the tunnel and the loopback device; return the descriptor of the far end.

    Raises OSError without the permission.
    """
    far_end = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(far_end, _TUNSETIFF, struct.pack("16sH22x", b"far", _TUN | _NO_INFORMATION))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as interface_socket:
        for request, address in ((_SET_ADDRESS, LOCAL), (_SET_MASK, "255.255.255.0")):
            interface = struct.pack(
                "16sHH4s16x", b"far", socket.AF_INET, 0, socket.inet_aton(address)
            )
            fcntl.ioctl(interface_socket, request, interface)
        for device in (b"far", b"lo"):
            fcntl.ioctl(interface_socket, _SET_FLAGS, struct.pack("16sH22x", device, _UP))
    return far_end


def delay_packets(far_end: int) -> None:
    """Return each packet after a delay, with swapped addresses; the checksums stay valid."""
    delayed: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()

    def read() -> None:
        while packet := os.read(far_end, 65536):
            if packet[0] >> 4 == 4:
                swapped = packet[:12] + packet[16:20] + packet[12:16] + packet[20:]
                delayed.put((time.monotonic() + _SECONDS, swapped))

    def write() -> None:
        while True:
            due, packet = delayed.get()
            time.sleep(max(0.0, due - time.monotonic()))
            os.write(far_end, packet)

    for target in (read, write):
        threading.Thread(target=target, daemon=True).start()


def main() -> int:
    """Play games, and print the overcharges."""
    try:
        far_end = make_network()
    except OSError as error:
        print(error, file=sys.stderr)
        return NO_NETWORK
    delay_packets(far_end)
    clock = Clock()
    with (
        mock.patch.object(Timekeeper, "now", staticmethod(clock.now)),
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), address=LOCAL, hosts=(LOCAL, REMOTE)) as server,
        server.browser() as browser,
        server.browser() as guest,
    ):
        route_through(browser, server.host.replace(LOCAL, REMOTE))
        costs: list[float] = []
        # A busy machine delays moves: continue until one has passed undelayed.
        while not costs or (min(costs) > MAX_CHARGE_MS and len(costs) < MAX_MOVES):
            first, second = start_online_game(browser, guest, clock=TEN_MINUTES)
            play(first, second, OPENING)
            time.sleep(0.8)
            costs += overcharges(clock, first, second, 0.2, 3)
        print(json.dumps(costs))
    return 0


if __name__ == "__main__":
    sys.exit(main())

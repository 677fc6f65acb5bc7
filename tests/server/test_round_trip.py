"""The operating system's statistics of a connection."""

from __future__ import annotations

import socket
import struct
import sys

import pytest

from damka.server.round_trip import max_milliseconds


class FakeSocket:
    """A socket stub with given statistics."""

    def __init__(self, rtt: int, minimum: int, size: int = 152) -> None:
        self._info = bytes(68) + struct.pack("=I", rtt) + bytes(76) + struct.pack("=I", minimum)
        self._size = size

    def getsockopt(self, level: int, optname: int, buflen: int, /) -> bytes:
        return self._info[: min(self._size, buflen)]


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="TCP_INFO of Linux")


@linux_only
@pytest.mark.parametrize(
    ("fake_socket", "expected"),
    [
        (FakeSocket(80_000, 70_000), 90),
        (FakeSocket(118_000, 70_000), 90),  # delayed acknowledgements
        (FakeSocket(300_000, 70_000), 270),  # increased latency
        (FakeSocket(300_000, 0), None),
        (FakeSocket(300_000, 2**32 - 1), None),
        (FakeSocket(300_000, 70_000, 104), None),  # from an older system
    ],
)
def test_the_maximum_round_trip_time(fake_socket: FakeSocket, expected: float | None) -> None:
    assert max_milliseconds(fake_socket) == expected


@linux_only
def test_a_loopback_connection_has_a_short_round_trip() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as client,
        listener.accept()[0] as server,
    ):
        client.sendall(b"x")
        assert server.recv(1) == b"x"
        expected = max_milliseconds(client)
    assert expected is not None
    assert 20 < expected < 30


def test_other_sockets_have_no_round_trip() -> None:
    assert max_milliseconds(None) is None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        assert max_milliseconds(udp) is None

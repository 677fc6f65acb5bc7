"""The operating system's statistics of a connection."""

from __future__ import annotations

import socket
import struct
import sys

import pytest

from damka.server.round_trip import most_milliseconds


class FakeSocket:
    """A socket stub with these statistics."""

    def __init__(self, rtt: int, least: int, size: int = 152) -> None:
        self._info = bytes(68) + struct.pack("=I", rtt) + bytes(76) + struct.pack("=I", least)
        self._size = size

    def getsockopt(self, level: int, optname: int, buflen: int, /) -> bytes:
        return self._info[: min(self._size, buflen)]


linux = pytest.mark.skipif(sys.platform != "linux", reason="TCP_INFO of Linux")


@linux
@pytest.mark.parametrize(
    ("fake_socket", "most"),
    [
        (FakeSocket(80_000, 70_000), 90),
        (FakeSocket(118_000, 70_000), 90),  # delayed acknowledgements
        (FakeSocket(300_000, 70_000), 270),  # increased latency
        (FakeSocket(300_000, 0), None),
        (FakeSocket(300_000, 2**32 - 1), None),
        (FakeSocket(300_000, 70_000, 104), None),  # from an older system
    ],
)
def test_how_long_a_round_trip_may_be(fake_socket: FakeSocket, most: float | None) -> None:
    assert most_milliseconds(fake_socket) == most


@linux
def test_a_connection_of_this_machine_is_quick() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as here,
        listener.accept()[0] as there,
    ):
        here.sendall(b"x")
        assert there.recv(1) == b"x"
        most = most_milliseconds(here)
    assert most is not None
    assert 20 < most < 30


def test_other_sockets_have_no_round_trip() -> None:
    assert most_milliseconds(None) is None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        assert most_milliseconds(datagrams) is None

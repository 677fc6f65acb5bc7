"""Connection limits: request timeout, number per address, rate of frames."""

from __future__ import annotations

import logging
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Opcode

from damka.server.limits import ConnectionCount
from damka.server.protocols import WebSocketProtocol
from damka.server.settings import Limits
from tests.server.events.support import wait_for
from tests.server.support import Browser, Live, Server, serving
from tests.slowness import slowness

SHORT_TIMEOUTS = Limits(header_seconds=0.3, body_seconds=0.5)


@contextmanager
def connected(server: Server, sent: bytes = b"") -> Iterator[socket.socket]:
    host, _, port = server.host.partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(sent)
        yield connection


def read_all(connection: socket.socket) -> bytes:
    """Return all bytes from the server until it closes the connection."""
    received = b""
    while data := connection.recv(4096):
        received += data
    return received


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n",
        b"POST /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\n{",
    ],
)
def test_an_incomplete_request_times_out(tmp_path: Path, sent: bytes) -> None:
    with serving(tmp_path, limits=SHORT_TIMEOUTS) as server, connected(server, sent) as connection:
        assert read_all(connection).startswith(b"HTTP/1.1 408 ")


def test_a_slow_body_times_out(tmp_path: Path) -> None:
    head = b"POST /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\n"
    with serving(tmp_path, limits=SHORT_TIMEOUTS) as server, connected(server, head) as connection:
        start = time.monotonic()
        with suppress(OSError):
            while time.monotonic() < start + 10:
                connection.sendall(b" ")
                time.sleep(0.05)
        assert time.monotonic() - start < 5


def test_consecutive_requests_do_not_time_out(tmp_path: Path) -> None:
    request = b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
    slow = slowness()
    limits = Limits(header_seconds=0.3 * slow, body_seconds=0.5 * slow)
    with serving(tmp_path, limits=limits) as server, connected(server) as connection:
        for _ in range(4):
            connection.sendall(request)
            received = b""
            while not received.endswith(b"}"):
                received += connection.recv(65536) or b"?}"
            assert received.startswith(b"HTTP/1.1 200 ")
            time.sleep(0.2 * slow)


def test_a_live_connection_has_no_deadline(tmp_path: Path) -> None:
    with serving(tmp_path, limits=SHORT_TIMEOUTS) as server, server.browser() as browser:
        live = browser.live(browser.new_game())
        live.state()
        time.sleep(1)
        assert live.play("22-18")["ply"] == 1


def test_connections_per_address_are_limited(tmp_path: Path) -> None:
    limits = Limits(sockets_per_address=2)
    with serving(tmp_path, limits=limits, proxies=()) as server, connected(server) as first:
        with connected(server), connected(server) as third:
            assert read_all(third).startswith(b"HTTP/1.1 429 ")
        first.close()
        wait_for(lambda: server.protocols, lambda protocols: not protocols)
        with server.browser() as browser:
            live = browser.live(browser.new_game())
            live.state()


def test_a_live_connection_is_counted_until_its_end(tmp_path: Path) -> None:
    limits = Limits(sockets_per_address=3)
    with serving(tmp_path, limits=limits, proxies=()) as server, server.browser() as browser:
        game = browser.new_game()
        for _ in range(6):
            live = browser.live(game)
            live.state()
            live.close()
            # The connection of the requests stays open.
            wait_for(lambda: server.protocols, lambda protocols: len(protocols) == 1)


def test_connections_are_counted_per_address_and_in_total() -> None:
    count = ConnectionCount(4, 2, proxies=("proxy",))
    assert [count.enter(a) for a in ("a", "a", "a", "proxy", "proxy", "proxy")] == [
        *(True, True, False),
        *(True, True, False),
    ]
    count.leave("a")
    assert [count.enter("proxy"), count.enter("b")] == [True, False]


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    """Return a frame as a browser sends it, masked with zeros."""
    return struct.pack("!BB4x", (0x80 if fin else 0) | opcode, 0x80 | len(data)) + data


FLOODS = {
    "pings": frame(Opcode.PING) * 50_000,
    "pongs": frame(Opcode.PONG) * 50_000,
    "fragments": frame(Opcode.TEXT, fin=False) + frame(Opcode.CONT, fin=False) * 50_000,
    "messages": frame(Opcode.TEXT, b'{"t":"ping"}') * 20_000,
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_of_frames_closes_only_its_own_connection(tmp_path: Path, flood: str) -> None:
    with serving(tmp_path, limits=Limits()) as server, server.browser() as browser:
        other = browser.live(browser.new_game())
        other.state()
        live = browser.live(browser.new_game())
        live.state()
        sender = threading.Thread(target=send_raw, args=(live, FLOODS[flood]))
        sender.start()
        assert live.closed_with() in {1008, 1006}
        sender.join()
        other.play("22-18")


def send_raw(live: Live, data: bytes) -> None:
    with suppress(OSError):
        live.connection.socket.sendall(data)


def test_a_closed_connection_has_no_round_trip(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(tmp_path) as server, server.browser() as browser:
        browser.live(browser.new_game()).state()
        protocol = next(each for each in server.protocols if isinstance(each, WebSocketProtocol))
        measured = threading.Event()

        def measure() -> None:
            protocol.measure(lambda _: None)
            measured.set()

        protocol.loop.call_soon_threadsafe(protocol.transport.abort)
        protocol.loop.call_soon_threadsafe(protocol.loop.call_later, 0.1, measure)
        assert measured.wait(5), caplog.text


def test_a_few_pings_are_answered(browser: Browser) -> None:
    live = browser.live(browser.new_game())
    live.state()
    for _ in range(5):
        assert live.connection.ping().wait(10)


def test_invalid_utf8_closes_the_connection_without_a_server_error(
    browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    live = browser.live(browser.new_game())
    live.state()
    send_raw(live, frame(Opcode.TEXT, b"\xff\xfe"))
    assert live.closed_with() == 1007
    assert not [record for record in caplog.records if record.exc_info]


def test_a_client_that_disconnects_during_a_body_causes_no_server_error(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    sent = (
        b"POST /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: http://127.0.0.1\r\n"
        b"content-length: 100\r\n\r\n{"
    )
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            with connected(server, sent):
                time.sleep(0.05)
        time.sleep(0.3)
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("path", ["x%0d%0aINFO:%20all%20is%20well", "%00" * 22, "x" * 5000])
def test_an_invalid_game_id_is_not_looked_up(
    server: Server, browser: Browser, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    with suppress(ConnectionClosed):
        assert browser.live(path).closed_with() == 4404
    assert not [record for record in caplog.records if "all is well" in record.getMessage()]

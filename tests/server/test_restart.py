"""No move is lost by a reload, a restart, or SIGKILL in the middle of a game."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from damka.server import PortError, run
from damka.server.serving import listen
from tests.server.support import Browser, Live
from tests.services import ServerProcess


@contextmanager
def process(database: Path, port: int = 0) -> Iterator[ServerProcess]:
    """Start a server in a separate process with the default limits, and wait until it is ready."""
    with closing(ServerProcess(f"sqlite:///{database}", port=port, limits={})) as running:
        assert running.url
        yield running


def start_thinking(browser: Browser) -> Live:
    """Start a game in which the computer thinks."""
    live = browser.live(browser.new_game(opponent="computer", level=10))
    live.state()
    assert live.play("22-18")["thinking"]
    return live


def stop_during_search(
    server: ServerProcess, browser: Browser, signal_sent: signal.Signals
) -> None:
    """Stop a server while the computer thinks; it closes its connections."""
    live = start_thinking(browser)
    code, errors = server.end(signal_sent)
    assert live.closed_with() == 1012, "the page reconnects later"
    assert errors == ""
    assert code in {0, -signal_sent}


def test_no_move_is_lost_however_the_server_ends(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    with process(database) as first, Browser(first.url) as browser:
        people = browser.live(browser.new_game())
        people.state()
        for move in ("22-18", "11-15"):
            people.play(move)
        people.send("draw")
        people.version(3)
        computer = browser.live(browser.new_game(opponent="computer", level=1))
        computer.state()
        computer.play("22-18")
        computer.state(lambda state: state["ply"] == 2)
        slow = start_thinking(browser)
        code, errors = first.end(signal.SIGKILL)
        assert (code, errors) == (-signal.SIGKILL, "")

        with process(database, first.port) as second:
            for before in (people, computer):
                after = browser.live(before.current["id"])
                assert after.state() == before.current
            reconnected = browser.live(people.current["id"])
            reconnected.state()
            reconnected.send("draw_answer", ok=False)
            reconnected.version(4)
            assert reconnected.play("18x11x15")["ply"] == 3
            # The computer thinks again.
            browser.live(slow.current["id"]).state(lambda state: state["ply"] == 2)
            stop_during_search(second, browser, signal.SIGTERM)
        with process(database, first.port) as third:
            assert browser.live(people.current["id"]).state()["ply"] == 3
            stop_during_search(third, browser, signal.SIGINT)


def test_a_busy_port_is_replaced_by_the_next_one(tmp_path: Path) -> None:
    printed: list[str] = []
    with listen("127.0.0.1", 0, printed.append) as busy:
        port = busy.getsockname()[1]
        with listen("127.0.0.1", port, printed.append) as other:
            used = other.getsockname()[1]
    assert used > port
    assert printed == [f"Port {port} is taken; using {used} instead."]


def test_many_connections_can_wait_to_be_accepted() -> None:
    """After a restart all players reconnect at once."""
    with listen("127.0.0.1", 0) as listener, ExitStack() as stack:
        waiting = [stack.enter_context(socket.socket()) for _ in range(500)]
        for each in waiting:
            each.settimeout(0.9)
            each.connect(listener.getsockname())


def test_an_unusable_address_is_an_error(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    with pytest.raises(PortError, match=r"cannot listen on 192\.0\.2\.1 port 8077"):
        run(host="192.0.2.1", database_url=database, open_browser=False)
    with pytest.raises(PortError, match="cannot listen on no such host"):
        run(host="no such host", database_url=database, open_browser=False)

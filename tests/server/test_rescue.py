"""The database fails or is lost: no time is charged, and the health check detects it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from damka.server.store import FileWatch, Store
from tests.server.online import BLITZ, play, start_online_game
from tests.server.support import Browser, Server, serving
from tests.server.test_store_failures import break_store

OPENING = "22-18 11-15"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


def test_clocks_stop_while_the_store_fails(
    browser: Browser, stranger: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = start_online_game(browser, stranger, clock={**BLITZ, "seconds": 60})
    start = time.monotonic()
    play(first, second, OPENING)
    repair = break_store(server.app.state.damka.store, monkeypatch, "append", "check")
    assert (
        first.request("move", ply=2, move=first.current["legal"][0]["hub"])["code"] == "store_fails"
    )
    assert second.receive("error")["code"] == "store_fails"
    # The warning comes before the reply, and the state without the move between them.
    assert first.receive("error")["code"] == "store_fails"
    second.send("ping")
    second.receive("pong")
    time.sleep(1.5)
    repair()
    # The server checks for recovery even without a move.
    state = second.state()
    elapsed = 1000 * (time.monotonic() - start)
    assert elapsed > 1500
    assert 60_000 - state["clock"]["left"]["W"] < elapsed - 1000


def test_a_file_watch_detects_damage_and_deletion(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    store = Store(f"sqlite:///{path}")
    try:
        watch = FileWatch(path)
        assert watch.fault(["none"]) is None
        path.write_bytes(b"nonsense" * 100)
        assert "no longer a database" in str(watch.fault([]))
        path.unlink()
        assert "was deleted" in str(watch.fault([]))
        watch.close()
    finally:
        store.close()


def test_a_file_watch_can_be_closed_during_a_read(tmp_path: Path) -> None:
    """This happens on shutdown. Without waiting for the read, the process would crash."""
    path = tmp_path / "games.sqlite3"
    Store(f"sqlite:///{path}").close()
    games = [str(number) for number in range(1000)]
    for delay in range(20):
        watch = FileWatch(path)
        reading = threading.Thread(target=watch.fault, args=(games,))
        reading.start()
        time.sleep(delay / 4000)
        watch.close()
        reading.join()
        assert watch.fault(games) is None, "no fault is reported"
        watch.release()

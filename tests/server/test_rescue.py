"""The database fails or is lost: no time is charged, and the health check detects it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from damka.server.store import FileWatch, Store
from tests.server.online import BLITZ, play, two
from tests.server.support import Browser, Server, serving
from tests.server.test_store_failures import failing

OPENING = "22-18 11-15"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


def test_no_clock_runs_while_nothing_can_be_stored(
    browser: Browser, stranger: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two(browser, stranger, clock={**BLITZ, "seconds": 60})
    play(first, second, OPENING)
    repair = failing(server.app.state.damka.store, monkeypatch, "append", "check")
    began = time.monotonic()
    assert first.ask("move", ply=2, move=first.now["legal"][0]["hub"])["code"] == "store_fails"
    assert second.receive("error")["code"] == "store_fails"
    time.sleep(1.5)
    repair()
    # Without a move: the server itself checks for recovery.
    state = second.state()
    took = 1000 * (time.monotonic() - began)
    assert took > 1500
    assert 60_000 - state["clock"]["left"]["W"] < took - 1000


def test_a_watch_detects_faults(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    store = Store(f"sqlite:///{path}")
    try:
        watch = FileWatch(path)
        assert watch.fault(["none"]) is None
        path.write_bytes(b"nonsense" * 100)
        assert "no database any more" in str(watch.fault([]))
        path.unlink()
        assert "was deleted" in str(watch.fault([]))
        watch.close()
    finally:
        store.close()


def test_a_watch_is_closed_while_it_reads(tmp_path: Path) -> None:
    """As on a server's shutdown; without waiting, the process would crash with SIGSEGV."""
    path = tmp_path / "games.sqlite3"
    Store(f"sqlite:///{path}").close()
    games = [str(number) for number in range(1000)]
    for wait in range(20):
        watch = FileWatch(path)
        reading = threading.Thread(target=watch.fault, args=(games,))
        reading.start()
        time.sleep(wait / 4000)
        watch.close()
        reading.join()
        assert watch.fault(games) is None, "nothing is wrong with the file"
        watch.release()

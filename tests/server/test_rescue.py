"""The database is lost or fails: nothing is acknowledged, games are saved, no time is charged."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from damka.game import Game
from damka.live.events import Moved
from damka.server.store import FileWatch, Store, restore
from tests.server.online import BLITZ, play, two
from tests.server.support import Browser, Json, Live, Server, serving
from tests.server.test_store_failures import failing

OPENING = "22-18 11-15"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


def lost(browser: Browser, live: Live) -> Json:
    """Wait until the server has noticed, and return what its health check answers."""
    # Without a move: nobody has to find out.
    assert live.receive("error")["code"] == "store_fails"
    assert live.receive("error")["code"] == "store_lost"
    for path in ("/readyz", "/healthz"):
        answer = browser.http.get(path)
        assert (answer.status_code, answer.json()["error"]) == (503, "store_lost")
    assert live.ask("move", ply=live.now["ply"], move="23-20")["code"] == "store_lost"
    told: Json = answer.json()
    return told


def rescued(folder: Path) -> Path:
    (found,) = folder.glob("games.sqlite3.rescue-*")
    return found


def overwrite(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))


@pytest.mark.parametrize("how", ["deleted", "replaced", "damaged"])
def test_running_games_are_saved_when_the_database_is_lost(
    browser: Browser, stranger: Browser, server: Server, tmp_path: Path, how: str
) -> None:
    first, second = two(browser, stranger, clock=BLITZ)
    play(first, second, OPENING)
    path = tmp_path / "games.sqlite3"
    if how == "damaged":
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        overwrite(path)
    else:
        path.unlink()
        if how == "replaced":
            path.write_bytes(b"something else")
    told = lost(browser, first)
    folder = rescued(tmp_path)
    assert folder.name in told["detail"]
    assert str(tmp_path) not in told["detail"]
    text = (folder / f"{first.now['id']}.json").read_text()
    assert [str(ply) for ply in Game.from_json(text).history] == OPENING.split()
    assert (folder / "games.sqlite3").exists() is (how != "damaged")
    with serving(tmp_path / "another") as other, other.browser() as again:
        live = again.live(again.load_game(text))
        assert [entry["text"] for entry in live.state()["history"]] == OPENING.split()
    if how == "deleted":
        restored = tmp_path / "restored" / "games.sqlite3"
        restored.parent.mkdir()
        restore(f"sqlite:///{restored}", folder / "games.sqlite3", lambda *_: None)
        store = Store(f"sqlite:///{restored}")
        kept = store.load(first.now["id"])
        store.close()
        assert kept is not None
        assert kept.events[-1] == Moved("B", "11-15")


def test_the_time_in_which_nothing_can_be_stored_is_nobodys(
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
    # Without a move: the server tries by itself whether it works again.
    state = second.state()
    took = 1000 * (time.monotonic() - began)
    assert took > 1500
    assert 60_000 - state["clock"]["left"]["W"] < took - 1000


def test_a_watch_sees_what_is_wrong(tmp_path: Path) -> None:
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
    """As when a server stops; without waiting, the process ends by SIGSEGV."""
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

"""A store that cannot write reports it immediately; reads do not wait for writes."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from damka.live import events
from damka.live.stored_game import Seat
from damka.server.store import Store, StoreError, lock
from tests.server.support import Server, serving
from tests.slowness import slowness

SEATS = (
    Seat("W", "person", player=1, holder="h" * 64),
    Seat("B", "person", player=2, holder="h" * 64),
)
MOVE = events.Moved("W", "22-18")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{path}")
    store.create("one", {}, SEATS)
    yield store
    store.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


def test_a_check_writes_a_row(store: Store, path: Path) -> None:
    for _ in range(2):
        store.check()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM health").fetchone() == (1,)
    connection.close()


def test_a_full_disk_is_reported(store: Store) -> None:
    with store._engine.begin() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    big = "x" * 100_000
    with pytest.raises(StoreError, match="full"):
        store.create("two", {}, SEATS, base=big)


@pytest.mark.parametrize("replace", [False, True])
def test_writes_fail_when_the_file_was_deleted_or_replaced(
    store: Store, path: Path, tmp_path: Path, replace: bool
) -> None:
    store.append("one", 0, MOVE)
    copy = shutil.copy(path, tmp_path / "copy")
    path.unlink()
    if replace:
        Path(copy).rename(path)
    for _ in range(2):
        with pytest.raises(StoreError, match="deleted or replaced"):
            store.append("one", 1, MOVE)
    with pytest.raises(StoreError, match="deleted or replaced"):
        store.check()


def test_writes_fail_after_damage_is_detected(store: Store, path: Path) -> None:
    for seq in range(50):
        store.append("one", seq, MOVE)
    store._engine.dispose()
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (path.stat().st_size - 4096))
    with pytest.raises(StoreError):
        store.load("one")
    with pytest.raises(StoreError):
        store.append("one", 50, MOVE)
    with pytest.raises(StoreError):
        store.check()


def test_a_second_server_is_refused_while_the_first_runs(path: Path) -> None:
    # Import only this module: the server's other imports would take seconds.
    program = (
        "import pathlib, runpy, sys; module, path = map(pathlib.Path, sys.argv[1:]); "
        "first = runpy.run_path(str(module))['FileLock'](path); print('open', flush=True); input()"
    )
    url = f"sqlite:///{path}"
    Store(url).close()
    with subprocess.Popen(
        [sys.executable, "-c", program, str(lock.__file__), str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"open\n"
        with pytest.raises(StoreError, match="another server is using it"):
            Store(url)
        first.kill()
    Store(url).close()


def test_a_second_store_in_the_process_is_refused(store: Store, path: Path) -> None:
    with pytest.raises(StoreError, match="another server is using it"):
        Store(f"sqlite:///{path}")
    store.append("one", 0, MOVE)


def test_a_locked_file_blocks_only_writing(server: Server, tmp_path: Path) -> None:
    with server.browser() as browser:
        game = browser.new_game()
        other = sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        slow = slowness()
        try:
            start = time.monotonic()
            assert browser.http.get("/livez").status_code == 200
            assert browser.http.get(f"/game/{game}").status_code == 200
            assert (time.monotonic() - start) / slow < 2
            assert browser.http.get("/readyz").status_code == 503
            assert browser.http.get(f"/game/{game}").status_code == 200
            assert (time.monotonic() - start) / slow < 4.5
        finally:
            other.close()


def test_a_server_without_its_file_is_live_but_not_ready(server: Server, tmp_path: Path) -> None:
    with server.browser() as browser:
        live = browser.live(browser.new_game())
        live.state()
        for path in ("/livez", "/readyz", "/healthz"):
            assert browser.http.get(path).json()["status"] == "ok"
        (tmp_path / "games.sqlite3").unlink()
        assert live.request("move", ply=0, move="22-18")["code"].startswith("store_")
        assert browser.http.get("/livez").status_code == 200
        for path in ("/readyz", "/healthz"):
            assert browser.http.get(path).status_code == 503

"""The store in PostgreSQL: storage, concurrent processes, restarts and backups."""

from __future__ import annotations

import dataclasses
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, create_engine, text

from damka.live import events
from damka.live.stored_game import EntryTime
from damka.rules import Side
from damka.server.analysis import rows
from damka.server.store import (
    Append,
    ConflictError,
    SeatChange,
    Store,
    StoreError,
    Writer,
    backup,
    connect,
    processes,
    restore,
)
from damka.server.store.models import Base
from damka.server.store.postgresql import parse
from damka.server.store.processes import ProcessRecord
from tests.server.test_lesson_stars import keep_the_better
from tests.server.test_store import BLITZ, LOG, OPEN, SEATS
from tests.server.test_studies import keep_apart
from tests.services import PostgreSql


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url)
    yield store
    store.close()


def test_studies_are_stored_apart(store: Store) -> None:
    keep_apart(store)


def test_the_better_stars_of_lessons_are_kept(store: Store) -> None:
    keep_the_better(store)


def test_a_game_survives_a_restart(store: Store, url: str) -> None:
    store.create("one", {"name": "dama64"}, SEATS, base="{}", lot="B")
    for seq, event in enumerate(LOG):
        store.append("one", seq, event)
    store.check()
    store.check()
    reopened = Store(url)
    game = reopened.load("one")
    reopened.close()
    assert game is not None
    assert (game.events, game.seats, game.lot) == (LOG, SEATS, "B")
    assert game.updated.tzinfo is not None
    assert store.count() == 1


def test_entries_codes_seats_and_rematches_are_unique(store: Store) -> None:
    store.create("one", {}, OPEN, clock=BLITZ, code="BKRT")
    petra, boris = (dataclasses.replace(OPEN[1], holder=h * 64, name=h) for h in "pb")
    time = EntryTime(datetime.now(UTC), 300_000, 300_000, 0)
    with pytest.raises(ConflictError):
        store.create("two", {}, OPEN, code="BKRT")
    store.append("one", 0, events.Joined("B", "p"), time=time, seat=SeatChange(petra, None))
    for seq in (0, 1):
        with pytest.raises(ConflictError):
            store.append("one", seq, events.Joined("B", "b"), seat=SeatChange(boris, None))
    assert store.with_clocks() == ["one"]
    store.append("one", 1, events.Resigned("W"), result=("B", "resignation"))
    store.create("two", {}, SEATS, previous="one")
    with pytest.raises(ConflictError):
        store.create("three", {}, SEATS, previous="one")
    with pytest.raises(ConflictError):
        store.append("nowhere", 0, LOG[0])
    game = store.load("one")
    assert game is not None
    assert (game.times[0], game.clock, game.next) == (time, BLITZ, "two")


def test_concurrent_writers_conflict(store: Store, url: str) -> None:
    other = Store(url)
    store.create("one", {}, SEATS)
    barrier = threading.Barrier(2, timeout=10)

    def write(writer: Store, side: Side) -> int:
        count = 0
        for seq in range(40):
            barrier.wait()
            try:
                writer.append("one", seq, events.UndoOffered(side))
            except ConflictError:
                continue
            count += 1
        return count

    with ThreadPoolExecutor(2) as threads:
        counts = [each.result() for each in [threads.submit(write, s, "W") for s in (store, other)]]
    other.close()
    assert sum(counts) == 40, counts
    game = store.load("one")
    assert game is not None
    assert len(game.events) == 40


def test_the_models_match_the_database(url: str) -> None:
    # A connection without the server's timeouts: the comparison pauses between statements.
    database = create_engine(parse(url))
    for _ in range(2):
        Store(url).close()
    with database.begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        connection.execute(text("UPDATE alembic_version SET version_num = '0009'"))
    with pytest.raises(StoreError, match=r"0009 is too old .* commit b68d508 .* `damka serve"):
        Store(url)
    database.dispose()


def test_transactions_are_serialized(store: Store, url: str) -> None:
    """Two processes count rows and then insert one, in one transaction each."""
    other = Store(url)
    writers = [Writer(store), Writer(other)]
    for name in "ab":
        store.create(name, {}, SEATS)

    def count_and_write(target: Store) -> None:
        with target.transaction() as connection:
            count = connection.execute(text("SELECT count(*) FROM events")).scalar_one()
            parameters = {"game": "a", "seq": count}
            connection.execute(
                text(
                    "INSERT INTO events (game_id, seq, kind, payload, at) "
                    "VALUES (:game, :seq, 'undo', '{}', now())"
                ),
                parameters,
            )

    futures = [writer.run(count_and_write) for _ in range(20) for writer in writers]
    for each in futures:
        each.result(20)
    for writer in writers:
        writer.close()
    other.close()


def test_the_store_recovers_from_a_database_restart(postgresql: PostgreSql, store: Store) -> None:
    store.create("one", {}, SEATS)
    postgresql.end(signal.SIGINT)
    with pytest.raises(StoreError, match="the database failed"):
        store.append("one", 0, LOG[0])
    entry = Append("one", 0, LOG[0])
    errors = store.append_all([entry, Append("one", 1, LOG[1])])
    assert [type(error) for error in errors] == [StoreError, StoreError]
    postgresql.start()
    assert store.append_all([entry]) == [None]
    game = store.load("one")
    assert game is not None
    assert game.events == LOG[:1]


def test_connecting_creates_the_tables(url: str) -> None:
    with connect(url) as database:
        assert isinstance(database, Engine)
        with database.connect() as connection:
            assert connection.execute(text("SELECT count(*) FROM accounts")).scalar_one() == 0


def test_a_backup_can_be_restored(
    store: Store, postgresql: PostgreSql, url: str, tmp_path: Path
) -> None:
    store.create("one", {}, SEATS)
    store.append("one", 0, LOG[0])
    copy = tmp_path / "damka.dump"
    backup(url, copy, lambda *_: None)
    assert copy.stat().st_mode & 0o077 == 0
    with pytest.raises(FileExistsError):
        backup(url, copy, lambda *_: None)
    with pytest.raises(StoreError, match="pg_restore --clean --if-exists"):
        restore(url, copy, lambda *_: None)
    target = postgresql.new_database()
    options = ["--clean", "--if-exists", "--single-transaction", "--no-owner"]
    subprocess.run(["pg_restore", *options, f"--dbname={target}", copy], check=True)
    reopened = Store(target)
    game = reopened.load("one")
    reopened.close()
    assert game is not None
    assert game.events == LOG[:1]
    with pytest.raises(StoreError, match=r"cannot copy.*nowhere"):
        backup(postgresql.url("nowhere"), tmp_path / "other", lambda *_: None)
    assert list(tmp_path.iterdir()) == [copy]


def test_a_restored_copy_charges_turns_until_the_backup(
    store: Store, postgresql: PostgreSql, url: str, tmp_path: Path
) -> None:
    """The new owner charges a turn until the last heartbeat in the backup."""
    heartbeat = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
    store.create("one", {}, SEATS, clock=BLITZ)
    with store.transaction() as connection:
        processes.register(connection, ProcessRecord("a", 1, "host:1", "s", heartbeat, False))
        processes.take(connection, "one", "a")
    copy = tmp_path / "damka.dump"
    backup(url, copy, lambda *_: None)
    with store.transaction() as connection:
        processes.end(connection, "a", heartbeat + timedelta(hours=5))
    target = postgresql.new_database()
    subprocess.run(["pg_restore", "--no-owner", f"--dbname={target}", copy], check=True)
    reopened = Store(target)
    with reopened.transaction() as connection:
        (all_processes,) = processes.all_processes(connection)
        assert processes.declare_ended(connection, all_processes)
        assert processes.take_clocks(connection, "b", 10) == [("one", heartbeat)]
    reopened.close()


def test_a_missing_driver_is_reported_with_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r'pip install "damka\[cluster\]"'):
        Store("postgresql://damka:secret@127.0.0.1:1/games")


def test_an_unreachable_database_is_an_error() -> None:
    with pytest.raises(StoreError, match="cannot be used") as error:
        Store("postgres://damka:secret@127.0.0.1:1/games")
    assert "secret" not in str(error.value)


def test_analyses_and_budgets_are_shared_by_processes(store: Store, url: str) -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    other, capacities = Store(url), {"a": 10**12, "b": 10**12}

    def charge(process: Store) -> None:
        for _ in range(20):
            with process.writing(), process.transaction() as connection:
                rows.charge(connection, {"a": 5, "b": 7}, capacities, now)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(charge, (store, other)))
    with store.writing(), store.transaction() as connection:
        result = rows.StoredAnalysis(5000, b"{}")
        for number in range(4):
            later = now + timedelta(seconds=number)
            rows.store_analysis(connection, f"key{number}", result, later, limit=2)
        rows.store_review(connection, "review", "one", b"\x00\xff", now, limit=2)
    with other.transaction() as connection:
        assert rows.used(connection, capacities, now) == {"a": 200, "b": 280}
        assert rows.used(connection, capacities, now + timedelta(hours=25))["a"] == 0
        found = [rows.analysis(connection, f"key{number}") for number in range(4)]
        assert found == [None, None, result, result]
        assert rows.review(connection, "review") == b"\x00\xff"
    other.close()

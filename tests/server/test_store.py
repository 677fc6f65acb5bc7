"""The store: events are stored once and in order, and survive a restart."""

from __future__ import annotations

import dataclasses
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, create_mock_engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from damka.errors import DamkaError
from damka.live import events
from damka.live.clock import ClockSettings
from damka.live.stored_game import EntryTime, Seat
from damka.server.store import (
    Append,
    ConflictError,
    SeatChange,
    Store,
    StoreError,
    connect,
    migrate,
    restore,
)
from damka.server.store.migrate import upgrade
from damka.server.store.models import Base

OLD_DATABASE = Path(__file__).parents[1] / "data" / "database" / "games.sqlite3"
SEATS = (
    Seat("B", "person", player=1, holder="h" * 64),
    Seat("W", "computer", player=2, level=4),
)
LOG: tuple[events.Event, ...] = (
    events.Moved("W", "22-18"),
    events.Moved("B", "9x25x13x22", crowns=True),
    events.Huffed("W", 23),
    events.Undone("B", 2),
    events.UndoOffered("W"),
    events.UndoDeclined("B"),
    events.DrawOffered("W"),
    events.DrawDeclined("B"),
    events.DrawAccepted("B"),
    events.Resigned("W"),
    events.Joined("B", "Petra"),
    events.Joined("B", level=3),
    events.SideFreed("B"),
    events.TimeGiven("W", 15),
    events.ClockResumed("W"),
    events.Flagged("W", drawn=True),
    events.Abandoned("B"),
    events.Aborted("W"),
    events.RematchOffered("W"),
    events.RematchDeclined("B"),
    events.Reseated("W"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "games.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{path}")
    yield store
    store.close()


def test_a_multi_row_insert_equals_single_inserts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 11, 25, 10, 30, 0, 250_000, tzinfo=UTC)
    contents = []
    for multi_row in (True, False):
        monkeypatch.setattr("damka.server.store.store.HAS_UPDATE_FROM", multi_row)
        path = tmp_path / f"{multi_row}.sqlite3"
        store = Store(f"sqlite:///{path}")
        for game in ("one", "two"):
            store.create(game, {"name": "dama64"}, SEATS)
        entries = [
            Append(game, seq, event, ("W", "resignation") if seq == 9 else None, time)
            for game, time in (("one", EntryTime(now, 60_000, 59_000, 12)), ("two", EntryTime(now)))
            for seq, event in enumerate(LOG[:10])
        ]
        assert store.append_all(entries) == [None] * len(entries)
        assert isinstance(store.append_all([entries[0], entries[1]])[0], ConflictError)
        assert isinstance(store.append_all([Append("none", 0, LOG[0])])[0], ConflictError)
        store.close()
        with closing(sqlite3.connect(path)) as connection:
            rows = connection.execute("SELECT * FROM events ORDER BY game_id, seq").fetchall()
            games = connection.execute("SELECT id, updated, winner, reason FROM games ORDER BY id")
            contents.append((rows, games.fetchall()))
    assert contents[0] == contents[1]
    assert len(contents[0][0]) == 20
    assert contents[0][1][0][2:] == ("W", "resignation")


def test_a_game_survives_a_restart(store: Store, path: Path) -> None:
    store.create("one", {"name": "dama64"}, SEATS, base="{}", lot="B")
    for seq, event in enumerate(LOG):
        store.append("one", seq, event)
    store.close()

    reopened = Store(f"sqlite:///{path}")
    game = reopened.load("one")
    reopened.close()
    assert game is not None
    assert game.events == LOG
    assert game.seats == SEATS
    assert (game.rules, game.base, game.lot) == ({"name": "dama64"}, "{}", "B")
    assert game.created <= game.updated
    assert game.updated.tzinfo is not None


@pytest.mark.parametrize("event", LOG)
def test_every_event_survives_a_round_trip(event: events.Event) -> None:
    assert events.read(event.kind, events.payload_of(event)) == event


def test_an_unknown_id_has_no_game(store: Store) -> None:
    store.create("one", {}, SEATS)
    assert store.load("two") is None
    assert store.load("ONE") is None


def test_an_entry_is_stored_once(store: Store) -> None:
    store.create("one", {}, SEATS)
    store.append("one", 0, LOG[0])
    with pytest.raises(ConflictError):
        store.append("one", 0, events.Resigned("B"))
    game = store.load("one")
    assert game is not None
    assert game.events == LOG[:1]


def test_an_entry_of_an_unknown_game_is_refused(store: Store) -> None:
    with pytest.raises(ConflictError):
        store.append("nowhere", 0, LOG[0])


def test_a_game_has_one_rematch(store: Store) -> None:
    store.create("one", {}, SEATS)
    store.create("two", {}, SEATS, previous="one")
    with pytest.raises(ConflictError):
        store.create("three", {}, SEATS, previous="one")
    assert store.rematch_of("one") == "two"
    assert store.rematch_of("two") is None
    assert store.load("three") is None, "the refused game is not stored"
    first = store.load("one")
    assert first is not None
    assert first.next == "two"


def test_running_games_of_a_player_are_listed_latest_first(store: Store) -> None:
    others = (Seat("B", "person", player=1, holder="x" * 64), SEATS[1])
    for name in ("a", "b", "c", "fresh"):
        store.create(name, {}, SEATS)
    store.create("of_others", {}, others)
    for name in ("a", "b", "c", "of_others"):
        store.append(name, 0, LOG[0])
    store.append("a", 1, LOG[1])
    store.append("c", 1, events.Resigned("B"), result=("W", "resignation"))
    store.create("loaded", {}, SEATS, base="{}")
    assert [game for game, _ in store.running("h" * 64, 5)] == ["loaded", "a", "b"]
    assert [game for game, _ in store.running("h" * 64, 1)] == ["loaded"]
    assert store.running("unknown", 5) == []


def test_the_models_match_an_upgraded_database(path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(OLD_DATABASE, path)
    Store(f"sqlite:///{path}").close()
    new = path.with_name("new.sqlite3")
    Store(f"sqlite:///{new}").close()
    columns = []
    for each in (path, new):
        engine = create_engine(f"sqlite:///{each}")
        with engine.connect() as connection:
            context = MigrationContext.configure(connection)
            assert compare_metadata(context, Base.metadata) == []
            assert {"games", "seats", "events"} < set(inspect(connection).get_table_names())
            columns.append(inspect(connection).get_multi_columns())
        engine.dispose()
    assert str(columns[0]) == str(columns[1])


def test_a_database_with_studies_gets_the_tables_of_analyses(path: Path) -> None:
    """It has the revision 0013 of a commit that did not have these tables yet."""
    tables = {"analyses", "reviews", "analysis_budgets"}
    engine = create_engine(f"sqlite:///{path}")
    path.parent.mkdir()
    for removed in (tables, set()):
        upgrade(engine)
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '0013'"))
            for name in {*removed, "lesson_courses"}:
                connection.execute(text(f"DROP TABLE {name}"))
            connection.execute(text("ALTER TABLE games DROP COLUMN guide"))
        upgrade(engine)
        with engine.connect() as connection:
            assert tables < set(inspect(connection).get_table_names())
            context = MigrationContext.configure(connection)
            assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_the_newest_migration_is_the_head() -> None:
    scripts = ScriptDirectory(str(Path(migrate.__file__).with_name("migrations")))
    assert scripts.get_heads() == [migrate.HEAD]
    assert [each.revision for each in scripts.walk_revisions()][-1] == "0010"


def test_a_failed_creation_of_a_database_is_rolled_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(command, "stamp", mock.Mock(side_effect=SQLAlchemyError("no power")))
        with pytest.raises(StoreError, match="no power"):
            Store(f"sqlite:///{path}")
    store = Store(f"sqlite:///{path}")
    assert store.count() == 0
    store.close()


def test_the_tables_can_be_created_in_postgresql() -> None:
    statements: list[str] = []

    def record(statement: Any, *_: Any, **__: Any) -> None:
        statements.append(str(statement.compile(dialect=engine.dialect)))

    engine = create_mock_engine("postgresql://", record)
    Base.metadata.create_all(engine, checkfirst=False)
    for table in Base.metadata.sorted_tables:
        assert any(f"CREATE TABLE {table.name} " in statement for statement in statements)


def test_migrating_twice_changes_nothing(path: Path) -> None:
    store = Store(f"sqlite:///{path}")
    store.create("one", {}, SEATS)
    store.close()
    engine = create_engine(f"sqlite:///{path}")
    upgrade(engine)
    engine.dispose()
    store = Store(f"sqlite:///{path}")
    assert store.count() == 1
    store.close()


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("9999", "9999 is newer than this program"),
        ("0001", '0001 is too old .* commit b68d508 .* `damka serve --database "sqlite:'),
        ("0009", '0009 is too old .* commit b68d508 .* `damka serve --database "sqlite:'),
    ],
)
def test_a_database_of_another_version_is_not_changed(
    path: Path, version: str, reason: str
) -> None:
    url = f"sqlite:///{path}"
    Store(url).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [version])
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=reason):
        Store(url)
    with pytest.raises(StoreError, match=reason), connect(url):
        pass
    other = f"sqlite:///{path.with_name('other.sqlite3')}"
    with pytest.raises(StoreError, match=f"cannot restore .*: its version {reason}"):
        restore(other, path, lambda *_: None)
    assert path.read_bytes() == before
    assert not path.with_name("other.sqlite3").exists()


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "",
        "nosuchdatabase://here/games",
        "sqlite:////proc/nowhere/games.sqlite3",
        "postgresql+nosuchdriver://user:secret@localhost/games",
    ],
)
def test_an_error_names_the_database_without_its_password(url: str) -> None:
    with pytest.raises(StoreError) as error:
        Store(url)
    assert "secret" not in str(error.value)
    assert isinstance(error.value, DamkaError)


def test_a_file_that_is_not_a_database_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_text("not a database at all, but long enough to be read as a header " * 20)
    with pytest.raises(StoreError, match="cannot be used"):
        Store(f"sqlite:///{path}")


def test_only_the_owner_can_read_the_database(store: Store, path: Path) -> None:
    assert path.stat().st_mode & 0o077 == 0


# Games on two devices

OPEN = (Seat("W", "person", player=1, holder="a" * 64, name="Ana"), Seat("B", "person", player=2))
BLITZ = ClockSettings(kind="fischer", seconds=300, increment=3)


def test_an_open_seat_is_taken_once(store: Store) -> None:
    store.create("one", {}, OPEN, clock=BLITZ, code="BKRT")
    assert store.invited("BKRT") == "one"
    assert store.invited("KKKK") is None
    assert store.with_clocks() == [], "the seat is still open"
    petra, boris = (dataclasses.replace(OPEN[1], holder=h * 64, name=h) for h in "pb")
    time = EntryTime(datetime.now(UTC), 300_000, 300_000, 0)
    store.append("one", 0, events.Joined("B", "p"), time=time, seat=SeatChange(petra, None))
    # The second player conflicts with the entry, or with the seat if the number is free.
    for seq in (0, 1):
        with pytest.raises(ConflictError):
            store.append("one", seq, events.Joined("B", "b"), seat=SeatChange(boris, None))
    game = store.load("one")
    assert game is not None
    assert game.seats == (OPEN[0], petra)
    assert game.events == (events.Joined("B", "p"),), "the refused entries are not stored"
    assert (game.times, game.clock, game.code) == ((time,), BLITZ, None)
    assert store.invited("BKRT") is None
    assert store.with_clocks() == ["one"]
    store.append("one", 1, events.Resigned("W"), result=("B", "resignation"))
    assert store.with_clocks() == []


def test_an_invitation_code_is_unique(store: Store) -> None:
    store.create("one", {}, OPEN, code="BKRT")
    with pytest.raises(ConflictError):
        store.create("two", {}, OPEN, code="BKRT")
    assert store.running("a" * 64, 5)[0][0] == "one", "the host can find the game"
    store.append("one", 0, events.Aborted("W"), result=(None, "aborted"))
    assert store.invited("BKRT") is None
    store.create("two", {}, OPEN, code="BKRT")


def test_the_computer_takes_an_open_seat_and_plays_without_a_clock(store: Store) -> None:
    store.create("one", {}, OPEN, clock=BLITZ, code="BKRT")
    seat = dataclasses.replace(OPEN[1], kind="computer", level=3)
    store.append("one", 0, events.Joined("B", level=3), seat=SeatChange(seat, None))
    game = store.load("one")
    assert game is not None
    assert (game.seats[1], game.clock, game.code) == (seat, None, None)


def test_a_seat_is_freed_by_its_holder(store: Store) -> None:
    seats = tuple(dataclasses.replace(seat, holder="a" * 64) for seat in OPEN)
    store.create("one", {}, seats)
    freed = dataclasses.replace(seats[1], holder=None)
    with pytest.raises(ConflictError):
        store.append("one", 0, events.SideFreed("B"), seat=SeatChange(freed, "x" * 64, "BKRT"))
    store.append("one", 0, events.SideFreed("B"), seat=SeatChange(freed, "a" * 64, "BKRT"))
    assert store.invited("BKRT") == "one"

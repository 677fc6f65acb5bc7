"""Membership, leadership, and exclusive use of a database."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest

from damka.live import events
from damka.server.membership import Membership
from damka.server.store import Append, ConflictError, Store, StoreError, processes
from damka.server.store.processes import OwnershipRecord
from tests.server.test_store import LOG, SEATS
from tests.services import PostgreSql


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url)
    yield store
    store.close()


@contextmanager
def member(store: Store, *, exclusive: bool = False) -> Iterator[Membership]:
    membership = Membership(store, exclusive=exclusive)
    changes: list[bool] = []
    membership.join("127.0.0.1:1", changes.append)
    try:
        yield membership
    finally:
        membership.close()


def wait_until(condition: Callable[[], object], seconds: float = 30.0) -> float:
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds
        time.sleep(0.01)
    return time.monotonic() - start


def take(store: Store, game: str, membership: Membership) -> OwnershipRecord:
    with store.transaction(of_games=True) as connection:
        return processes.take(connection, game, membership.id)


def lead(store: Store, membership: Membership) -> bool:
    with store.transaction(of_games=True) as connection:
        return processes.lead(connection, "lobby", membership.id)


def test_a_second_process_without_a_broker_is_refused(store: Store) -> None:
    with member(store, exclusive=True):
        for exclusive in (True, False):
            with pytest.raises(StoreError, match=r"another server is using it.*DAMKA_BROKER_URL"):
                Membership(store, exclusive=exclusive)
    refused = pytest.raises(StoreError, match="another server is using it")
    with member(store), member(store), refused:
        Membership(store, exclusive=True)
    with member(store, exclusive=True):
        pass


def test_games_and_tasks_belong_to_one_process_until_it_ends(store: Store) -> None:
    for name in ("one", "two"):
        store.create(name, {}, SEATS)
    with member(store) as first:
        with member(store) as second:
            wait_until(lambda: second.id in first.others and first.id in second.others)
            assert take(store, "one", second) == OwnershipRecord(second.id)
            assert take(store, "one", first) == OwnershipRecord(second.id)
            assert take(store, "nowhere", first) == OwnershipRecord(None)
            assert lead(store, second)
            assert not lead(store, first)
            store.append("one", 0, LOG[0], owner=second.id)
            with pytest.raises(ConflictError, match="another process owns"):
                store.append("one", 1, LOG[1], owner=first.id)
            entries = [
                Append("one", 1, events.UndoOffered("W"), owner=first.id),
                Append("two", 0, LOG[0], owner=take(store, "two", first).owner),
            ]
            assert [type(each) for each in store.append_all(entries)] == [ConflictError, type(None)]
            ended = second.id
        wait_until(lambda: ended not in first.others)
        record = take(store, "one", first)
        assert (record.owner, record.after) == (first.id, True)
        assert record.until is not None
        assert abs((first.keeper.wall() - record.until).total_seconds()) < 3
        assert lead(store, first)
        store.append("one", 1, LOG[1], owner=first.id)
        with pytest.raises(ConflictError):
            store.append("one", 2, LOG[2], owner=ended)


def test_a_process_declared_dead_gets_a_new_id(store: Store, url: str) -> None:
    with member(store) as process:
        before = process.id
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE processes SET ended = true")
        wait_until(lambda: process.id != before)


def test_processes_survive_a_database_restart(postgresql: PostgreSql, store: Store) -> None:
    with member(store) as first, member(store) as second:
        ids = (first.id, second.id)
        wait_until(lambda: second.id in first.others and first.id in second.others)
        postgresql.restart()
        time.sleep(1.0)
        wait_until(lambda: second.id in first.others and first.id in second.others)
        assert (first.id, second.id) == ids

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
def member(store: Store, *, alone: bool = False) -> Iterator[Membership]:
    membership = Membership(store, alone=alone)
    changes: list[bool] = []
    membership.join("127.0.0.1:1", changes.append)
    try:
        yield membership
    finally:
        membership.close()


def until(is_true: Callable[[], object], seconds: float = 30.0) -> float:
    began = time.monotonic()
    while not is_true():
        assert time.monotonic() - began < seconds
        time.sleep(0.01)
    return time.monotonic() - began


def take(store: Store, game: str, membership: Membership) -> OwnershipRecord:
    with store.transaction(of_games=True) as connection:
        return processes.take(connection, game, membership.id)


def lead(store: Store, membership: Membership) -> bool:
    with store.transaction(of_games=True) as connection:
        return processes.lead(connection, "lobby", membership.id)


def test_a_second_process_without_a_broker_is_refused_in_words(store: Store) -> None:
    with member(store, alone=True):
        for alone in (True, False):
            with pytest.raises(StoreError, match=r"another server is using it.*DAMKA_BROKER_URL"):
                Membership(store, alone=alone)
    refused = pytest.raises(StoreError, match="another server is using it")
    with member(store), member(store), refused:
        Membership(store, alone=True)
    with member(store, alone=True):
        pass


def test_games_and_tasks_are_one_processs_until_it_has_ended(store: Store) -> None:
    for name in ("one", "two"):
        store.create(name, {}, SEATS)
    with member(store) as first:
        with member(store) as second:
            until(lambda: second.id in first.others and first.id in second.others)
            assert take(store, "one", second) == OwnershipRecord(second.id)
            assert take(store, "one", first) == OwnershipRecord(second.id)
            assert take(store, "nowhere", first) == OwnershipRecord(None)
            assert lead(store, second)
            assert not lead(store, first)
            store.append("one", 0, LOG[0], owner=second.id)
            with pytest.raises(ConflictError, match="another process owns"):
                store.append("one", 1, LOG[1], owner=first.id)
            mixed = [
                Append("one", 1, events.UndoOffered("W"), owner=first.id),
                Append("two", 0, LOG[0], owner=take(store, "two", first).owner),
            ]
            assert [type(each) for each in store.append_all(mixed)] == [ConflictError, type(None)]
            ended = second.id
        until(lambda: ended not in first.others)
        taken = take(store, "one", first)
        assert (taken.owner, taken.after) == (first.id, True)
        assert taken.until is not None
        assert abs((first.keeper.wall() - taken.until).total_seconds()) < 3
        assert lead(store, first)
        store.append("one", 1, LOG[1], owner=first.id)
        with pytest.raises(ConflictError):
            store.append("one", 2, LOG[2], owner=ended)


def test_a_process_declared_dead_returns_under_another_name(store: Store, url: str) -> None:
    with member(store) as one:
        before = one.id
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE processes SET ended = true")
        until(lambda: one.id != before)


def test_a_database_restart_ends_no_process(postgresql: PostgreSql, store: Store) -> None:
    with member(store) as one, member(store) as other:
        names = (one.id, other.id)
        until(lambda: other.id in one.others and one.id in other.others)
        postgresql.restart()
        time.sleep(1.0)
        until(lambda: other.id in one.others and one.id in other.others)
        assert (one.id, other.id) == names

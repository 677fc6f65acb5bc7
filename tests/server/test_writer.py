"""Group commit: entries of several games are written together, and fail individually."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event

from damka.live import events
from damka.server.store import Append, ConflictError, Store, Writer
from tests.server.test_store import LOG, SEATS


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    for name in "abcd":
        store.create(name, {}, SEATS)
    yield store
    store.close()


def block_writer(writer: Writer) -> threading.Event:
    """Block the writer's thread until the returned event is set."""
    released = threading.Event()
    writer.run(lambda _: released.wait(10))
    return released


def test_waiting_entries_are_written_in_one_transaction(store: Store) -> None:
    commits: list[object] = []
    event.listen(store._engine, "commit", commits.append)
    writer = Writer(store)
    released = block_writer(writer)
    futures = [writer.append(Append(name, 0, LOG[0])) for name in "abcd"]
    assert writer.waiting >= 4
    released.set()
    for each in futures:
        each.result(10)
    writer.close()
    assert len(commits) == 1
    for name in "abcd":
        game = store.load(name)
        assert game is not None
        assert game.events == LOG[:1]


def test_a_failing_entry_does_not_affect_the_others(store: Store) -> None:
    store.append("b", 0, LOG[0])
    writer = Writer(store)
    released = block_writer(writer)
    futures = {
        name: writer.append(Append(name, 0, events.Resigned("W"), ("B", "resignation")))
        for name in ("a", "b", "nowhere", "c")
    }
    released.set()
    writer.close()
    assert futures["a"].result() is None
    assert futures["c"].result() is None
    for name in ("b", "nowhere"):
        with pytest.raises(ConflictError):
            futures[name].result()
    game = store.load("b")
    assert game is not None
    assert game.events == LOG[:1]


def test_calls_and_entries_keep_their_order(store: Store) -> None:
    writer = Writer(store)
    released = block_writer(writer)
    counts = []

    def count(store: Store) -> int:
        game = store.load("a")
        assert game is not None
        return len(game.events)

    for seq in range(3):
        writer.append(Append("a", seq, LOG[seq]))
        counts.append(writer.run(count))
    released.set()
    writer.close()
    assert [each.result() for each in counts] == [1, 2, 3]
    with pytest.raises(RuntimeError, match="closed"):
        writer.run(count)


def test_a_failing_call_does_not_stop_the_writer(store: Store) -> None:
    writer = Writer(store)
    with pytest.raises(ZeroDivisionError):
        writer.run(lambda _: 1 // 0).result(10)
    assert writer.run(lambda store: store.count()).result(10) == 4
    writer.close()

"""Closing an engine, also as a context manager."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

import damka
from damka import Board
from damka.engine import Engine, Stop
from damka.tablebase import build

if TYPE_CHECKING:
    from pathlib import Path

    from damka.engine import Analysis


def test_an_engine_is_closed_at_the_end_of_its_block() -> None:
    with damka.Engine(hash_mb=1) as engine:
        assert isinstance(engine, Engine)
        assert engine.search(Board("russian"), depth=2).move
    with pytest.raises(RuntimeError, match="the engine is closed"):
        engine.search(Board("russian"), depth=2)
    with pytest.raises(RuntimeError, match="closed"):
        engine.clear()
    engine.close()
    with engine:  # nothing left to free
        pass


def test_an_error_in_the_block_is_not_swallowed() -> None:
    with pytest.raises(KeyError), Engine(hash_mb=1) as engine:
        raise KeyError
    with pytest.raises(RuntimeError, match="closed"):
        engine.search(Board("russian"), depth=2)


def test_on_info_cannot_close_the_engine() -> None:
    def close(_: Analysis) -> None:
        engine.close()

    with Engine(hash_mb=1) as engine:
        with pytest.raises(RuntimeError, match="the engine is searching"):
            engine.search(Board("russian"), depth=2, on_info=close)
        assert engine.search(Board("russian"), depth=2).move


@pytest.mark.threads
def test_closing_waits_for_a_search_in_another_thread() -> None:
    engine, stop, started = Engine(hash_mb=1), Stop(), threading.Event()
    results: list[Analysis] = []

    def search() -> None:
        results.append(engine.search(Board("russian"), stop=stop, on_info=lambda _: started.set()))

    searching = threading.Thread(target=search)
    searching.start()
    assert started.wait(20)
    closing = threading.Thread(target=engine.close)
    closing.start()
    closing.join(0.1)
    assert closing.is_alive()
    stop.set()
    searching.join(20)
    closing.join(20)
    assert results[0].move
    with pytest.raises(RuntimeError, match="closed"):
        engine.search(Board("russian"), depth=1)


@pytest.mark.native
def test_closing_closes_the_endgame_tables(tmp_path: Path) -> None:
    rules = damka.rules.load("american")
    build(rules, 2, tmp_path)
    with Engine(hash_mb=1, tablebases=tmp_path) as engine:
        engine.search(Board(rules, "W:WK1:BK32"), depth=1)
        tables = [each for each in engine._tables.values() if each is not None]
        assert [each.pieces for each in tables] == [2]
    assert [each.pieces for each in tables] == [0]

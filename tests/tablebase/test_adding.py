"""Tables added during probing: a search uses the set that it started with."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from damka import Board, _core, tablebase
from damka.engine import WIN
from damka.rules import load
from damka.tablebase import Tablebases

pytestmark = pytest.mark.native

RULES: Final = load("mini-american")
EVER: Final = float("inf")
TWO: Final = ("KvK", "KvM", "MvM")
WON: Final = Board(RULES, "W:WK3,K18:BK11")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    place = tmp_path_factory.mktemp("tables")
    tablebase.build(RULES, 3, place)
    with Tablebases(RULES, place) as tables:
        return {material: table.path for material, table in tables.tables.items()}


def opened(files: dict[str, Path], *materials: str) -> _core.Tables:
    tables = _core.Tables(RULES)
    for material in materials:
        tables.add(files[material])
    return tables


def search(
    tables: _core.Tables,
    depth: int,
    on_depth: Callable[[Any], object] | None = None,
    engine: _core.Engine | None = None,
) -> tuple[int, int]:
    """Return the score and how many nodes were searched."""
    _, nodes, _, lines = (engine or _core.Engine(1 << 20, 1)).search(
        WON,
        choices=None,
        depth=depth,
        nodes=1 << 40,
        seconds=EVER,
        target=EVER,
        lines=1,
        handicap=None,
        tables=tables,
        stop=None,
        on_depth=on_depth,
    )
    return lines[0][0], nodes


def test_added_tables_are_used_by_the_next_search_and_probe(files: dict[str, Path]) -> None:
    tables, engine = opened(files, *TWO), _core.Engine(1 << 20, 1)
    assert tables.probe(WON) is None
    assert search(tables, 1, engine=engine)[0] < WIN // 2
    for path in files.values():
        tables.add(path)
    assert tables.pieces == 3
    found = tables.probe(WON)
    assert found is not None
    wdl, plies = found
    assert wdl == 1
    engine.clear()
    assert search(tables, 1, engine=engine)[0] == WIN - plies


def test_a_search_uses_the_tables_it_began_with(files: dict[str, Path]) -> None:
    depth = 7
    # A second table of three pieces, so that the search probes these too.
    expected = search(opened(files, *TWO, "MMvM"), depth)
    tables = opened(files, *TWO, "MMvM")
    assert search(tables, depth, lambda _: tables.add(files["KKvK"])) == expected
    assert search(tables, depth) != expected


def test_threads_may_search_and_probe_while_tables_are_added(files: dict[str, Path]) -> None:
    tables = opened(files, *files)
    expected, probed = search(tables, 5), tables.probe(WON)
    wrong: list[object] = []
    ended = threading.Event()

    def search_and_probe() -> None:
        while not ended.is_set():
            found = search(tables, 5), tables.probe(WON)
            if found != (expected, probed):
                wrong.append(found)

    threads = [threading.Thread(target=search_and_probe) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        for path in files.values():
            tables.add(path)
    ended.set()
    for thread in threads:
        thread.join()
    assert not wrong

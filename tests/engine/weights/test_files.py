"""Weights files, and the rule sets of the shipped ones."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Board, _core
from damka.engine import Engine, weights
from damka.engine.weights import Margins, WeightsFile
from damka.errors import WeightsError
from damka.rules import load, names

pytestmark = pytest.mark.native

RULES = load("mini-american")


@functools.cache
def random_weights(seed: int = 0) -> WeightsFile:
    count = _core.weights_layout(RULES)["numbers"]
    numbers = np.random.default_rng(seed).integers(-90, 90, count, np.int16)
    numbers[: 2 * 3**12 - 4000] = 0
    return WeightsFile.of(RULES, numbers.tobytes(), step=4, full_board=12)


GOOD = random_weights().encode()


def test_files_round_trip(tmp_path: Path) -> None:
    file = random_weights()
    path = weights.write(tmp_path, file)
    assert path.name.startswith("mini-american-")
    reread = weights.read(path)
    assert (reread.rules, reread.numbers, reread.step) == ("mini-american", file.numbers, 4)
    assert reread.full_board == 12


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_a_damaged_file_is_refused(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(GOOD) - 1))
    kind = data.draw(st.sampled_from(["cut", "changed", "longer"]))
    if kind == "cut":
        bad = GOOD[:at]
    elif kind == "changed":
        bad = GOOD[:at] + bytes([GOOD[at] ^ data.draw(st.integers(1, 255))]) + GOOD[at + 1 :]
    else:
        bad = GOOD + b"x"
    decoded = None
    with contextlib.suppress(WeightsError):
        decoded = WeightsFile.decode(bad, "somewhere")
    # The checksum does not cover the description of the weights' origin.
    assert decoded is None or decoded.numbers == random_weights().numbers


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("numbers", value) for value in ("Infinity", "NaN", "1e30", "0", "1" * 30, "true")),
        *(("step", value) for value in ("Infinity", "1" * 30, "2147483648", "-1", "0")),
        *(("full_board", value) for value in ("Infinity", "1" * 30, "2147483648", "-1", "null")),
        *(("play", value) for value in ("5", "[[1, 2]]", '{"width": []}', "{}")),
        *(("rules", value) for value in ("5", "null")),
        *(("crc32", value) for value in ('"a"', "1.5")),
    ],
)
def test_an_invalid_header_is_refused(key: str, value: str) -> None:
    head, header, rest = GOOD.split(b"\n", 2)
    changed = re.sub(rf'"{key}": ({{.*?}}|[^,}}]*)'.encode(), f'"{key}": {value}'.encode(), header)
    assert changed != header
    with pytest.raises(WeightsError):
        WeightsFile.decode(b"\n".join((head, changed, rest)), "somewhere").native(RULES)


@given(st.binary(max_size=300))
def test_garbage_is_refused(garbage: bytes) -> None:
    for text in (garbage, b"damka weights 1\n" + garbage, b"damka weights 1\n{}\n" + garbage):
        with pytest.raises(WeightsError):
            WeightsFile.decode(text)


# Search margins

FLAT = Margins(probcut=20, probcut_per_ply=0, lmr_base=100, lmr_scale=90)


def test_margins_are_stored_in_the_file(tmp_path: Path) -> None:
    path = weights.write(tmp_path, replace(random_weights(), margins=FLAT))
    assert weights.read(path).margins == FLAT


def test_a_file_without_margins_has_the_defaults() -> None:
    """The defaults are the values from before files had margins."""
    assert b"margins" not in GOOD.split(b"\n")[1]
    assert WeightsFile.decode(GOOD).margins == Margins()
    assert Margins() == Margins(probcut=30, probcut_per_ply=8, lmr_base=80, lmr_scale=55)


@pytest.mark.parametrize(
    "margins",
    [
        *([], 3, "wide", None),
        {"probcut": -1},
        {"probcut": 501},
        {"lmr_scale": 1.5},
        {"lmr_base": True},
        {"razor": 3},
    ],
)
def test_invalid_margins_are_refused(margins: object) -> None:
    magic, header, rest = GOOD.split(b"\n", 2)
    changed = json.dumps(json.loads(header) | {"margins": margins}).encode()
    with pytest.raises(WeightsError, match="margins"):
        WeightsFile.decode(b"\n".join([magic, changed, rest]))


@pytest.mark.parametrize("value", [-1, 501])
def test_the_kernel_refuses_a_margin_out_of_range(value: int) -> None:
    with pytest.raises(WeightsError, match="0 to 500"):
        replace(random_weights(), margins=Margins(lmr_base=value)).native(RULES)


@pytest.mark.parametrize(
    "other",
    [Margins(probcut=200), Margins(probcut_per_ply=60), Margins(lmr_base=0), Margins(lmr_scale=0)],
)
def test_every_margin_changes_the_search(other: Margins) -> None:
    board = Board("mini-american")

    def nodes(margins: Margins) -> int:
        engine = Engine(hash_mb=1, weights=replace(random_weights(), margins=margins))
        return engine.search(board, depth=13).nodes

    assert nodes(other) != nodes(Margins())


def test_table_entries_belong_to_their_margins() -> None:
    board = Board("mini-american")
    engine = _core.Engine(1 << 20, 1)
    first, second = (
        replace(random_weights(), margins=each).native(RULES) for each in (Margins(), FLAT)
    )
    mixed = [search(engine, board, each, 9)[1] for each in (first, second)]
    fresh = [search(_core.Engine(1 << 20, 1), board, each, 9)[1] for each in (first, second)]
    assert mixed == fresh


def search(
    engine: _core.Engine, board: Board, which: _core.Weights | None, depth: int
) -> tuple[Any, ...]:
    """Search with the kernel; the result has nodes at index 1, and lines with scores at index 3."""
    return engine.search(
        board,
        choices=None,
        depth=depth,
        nodes=10**9,
        seconds=1e9,
        target=1e9,
        lines=1,
        handicap=None,
        tables=None,
        stop=None,
        on_depth=None,
        weights=which,
    )


def test_weights_for_another_board_are_refused(tmp_path: Path) -> None:
    path = weights.write(tmp_path, random_weights())
    with pytest.raises(WeightsError, match=r"board of 6 × 6.*do not fit american"):
        Engine(weights=path).search(Board("american"), depth=1)
    assert Engine(weights=path).search(Board(RULES), depth=3).move


def test_a_missing_file_is_reported_when_the_engine_is_created(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="No such file"):
        Engine(weights=str(tmp_path / "none.weights"))


def test_table_entries_belong_to_their_weights(tmp_path: Path) -> None:
    board = Board(RULES)
    mine = _core.Engine(1 << 20, 1)
    one, two = random_weights(1).native(RULES), random_weights(2).native(RULES)

    def score(which: _core.Weights | None, engine: _core.Engine) -> int:
        return int(search(engine, board, which, 5)[3][0][0])

    fresh = [score(each, _core.Engine(1 << 20, 1)) for each in (one, two, None)]
    assert [score(each, mine) for each in (one, two, None)] == fresh
    assert len(set(fresh)) == 3


# Shipped weights


def test_shipped_files_are_listed_named_by_hash_and_small() -> None:
    listed = [file for file, _ in weights.index()]
    assert sorted(listed) == sorted(path.name for path in weights.folder().glob("*.weights"))
    for file in listed:
        data = (weights.folder() / file).read_bytes()
        assert hashlib.sha256(data).hexdigest()[:12] in file
        assert len(data) <= 1 << 20
        source = (weights.folder() / "SOURCE.md").read_text("utf-8")
        assert file in source


def test_rule_sets_in_the_index_use_their_file() -> None:
    for file, served in weights.index():
        for name in served:
            path = weights.shipped_file(load(name))
            assert path is not None
            assert path.name == file
            assert isinstance(weights.choose(load(name)), _core.Weights)
        assert weights.read(weights.folder() / file).rules == served[0]


def test_rules_with_the_same_play_use_the_same_weights() -> None:
    international = weights.shipped_file(load("international"))
    assert international is not None
    assert weights.shipped_file(load("dama100")) == international
    mine = load("international").replace(name="mine", no_progress_moves=20, dark_corner="right")
    assert weights.shipped_file(mine) == international
    assert weights.shipped_file(mine.replace(rows=2)) is None


def test_without_weights_the_general_evaluation_is_used() -> None:
    assert weights.choose(load("american"), "general") is None
    unserved = [name for name in names() if weights.shipped_file(load(name)) is None]
    for name in unserved[:3]:
        board = Board(name)
        scores = {
            Engine(hash_mb=1, weights=each).search(board, depth=4).score
            for each in ("shipped", "general")
        }
        assert len(scores) == 1

"""Fingerprints of rules are stable, so that existing tables and weights remain valid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from damka import _core
from damka.engine.weights import play_of, read, shipped_file
from damka.rules import PARAMETERS, load, names

FINGERPRINTS: dict[str, str] = json.loads(
    (Path(__file__).parents[1] / "data" / "fingerprints.json").read_text("utf-8")
)
"""Table fingerprint of each rule set when the first tables were built."""

PLAIN = load("dama64").replace(name="plain")


@pytest.mark.parametrize("name", FINGERPRINTS)
def test_table_fingerprints_are_unchanged(name: str) -> None:
    assert f"{_core.table_fingerprint(load(name)):016x}" == FINGERPRINTS[name]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("width", 10),
        ("capture_lines", "diagonal+orthogonal"),
        ("man_capture", "all"),
        ("man_takes_king", False),
        ("king_range", "short"),
        *(("king_landing", landing) for landing in ("any", "killer")),
        ("removal", "immediate"),
        ("u_turn", False),
        *(("promotion", promotion) for promotion in ("pass", "go")),
        ("king_streak", 2),
        *(("precedence", [key]) for key in PARAMETERS["precedence"].values if key != "with_king"),
        ("obligation", "free"),
        *(("objective", objective) for objective in ("losing", "breakthrough")),
    ],
)
def test_parameters_that_change_play(key: str, value: Any) -> None:
    size = {"width": 10, "height": 10} if key == "width" else {key: value}
    changed = PLAIN.replace(**size)
    assert _core.table_fingerprint(changed) != _core.table_fingerprint(PLAIN)
    assert play_of(changed) != play_of(PLAIN)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "another", "title": {"en": "Another"}},
        {"first": "B", "dark_corner": "right"},
        {"repetition": 0, "no_progress_moves": 40, "material_draws": [{"moves": 5}]},
        {"colours": ["red", "green"], "notation": "A0"},
        {"obligation": "huff"},
    ],
)
def test_parameters_that_do_not_change_play(changes: dict[str, Any]) -> None:
    changed = PLAIN.replace(**changes)
    assert _core.table_fingerprint(changed) == _core.table_fingerprint(PLAIN)
    assert play_of(changed) == play_of(PLAIN)


def test_tables_do_not_depend_on_the_start_position() -> None:
    assert _core.table_fingerprint(PLAIN.replace(rows=2)) == _core.table_fingerprint(PLAIN)
    assert play_of(PLAIN.replace(rows=2)) != play_of(PLAIN)


@pytest.mark.parametrize("name", names())
def test_shipped_weights_record_the_rules_of_their_training(name: str) -> None:
    path = shipped_file(load(name))
    if path is not None:
        file = read(path)
        learned = load(file.rules)
        assert file.play == json.loads(json.dumps(dict(play_of(learned))))


def test_the_kernel_reads_every_field() -> None:
    """A field missing from the table, or a value out of bounds, is an error."""
    rules = PLAIN.replace()
    kernel = dict(rules.kernel)
    for name, wrong in (("promotion", 3), ("king_streak", 10), ("u_turn", 2), ("ranking", (9,))):
        object.__setattr__(rules, "kernel", {**kernel, name: wrong})
        with pytest.raises(ValueError, match=f"unsupported rules: {name}"):
            _core.table_fingerprint(rules)
        object.__setattr__(rules, "kernel", {k: v for k, v in kernel.items() if k != name})
        with pytest.raises(KeyError):
            _core.table_fingerprint(rules)

"""JSON output has the keys listed in docs/reference/json-output.md, and shells complete names."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from damka.rules import from_dict, load, names
from tests.cli.inside import damka

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "json-output.md"


def answer(*arguments: str, home: Path, status: int = 0) -> Any:
    return json.loads(damka(*arguments, "--json", home=home, status=status))


def documented(command: str) -> set[str]:
    """Return the keys in the table of a command."""
    section = re.search(
        rf"^## {re.escape(command)}$(.*?)(?=^## |\Z)",
        PAGE.read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    assert section, command
    column = " ".join(re.findall(r"^\| (`.*?`) \|", section[1], re.MULTILINE))
    return set(re.findall(r"\w+", column))


def keys(value: object) -> set[str]:
    """Return the keys of an answer and of the objects in its lists."""
    if isinstance(value, list):
        return {key for each in value for key in keys(each)}
    if not isinstance(value, dict):
        return set()
    nested = (keys(each) for each in value.values() if isinstance(each, list))
    return value.keys() | {key for each in nested for key in each}


def test_the_rule_sets(tmp_path: Path) -> None:
    found = answer("rules", home=tmp_path)
    assert [each["name"] for each in found][:3] == ["dama64", "american", "dama100"]
    assert {each["name"] for each in found} == set(names())
    assert keys(found) == documented("rules")


def test_a_rule_set(tmp_path: Path) -> None:
    found = answer("rules", "russian", "--lang", "it", home=tmp_path)
    assert from_dict(found["parameters"]) == load("russian")
    assert found["title"] == load("russian").title_in("it")
    assert documented("rules RULES") <= keys(found)


def test_a_box_that_is_checked(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "russian"\nname = "mine"\nking_range = "short"\n', "utf-8")
    found = answer("rules", "check", "mine.toml", home=tmp_path)
    assert (found["ok"], found["nearest"]) == (True, "russian")
    good = keys(found)
    mine.write_text('base = "russian"\nrows = 9\n\nking_range = "far"\n', "utf-8")
    found = answer("rules", "check", "mine.toml", home=tmp_path, status=2)
    assert not found["ok"]
    assert [(each["key"], each["line"]) for each in found["errors"]] == [
        ("rows", 2),
        ("king_range", 4),
    ]
    assert documented("rules check") <= good | keys(found)


def test_perft_and_bench(tmp_path: Path) -> None:
    found = answer("perft", "american", "4", "--divide", home=tmp_path)
    assert found["leaves"] == 1469 == sum(found["divide"].values())
    assert keys(found) == documented("perft")
    assert found.keys() == keys(answer("perft", "american", "0", home=tmp_path)) | {"divide"}
    found = answer("bench", "--depth", "1", home=tmp_path)
    assert found["nodes"] == sum(found["rules"].values())
    assert keys(found) == documented("bench")


def test_endgame_tables(tmp_path: Path) -> None:
    rules = "mini-american"
    damka("tablebase", "build", rules, "--pieces", "2", home=tmp_path)
    found = answer("tablebase", "info", rules, home=tmp_path)
    assert keys(found) == documented("tablebase info")
    assert all(t["won"] + t["drawn"] + t["lost"] <= t["positions"] for t in found["tables"])
    found = answer("tablebase", "probe", rules, "W:WK18:BK1", home=tmp_path)
    assert keys(found) == documented("tablebase probe")
    assert found["value"] in ("won", "drawn", "lost")
    found = answer("tablebase", "verify", rules, home=tmp_path)
    assert (found["wrong"], found["faults"]) == (0, [])
    assert keys(found) == documented("tablebase verify")


def test_a_match(tmp_path: Path) -> None:
    options = ("--rules", "mini-american", "--games", "4", "--sprt", "0,10", "--seed", "1")
    found = answer("match", "oneply", "random", *options, home=tmp_path)
    assert found["games"] == 4 == found["wins"] + found["draws"] + found["losses"]
    assert keys(found) | found["sprt"].keys() == documented("match")


def completed(*words: str, home: Path) -> list[str]:
    settings = {
        "_DAMKA_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(("damka", *words)),
        "COMP_CWORD": str(len(words)),
    }
    with mock.patch.dict(os.environ, settings):
        return damka(home=home).split()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("ana",), ["analyze"]),
        (("perft", "dama"), ["dama64", "dama100"]),
        (("rules", "ne"), ["new"]),
        (("rules", "turk"), ["turkish"]),
        (("draw", "start", "--rules", "ital"), ["italian"]),
        (("match", "a", "b", "-r", "thai"), ["thai"]),
        (("rules", "dama64", "--lang", "s"), ["sk"]),
    ],
)
def test_the_shell_completes(words: tuple[str, ...], found: list[str], tmp_path: Path) -> None:
    assert completed(*words, home=tmp_path) == found

"""JSON output has the keys documented in docs/reference/json-output.md; shell completion works."""

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


def json_of(*arguments: str, home: Path, status: int = 0) -> Any:
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
    """Return the keys of a value and of the objects in its lists."""
    if isinstance(value, list):
        return {key for each in value for key in keys(each)}
    if not isinstance(value, dict):
        return set()
    nested = (keys(each) for each in value.values() if isinstance(each, list))
    return value.keys() | {key for each in nested for key in each}


def test_json_of_the_rule_sets(tmp_path: Path) -> None:
    answer = json_of("rules", home=tmp_path)
    assert [each["name"] for each in answer][:3] == ["dama64", "american", "dama100"]
    assert {each["name"] for each in answer} == set(names())
    assert keys(answer) == documented("rules")


def test_json_of_a_rule_set(tmp_path: Path) -> None:
    answer = json_of("rules", "russian", "--lang", "it", home=tmp_path)
    assert from_dict(answer["parameters"]) == load("russian")
    assert answer["title"] == load("russian").title_in("it")
    assert documented("rules RULES") <= keys(answer)


def test_json_of_a_rules_check(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "russian"\nname = "mine"\nking_range = "short"\n', "utf-8")
    answer = json_of("rules", "check", "mine.toml", home=tmp_path)
    assert (answer["ok"], answer["nearest"]) == (True, "russian")
    good = keys(answer)
    mine.write_text('base = "russian"\nrows = 9\n\nking_range = "far"\n', "utf-8")
    answer = json_of("rules", "check", "mine.toml", home=tmp_path, status=2)
    assert not answer["ok"]
    assert [(each["key"], each["line"]) for each in answer["errors"]] == [
        ("rows", 2),
        ("king_range", 4),
    ]
    assert documented("rules check") <= good | keys(answer)


def test_json_of_perft_and_bench(tmp_path: Path) -> None:
    answer = json_of("perft", "american", "4", "--divide", home=tmp_path)
    assert answer["leaves"] == 1469 == sum(answer["divide"].values())
    assert keys(answer) == documented("perft")
    assert answer.keys() == keys(json_of("perft", "american", "0", home=tmp_path)) | {"divide"}
    answer = json_of("bench", "--depth", "1", home=tmp_path)
    assert answer["nodes"] == sum(answer["rules"].values())
    assert keys(answer) == documented("bench")


def test_json_of_endgame_tables(tmp_path: Path) -> None:
    rules = "mini-american"
    damka("tablebase", "build", rules, "--pieces", "2", home=tmp_path)
    answer = json_of("tablebase", "info", rules, home=tmp_path)
    assert keys(answer) == documented("tablebase info")
    assert all(t["won"] + t["drawn"] + t["lost"] <= t["positions"] for t in answer["tables"])
    answer = json_of("tablebase", "probe", rules, "W:WK18:BK1", home=tmp_path)
    assert keys(answer) == documented("tablebase probe")
    assert answer["value"] in ("won", "drawn", "lost")
    answer = json_of("tablebase", "verify", rules, home=tmp_path)
    assert (answer["wrong"], answer["faults"]) == (0, [])
    assert keys(answer) == documented("tablebase verify")


def test_json_of_a_match(tmp_path: Path) -> None:
    options = ("--rules", "mini-american", "--games", "4", "--sprt", "0,10", "--seed", "1")
    answer = json_of("match", "oneply", "random", *options, home=tmp_path)
    assert answer["games"] == 4 == answer["wins"] + answer["draws"] + answer["losses"]
    assert keys(answer) | answer["sprt"].keys() == documented("match")


def completions(*words: str, home: Path) -> list[str]:
    settings = {
        "_DAMKA_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(("damka", *words)),
        "COMP_CWORD": str(len(words)),
    }
    with mock.patch.dict(os.environ, settings):
        return damka(home=home).split()


@pytest.mark.parametrize(
    ("words", "expected"),
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
def test_the_shell_completes_names(
    words: tuple[str, ...], expected: list[str], tmp_path: Path
) -> None:
    assert completions(*words, home=tmp_path) == expected

"""Rules in JavaScript: bundled rule sets, and objects validated like in Python."""

from __future__ import annotations

import json
import re
from typing import Any

from tools.js_package import data

from damka import rules
from damka.errors import RulesError
from damka.rules import Rules
from damka.rules.parameters import PARAMETERS
from tests.javascript.support import ROOT, Node

BASE = json.loads(json.dumps(rules.load("russian").to_dict()))
"""The rules as a plain object."""


def changed(**changes: Any) -> dict[str, Any]:
    return {**BASE, "name": "mine", **changes}


def without(*keys: str) -> dict[str, Any]:
    return {key: value for key, value in BASE.items() if key not in keys}


INVALID = [
    {},
    without("first"),
    without("first", "precedence", "objective"),
    *(changed(**{key: None}) for key in PARAMETERS),
    *(
        changed(**{key: value})
        for key in PARAMETERS
        for value in (7.5, -1, [1], {"x": 1}, "?", True)
    ),
    changed(name=""),
    changed(name="Mine"),
    changed(name="a" * 41),
    changed(width=7),
    changed(width=12),
    changed(width=10, height=12),
    changed(width=14),
    changed(squares="all"),
    changed(squares="all", move_lines="orthogonal"),
    changed(move_lines="orthogonal"),
    changed(rows=4),
    changed(rows=5),
    changed(rows=3, rows_behind=1),
    changed(rows=1, rows_behind=4),
    changed(repetition=1),
    changed(same_move=101),
    changed(no_progress_moves=201),
    changed(move_limit=501),
    changed(repetition_of="game"),
    changed(same_move_in="pieces"),
    changed(moves_by="W"),
    changed(king_streak=10),
    changed(precedence=["count", "count"]),
    changed(precedence=["count", "many"]),
    changed(precedence=["king_early", "value"]),
    changed(precedence=["king_early", "points"]),
    changed(precedence=["king_early"], squares="all", capture_lines="orthogonal"),
    changed(colours=["white"]),
    changed(colours=["white", "white"]),
    changed(colours=["white", ""]),
    changed(colours=["white", "b\nw"]),
    changed(colours=["white", "b" * 31]),
    changed(ballots="some"),
    changed(ballots=["a" * 501]),
    changed(ballots=["9-13"] * 3001),
    changed(ballots=["9-13 " * 99] * 1100),
    changed(ballots=["1. A: 9-13", "1. B: 10-15"]),
    changed(ballots=["9-13", "10-15", "2. B: 11-15"]),
    changed(ballots=["9-13", "A name alone: "]),
    changed(ballots=["7."]),
    changed(ballots=["0. A: 9-13"]),
    changed(ballots=['A: [FEN "W: W31"] B:']),
    changed(ballots=[f"{'☺' * 81}: 9-13"]),
    changed(notation="A4"),
    changed(title={"de": "Dame"}),
    changed(title={"en": "   "}),
    changed(sources=["x"] * 21),
    changed(readings=["goal", "goal"]),
    changed(readings=["winning"]),
    changed(theme={"light": "red"}),
    changed(theme={"white": ["#ffffff"]}),
    changed(theme={"white": ["#ffffff", "#ffffg0"]}),
    changed(theme={"green": "#00ff00"}),
    changed(material_draws=[{}]),
    changed(material_draws=[{"moves": 3, "strong": {"queens": 1}}]),
    changed(material_draws=[{"moves": 3, "strong": {"kings": [3, 1]}}]),
    changed(material_draws=[{"moves": 3, "weak": {"men": 73}}]),
    changed(material_draws=[{"moves": 201}]),
    changed(material_draws=[{"moves": 3, "main_road": 1}]),
    changed(material_draws=[{"moves": 3, "pieces": [1, 2, 3]}]),
    changed(material_draws=[{"moves": 3, "side": "W"}]),
    changed(material_draws=[{"moves": 1}] * 13),
    changed(width=8.5, height="8", first="G"),
    changed(width=8.0),
]

VALID = [
    BASE,
    changed(),
    changed(width=10, height=8, rows=2),
    changed(repetition_of="pieces", same_move_in="game", move_limit=500, moves_by="both"),
    changed(squares="all", move_lines="orthogonal", capture_lines="orthogonal"),
    changed(precedence=["king_early", "count"]),
    changed(theme={"light": "#AABBCC"}),
    changed(material_draws=[{"moves": 0, "pieces": 2}, {"moves": 3, "strong": {"kings": [1, 2]}}]),
    changed(
        ballots=["12. Дама: b: W:W31:B1 31-26", '7. A: [FEN "W: W31 : B1"]', "1.9-13", "5: 9-13"]
    ),
    changed(ballots=[f"{'☺' * 80}: 9-13", "Б [FENЖ: 9-13"]),
    changed(title={"bg": "Руска"}, colours=["бели", "черни"], ballots=["9-14"]),
    without("title", "summary", "theme", "squares", "sources", "readings", "game_type"),
]


def faults(raw: dict[str, Any]) -> list[list[str]] | None:
    try:
        Rules(**raw) if raw.keys() == PARAMETERS.keys() else rules.from_dict(raw)
    except RulesError as error:
        return [[each.key, each.expected] for each in error.all]
    return None


def test_the_bundled_rules_match_the_library(node: Node) -> None:
    bundled = node("parameters")
    assert sorted(bundled) == sorted(rules.names())
    for name, parameters in bundled.items():
        plain = json.loads(json.dumps(rules.load(name).to_dict()))
        for key in data.LEFT_OUT:
            plain[key] = type(plain[key])()
        assert parameters == plain


def test_invalid_rules_are_refused_with_the_same_errors_as_in_python(node: Node) -> None:
    output = node("rules", INVALID)
    differ = []
    for raw, error in zip(INVALID, output, strict=True):
        expected = faults(raw)
        if raw == changed(width=8.0):
            assert error is None  # equal to another number in JavaScript
            continue
        assert expected is not None, raw
        assert error is not None, raw
        assert error["name"] == "RulesError"
        assert error["code"] == "rules"
        reported = [[each["key"], each["expected"]] for each in error["faults"]]
        if len(raw) < len(BASE) - 1:
            # Python suggests a base if more than one key is missing.
            assert {key for key, _ in reported} == PARAMETERS.keys() - raw.keys() - data_defaults()
        elif reported[: RulesError.MOST] != expected:
            differ.append((reported, expected))
        assert reported[0][1] in error["message"]
    assert not differ


def data_defaults() -> set[str]:
    return {each["key"] for each in data.parameters() if "default" in each}


def test_valid_rules_are_accepted(node: Node) -> None:
    assert [faults(raw) for raw in VALID] == [None] * len(VALID)
    assert node("rules", VALID) == [None] * len(VALID)


def test_rules_start_from_bundled_ones(node: Node) -> None:
    output = node(
        "rules",
        [
            {"base": "dama64", "name": "mine", "king_landing": "any"},
            {"base": "dama64", "kinglanding": "any"},
            {"base": "chess"},
            {"base": 3},
        ],
    )
    assert output[0] is None
    assert output[1]["faults"][0]["key"] == "kinglanding"
    assert "such as king_landing" in output[1]["message"]
    assert [error["code"] for error in output[2:]] == ["unknown_rules"] * 2


def test_the_types_have_every_parameter() -> None:
    text = (ROOT / "js" / "rules_data.d.ts").read_text("utf-8")
    interface = re.search(r"interface RulesParameters \{(.*?)\n\}", text, re.DOTALL)
    assert interface
    assert re.findall(r"^  (\w+)\??:", interface[1], re.MULTILINE) == list(PARAMETERS)
    for key, parameter in PARAMETERS.items():
        values = [value for value in parameter.values if isinstance(value, str)]
        line = re.search(rf"^  {key}: (.*);", interface[1], re.MULTILINE)
        assert line
        if values and key != "notation":
            named = re.findall(r'"([^"]+)"', line[1])
            assert (named or ["W", "B"]) == values, key

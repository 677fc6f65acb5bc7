"""Files in every known dialect: number of games, rules and moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from damka import pdn
from damka.errors import PdnError

FOLDER = Path(__file__).parents[1] / "data" / "pdn"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text("utf-8"))


def games(name: str) -> tuple[list[pdn.PdnGame], list[PdnError]]:
    all_games = list(pdn.read(FOLDER / f"{name}.pdn"))
    good = [game for game in all_games if not game.errors]
    return good, [error for game in all_games for error in game.errors]


@pytest.mark.parametrize("name", EXPECTED)
def test_games_are_read_with_their_rules(name: str) -> None:
    expected = EXPECTED[name]
    good, errors = games(name)
    assert [str(error) for error in errors if not expected.get("wrong")] == []
    assert len(errors) == expected.get("wrong", 0)
    assert [game.move_count for game in good] == [each["plies"] for each in expected["games"]]
    for game, each in zip(good, expected["games"], strict=True):
        # Some games are legal by several rule sets.
        assert game.rules.name in expected.get("oneof", [each["rules"]])


@pytest.mark.parametrize("name", EXPECTED)
def test_games_of_the_files_round_trip(name: str) -> None:
    for game in games(name)[0]:
        text = pdn.format(game)
        [again] = pdn.read(text, game.rules)
        assert pdn.format(again) == text
        assert [node.move for node in again.mainline()] == [node.move for node in game.mainline()]


@pytest.mark.parametrize("name", [name for name in EXPECTED if "result" in EXPECTED[name]])
def test_results_of_the_files(name: str) -> None:
    assert games(name)[0][0].result == EXPECTED[name]["result"]


@pytest.mark.parametrize("name", [name for name in EXPECTED if "header" in EXPECTED[name]])
def test_headers_of_the_files(name: str) -> None:
    tag, value = EXPECTED[name]["header"]
    assert games(name)[0][0].headers[tag] == value


def test_special_features_of_the_files() -> None:
    [clocks] = games("lidraughts-clocks")[0]
    last = [*clocks.mainline()][1]
    assert last.clocks.keys() == {"W", "B"}
    [words] = games("literate-comments")[0]
    node = [*words.mainline()][1]
    assert node.evaluation == pdn.Evaluation(0.87)
    assert node.text.startswith("(0.14 → 0.87) Inaccuracy")
    [arrows] = games("squares-and-arrows")[0]
    assert sum(len(node.marks) for node in arrows.mainline()) == 4
    listed = [next(game.mainline()).move for game in games("listed-captures")[0]]
    assert [list(move.captures) for move in listed if move] == EXPECTED["listed-captures"][
        "captures"
    ]
    assert len(listed) >= 2


@pytest.mark.parametrize(
    ("name", "code", "line"),
    [("nested-comment", "nested_comment", 4), ("illegal-move", "illegal", 4)],
)
def test_deliberate_errors_in_the_files_are_reported(name: str, code: str, line: int) -> None:
    [error] = games(name)[1]
    assert (error.code, error.line, error.game) == (code, line, 1)
    assert str(FOLDER / f"{name}.pdn") in str(error)

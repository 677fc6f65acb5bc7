"""Invalid input to the package: positions, moves and arguments."""

from __future__ import annotations

import random
from typing import Any

import pytest

from damka import Board, rules
from damka.errors import FenError
from tests.javascript.support import Node

FENS = [
    "",
    "W",
    "X:W1:B2",
    "?:W1:B2",
    " B : W30 : B1 .",
    "W:W21,22:K1",
    "W:W21:W22",
    "W:W21,21:B1",
    "W:W33:B1",
    "W:W0:B1",
    "W:Wc3,Kd4:Bb8",
    "W:Wc4:Bb8",
    "W:W30-21:B1",
    "W:W21-30:BK1-4",
    "W:W1:B2",
    "W:W30:B32",
    "W:WK1:BK32:H3:F10",
    "W:WK1:BK32:H",
    "W:WK1:BK32:H3:H4",
    "W:WK1:BK32:F123456",
    "W:WK1:B:",
    "W:W 21 , 22 - 24:B",
    "W:W021:B1",
    "W:Wxx:B1",
    "W:W" + ",".join(["21"] * 400),
    "W:WK21:Bb8..",
    "W:WK5,30:B1,2:H0:F1:+0+3K5",
    "W:WK5,30:B1,2:+3K5+0",
    "W:WK5,30:B1,2:+0+3",
    "W:WK5,30:B1,2:+0",
    "W:WG22,K5,30:B1,P2",
    "W:WG3:BB8",
    '[FEN "W:W21-32:B1-12"]',
    '[fen "W:W21-32:B1-12."',
    '"W:W31:B1,99"',
]
MOVES = [
    "",
    "x",
    "22",
    "22-18",
    "22x18",
    "22-18-14",
    "c3-d4",
    "C3 – B4",
    "22-99",
    "22-17x",
    "1-5",
    "9-13",
    "21-18",
    "18-14",
    "22×18",
    "22:18",
    "c3-d4\n",
    "22-18" * 50,
]


@pytest.mark.parametrize(
    "name", ["russian", "american", "international", "turkish", "italian", "frisian"]
)
@pytest.mark.parametrize("labels", [False, True])
def test_positions_are_refused_with_the_same_errors_as_in_python(
    node: Node, name: str, labels: bool
) -> None:
    rng = random.Random(3)
    texts = list(FENS)
    for text in FENS:
        for _ in range(4):
            at = rng.randrange(len(text) + 1)
            texts.append(text[:at] + rng.choice("WBK:,-.0139 ch?") + text[at + rng.randrange(2) :])
    rule_set = rules.load(name)

    def expected(text: str) -> Any:
        try:
            return Board(rule_set, text, labels=labels).fen
        except FenError as error:
            return [error.code, error.at, None]

    output = node("fens", name, texts, labels)
    results = [[*each[:2], None] if isinstance(each, list) else each for each in output]
    assert results == [expected(text) for text in texts]
    assert all(each[2] for each in output if isinstance(each, list))


def test_invalid_moves_have_error_codes(node: Node) -> None:
    output = node("moves", "russian", None, MOVES)
    codes = [each if isinstance(each, str) else each[1] for each in output]
    assert codes == [
        "not_understood",
        "not_understood",
        "not_understood",
        "22-18",
        "22-18",
        "illegal",
        "22-18",
        "22-17",
        "not_a_square",
        "not_understood",
        "illegal",
        "illegal",
        "illegal",
        "illegal",
        "22-18",
        "22-18",
        "22-18",
        "not_understood",
    ]
    assert all(each[0] == "MoveError" for each in output if isinstance(each, list))


def test_an_ambiguous_text_lists_its_moves(node: Node) -> None:
    fen = "B:W9,23,29,32,36,39,41,46:B7,10,11,25,K50"
    [[name, code, message]] = node("moves", "international", fen, ["50x3"])
    assert (name, code) == ("MoveError", "ambiguous")
    assert message == "50x3 means 2 moves: 50x28x14x3, 50x33x20x3"
    assert node("moves", "international", fen, ["50x28x14x3"]) != [[name, code, message]]


def test_invalid_arguments_have_error_codes(node: Node) -> None:
    errors = node("failures")
    assert {name: (error["name"], error["code"]) for name, error in errors.items()} == {
        "no_limit": ("SearchError", "no_limit"),
        "depth": ("SearchError", "limits"),
        "nodes": ("SearchError", "limits"),
        "ms": ("SearchError", "limits"),
        "lines": ("SearchError", "limits"),
        "handicap": ("SearchError", "limits"),
        "choices": ("SearchError", "choices"),
        "none": ("SearchError", "limits"),
        "weights": ("SearchError", "weights"),
        "freed": ("DamkaError", "freed"),
        "perft": ("DamkaError", "argument"),
        "hash": ("DamkaError", "argument"),
        "square": ("DamkaError", "off_board"),
        "pieces": ("DamkaError", "pieces"),
        "pieces_row": ("FenError", "crowning_row"),
        "pop": ("MoveError", "no_move"),
        "huff": ("MoveError", "no_move"),
        "unhuff": ("MoveError", "no_move"),
        "foreign": ("MoveError", "illegal"),
        "name": ("RulesError", "unknown_rules"),
        "label": ("DamkaError", "off_board"),
        "complex": ("DamkaError", "too_complex"),
        "object": ("SearchError", "weights"),
        "string": ("SearchError", "weights"),
        "load": ("RulesError", "unknown_rules"),
    }

"""Trees with variations, comments and marks: to JSON values, to PDN, and back."""

from __future__ import annotations

import json
import random
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Board, Game, pdn, rules
from damka.live import lines, trees
from damka.live.pasted import ReadOptions
from damka.live.problems import Problem

GAMES: Final = ("dama64", "dama100", "russian", "portuguese", "italian", "international", "turkish")
LETTERS: Final = "abcÁýčЖя0123,.;:!?-+*()<>/\\\"'«»ß漢😀"


def words(rng: random.Random) -> str:
    """Return text without braces and brackets, which is kept exactly."""
    lengths = [rng.randint(1, 8) for _ in range(rng.randint(0, 5))]
    return " ".join("".join(rng.choices(LETTERS, k=length)) for length in lengths)


def random_tree(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """Return a rule set and a tree of possible moves in any order, with annotations."""
    name = rng.choice(GAMES)
    of = rules.load(name)
    boards = [Board(of)]
    nodes: list[dict[str, Any]] = [{"children": [], "comment": words(rng)}]
    for _ in range(rng.randint(0, 60)):
        # Later nodes are likelier, so that lines become long.
        parent = rng.randint(max(0, len(nodes) - 4), len(nodes) - 1)
        board = boards[parent].copy()
        huff = ""
        if board.offences and rng.random() < 0.5:
            square = rng.choice(board.offences)
            board.huff(square)
            huff = f"({square})"
        legal, offences = lines.playable(board)
        allowed = (*legal, *offences)
        taken = {nodes[child]["key"] for child in nodes[parent]["children"]}
        keys = {huff + lines.key_of(move, allowed): move for move in allowed}
        free = sorted(keys.keys() - taken)
        if not free:
            continue
        key = rng.choice(free)
        board.push_unchecked(keys[key])
        is_first = not nodes[parent]["children"]
        nodes[parent]["children"].append(len(nodes))
        boards.append(board)
        squares = [rng.randint(1, of.square_count) for _ in range(4)]
        marks = [(rng.choice("GRBY"), squares[0], squares[0]), (rng.choice("GRBY"), *squares[1:3])]
        marks = [mark for mark in marks if rng.random() < 0.3 and mark[1] != squares[3]]
        marks = list(dict.fromkeys(marks))  # a tree has a mark once
        nodes.append(
            {
                "key": key,
                "before": "" if is_first else words(rng),
                "comment": words(rng),
                "nags": sorted({rng.randint(1, 150) for _ in range(rng.randint(0, 2))}),
                "marks": sorted(marks, key=lambda mark: mark[1] != mark[2]),
                "commands": rng.choice(["", "[%clk 0:01:59]", "[%eval 0.5] [%emt 3]"]),
                "children": [],
            }
        )
    return name, {"nodes": nodes, "tags": {"White": words(rng) or "Ana"}}


def lines_of(nodes: list[dict[str, Any]], index: int = 0) -> Any:
    """Return a tree as nested values, independent of the order of its nodes."""
    node = nodes[index]
    own = {
        name: node.get(name) or None for name in ("key", "before", "comment", "nags", "commands")
    }
    marks = [tuple(mark) for mark in node.get("marks", ())]
    return (own, marks, [lines_of(nodes, child) for child in node.get("children", ())])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_a_tree_survives_pdn(number: int) -> None:
    name, values = random_tree(random.Random(number))
    of = rules.load(name)
    read = msgspec.json.decode(json.dumps(values), type=trees.Tree)
    text = trees.text_of(of, read)
    [game] = pdn.read(text, rules=of)
    assert not game.errors
    again = trees.tree_json(game)
    assert again["dropped"] == 0
    assert lines_of(again["nodes"]) == lines_of(values["nodes"])
    # The page sends back what it has received.
    returned = msgspec.json.decode(msgspec.json.encode(again), type=trees.Tree)
    assert trees.text_of(of, returned) == text


def read(text: str, name: str = "dama64", **options: Any) -> trees.TreeText:
    return trees.read(text.encode(), rules.load(name), ReadOptions(**options), "en", is_pdn=True)


def test_everything_in_a_game_is_read() -> None:
    text = (
        '[White "Ana"] {Start} 1. 22-18! {[%csl G18,R15] [%cal Y22-18] [%clk 0:01:59] Good\n'
        "and bold} (1. 23-18 $2 {no} 1... 11-15 ({or} 1... 12-16)) 1... 11-15 *"
    )
    contents = read(text, "dama64")
    assert contents.game is not None
    tree = trees.tree_json(contents.game)
    root, first, reply, other, answer, alternative = tree["nodes"]
    assert (root["comment"], root["children"], tree["tags"]["White"]) == ("Start", [1, 3], "Ana")
    assert first["marks"] == [("G", 18, 18), ("R", 15, 15), ("Y", 22, 18)]
    assert (first["comment"], first["commands"]) == ("Good\nand bold", "[%clk 0:01:59]")
    assert (first["nags"], first["clock"], first["children"]) == ([1], 119.0, [2])
    assert (reply["text"], other["nags"], other["comment"]) == ("11-15", [2], "no")
    assert (answer["key"], alternative["before"], alternative["key"]) == ("11-15", "or", "12-16")


def test_huffs_are_moves_of_the_tree() -> None:
    game = Game("dama100", "W:W32,33,47:B27,8,9")
    game.play("33-29")
    game.huff(32)
    game.play("8-13")
    contents = read(game.pdn(), "dama100")
    assert contents.game is not None
    tree = trees.tree_json(contents.game)
    keys = [node.get("key") for node in tree["nodes"]]
    assert keys == [None, "33-29", "(32)8-13"]
    assert tree["nodes"][1]["offence"]
    assert tree["nodes"][2]["text"] == "(32) 8-13"
    sent = msgspec.json.decode(msgspec.json.encode(tree), type=trees.Tree)
    assert Game.from_pdn(trees.text_of(rules.load("dama100"), sent)).history == game.history
    # A huff without its move is the end of a line.
    game.undo()
    game.huff(32)
    contents = read(game.pdn(), "dama100")
    assert contents.game is not None
    tree = trees.tree_json(contents.game)
    assert tree["nodes"][-1]["key"] == "(32)"
    sent = msgspec.json.decode(msgspec.json.encode(tree), type=trees.Tree)
    assert Game.from_pdn(trees.text_of(rules.load("dama100"), sent)).pending_huff == 32


def test_positions_set_up_in_mid_game_are_left_out() -> None:
    contents = read('1. 22-18 11-15 /FEN "W:W22:B5"/ 2. 22-17 *')
    assert contents.game is not None
    tree = trees.tree_json(contents.game)
    assert (len(tree["nodes"]), tree["dropped"]) == (3, 1)


def test_several_games_and_other_rules_are_offered() -> None:
    lists = read('[White "Ana"] 1. 22-18 *\n\n[White "Boris"] 1. 23-18 *').lists
    assert lists is not None
    assert [each["white"] for each in lists["games"]] == ["Ana", "Boris"]
    lists = read('[GameType "25"] 1. c3-d4 *').lists
    assert lists is not None
    assert lists["choice"]["named"] == "Russian draughts"
    position = read("W:W22:B5").game
    assert position is not None
    assert position.fen == "W:W22:B5"


@pytest.mark.parametrize(
    ("nodes", "code"),
    [
        ([{"children": [1]}, {"key": "22-13"}], "bad_line"),
        ([{"children": [1]}, {"key": "22-18", "children": [0]}], "bad_field"),
        ([{"children": [1, 1]}, {"key": "22-18"}], "bad_field"),
        ([{"children": [9]}], "bad_field"),
        ([{"children": [1]}, {"key": "(22)11-15"}], "bad_line"),
    ],
)
def test_faulty_trees_are_refused(nodes: list[dict[str, Any]], code: str) -> None:
    tree = msgspec.convert({"nodes": nodes}, trees.Tree)
    with pytest.raises(Problem) as problem:
        trees.text_of(rules.load("dama64"), tree)
    assert problem.value.code == code


def test_variations_nested_too_deep_are_refused() -> None:
    of = rules.load("dama64")
    board = Board(of)
    nodes: list[dict[str, Any]] = [{"children": []}]
    at = 0
    for _ in range(70):
        moves = board.legal_moves
        if len(moves) < 2:
            break
        # Each variation has a variation at its second move.
        nodes[at]["children"] = [len(nodes), len(nodes) + 1]
        nodes += [{"key": lines.key_of(move, moves), "children": []} for move in moves[:2]]
        at = len(nodes) - 1
        board.push(moves[1])
    tree = msgspec.convert({"nodes": nodes}, trees.Tree)
    text = trees.text_of(of, tree)
    assert text.count("(") >= 3
    deep = "(1. 23-18 " * 70 + ")" * 70
    [game] = pdn.read(f"1. 22-18 {deep} *", rules=of)
    assert trees.tree_json(game)["nodes"]

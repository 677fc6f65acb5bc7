"""Boards in JavaScript match native ones in every move, result and counter."""

from __future__ import annotations

from typing import Any

import pytest

from damka import Board, Move, Rules, rules
from damka.notation import text as texts
from tests.javascript.support import Node

MANY = ("american", "dama64", "dama100", "frisian", "russian", "turkish", "killer")
"""Rule sets for many games: huffing, all kinds of kings, a board that uses all squares."""

DEPTHS = {10: 3, 12: 3}
"""Perft depth by the width of the board."""


def key(move: Move) -> str:
    return move.hub() + ("+" if move.crowns else "")


@pytest.mark.parametrize("wasm", ["damka.wasm", "damka-simd.wasm"])
def test_perft_counts_are_the_same_by_all_rules(wasm: str) -> None:
    depths = [(name, DEPTHS.get(rules.load(name).width, 5)) for name in rules.names()]
    with Node(wasm=wasm) as node:
        assert node("perft", depths) == [Board(name).perft(depth) for name, depth in depths]


def board_state(board: Board) -> list[Any]:
    result = board.result and {"winner": board.result.winner, "reason": board.result.reason}
    return [board.turn, board.pieces, result, [list(each) for each in board.counters]]


def check_game(by: str | Rules, game: dict[str, Any]) -> None:
    board = Board(by)
    moves = []
    for ply in game["plies"]:
        assert [key(move) for move in board.legal_moves] == ply["legal"]
        assert list(board.offences) == ply["offences"]
        if "huff" in ply:
            board.huff(ply["huff"])
        else:
            choices = board.quiet_moves if ply["offence"] else board.legal_moves
            move = next(each for each in choices if key(each) == ply["move"])
            assert list(move.route) == ply["path"]
            board.push_unchecked(move)
            moves.append(ply["move"])
        assert board_state(board) == ply["state"]
    assert game["end"] == board.fen
    assert game["moves"] == len(moves)
    assert game["back"] == moves
    assert game["start"]


@pytest.mark.parametrize("name", MANY)
def test_many_random_games_are_the_same(node: Node, name: str) -> None:
    games = node("games", name, 200, 1, 120)
    assert len(games) == 200
    assert any(game["plies"][-1]["state"][2] for game in games)  # some games are complete
    for game in games:
        check_game(name, game)


@pytest.mark.parametrize("name", rules.names())
def test_random_games_by_all_rules_are_the_same(node: Node, name: str) -> None:
    for game in node("games", name, 8, 1000, 150):
        check_game(name, game)


LITERAL: list[dict[str, Any]] = [
    {"base": "dama100", "same_move": 3, "same_move_in": "game"},
    {"base": "american", "same_move": 4, "same_move_in": "game", "move_limit": 60},
    {
        "base": "dama64",
        "repetition": 2,
        "repetition_of": "pieces",
        "no_progress_moves": 3,
        "moves_by": "both",
    },
    {"base": "breakthrough", "move_limit": 9, "moves_by": "both"},
]


@pytest.mark.parametrize("changes", LITERAL)
def test_games_with_literal_draws_are_the_same(node: Node, changes: dict[str, Any]) -> None:
    changed = {key: value for key, value in changes.items() if key != "base"}
    by = rules.load(changes["base"]).replace(name="sheet", **changed)
    games = node("games", {**changes, "name": "sheet"}, 40, 500, 150)
    ends = [game["plies"][-1]["state"][2] for game in games]
    assert {end["reason"] for end in ends if end} & {
        "same_move",
        "repetition",
        "no_progress",
        "move_limit",
    }
    for game in games:
        check_game(by, game)


@pytest.mark.parametrize("name", rules.names())
def test_moves_and_positions_have_the_same_texts(node: Node, name: str) -> None:
    positions = node("texts", name, 7, 60)
    assert len(positions) > 10
    for each in positions:
        board = Board(name, each["fen"])
        assert board.fen == each["fen"]
        labelled = board.fen_with(labels=True)
        assert labelled == each["labelled"]
        assert each["again"]
        assert each["parsed"]
        assert each["pathed"]
        assert each["labels"]
        assert each["moves"] == [
            [
                key(move),
                board.text(move),
                texts.write(board, move),
                list(move.route),
                [list(way) for way in board.routes(move, 4096)],
            ]
            for move in board.legal_moves
        ]

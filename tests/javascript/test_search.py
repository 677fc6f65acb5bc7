"""A search in JavaScript matches the native one with the same nodes or depth."""

from __future__ import annotations

from typing import Any

import pytest

from damka import Board
from damka.engine import Engine
from tests.javascript.support import Node


def native(board: Board, learned: bool, **limits: Any) -> list[list[Any]]:
    with_weights = "shipped" if learned else "general"
    analysis = Engine(16, weights=with_weights).search(board, tables=False, **limits)
    return [
        [line.score, line.mate, [move.hub() + "+" * move.crowns for move in line.pv]]
        for line in analysis.lines
    ]


@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize("name", ["russian", "international", "american", "dama64", "turkish"])
def test_equal_numbers_of_nodes_have_equal_results(node: Node, name: str, learned: bool) -> None:
    board = Board(name)
    moves = []
    for _ in range(4):
        move = board.legal_moves[len(board.legal_moves) // 2]
        moves.append(board.text(move))
        board.push(move)
    result = node("search", name, moves, {"nodes": 20_000, "lines": 2}, learned)
    assert result["lines"] == native(board, learned, nodes=20_000, multi_pv=2)
    assert result["depths"] == sorted(result["depths"])
    assert result["depth"] == result["depths"][-1]
    assert len(result["notation"]) == len(result["lines"][0][2])


def test_a_proved_result_is_reported(node: Node) -> None:
    fen = "W:WK1,K5,K29:BK32"
    result = node("search", "russian", [], {"depth": 12}, False, fen)
    assert result["lines"] == native(Board("russian", fen), learned=False, depth=12)


def test_the_depth_callback_can_stop_the_search(node: Node) -> None:
    result = node("search", "russian", [], {"depth": 40, "stop": 5}, False)
    assert result["depth"] == 5


def test_a_stopped_search_keeps_its_table(node: Node) -> None:
    result = node("stopped", "international", 20)
    assert result["depth"] > 5
    assert 300 < result["ms"] < 5000
    # With an empty table it would search as many nodes as before.
    assert result["again"] < 0.75 * result["nodes"]

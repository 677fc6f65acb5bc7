"""Scores of endings with few pieces agree with how such endings end."""

from __future__ import annotations

import pytest

from damka import Board, _core
from damka.engine import weights


def score_of(rules: str, fen: str) -> int:
    board = Board(rules, fen)
    return _core.evaluate(board, weights.choose(board.rules))


@pytest.mark.parametrize(
    ("rules", "fen"),
    [
        ("international", "W:WK1,K3,K4,K15:BK28"),  # on the main road
        ("dama100", "W:WK1,K3,K4,K15:BK28"),
        ("international", "W:WK1,36,37,38:BK28"),
        ("russian", "W:WK25,21,23:BK11"),  # White owns the main road
        ("dama64", "W:WK4,K9:BK31"),  # a king lands right behind the captured piece
        ("killer", "W:WK1,K3:BK28"),
        ("frisian", "W:WK1,K3:BK28"),
    ],
)
def test_a_won_ending_has_a_clear_score(rules: str, fen: str) -> None:
    assert score_of(rules, fen) > 150
    assert score_of(rules, fen.replace("W:", "B:", 1)) < -150


@pytest.mark.parametrize(
    ("rules", "fen"),
    [
        ("international", "W:WK1,K3,K4:BK28"),
        ("russian", "W:WK1,K2,K3:BK18"),  # on the main road
        ("american", "W:WK1,K3:BK28,K29"),
        ("czech", "W:WK1,K3:BK27"),
    ],
)
def test_a_drawn_ending_has_a_small_score(rules: str, fen: str) -> None:
    assert abs(score_of(rules, fen)) < 120
    assert _core.drawish(Board(rules, fen))

"""Evaluation of endings with few pieces and short kings, and drawish ones among them."""

from __future__ import annotations

import pytest

from damka import Board, _core
from damka.engine import weights

SHORT = ("american", "italian")


def worth(rules: str, fen: str) -> int:
    board = Board(rules, fen)
    return _core.evaluate(board, weights.choose(board.rules))


@pytest.mark.parametrize("rules", SHORT)
def test_three_short_kings_beat_a_king_and_two_men(rules: str) -> None:
    assert worth(rules, "W:WK14,K18,K23:BK3,9,12") > 30
    assert worth(rules, "B:WK14,K18,K23:BK3,9,12") < -30


@pytest.mark.parametrize("rules", SHORT)
@pytest.mark.parametrize(
    "fen",
    [
        "W:WK14,K18:BK3,K4",  # as many kings and nothing else
        "W:WK14,K18,K23:BK3,K4,K5",
        "W:WK14,K18:BK3,12",  # a man gets through, or the king guards it
        "W:WK14,22:BK3,12",
    ],
)
def test_even_endings_of_short_kings_are_drawish(rules: str, fen: str) -> None:
    assert _core.drawish(Board(rules, fen))
    assert abs(worth(rules, fen)) < 60


@pytest.mark.parametrize("rules", SHORT)
@pytest.mark.parametrize(
    "fen",
    [
        "W:WK14,K18,K23:BK3,9,12",
        "W:WK14,22,23:BK3,9,12",
        "W:WK14,22,23,30:BK3,9,12,13",
        "W:WK14,K15,22,23:BK3,K4,9,12",
    ],
)
def test_endings_of_short_kings_with_men_are_played_on(rules: str, fen: str) -> None:
    assert not _core.drawish(Board(rules, fen))


@pytest.mark.parametrize("rules", ["dama64", "russian"])
def test_flying_kings_draw_such_endings(rules: str) -> None:
    assert _core.drawish(Board(rules, "W:WK14,22,23:BK3,9,12"))
    assert _core.drawish(Board(rules, "W:WK14,K18,K23:BK3,9,12"))

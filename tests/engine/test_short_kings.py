"""Evaluation of endings with few pieces and short kings, including drawish ones."""

from __future__ import annotations

import pytest

from damka import Board, _core
from damka.engine import weights

SHORT = ("american", "italian")


def score_of(rules: str, fen: str) -> int:
    board = Board(rules, fen)
    return _core.evaluate(board, weights.choose(board.rules))


@pytest.mark.parametrize("rules", SHORT)
def test_three_short_kings_beat_a_king_and_two_men(rules: str) -> None:
    assert score_of(rules, "W:WK14,K18,K23:BK3,9,12") > 30
    assert score_of(rules, "B:WK14,K18,K23:BK3,9,12") < -30


@pytest.mark.parametrize("rules", SHORT)
@pytest.mark.parametrize(
    "fen",
    [
        "W:WK14,K18:BK3,K4",  # only kings, equally many
        "W:WK14,K18,K23:BK3,K4,K5",
        "W:WK14,K18:BK3,12",  # the man gets through or the king guards it
        "W:WK14,22:BK3,12",
    ],
)
def test_even_endings_of_short_kings_are_drawish(rules: str, fen: str) -> None:
    assert _core.drawish(Board(rules, fen))
    assert abs(score_of(rules, fen)) < 150


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
def test_endings_of_short_kings_with_men_are_not_drawish(rules: str, fen: str) -> None:
    assert not _core.drawish(Board(rules, fen))


@pytest.mark.parametrize("rules", ["international", "russian"])
def test_the_same_endings_with_flying_kings_are_drawish(rules: str) -> None:
    assert _core.drawish(Board(rules, "W:WK14,22,23:BK3,9,12"))
    assert _core.drawish(Board(rules, "W:WK14,K18,K23:BK3,9,12"))

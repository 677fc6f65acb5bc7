"""Answers to levels, as a page sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.study.lessons import inputs
from damka.study.lessons.positions import hub

if TYPE_CHECKING:
    from damka.study import lessons


def right_answers(level: lessons.Level) -> list[int | list[int]]:
    """Return the answers of the first solution: numbers, squares, or routes of moves."""
    answer = level.solutions[0]
    if isinstance(answer, int):
        return [answer]
    if level.goal.kind == "sequence":
        assert isinstance(answer, tuple)
        return [[*inputs.move_ends(str(move))] for move in answer]
    if isinstance(answer, str):
        move = next(each for each in level.board().legal_moves if hub(each) == answer)
        return [[*move.route]]
    return [[int(square) for square in answer]]

"""Shapes of positions: equal if one is the other, shifted, mirrored or seen by the opponent."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["canonical", "shape"]


def shape(rules: Rules, pieces: str) -> tuple[tuple[int, int, str], ...]:
    """Return the pieces by their places relative to each other, left or right not counting."""
    cells = [(*rules.cell(square), piece) for square, piece in enumerate(pieces, 1) if piece != "."]
    return min(_shifted(cells), _shifted([(row, -column, piece) for row, column, piece in cells]))


def canonical(rules: Rules, pieces: str, turn: str) -> tuple[str, str]:
    """Return the position seen by the side to move, as White."""
    if turn == "B":
        return pieces[::-1].translate(_COLOURS), "W"
    return pieces, turn


_COLOURS = str.maketrans("wbWB", "bwBW")


def _shifted(cells: list[tuple[int, int, str]]) -> tuple[tuple[int, int, str], ...]:
    top = min(row for row, _, _ in cells)
    left = min(column for _, column, _ in cells)
    return tuple(sorted((row - top, column - left, piece) for row, column, piece in cells))

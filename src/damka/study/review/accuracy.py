"""Accuracy of a side's moves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["accuracy"]


def accuracy(losses: Sequence[float]) -> float:
    """Return the accuracy of moves that lost these expected scores, 0 to 100.

    It is the mean of the arithmetic and the harmonic mean of the moves' accuracies, so that one bad
    move counts in a long game. A move that loses nothing has 100, one that loses a quarter of a
    point a third of that.
    """
    if not losses:
        return 100.0
    moves = [max(1.0, 100 * math.exp(-4.35 * loss)) for loss in losses]
    mean = sum(moves) / len(moves)
    harmonic = len(moves) / sum(1 / move for move in moves)
    return round((mean + harmonic) / 2, 1)

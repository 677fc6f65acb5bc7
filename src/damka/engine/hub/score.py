"""Conversion between scores of the Hub protocol, in men for the side to move, and of the search.

As in Scan, a win in n plies is 100 - n/100, a tablebase win that may be too late for the counters
of the draw rules is 90 - n/100, and no evaluation exceeds 80. Clients recognize wins by these
numbers.
"""

from __future__ import annotations

from typing import Final

from damka.engine.search import BEYOND, WIN

__all__ = ["WIN_SCORES", "read", "write"]

WIN_SCORES: Final = (100, 300)
"""The score of an immediate win, in men: as in Scan, or as in the search."""

_WIN_BOUND: Final = WIN - 1_000
_TABLE_WIN: Final = 20_000
"""Search score of a tablebase win that may be too late; 2 n lower for a win n plies away."""
_HUB_WIN: Final = 10_000
_HUB_TABLE_WIN: Final = 9_000
_HUB_EVALUATION: Final = 8_000
_MAX_SCORE: Final = 1_000_000


def write(score: int, win: int = WIN_SCORES[0]) -> str:
    """Format a search score; `win` is one of `WIN_SCORES`.

    >>> from damka.engine.hub.score import write
    >>> write(-12), write(29_995), write(-29_995), write(29_995, win=300)
    ('-0.12', '99.95', '-99.95', '299.95')
    """
    hundredths = score if win != WIN_SCORES[0] else _to_hub(abs(score)) * (1 if score > 0 else -1)
    return f"{hundredths / 100:.2f}"


def read(men: float) -> int:
    """Convert a Hub engine's score to a search score, in hundredths of a man.

    Scores above 100 men are not scaled, since engines have different scales for them.

    >>> from damka.engine.hub.score import read
    >>> read(0.31), read(99.95), read(299.95)
    (31, 29995, 29995)
    """
    hundredths = round(100 * max(-_MAX_SCORE, min(men, _MAX_SCORE)))
    magnitude = abs(hundredths)
    if _HUB_TABLE_WIN < magnitude <= _HUB_WIN:
        magnitude = WIN - (_HUB_WIN - magnitude)
    elif _HUB_EVALUATION < magnitude <= _HUB_TABLE_WIN:
        magnitude = _TABLE_WIN - 2 * (_HUB_TABLE_WIN - magnitude)
    return magnitude if hundredths > 0 else -magnitude


def _to_hub(magnitude: int) -> int:
    if magnitude > _WIN_BOUND:
        return _HUB_WIN - (WIN - magnitude)
    if magnitude > BEYOND:
        plies = max(0, min((_TABLE_WIN - magnitude) // 2, _HUB_TABLE_WIN - _HUB_EVALUATION - 1))
        return _HUB_TABLE_WIN - plies
    return min(magnitude, _HUB_EVALUATION)

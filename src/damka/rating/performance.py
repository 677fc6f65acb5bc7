"""Performance ratings: the rating at which a score would be the expected score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["difference", "performance"]

_DIFFERENCES: Final = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117),
    *(125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262),
    *(273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589),
    *(677, 800),
)
"""Rating differences at which the expected score is 50%, 51% … 100%. Source: FIDE Rating
Regulations (B.02), table 8.1.1.
"""


def difference(share: float) -> int:
    """Return the rating difference, −800 to 800, for a share of the points from 0 to 1.

    The share is rounded to a hundredth, halves up. Raises ValueError for a share out of range.

    >>> from damka.rating import difference
    >>> difference(0.75), difference(0.25), difference(1)
    (193, -193, 800)
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share: 0 to 1, not {share}")
    percent = int(share * 100 + 0.5)
    return _DIFFERENCES[percent - 50] if percent >= 50 else -_DIFFERENCES[50 - percent]


def performance(opponents: Sequence[float], share: float) -> int | None:
    """Return the performance rating against opponents with these ratings; None without opponents.

    `share` is the share of the points, 0 to 1. The result is the mean rating, rounded to an integer
    (halves up), plus the difference for the share.

    >>> from damka.rating import performance
    >>> performance([1800, 1900, 2000, 2100], 0.5)
    1950
    """
    if not opponents:
        return None
    mean = int(sum(opponents) / len(opponents) + 0.5)
    return mean + difference(share)

"""Chart of a rating over time, as SVG with the page's colours."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final
from xml.sax.saxutils import quoteattr

from damka import locales

__all__ = ["svg"]

WIDTH: Final = 460
HEIGHT: Final = 180
LEFT: Final = 50
BOTTOM: Final = 30
TOP: Final = 12
RIGHT: Final = 12
_STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)


def svg(points: Sequence[tuple[datetime, float]], language: str) -> str:
    """Return the chart of at least two points in time, the oldest first.

    It has a text alternative for people who cannot see it.
    """
    first, last = points[0], points[-1]
    low, high, step = _scale([value for _, value in points])
    span = max((last[0] - first[0]).total_seconds(), 1.0)

    def x(at: datetime) -> float:
        return LEFT + (at - first[0]).total_seconds() / span * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)

    lines = [
        f'<path class="grid" d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}"/>'
        f'<text x="{LEFT - 8}" y="{y(value) + 5:.1f}" text-anchor="end">{value}</text>'
        for value in range(low, high + 1, step)
    ]
    ends = ((first, "start"), (last, "end"))
    dates = [
        f'<text x="{x(at):.0f}" y="{HEIGHT - 8}" text-anchor="{anchor}">{at:%Y-%m-%d}</text>'
        for (at, _), anchor in ends[: 1 if first[0].date() == last[0].date() else 2]
    ]
    corners = [f"{x(points[0][0]):.1f} {y(points[0][1]):.1f}"]
    for (_, before), (at, value) in pairwise(points):
        # A rating is constant until the next game.
        corners.append(f"{x(at):.1f} {y(before):.1f} {x(at):.1f} {y(value):.1f}")
    best = max(value for _, value in points)
    description = locales.translate(
        language,
        "account.chart",
        begin=round(first[1]),
        end=round(last[1]),
        best=round(best),
        since=f"{first[0]:%Y-%m-%d}",
    )
    box = f"0 0 {WIDTH} {HEIGHT}"
    return (
        f'<svg class="chart" viewBox="{box}" role="img" aria-label={quoteattr(description)}>'
        f'{"".join(lines)}{"".join(dates)}<polyline points="{" ".join(corners)}"/>'
        f'<circle cx="{x(last[0]):.1f}" cy="{y(last[1]):.1f}" r="4"/></svg>'
    )


def _scale(values: Sequence[float]) -> tuple[int, int, int]:
    """Return the lowest and the highest grid line, and their distance, for two to five lines."""
    least, most = min(values), max(values)
    for step in _STEPS:
        low, high = int(least // step) * step, -int(-most // step) * step
        if high == low:
            high = low + step
        if (high - low) / step <= 5:
            return low, high, step
    return int(least), int(most) + 1, max(1, (int(most) - int(least)) // 4)

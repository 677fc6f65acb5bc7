"""What came out of a scenario, as lines with limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["Line", "LoopLag", "correct", "figure", "percentile"]


@dataclass(frozen=True, slots=True)
class Line:
    """One result. A figure that misses its goal is told; a line of correctness must hold."""

    what: str
    value: str
    limit: str = ""
    is_met: bool | None = None
    is_correctness: bool = False


def figure(what: str, value: float, unit: str, limit: float | None = None) -> Line:
    """Return a figure, which should not be above the limit."""
    shown = f"{value:.0f}" if value >= 100 else f"{value:.3g}"
    met = None if limit is None else value <= limit
    return Line(what, f"{shown} {unit}", "" if limit is None else f"≤ {limit:g} {unit}", met)


def correct(what: str, is_met: bool, value: str) -> Line:
    """Return a line that must hold."""
    return Line(what, value, "none" if "error" in what else "", is_met, is_correctness=True)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lies; 0 of none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class LoopLag:
    """How late the generator's own event loop is: what is measured is so much too slow at most."""

    _SECONDS: Final = 0.05

    def __init__(self) -> None:
        self.milliseconds: Final[list[float]] = []
        self._task: Final = asyncio.create_task(self._measure())

    def stop(self) -> None:
        """Measure no more."""
        self._task.cancel()

    async def _measure(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(self._SECONDS)
            self.milliseconds.append(1000 * (time.perf_counter() - began - self._SECONDS))

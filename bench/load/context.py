"""Sizes, progress and servers of a scenario, and its results as lines with limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.services import ServerProcess, fleet

__all__ = [
    "ENOUGH",
    "Context",
    "Line",
    "LoopLag",
    "Scenario",
    "Sizes",
    "correct",
    "figure",
    "percentile",
]

ENOUGH: Final = 200
"""Spare connections of a server beyond a scenario's."""


@dataclass(frozen=True, slots=True)
class Line:
    """A result. A figure may miss its goal; a correctness check must pass."""

    what: str
    value: str
    limit: str = ""
    is_met: bool | None = None
    is_correctness: bool = False


def figure(what: str, value: float, unit: str, limit: float | None = None) -> Line:
    """Return a figure that should not exceed the limit."""
    shown = f"{value:.0f}" if value >= 100 else f"{value:.3g}"
    met = None if limit is None else value <= limit
    return Line(what, f"{shown} {unit}", "" if limit is None else f"≤ {limit:g} {unit}", met)


def correct(what: str, is_met: bool, value: str) -> Line:
    """Return a correctness check."""
    return Line(what, value, "none" if "error" in what else "", is_met, is_correctness=True)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the quantile of the values at this share; 0 if there are none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class LoopLag:
    """Delay of the generator's own event loop, the maximum error of measured latencies."""

    _SECONDS: Final = 0.05

    def __init__(self) -> None:
        self.milliseconds: Final[list[float]] = []
        self._task: Final = asyncio.create_task(self._measure())

    def stop(self) -> None:
        """Stop measuring."""
        self._task.cancel()

    async def _measure(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(self._SECONDS)
            self.milliseconds.append(1000 * (time.perf_counter() - began - self._SECONDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Sizes of all scenarios; the defaults are those of the goals."""

    games: int = 1000
    seconds: float = 300.0
    every: float = 5.0
    """Seconds between two moves of a player."""
    spectators: int = 1000
    shown_moves: int = 60
    reconnects: int = 1000
    sockets: int = 1000
    idle: int = 1000
    finished: int = 50_000
    searches: int = 100
    answers: int = 20
    steps: tuple[int, ...] = (500, 1000, 1500, 2000, 2500, 3000)
    step_seconds: float = 60.0

    @classmethod
    def quick(cls) -> Sizes:
        """Return small sizes for a smoke test of a few seconds."""
        return cls(
            games=20,
            seconds=3.0,
            every=0.8,
            spectators=20,
            shown_moves=6,
            reconnects=20,
            sockets=40,
            idle=10,
            finished=40,
            searches=4,
            answers=2,
            steps=(10, 20),
            step_seconds=2.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Sizes, a scenario's own folder, and a progress callback."""

    sizes: Sizes
    folder: Path
    progress: Callable[[str, int, int], object] = field(default=lambda *_: None)
    """Receives the activity, the completed amount and the total."""

    def part(self, what: str) -> Callable[[int, int], object]:
        """Return the progress callback of one part."""
        return lambda done, of: self.progress(what, done, of)

    @contextmanager
    def server(self, connections: int, **limits: float) -> Iterator[ServerProcess]:
        """Run a server with SQLite for this many live connections."""
        # The limits per address stay the defaults: every player has a different address.
        url = f"sqlite:///{self.folder / 'games.sqlite3'}"
        with fleet(url, limits={"connections": connections, **limits}) as (server,):
            yield server


Scenario = Callable[[Context], Awaitable[list[Line]]]

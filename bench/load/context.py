"""What every scenario is given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench.load.report import Line
from bench.load.servers import Server, serving

__all__ = ["ENOUGH", "Context", "Scenario", "Sizes"]

ENOUGH: Final = 200
"""Connections that a server may have beyond those that a scenario opens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much of everything: what the goals say, or less of it."""

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
    browser: bool = True
    """Whether a browser watches the faults."""

    @classmethod
    def quick(cls) -> Sizes:
        """Return sizes that show whether everything works, in seconds."""
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
    """Sizes, a folder of its own, and who is told how far it is."""

    sizes: Sizes
    folder: Path
    told: Callable[[str, int, int], object] = field(default=lambda *_: None)
    """Is told what is being done, how much of it is, and of how much."""

    def telling(self, what: str) -> Callable[[int, int], object]:
        """Return what tells the progress of one part."""
        return lambda done, of: self.told(what, done, of)

    @contextmanager
    def server(self, connections: int, **limits: float) -> Iterator[Server]:
        """Run one server with SQLite that takes so many live connections, and has other limits."""
        with serving(self.folder, limits={"connections": connections, **limits}) as (server,):
            yield server


Scenario = Callable[[Context], Awaitable[list[Line]]]

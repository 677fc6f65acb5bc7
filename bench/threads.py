"""Two search threads against one: nodes per second, and time to the same depth."""

from __future__ import annotations

import os
import statistics
import time

from bench.figures import Figure, Say
from bench.nodes import PLIES, position
from damka.engine import Engine

__all__ = ["run"]

THREADS = 2
NODES = 6_000_000
TURNS = 3


def run(*, quick: bool, say: Say) -> list[Figure]:
    """Return the speed-up of two threads over one: medians over three positions."""
    if len(os.sched_getaffinity(0)) < THREADS:
        return [Figure("search by two threads", "only one CPU here")]
    rates, times = [], []
    for plies in PLIES:
        say(f"the position after {plies} plies")
        board = position(plies)
        depth = Engine().search(board, nodes=NODES // 20 if quick else NODES).depth
        measured: dict[int, list[tuple[float, float]]] = {1: [], THREADS: []}
        for _ in range(1 if quick else TURNS):
            for threads, results in measured.items():
                engine = Engine(threads=threads)
                engine.search(board, depth=1)
                started = time.perf_counter()
                result = engine.search(board, depth=depth)
                seconds = time.perf_counter() - started
                results.append((result.nodes / seconds, seconds))
        single, several = (
            [statistics.median(column) for column in zip(*measured[n], strict=True)]
            for n in (1, THREADS)
        )
        rates.append(several[0] / single[0])
        times.append(single[1] / several[1])
    rate, faster = statistics.geometric_mean(rates), statistics.geometric_mean(times)
    return [
        Figure("search by two threads, positions/s", f"{rate:.2f}×", ratio=rate),
        Figure("search by two threads, to the same depth", f"{faster:.2f}×", ratio=faster),
    ]

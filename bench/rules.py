"""Perft by every rule set: `make bench-rules`, or `python -m bench.rules`.

Each game is counted from its start position to a fixed depth, in processor seconds on one
processor, and compared with international draughts measured in the same turns; the best of several
turns counts. A rule set loaded from a file must be as fast as the shipped one it copies.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from damka import Board
from damka.rules import Rules, load, names

BASE: Final = "international"
HOUSE: Final = f'base = "{BASE}"\nname = "house"\n'
HOUSE_LEAST: Final = 0.9

DEPTHS: Final = {(6, 6): 11, (8, 8): 10, (10, 8): 9, (10, 10): 8, (12, 12): 7}
DEPTHS_OF: Final = {"armenian": 6, "turkish": 7, "thai": 8, "frysk": 8}
"""Depths by the size of the board, and of the games whose moves are many."""

ENOUGH: Final = 0.1
"""Processor seconds that one measurement takes at least."""


class Speed(NamedTuple):
    """Leaves per second of one game, and the share of international draughts in the same turn."""

    name: str
    depth: int
    leaves: int
    rate: float
    share: float


def depth_of(rules: Rules) -> int:
    """Return the perft depth of a rule set."""
    return DEPTHS_OF.get(rules.name) or DEPTHS[rules.width, rules.height]


def rate(rules: Rules) -> tuple[int, float]:
    """Return the leaves of the start position, and leaves a second."""
    board, depth = Board(rules), depth_of(rules)
    started = time.process_time()
    rounds = 0
    while time.process_time() - started < ENOUGH:
        leaves = board.perft(depth)
        rounds += 1
    return leaves, rounds * leaves / (time.process_time() - started)


def house() -> Rules:
    """Return a copy of international draughts, loaded from a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "house.toml")
        path.write_text(HOUSE, "utf-8")
        return load(path)


def measure(turns: int, advance: Callable[[], object]) -> list[Speed]:
    """Measure every rule set and the copy, with international draughts beside each."""
    base = load(BASE)
    speeds = []
    for rules in (*map(load, names()), house()):
        best = peer = 0.0
        for _ in range(turns):
            peer = max(peer, rate(base)[1])
            leaves, now = rate(rules)
            best = max(best, now)
        speeds.append(Speed(rules.name, depth_of(rules), leaves, best, best / peer))
        advance()
    return speeds


def missed(speed: Speed) -> bool:
    """Return whether the rule set from a file is slower than the one it copies."""
    return speed.name == "house" and speed.share < HOUSE_LEAST


def main() -> int:
    """Measure and print; the exit status is 1 when a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.rules", description=__doc__)
    parser.add_argument("--turns", type=int, default=3, help="measurements of each game (3)")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    columns = (TextColumn("measuring"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(names()) + 1)
        speeds = measure(options.turns, lambda: progress.advance(task))
    table = Table("rule set", "depth", "leaves", "leaves/s", f"share of {BASE}")
    for speed in speeds:
        verdict = ": MISSED" if missed(speed) else ""
        table.add_row(
            speed.name,
            str(speed.depth),
            f"{speed.leaves:,}",
            f"{speed.rate / 1e6:.1f} M",
            f"{speed.share:.2f}{verdict}",
        )
    Console(width=None if sys.stdout.isatty() else 100).print(table)
    return 1 if any(map(missed, speeds)) else 0


if __name__ == "__main__":
    sys.exit(main())

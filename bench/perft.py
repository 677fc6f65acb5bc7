"""Perft: the move generator alone, on one thread, with bulk counting.

Damka and dame-rs are run in turn, five times each, and medians are compared. Both are measured in
processor seconds, so that the load of the machine does not matter: ours around the call, dame-rs's
for its whole process, whose start takes next to nothing.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
from collections.abc import Callable

from bench.figures import Figure
from bench.peers import environment

__all__ = ["run"]

GOAL = 24.0
AMERICAN_GOAL = 11.0
"""Of dame-rs's rate on the only game that it plays."""

_OURS = """
import sys, time
from damka import Board
board = Board(sys.argv[1])
started = time.process_time()
leaves = board.perft(int(sys.argv[2]))
print(leaves, time.process_time() - started)
"""


def run(repeats: int = 5) -> list[Figure]:
    """Return leaves per second: international beside dame-rs, and american."""
    dame = str(environment("dame") / "dame")
    ours: list[float] = []
    theirs: list[float] = []
    american: list[float] = []
    for _ in range(repeats):
        ours.append(_ours("international", 10))
        theirs.append(_dame(dame, 10))
        american.append(_ours("american", 11))
    international, peer = statistics.median(ours), statistics.median(theirs)
    small = statistics.median(american)
    return [
        Figure.against(
            "perft international 10, leaves/s",
            _millions(international),
            f"dame-rs {_millions(peer)}",
            international / peer,
            GOAL,
        ),
        Figure.against(
            "perft american 11, leaves/s",
            _millions(small),
            f"dame-rs {_millions(peer)} (international 10)",
            small / peer,
            AMERICAN_GOAL,
        ),
    ]


def _ours(rules: str, depth: int) -> float:
    command = [sys.executable, "-c", _OURS, rules, str(depth)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return int(told[0]) / float(told[1])


def _dame(program: str, depth: int) -> float:
    """Run `dame perft DEPTH`; it prints "perft(9) = 41022423 in …"."""

    def count() -> int:
        told = subprocess.run(
            [program, "perft", str(depth)], check=True, capture_output=True, text=True
        ).stdout
        return int(told.partition("=")[2].split()[0])

    leaves, seconds = _child_seconds(count)
    return leaves / seconds


def _child_seconds(work: Callable[[], int]) -> tuple[int, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    leaves = work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return leaves, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _millions(rate: float) -> str:
    return f"{rate / 1e6:,.1f} M"

"""Perft: the move generator on one thread, with bulk counting.

Damka and dame-rs alternate, and medians are compared. Both are measured in CPU seconds, so
that the load of the machine does not matter: ours around the call, dame-rs's for its whole process,
which starts in negligible time.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

from bench.figures import Figure, Say
from bench.peers import environment, printed
from damka import Board
from damka.rules import Rules, load, names

__all__ = ["rules", "run"]

GOAL: Final = 24.0
AMERICAN_GOAL: Final = 11.0
"""Relative to dame-rs on its only game."""

_OURS: Final = """
import sys, time
from damka import Board
board = Board(sys.argv[1])
started = time.process_time()
leaves = board.perft(int(sys.argv[2]))
print(leaves / (time.process_time() - started))
"""


def run(*, quick: bool, say: Say) -> list[Figure]:
    """Return leaves per second: international in comparison with dame-rs, and american."""
    turns, less = (1, 2) if quick else (5, 0)
    dame = str(environment("dame") / "dame")
    rates: list[tuple[float, float, float]] = []
    for turn in range(turns):
        say(f"turn {turn + 1} of {turns}")
        (ours,) = printed(_OURS, "international", 10 - less)
        (american,) = printed(_OURS, "american", 11 - less)
        rates.append((ours, american, _dame(dame, 10 - less)))
    international, small, peer = (statistics.median(each) for each in zip(*rates, strict=True))
    return [
        Figure.against(
            f"perft international {10 - less}, leaves/s",
            _millions(international),
            f"dame-rs {_millions(peer)}",
            international / peer,
            GOAL,
        ),
        Figure.against(
            f"perft american {11 - less}, leaves/s",
            _millions(small),
            f"dame-rs {_millions(peer)} (international)",
            small / peer,
            AMERICAN_GOAL,
        ),
    ]


def _dame(program: str, depth: int) -> float:
    """Run `dame perft DEPTH`, which prints "perft(9) = 41022423 in …"; return leaves per second."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    completed = subprocess.run(
        [program, "perft", str(depth)], check=True, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return int(completed.stdout.partition("=")[2].split()[0]) / seconds


def _millions(rate: float) -> str:
    return f"{rate / 1e6:,.1f} M"


# Every rule set

BASE: Final = "international"
HOUSE_MIN: Final = 0.9
"""A rule set loaded from a file must be as fast as the shipped one that it copies."""
DEPTHS: Final = {(6, 6): 11, (8, 8): 10, (10, 8): 9, (10, 10): 8, (12, 12): 7}
DEPTHS_OF: Final = {"armenian": 6, "turkish": 7, "thai": 8, "frysk": 8}
"""Depths of games with many moves; `DEPTHS` has the others, by board size."""
ENOUGH: Final = 0.1
"""Minimum CPU seconds of a measurement."""


def rules(*, quick: bool, say: Say) -> list[Figure]:
    """Return leaves per second of every rule set and its copy from a file: the best of some runs.

    International draughts are measured in the same runs.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "house.toml")
        path.write_text(f'base = "{BASE}"\nname = "house"\n', "utf-8")
        house = load(path)
    base, figures = load(BASE), []
    for each in (*map(load, names()), house):
        say(each.name)
        best = peer = 0.0
        for _ in range(1 if quick else 3):
            peer = max(peer, _rate(base, quick=quick))
            best = max(best, _rate(each, quick=quick))
        figures.append(
            Figure.against(
                f"perft {each.name} {_depth(each, quick=quick)}, leaves/s",
                _millions(best),
                f"{BASE} {_millions(peer)}",
                best / peer,
                HOUSE_MIN if each is house else None,
            )
        )
    return figures


def _depth(of: Rules, *, quick: bool) -> int:
    return (DEPTHS_OF.get(of.name) or DEPTHS[of.width, of.height]) - (3 if quick else 0)


def _rate(of: Rules, *, quick: bool) -> float:
    board, depth = Board(of), _depth(of, quick=quick)
    started = time.process_time()
    leaves = 0
    while (spent := time.process_time() - started) < ENOUGH:
        leaves += board.perft(depth)
    return leaves / spent

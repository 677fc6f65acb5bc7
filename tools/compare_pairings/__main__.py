"""`python -m tools.compare_pairings [TOURNAMENTS]`; `--help` lists the options."""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import os
import sys
import time
from pathlib import Path

from tools.compare_pairings.compare import Report, compare


def main() -> int:
    """Compare, print what differed and why, and return 1 for a difference without a reason."""
    parser = argparse.ArgumentParser(prog="python -m tools.compare_pairings")
    parser.add_argument("tournaments", type=int, nargs="?", default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, nargs=2, default=(6, 24), metavar=("LEAST", "MOST"))
    parser.add_argument("--plain", action="store_true", help="everybody plays every game")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, help="write the TRF of each fault into this folder")
    given = parser.parse_args()
    began = time.monotonic()
    report = Report()
    one = functools.partial(compare, players=tuple(given.players), plain=given.plain)
    seeds = range(given.seed, given.seed + given.tournaments)
    with multiprocessing.Pool(given.jobs) as pool:
        for done, each in enumerate(pool.imap_unordered(one, seeds, chunksize=5), 1):
            report += each
            if done % 100 == 0:
                print(f"{done} of {given.tournaments}", file=sys.stderr, flush=True)
    print(report.text())
    print(f"{time.monotonic() - began:.0f} s")
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
        for number, fault in enumerate(report.faults, 1):
            (given.keep / f"{number:03}.txt").write_text(fault, "utf-8")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())

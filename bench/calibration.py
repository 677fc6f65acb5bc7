"""Measure the winning chances of scores: `python -m bench calibration [RULES...]`.

It plays games between equal players, which the fit of the curves has not seen, and compares the
predicted chances of positions with the results. A calibration error is the mean distance between
both in ten bins of the prediction, weighted by positions; the goal is 2% for a win, a draw and a
loss. Games are stored in `.cache/`, so an interrupted run can continue. The exit status is 1 for a
missed goal.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from bench.figures import Say
from damka.rules import load
from damka.training.calibration import RULES, Calibration, CalibrationSettings
from damka.training.curve import Errors

GOAL: Final = 0.02
GAMES: Final = 4_000
SEED: Final = 1
"""Not the seed of the games that the curves were fitted to."""


@dataclass
class View:
    """Reports the progress of a calibration in one line."""

    say: Say
    stage: str = ""
    total: int = 0
    done: int = 0

    def begin(self, stage: str, total: int, done: int) -> None:
        self.stage, self.total, self.done = stage, total, done

    def advance(self, parts: int, note: str) -> None:
        del note
        self.done += parts
        self.say(f"{self.stage}, {self.done:,} of {self.total:,}")

    def log(self, line: str) -> None:
        self.say(line)


@dataclass(frozen=True)
class Row:
    """The calibration of a rule set."""

    rules: str
    games: int
    positions: int
    errors: Errors

    @property
    def met(self) -> bool:
        return max(self.errors) <= GOAL


def measure(
    names: Sequence[str] = RULES, games: int = GAMES, jobs: int = 1, say: Say = print
) -> Iterator[Row]:
    """Yield the calibration of each rule set."""
    for name in names:
        settings = CalibrationSettings(games=games, seed=SEED)
        folder = Path(".cache") / "calibration" / name
        positions, errors = Calibration(load(name), folder, settings, View(say), jobs).measure()
        yield Row(name, games, positions, errors)


def table(rows: Sequence[Row]) -> Table:
    """Return the errors in percent, with those above the goal marked."""
    result = Table("rules", "games", "positions", "win", "draw", "loss")
    for row in rows:
        errors = [f"{100 * error:.1f}%" + " !" * (error > GOAL) for error in row.errors]
        result.add_row(row.rules, f"{row.games:,}", f"{row.positions:,}", *errors)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench calibration",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rules", nargs="*", default=RULES, help="rule sets (all with curves)")
    parser.add_argument("--games", type=int, default=GAMES, help=f"per rule set ({GAMES})")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    options = parser.parse_args(arguments)
    with Console(stderr=True).status("starting …") as status:
        rows = list(measure(options.rules, options.games, options.jobs, status.update))
    Console().print(table(rows))
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Fault tests in the middle of many running games, with figures.

`python -m bench.faults` runs every scenario with 200 games (ten minutes), `python -m bench.faults
server broker` two of them. Each checks that no acknowledged move is lost or duplicated, that no
clock is wrong, and that all games continue. Run it on an idle machine: clocks may be wrong by at
most a tenth of a second. The exit status is 1 if a check fails.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
from pathlib import Path
from typing import Final

import pytest
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

ROOT: Final = Path(__file__).parents[1]
ONE: Final = "tests/server/test_faults.py"
TWO: Final = "tests/server/cluster/test_processes.py"
LOST: Final = f"{ONE}::test_running_games_are_saved_when_the_database_is_lost"
SCENARIOS: Final = {
    "server": f"{ONE}::test_the_server_is_killed",
    "one_of_two": f"{TWO}::test_one_of_two_processes_is_killed",
    "postgres": f"{TWO}::test_the_database_is_killed",
    "broker": f"{TWO}::test_the_broker_is_killed",
    "full_disk": f"{ONE}::test_the_disk_is_full",
    "deleted": f"{LOST}[deleted]",
    "replaced": f"{LOST}[replaced]",
    "damaged": f"{LOST}[damaged]",
    "clients": f"{ONE}::test_misbehaving_clients_do_not_affect_others",
}


class Results:
    """A pytest plugin that shows the running scenario, and prints the figures of each."""

    def __init__(self, progress: Progress, count: int) -> None:
        self._progress: Final = progress
        self._task: Final = progress.add_task("starting", total=count)

    def _name(self, test: str) -> str:
        return next(name for name, each in SCENARIOS.items() if each == test)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Show the scenario that starts."""
        self._progress.update(self._task, description=self._name(nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print the result of a scenario."""
        if report.when == "call" or report.failed:
            name = self._name(report.nodeid)
            table = Table("measured", "result", title=name, title_justify="left")
            for what, value in report.user_properties:
                table.add_row(str(what), str(value))
            style = "red" if report.failed else None
            table.add_row("checks", report.outcome, style=style)
            self._progress.console.print(table)
            if report.failed:
                self._progress.console.print(report.longreprtext, markup=False)
            self._progress.advance(self._task)


def main() -> int:
    """Run the chosen scenarios; return 1 when a check fails."""
    sentences = str.maketrans({"_": " ", "[": ": ", "]": ""})
    described = "\n".join(
        f"  {name:11} {test.partition('::test_')[2].translate(sentences)}"
        for name, test in SCENARIOS.items()
    )
    parser = argparse.ArgumentParser(
        prog="python -m bench.faults",
        description=__doc__,
        epilog=f"scenarios:\n{described}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("scenario", nargs="*", help="one or more of the list below (all)")
    parser.add_argument("--games", type=int, default=200, help="concurrent games (200; 6 in tests)")
    options = parser.parse_args()
    chosen: list[str] = options.scenario or list(SCENARIOS)
    for name in chosen:
        if name not in SCENARIOS:
            parser.error(f"no scenario {name!r}; there are {', '.join(SCENARIOS)}")
    os.environ["DAMKA_FAULT_GAMES"] = str(options.games)
    os.chdir(ROOT)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    console = Console(width=None if sys.stdout.isatty() else 120)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
        arguments = [SCENARIOS[name] for name in chosen]
        quiet = ("-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts=")
        status = pytest.main([*quiet, *arguments], plugins=[Results(progress, len(chosen))])
    return 0 if status is pytest.ExitCode.OK else 1


if __name__ == "__main__":
    sys.exit(main())

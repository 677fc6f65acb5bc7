"""The command line that load and faults share: scenarios by name, a bar, a table at the end."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import gc
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bench.load.context import Context, Scenario, Sizes
from bench.load.report import Line
from bench.load.servers import allow_descriptors
from bench.load.services import MissingError

__all__ = ["main", "run"]


def main(
    program: str, about: str | None, scenarios: Mapping[str, Scenario], usual: Sizes | None = None
) -> int:
    """Run the scenarios that are asked for; return 1 when a line of correctness does not hold."""
    parser = argparse.ArgumentParser(prog=program, description=about)
    names = ", ".join(scenarios)
    parser.add_argument("scenario", nargs="*", help=f"some of {names} (default: all)")
    parser.add_argument("--games", type=int, help="games at once")
    parser.add_argument("--minutes", type=float, help="how long they are played")
    parser.add_argument("--finished", type=int, help="games that are played to their end")
    parser.add_argument(
        "--quick", action="store_true", help="a few seconds of each, as in the tests"
    )
    asked = parser.parse_args()
    chosen: list[str] = asked.scenario or list(scenarios)
    for name in chosen:
        if name not in scenarios:
            parser.error(f"no scenario {name!r}; there are {names}")
    sizes = Sizes.quick() if asked.quick else usual or Sizes()
    changes = {
        "games": asked.games,
        "seconds": None if asked.minutes is None else 60 * asked.minutes,
        "finished": asked.finished,
    }
    sizes = dataclasses.replace(sizes, **{k: v for k, v in changes.items() if v is not None})
    allow_descriptors()
    return run({name: scenarios[name] for name in chosen}, sizes)


def run(scenarios: Mapping[str, Scenario], sizes: Sizes) -> int:
    """Run scenarios one after the other, and print what came out of each as soon as it is there."""
    good = True
    console = Console(width=None if sys.stdout.isatty() else 120)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    for name, scenario in scenarios.items():
        began = time.monotonic()
        with (
            tempfile.TemporaryDirectory(prefix="damka-bench-") as folder,
            Progress(
                *columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True
            ) as bar,
        ):
            task = bar.add_task(name, total=None)

            def told(what: str, done: int, of: int) -> None:
                bar.update(task, description=f"{name}: {what}", completed=done, total=of)  # noqa: B023

            context = Context(sizes=sizes, folder=Path(folder), told=told)
            # A collection of all garbage would stop the generator, and count as the server's delay.
            gc.collect()
            gc.disable()
            try:
                lines = asyncio.run(_awaited(scenario, context))
            except MissingError as error:
                lines = [Line("not measured", str(error), "", False, is_correctness=True)]
            except Exception as error:  # the others are run all the same
                lines = [Line("failed", f"{type(error).__name__}: {error}", "", False, True)]
        gc.enable()
        good &= all(line.is_met is not False for line in lines if line.is_correctness)
        console.print(_table(f"{name} ({time.monotonic() - began:.0f} s)", lines))
    return 0 if good else 1


async def _awaited(scenario: Scenario, context: Context) -> list[Line]:
    return await scenario(context)


def _table(title: str, lines: Sequence[Line]) -> Table:
    table = Table("measured", "result", "limit", title=title, title_justify="left")
    for line in lines:
        bad = "FAILED" if line.is_correctness else "missed"
        verdict = {None: "", True: "met", False: bad}[line.is_met]
        style = "red" if line.is_met is False else None
        table.add_row(line.what, line.value, f"{line.limit} {verdict}".strip(), style=style)
    return table

"""Load-test a running server over loopback, and verify its answers and its database.

`python -m bench.load` runs every scenario (an hour), `python -m bench.load games steps` two of
them, and `--quick` a few seconds of each. The exit status is 1 if something was wrongly lost,
duplicated or refused; a missed goal is only marked.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import gc
import resource
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bench.load import memory, playing, searching, shedding, watching
from bench.load.context import Context, Line, Scenario, Sizes

SCENARIOS: dict[str, Scenario] = {
    "games": playing.games,
    "cluster": playing.cluster,
    "steps": playing.steps,
    "spectators": watching.spectators,
    "reconnects": watching.reconnects,
    "sockets": memory.sockets,
    "idle": memory.idle,
    "engines": searching.engines,
    "analyses": searching.analyses,
    "shedding": shedding.shedding,
    "finished": memory.finished,
}


def main() -> int:
    """Run the chosen scenarios; return 1 if a correctness check fails."""
    described = "\n".join(f"  {name:11} {each.__doc__}" for name, each in SCENARIOS.items())
    parser = argparse.ArgumentParser(
        prog="python -m bench.load",
        description=__doc__,
        epilog=f"scenarios:\n{described}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("scenario", nargs="*", help="one or more of the list below (all)")
    parser.add_argument("--games", type=int, help="concurrent games (1000)")
    parser.add_argument("--minutes", type=float, help="how long they are played (5)")
    parser.add_argument("--finished", type=int, help="games played to the end (50000)")
    parser.add_argument("--quick", action="store_true", help="a few seconds of each")
    options = parser.parse_args()
    chosen: list[str] = options.scenario or list(SCENARIOS)
    for name in chosen:
        if name not in SCENARIOS:
            parser.error(f"no scenario {name!r}; there are {', '.join(SCENARIOS)}")
    changes = {
        "games": options.games,
        "seconds": None if options.minutes is None else 60 * options.minutes,
        "finished": options.finished,
    }
    sizes = dataclasses.replace(
        Sizes.quick() if options.quick else Sizes(),
        **{name: value for name, value in changes.items() if value is not None},
    )
    # This process and the servers may have as many connections as the system allows.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return run({name: SCENARIOS[name] for name in chosen}, sizes)


def run(scenarios: Mapping[str, Scenario], sizes: Sizes) -> int:
    """Run scenarios one after the other; print the results of each at once."""
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

            def progress(what: str, done: int, of: int) -> None:
                bar.update(task, description=f"{name}: {what}", completed=done, total=of)  # noqa: B023

            context = Context(sizes=sizes, folder=Path(folder), progress=progress)
            # A full garbage collection would pause the generator and count as the server's delay.
            gc.collect()
            gc.disable()
            try:
                lines = asyncio.run(_awaited(scenario, context))
            except Exception as error:  # the other scenarios still run
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


if __name__ == "__main__":
    sys.exit(main())

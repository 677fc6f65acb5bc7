"""Compare the kernel with the executable specification and with every published count.

`ends` are plies of random games after which results and counters were compared.

Takes some hours; stopped and started again, it goes on where it was.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from damka import _core
from damka.rules import names
from tools.prove.jobs import ANY, Done, Job, do, jobs

ROOT: Final = Path(__file__).parents[2]
CACHE: Final = ROOT / ".cache" / "prove"
POSITIONS: Final = 20_000
WHAT: Final = ("positions", "captures", "long", "kings", "crowning", "streaks", "ends")


class State:
    """What is done already, in a file of its own for each state of the sources."""

    def __init__(self) -> None:
        self._path = CACHE / f"{_fingerprint()}.json"
        self._saved = time.monotonic()
        self.done: dict[str, Done] = {}
        if self._path.exists():
            known = json.loads(self._path.read_text("utf-8"))
            self.done = {name: Done(**done) for name, done in known.items()}

    def add(self, job: Job, done: Done) -> None:
        """Remember a job, unless it failed."""
        if not done.failure:
            self.done[job.id] = done
        if time.monotonic() - self._saved > 5:
            self.save()

    def save(self) -> None:
        """Write the file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        plain = {name: dataclasses.asdict(done) for name, done in self.done.items()}
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps(plain), "utf-8")
        fresh.replace(self._path)
        self._saved = time.monotonic()


def main(arguments: list[str] | None = None) -> int:
    """Do what is not done yet and print what was seen; the exit status is 1 on a disagreement."""
    parser = argparse.ArgumentParser(prog="python -m tools.prove", description=__doc__)
    parser.add_argument(
        "--positions", type=int, default=POSITIONS, help=f"of each rule set ({POSITIONS})"
    )
    parser.add_argument(
        "--rules", nargs="+", metavar="NAME", help=f'some rule sets, or "{ANY}" for those drawn'
    )
    asked = parser.parse_args(arguments)
    known = [*names(), ANY]
    chosen: list[str] = asked.rules or known
    for name in chosen:
        if name not in known:
            parser.error(f"no rule set {name!r}; there are {', '.join(known)}")
    state = State()
    whole = jobs(chosen, asked.positions)
    try:
        failures = _work([job for job in whole if job.id not in state.done], state)
    except KeyboardInterrupt:
        print("stopped; start it again to go on", file=sys.stderr)
        return 130
    finally:
        state.save()
    _report(chosen, whole, state, failures)
    return 1 if failures else 0


def _work(todo: list[Job], state: State) -> list[str]:
    """Do the jobs, one process for each processor; return what went wrong."""
    failures: list[str] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with (
        concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool,
        Progress(*columns, TimeRemainingColumn(), console=console) as progress,
    ):
        bar = progress.add_task("proving", total=len(todo))
        running = {pool.submit(do, job): job for job in todo}
        try:
            for future in concurrent.futures.as_completed(running):
                job, done = running[future], future.result()
                state.add(job, done)
                if done.failure:
                    failures.append(done.failure)
                    console.print(done.failure, style="red", markup=False)
                progress.advance(bar)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return failures


def _report(chosen: list[str], whole: list[Job], state: State, failures: list[str]) -> None:
    table = Table("rules", *WHAT, "plies", "seconds", "agreed")
    for name in chosen:
        mine = [state.done[job.id] for job in whole if job.rules == name and job.id in state.done]
        counts = [str(sum(done.seen.get(what, 0) for done in mine)) for what in WHAT]
        published = max((done.seen.get("published", 0) for done in mine), default=0)
        agreed = max((done.seen.get("agreed", 0) for done in mine), default=0)
        plies = f"{published} published" if published else str(agreed or "")
        failed = any(failure.startswith(f"{name}: ") for failure in failures)
        seconds = f"{sum(done.seconds for done in mine):.0f}"
        table.add_row(name, *counts, plies, seconds, "NO" if failed else "yes")
    Console(width=None if sys.stdout.isatty() else 140).print(table)
    for failure in failures:
        print(failure)


def _fingerprint() -> str:
    """Return a hash of everything that the outcome depends on."""
    files = [
        Path(_core.__file__),
        ROOT / "src/damka/reference.py",
        *(ROOT / "src/damka/rules").rglob("*.*"),
        *(ROOT / "tools/prove").glob("*.py"),
        ROOT / "tests/data/perft.json",
    ]
    whole = hashlib.sha256()
    for path in sorted(path for path in files if path.suffix != ".pyc"):
        whole.update(path.name.encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())

"""`damka train`: train an evaluation by self-play."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from damka.cli.interrupt import resumable
from damka.cli.options import (
    folder_option,
    load_rules,
    rules_argument,
    seed_option,
)
from damka.cli.program import program_name
from damka.cli.usage import UsageProblem

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from damka.rules import Rules
    from damka.training import TrainingSettings

__all__ = ["train"]


def train(
    name: str | None = rules_argument(None),
    every: bool = typer.Option(False, "--all", help="Train every rule set that has no weights."),
    folder: Path = folder_option(
        "Folder for the runs, each in a folder named after its rule set.", Path("training")
    ),
    generations: int = typer.Option(
        2,
        "--generations",
        min=1,
        max=100,
        metavar="N",
        help="Rounds of self-play, fit and match (1 to 100).",
    ),
    games: int = typer.Option(
        20_000, "--games", min=1, metavar="N", help="Self-play games per generation."
    ),
    nodes: int = typer.Option(
        700, "--nodes", min=1, metavar="N", help="Positions to search per move."
    ),
    window: int = typer.Option(
        6,
        "--window",
        min=1,
        max=100,
        metavar="N",
        help="Fit to the positions of the last N generations (1 to 100).",
    ),
    pairs: int = typer.Option(
        300, "--pairs", min=1, metavar="N", help="Maximum number of game pairs in a match."
    ),
    trials: int = typer.Option(
        100,
        "--trials",
        min=0,
        metavar="N",
        help="Pairs of games against the general evaluation at the end, by nodes and by time.",
    ),
    start: str = typer.Option(
        "shipped",
        "--start",
        metavar="WEIGHTS",
        help="First weights: shipped, general (evaluation) or a file.",
    ),
    pieces: int = typer.Option(
        0,
        "--pieces",
        min=0,
        max=6,
        metavar="N",
        help="Maximum number of pieces for which both sides probe endgame tablebases (see `damka "
        "tablebase build`); 0 for none.",
    ),
    keep: float = typer.Option(
        0.0,
        "--keep",
        min=0,
        max=1,
        metavar="SHARE",
        help="Share of the previous best weights to mix in (0 to 1).",
    ),
    also: list[Path] = typer.Option(
        [],
        "--also",
        metavar="FOLDER",
        help="Also fit to the games of another run of the same rules (repeatable).",
    ),
    seed: int = seed_option(),
    workers: int | None = typer.Option(
        None,
        "--jobs",
        "-j",
        min=0,
        max=1024,
        metavar="N",
        help="Processes (1 to 1024). Default: one per processor.",
    ),
    ray: str | None = typer.Option(
        None,
        "--ray",
        metavar="ADDRESS",
        help="Play on this Ray cluster instead, such as 10.0.0.1:6379.",
    ),
) -> None:
    """Train an evaluation by self-play.

    Each generation plays games against itself, fits weights to the results, and keeps them if they
    win a match against the best so far. Repeat the command to continue an interrupted run, or to
    add generations to a finished one. Needs: pip install 'damka[train]'

    Example:  damka train mini-american --games 2000
    """
    from damka.training import Run, TrainingSettings  # noqa: PLC0415

    if name is None and not every:
        raise UsageProblem("name a rule set or give --all.")
    if name is not None and every:
        raise UsageProblem(f"give either --all or a rule set ({name}).")
    if pieces == 1:
        raise UsageProblem("--pieces must be 0, or 2 to 6.")
    settings = TrainingSettings(
        games=games,
        generations=generations,
        nodes=nodes,
        window=window,
        pairs=pairs,
        trials=trials,
        start=start,
        seed=seed,
        pieces=pieces,
        keep=keep,
        also=tuple(str(each) for each in also),
    )
    count = workers or _processors()
    for rules in _untrained() if every else [load_rules(str(name))]:
        with resumable(), _View() as view:
            best = Run(rules, folder / rules.name, settings, view, count, ray).run()
        typer.echo(_outcome(rules, folder / rules.name, best, settings))


def _untrained() -> list[Rules]:
    """Return the rule sets without weights, one of those that play alike."""
    from damka.engine.weights import play_of, shipped_file  # noqa: PLC0415
    from damka.rules import load, names  # noqa: PLC0415

    untrained: dict[object, Rules] = {}
    for name in names():
        rules = load(name)
        if shipped_file(rules) is None:
            untrained.setdefault(play_of(rules), rules)
    return list(untrained.values())


def _outcome(rules: Rules, folder: Path, best: Path | None, settings: TrainingSettings) -> str:
    if best is None:
        return f"{rules.name}: no improvement over the current weights; see {folder / 'report.svg'}"
    return (
        f"{rules.name}: {best} (figures in {folder / 'report.svg'}); to see it play:\n"
        f"  {program_name()} match engine:weights={best} engine:weights=general "
        f"--rules {rules.name} --nodes {settings.nodes}"
    )


class _View:
    """A progress bar for the current stage, and a line for each finished stage."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
        )
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def begin(self, stage: str, total: int, done: int) -> None:
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(stage, total=total, completed=done, note="")

    def advance(self, parts: int, note: str) -> None:
        if self._task is not None:
            self._bar.update(self._task, advance=parts, note=note)

    def log(self, line: str) -> None:
        self._bar.console.print(line, highlight=False)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

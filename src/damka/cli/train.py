"""`damka train`: learn an evaluation from self-play."""

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
from damka.cli.options import load_rules, rules_argument
from damka.cli.program import program_name

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from damka.rules import Rules
    from damka.training import TrainingSettings

__all__ = ["train"]


def train(
    name: str | None = rules_argument(None),
    every: bool = typer.Option(
        False, "--all", help="Train for every rule set that no weights come with yet."
    ),
    folder: Path = typer.Option(
        Path("training"), help="The folder for runs, each in one of the rule set's name."
    ),
    generations: int = typer.Option(2, min=1, max=100, help="Rounds of self-play, fit and match."),
    games: int = typer.Option(20_000, min=1, help="Games of self-play in each generation."),
    nodes: int = typer.Option(700, min=1, help="Positions a move, in self-play and matches."),
    window: int = typer.Option(
        6, min=1, max=100, help="Fit to the positions of this many generations, the latest."
    ),
    pairs: int = typer.Option(300, min=1, help="Pairs of games in a match at most."),
    trials: int = typer.Option(
        100, min=0, help="Pairs against the general evaluation at the end, by nodes and by time."
    ),
    start: str = typer.Option(
        "shipped", help="Who plays first: shipped, general (evaluation), or a file of weights."
    ),
    pieces: int = typer.Option(
        0,
        min=0,
        max=6,
        help="The most pieces for which both sides probe the endgame tables; 0 for none. "
        "`damka tablebase build` makes them.",
    ),
    keep: float = typer.Option(
        0.0,
        min=0,
        max=1,
        help="The share of the previous best weights that is mixed in; they know other games.",
    ),
    also: list[Path] = typer.Option(
        [],
        metavar="FOLDER",
        help="Another run of the same rules whose games to fit to. May be given again.",
    ),
    seed: int = typer.Option(0, help="The seed of everything random."),
    workers: int = typer.Option(
        0, min=0, max=1024, help="Processes of this machine; 0 for one a processor."
    ),
    ray: str | None = typer.Option(
        None, metavar="ADDRESS", help="The Ray cluster to play on instead, such as 10.0.0.1:6379."
    ),
) -> None:
    """Learn to judge positions: play against oneself, fit to the results, test what is new.

    New weights are kept if they win a match against the best so far. An interrupted run
    goes on where it was: repeat the command; with more generations, so does one that has come to
    its end. Needs: pip install 'damka\\[train]'

    Example:  damka train mini-american --games 2000
    """
    from damka.training import Run, TrainingSettings  # noqa: PLC0415

    if name is None and not every:
        raise typer.BadParameter("name a rule set, or give --all")
    if name is not None and every:
        raise typer.BadParameter(f"--all trains what has no weights; without it, {name} alone")
    if pieces == 1:
        raise typer.BadParameter("--pieces is 0, or 2 to 6: no ending has one piece")
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
            best = Run(rules, folder / rules.name, settings, view, count, ray).go()
        typer.echo(_outcome(rules, folder / rules.name, best, settings))


def _untrained() -> list[Rules]:
    """Return a rule set for every way to play that no weights serve."""
    from damka.engine.weights import play_of, shipped_file  # noqa: PLC0415
    from damka.rules import load, names  # noqa: PLC0415

    found: dict[object, Rules] = {}
    for name in names():
        rules = load(name)
        if shipped_file(rules) is None:
            found.setdefault(play_of(rules), rules)
    return list(found.values())


def _outcome(rules: Rules, folder: Path, best: Path | None, settings: TrainingSettings) -> str:
    if best is None:
        return f"{rules.name}: nothing beat what there was; see {folder / 'report.svg'}"
    return (
        f"{rules.name}: {best} (figures in {folder / 'report.svg'}); to see it play:\n"
        f"  {program_name()} match engine:weights={best} engine:weights=general "
        f"--rules {rules.name} --nodes {settings.nodes}"
    )


class _View:
    """A bar for what is going on, and a line for what has been done."""

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

    def tell(self, line: str) -> None:
        self._bar.console.print(line, highlight=False)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

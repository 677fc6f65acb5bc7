"""`damka train`: train an evaluation by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from damka.cli.interrupt import resumable
from damka.cli.options import (
    folder_option,
    load_rules,
    rules_argument,
    seed_option,
)
from damka.cli.program import program_name
from damka.cli.train_view import TrainView, processors
from damka.cli.usage import UsageProblem

if TYPE_CHECKING:
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

    `damka train calibrate` fits the curves from scores to winning chances.

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
    count = workers or processors()
    for rules in _untrained() if every else [load_rules(str(name))]:
        with resumable(), TrainView() as view:
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

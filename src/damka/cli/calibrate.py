"""`damka train calibrate`: fit the curves of winning chances."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from rich.console import Console
from rich.table import Table

from damka.cli.interrupt import resumable
from damka.cli.options import NAME_HELP, complete_rules, folder_option, load_rules, seed_option
from damka.cli.train_view import TrainView, processors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.training.calibration import Result

__all__ = ["calibrate"]

_GOAL: Final = 0.02


def calibrate(
    names: list[str] | None = typer.Argument(
        None,
        metavar="RULES...",
        help=f"{NAME_HELP} Default: those whose curves come with Damka.",
        autocompletion=complete_rules,
    ),
    folder: Path = folder_option(
        "Folder for the games, in a folder named after each rule set.", Path("calibration")
    ),
    output: Path | None = typer.Option(
        None,
        "--output",
        "-o",
        metavar="FILE",
        help="File of the curves. Default: chances.toml in the folder.",
    ),
    games: int = typer.Option(
        8_000, "--games", min=2, metavar="N", help="Games per rule set; one half is held out."
    ),
    nodes: int = typer.Option(
        1_500, "--nodes", min=1, metavar="N", help="Positions to search per move of a game."
    ),
    positions: int = typer.Option(
        10, "--positions", min=1, max=100, metavar="N", help="Scored positions per game (1 to 100)."
    ),
    score_nodes: int = typer.Option(
        8_000, "--score-nodes", min=1, metavar="N", help="Positions to search for a score."
    ),
    rescore: bool = typer.Option(
        False, "--rescore", help="Search the scores again, after a change of the evaluation."
    ),
    seed: int = seed_option(),
    workers: int | None = typer.Option(
        None,
        "--jobs",
        "-j",
        min=1,
        max=1024,
        metavar="N",
        help="Processes (1 to 1024). Default: one per processor.",
    ),
) -> None:
    """Fit the curves from a score to the chances of a win, a draw and a loss.

    It plays games between equal players, which begin with a few random moves, and searches some
    positions of each a little longer. The curves are fitted to the scores and results of one half
    of the games. The other half measures the calibration error: of positions with a predicted
    chance of 60%, about 60% should be won. An error is the mean distance in ten bins.

    Repeat the command to continue an interrupted run, or with more --games. The default takes half
    an hour of one processor per rule set, at most. Needs: pip install 'damka[train]'

    Example:  damka train calibrate international --games 2000
    """
    from damka.training.calibration import RULES, Calibration, CalibrationSettings  # noqa: PLC0415
    from damka.training.curve_file import write_curves  # noqa: PLC0415

    rule_sets = [load_rules(name) for name in names or RULES]
    settings = CalibrationSettings(games, nodes, positions, score_nodes, seed)
    results: dict[str, Result] = {}
    with resumable(), TrainView() as view:
        for rules in rule_sets:
            run = Calibration(rules, folder / rules.name, settings, view, workers or processors())
            if rescore:
                run.forget_scores()
            results[rules.name] = run.run()
    path = output or folder / "chances.toml"
    write_curves(path, results)
    Console().print(_table(results))
    typer.echo(f"The curves are in {path}.")


def _table(results: Mapping[str, Result]) -> Table:
    """Return the calibration errors in percent."""
    table = Table("rules", "games", "positions", "win", "draw", "loss")
    for name, result in results.items():
        errors = [
            f"{100 * error:.1f}%" + (" !" if error > _GOAL else "") for error in result.errors
        ]
        table.add_row(name, f"{result.unseen_games:,}", f"{len(result.unseen):,}", *errors)
    return table

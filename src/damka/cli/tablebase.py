"""`damka tablebase`: build, verify and probe endgame tablebases."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from damka.cli.help import Command, Commands
from damka.cli.interrupt import resumable
from damka.cli.options import (
    board_of,
    folder_option,
    jobs_option,
    json_option,
    load_rules,
    print_json,
    rules_argument,
    seed_option,
)
from damka.cli.progress import bar
from damka.cli.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.tablebase import BuildStep, Tablebases

__all__ = ["app"]

_FOLDER_HELP = (
    "Folder of the tables. Default: DAMKA_TABLEBASES, or a folder in your data folder (see "
    "`damka tablebase info RULES`)."
)
_JOBS_HELP = "Threads (1 to 256). Default: one per processor."

app = typer.Typer(
    name="tablebase",
    cls=Commands,
    help="Build, check and probe endgame tablebases.",
    epilog="Start with `damka tablebase build american --pieces 4`.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command(cls=Command)
def build(
    name: str = rules_argument(),
    pieces: int = typer.Option(
        4,
        "--pieces",
        min=2,
        max=6,
        metavar="N",
        help="Maximum number of pieces (2 to 6).",
    ),
    folder: Path | None = folder_option(_FOLDER_HELP),
    jobs: int | None = jobs_option(None, _JOBS_HELP),
) -> None:
    """Build the tables of all positions with few pieces.

    A table shows who wins and in how many plies. Each material, such as two kings against one, has
    a file, which is written when it is finished: you can interrupt the command at any time and run
    it again to continue. Four pieces take seconds to minutes and a few MB; five take minutes and
    about 60 MB on 8×8, a quarter of an hour and about 220 MB on 10×10.

    Example:  damka tablebase build american --pieces 4
    """
    from damka import tablebase  # noqa: PLC0415

    rules = load_rules(name)
    with resumable(), bar() as progress:
        task = progress.add_task("", total=1.0)

        def show(step: BuildStep) -> None:
            now = tablebase.materials(rules, pieces)[step.material]
            # The first pass is about half of the work.
            share = step.share / 2 if step.level == 0 else 0.5
            progress.update(
                task,
                description=f"{step.number}/{step.of} {step.material}, {step.level} plies",
                completed=(step.positions_done + share * now) / step.positions,
            )

        built = tablebase.build(rules, pieces, folder, jobs=_jobs(jobs), on_step=show)
    with tablebase.Tablebases(rules, folder) as tables:
        size = sum(table.size for table in tables.tables.values())
        typer.echo(
            f"{len(built)} tables built, {len(tables)} in total, {_size(size)} in {tables.folder}"
        )


@app.command(cls=Command)
def verify(
    name: str = rules_argument(),
    sample: int | None = typer.Option(
        None,
        "--sample",
        min=1,
        metavar="N",
        help="Check about N positions of each material and side to move. Default: all.",
    ),
    seed: int = seed_option(),
    folder: Path | None = folder_option(_FOLDER_HELP),
    jobs: int | None = jobs_option(None, _JOBS_HELP),
    as_json: bool = json_option(),
) -> None:
    """Verify the tables.

    Every value is recomputed from the values of the next positions. The exit status is 1 if a value
    is wrong and 2 if a table cannot be opened.

    Example:  damka tablebase verify american
    """
    from damka import tablebase  # noqa: PLC0415

    wrong = checked = number = 0
    faults: list[str] = []
    with tablebase.Tablebases(load_rules(name), folder) as tables, bar() as progress:
        task = progress.add_task("", total=max(len(tables), 1))

        def show(half: str, share: float) -> None:
            progress.update(task, description=half, completed=number + share / 2)

        for verdict in tablebase.verify(
            tables, sample=sample, seed=seed, jobs=_jobs(jobs), on_progress=show
        ):
            number += 1
            checked += verdict.checked
            wrong += bool(verdict.faults)
            progress.update(task, completed=number)
            faults += verdict.faults
            for fault in verdict.faults:
                progress.console.print(fault, style="red", markup=False)
    if as_json:
        print_json({"tables": number, "positions": checked, "wrong": wrong, "faults": faults})
    else:
        typer.echo(f"{number} tables, {checked:,} positions checked: {_wrong_text(wrong)} wrong")
    if wrong:
        raise typer.Exit(1)


@app.command(cls=Command)
def info(
    name: str = rules_argument(),
    folder: Path | None = folder_option(_FOLDER_HELP),
    as_json: bool = json_option(),
) -> None:
    """List the tables with their results and longest wins.

    Results are those of the side to move.

    Example:  damka tablebase info american
    """
    from damka import tablebase  # noqa: PLC0415

    with tablebase.Tablebases(load_rules(name), folder) as tables:
        if as_json:
            print_json({"folder": str(tables.folder), "tables": list(_figures(tables))})
            return
        typer.echo(f"{len(tables)} tables in {tables.folder}")
        if len(tables):
            Screen(width=None if sys.stdout.isatty() else 120).print(_table_list(tables))


@app.command(cls=Command)
def probe(
    name: str = rules_argument(),
    fen: str = typer.Argument(metavar="FEN", help="Position, such as W:WK18:BK1."),
    folder: Path | None = folder_option(_FOLDER_HELP),
    as_json: bool = json_option(),
) -> None:
    """Show the value of a position and of its moves, best first.

    Example:  damka tablebase probe american W:WK18:BK1
    """
    from damka import tablebase  # noqa: PLC0415
    from damka.notation import text as notation  # noqa: PLC0415

    rules = load_rules(name)
    board = board_of(rules, fen)
    with tablebase.Tablebases(rules, folder) as tables:
        wdl, distance = tables.probe_wdl(board), abs(tables.probe_distance(board))
        if as_json:
            moves = [
                {"move": notation.write(board, move), **_value(each, plies)}
                for move, each, plies in tables.moves(board)
            ]
            print_json({**_value(wdl, distance), "moves": moves})
            return
        typer.echo(_value_text(wdl, distance))
        for move, each, plies in tables.moves(board):
            typer.echo(f"  {notation.write(board, move):10} {_value_text(each, plies)}")


def _wrong_text(wrong: int) -> str:
    return f"{wrong} {'table is' if wrong == 1 else 'tables are'}" if wrong else "nothing"


def _table_list(tables: Tablebases) -> Table:
    shown = Table("to move v other", "positions", "won", "drawn", "lost", "longest win", "size")
    for column in shown.columns[1:]:
        column.justify = "right"
    for table in tables.tables.values():
        for index, (half, counts) in enumerate(table.halves.items()):
            shown.add_row(
                half,
                f"{counts.positions:,}",
                f"{counts.wins:,}",
                f"{counts.draws:,}",
                f"{counts.losses:,}",
                str(counts.longest_win),
                _size(table.size) if index == 0 else "",
            )
    return shown


def _figures(tables: Tablebases) -> Iterator[dict[str, object]]:
    for table in tables.tables.values():
        for half, counts in table.halves.items():
            yield {
                "material": half,
                "positions": counts.positions,
                "won": counts.wins,
                "drawn": counts.draws,
                "lost": counts.losses,
                "longest_win": counts.longest_win,
                "file": table.path.name,
                "bytes": table.size,
            }


def _value(wdl: int, plies: int) -> dict[str, object]:
    """Return the value of a position or a move as plain values."""
    value = "won" if wdl > 0 else "lost" if wdl < 0 else "drawn"
    return {"value": value, "plies": plies if wdl else None}


def _value_text(wdl: int, plies: int) -> str:
    if wdl == 0:
        return "a draw"
    return f"{'won' if wdl > 0 else 'lost'} in {plies} {'ply' if plies == 1 else 'plies'}"


def _size(n: int) -> str:
    return f"{n / 1e6:,.1f} MB" if n >= 1e5 else f"{n / 1e3:,.1f} kB"


def _jobs(requested: int | None) -> int:
    return requested or min(os.cpu_count() or 1, 256)

"""`damka tablebase`: build, check and ask endgame tables."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from damka.cli.interrupt import resumable
from damka.cli.options import board_of, json_option, load_rules, print_json, rules_argument
from damka.cli.progress import bar
from damka.cli.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.tablebase import BuildStep, Tablebases

__all__ = ["app"]

_FOLDER_HELP = (
    "The folder for all tables: by default the one that the environment variable DAMKA_TABLEBASES "
    "names, else one in your data folder (`damka tablebase info RULES` shows it)."
)
_JOBS_HELP = "Threads to work with: one a processor, unless given."

app = typer.Typer(
    name="tablebase",
    help="Build, check and ask endgame tables: perfect play with few pieces, by any rules.",
    epilog="Start with:  damka tablebase build american --pieces 4",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@app.command()
def build(
    name: str = rules_argument(),
    pieces: int = typer.Option(4, min=2, max=6, help="The most pieces on the board."),
    folder: Path | None = typer.Option(None, help=_FOLDER_HELP),
    jobs: int | None = typer.Option(None, min=1, max=256, help=_JOBS_HELP),
) -> None:
    """Work out every position with few pieces: who wins, and in how many plies.

    Every material (two kings against one …) is a file, written when it is done: break it off when
    you like, and the same command goes on. Four pieces take seconds to minutes and a few MB, five
    on 8×8 minutes and about 60 MB, on 10×10 a quarter of an hour and some 220 MB.

    Example:  damka tablebase build american --pieces 4
    """
    from damka import tablebase  # noqa: PLC0415

    rules = load_rules(name)
    with resumable(), bar() as progress:
        task = progress.add_task("", total=1.0)

        def show(step: BuildStep) -> None:
            now = tablebase.materials(rules, pieces)[step.material]
            # The first look is about half of the work.
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
            f"{len(built)} tables built, {len(tables)} there, {_size(size)} in {tables.folder}"
        )


@app.command()
def verify(
    name: str = rules_argument(),
    sample: int | None = typer.Option(
        None, min=1, help="About how many positions to check of each material and side to move."
    ),
    seed: int = typer.Option(0, help="The seed of the sample."),
    folder: Path | None = typer.Option(None, help=_FOLDER_HELP),
    jobs: int | None = typer.Option(None, min=1, max=256, help=_JOBS_HELP),
    as_json: bool = json_option(),
) -> None:
    """Check that every value of the tables follows from those of the next positions.

    Looks at every position unless told to look at a sample. The exit status is 1 when anything is
    wrong, 2 when a table cannot be opened at all.

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
        typer.echo(f"{number} tables, {checked:,} positions looked at: {_found(wrong)} wrong")
    if wrong:
        raise typer.Exit(1)


@app.command()
def info(
    name: str = rules_argument(),
    folder: Path | None = typer.Option(None, help=_FOLDER_HELP),
    as_json: bool = json_option(),
) -> None:
    """Show which tables there are: positions, results as the side to move sees them, longest wins.

    Example:  damka tablebase info american
    """
    from damka import tablebase  # noqa: PLC0415

    with tablebase.Tablebases(load_rules(name), folder) as tables:
        if as_json:
            print_json({"folder": str(tables.folder), "tables": list(_figures(tables))})
            return
        typer.echo(f"{len(tables)} tables in {tables.folder}")
        if len(tables):
            Screen(width=None if sys.stdout.isatty() else 120).print(_listed(tables))


@app.command()
def probe(
    name: str = rules_argument(),
    fen: str = typer.Argument(metavar="FEN", help="The position, such as W:WK18:BK1."),
    folder: Path | None = typer.Option(None, help=_FOLDER_HELP),
    as_json: bool = json_option(),
) -> None:
    """Say what a position is worth, and every move in it, best first.

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
        typer.echo(_worth(wdl, distance))
        for move, each, plies in tables.moves(board):
            typer.echo(f"  {notation.write(board, move):10} {_worth(each, plies)}")


def _found(wrong: int) -> str:
    return f"{wrong} {'table is' if wrong == 1 else 'tables are'}" if wrong else "nothing"


def _listed(tables: Tablebases) -> Table:
    shown = Table("to move v other", "positions", "won", "drawn", "lost", "longest win", "size")
    for column in shown.columns[1:]:
        column.justify = "right"
    for table in tables.tables.values():
        for i, (half, counts) in enumerate(table.halves.items()):
            shown.add_row(
                half,
                f"{counts.positions:,}",
                f"{counts.wins:,}",
                f"{counts.draws:,}",
                f"{counts.losses:,}",
                str(counts.longest_win),
                _size(table.size) if i == 0 else "",
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
    """Return what a position or a move is worth, for a program."""
    value = "won" if wdl > 0 else "lost" if wdl < 0 else "drawn"
    return {"value": value, "plies": plies if wdl else None}


def _worth(wdl: int, plies: int) -> str:
    if wdl == 0:
        return "a draw"
    return f"{'won' if wdl > 0 else 'lost'} in {plies} {'ply' if plies == 1 else 'plies'}"


def _size(n: int) -> str:
    return f"{n / 1e6:,.1f} MB" if n >= 1e5 else f"{n / 1e3:,.1f} kB"


def _jobs(asked: int | None) -> int:
    return asked or min(os.cpu_count() or 1, 256)

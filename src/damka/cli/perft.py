"""`damka perft`: count the positions of the game tree."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from damka.cli.options import NAME_HELP, board_of, load_rules

if TYPE_CHECKING:
    from damka import Board

__all__ = ["perft"]


def perft(
    name: str = typer.Argument(help=NAME_HELP),
    depth: int = typer.Argument(min=0, max=40, help="The number of moves ahead (plies)."),
    fen: str | None = typer.Option(None, help="Count from this position, not from the start."),
    divide: bool = typer.Option(False, help="Show the count below each first move."),
    threads: int = typer.Option(1, min=1, max=256, help="The number of threads."),
    hash_mb: int = typer.Option(
        0, "--hash", min=0, max=65536, help="A hash table of this many MiB; 0 for none."
    ),
) -> None:
    """Count the leaves of the game tree: the standard check of a move generator, and its speed.

    Captures with the same start, end and captured pieces count once.

    With --hash equal positions are counted once, which is quicker and no longer measures the move
    generator alone.

    Example:  damka perft international 9 --threads 2 --hash 256
    """
    board = board_of(load_rules(name), fen)
    begun = time.perf_counter()
    if divide or (threads == 1 and hash_mb == 0):
        total = _count(board, depth, threads, hash_mb, divide=divide)
    else:
        # All at once: below different first moves stand the same positions.
        with Console(stderr=True).status(f"depth {depth}"):
            total = board.perft(depth, threads, hash_mb)
    seconds = time.perf_counter() - begun
    rate = f"{total / seconds / 1e6:,.1f} million a second" if seconds > 0.01 else ""
    typer.echo(f"{total:,} leaves at depth {depth} in {seconds:.2f} s {rate}".rstrip())


def _count(board: Board, depth: int, threads: int, hash_mb: int, *, divide: bool) -> int:
    """Count below each first move, so that there is something to show."""
    from damka.notation import text as notation  # noqa: PLC0415

    if depth == 0:
        return 1
    total = 0
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        moves = board.legal_moves
        for move in bar.track(moves, description=f"depth {depth}"):
            text = notation.write(board, move, moves)
            board.push(move)
            leaves = board.perft(depth - 1, threads, hash_mb)
            board.pop()
            total += leaves
            if divide:
                typer.echo(f"{text}: {leaves:,}")
    return total

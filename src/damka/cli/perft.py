"""`damka perft`: count the leaves of the game tree."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from damka.cli.options import (
    board_of,
    fen_option,
    hash_option,
    jobs_option,
    json_option,
    labelled_fen,
    load_rules,
    print_json,
    rules_argument,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka import Board

__all__ = ["perft"]


def perft(
    name: str = rules_argument(),
    depth: int = typer.Argument(
        min=0, max=40, metavar="DEPTH", help="Depth of the tree in plies (0 to 40)."
    ),
    fen: str | None = fen_option("Position to count from. Default: the start position."),
    divide: bool = typer.Option(False, "--divide", help="Show the count of each first move."),
    threads: int = jobs_option(text="Threads (1 to 256)."),
    hash_mb: int = hash_option(0, "Hash table in MiB (0 to 65536; 0 for none).", least=0),
    as_json: bool = json_option(),
) -> None:
    """Count the leaves of the game tree (perft).

    This checks a move generator and measures its speed. Captures with the same start, end and
    captured pieces count once.

    With --hash, transpositions are counted only once, which is faster but no longer measures only
    the move generator.

    Example:  damka perft international 9 --jobs 2 --hash 256
    """
    board = board_of(load_rules(name), fen)
    started = time.perf_counter()
    counts: dict[str, int] = {}
    if divide or (threads == 1 and hash_mb == 0):
        for text, leaves in _count_by_move(board, depth, threads, hash_mb):
            counts[text] = leaves
            if divide and text and not as_json:
                typer.echo(f"{text}: {leaves:,}")
        total = sum(counts.values())
    else:
        # All moves in one call: positions below different first moves coincide.
        with Console(stderr=True).status(f"depth {depth}"):
            total = board.perft(depth, threads, hash_mb)
    seconds = time.perf_counter() - started
    if as_json:
        answer = {
            "rules": board.rules.name,
            "fen": labelled_fen(board),
            "depth": depth,
            "leaves": total,
            "seconds": seconds,
        }
        print_json(answer | ({"divide": counts} if divide and depth else {}))
        return
    rate = f"{total / seconds / 1e6:,.1f} million per second" if seconds > 0.01 else ""
    typer.echo(f"{total:,} leaves at depth {depth} in {seconds:.2f} s {rate}".rstrip())


def _count_by_move(
    board: Board, depth: int, threads: int, hash_mb: int
) -> Iterator[tuple[str, int]]:
    """Yield each first move with the number of leaves below it, to show progress.

    At depth 0 it yields "" with the only leaf.
    """
    from damka.notation import text as notation  # noqa: PLC0415

    if depth == 0:
        yield "", 1
        return
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        moves = board.legal_moves
        for move in bar.track(moves, description=f"depth {depth}"):
            text = notation.write(board, move, moves)
            board.push(move)
            leaves = board.perft(depth - 1, threads, hash_mb)
            board.pop()
            yield text, leaves

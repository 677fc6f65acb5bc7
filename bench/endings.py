"""Play won endings with few pieces, to check that the engine wins them within the draw rules.

`python -m bench.endings` builds the tables and plays random won positions, and the longest wins of
every material, against the defence that lasts longest (takes minutes; less with `--games 20`). It
also computes, over all positions, the longest run without a capture or a man's move that a win may
need. Run it on an idle machine if times matter. The exit status is 1 if an ending was not won.

`--truth` compares scores of endings with their results (bench/ending_truth.py), `--levels` lets the
levels win without tables (bench/ending_levels.py). `python -m bench endings` is the same command.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from damka import Board, Game, tablebase
from damka.engine import Engine
from damka.rules import Rules, load
from damka.tablebase import Tablebases

NODES = 20_000  # per move of the winner


@dataclass
class Tally:
    """The results of one rule set's endings."""

    played: int = 0
    won: int = 0
    best: int = 0
    """The number of wins in the fewest plies according to the tables."""
    longest: int = 0


def random_position(tables: Tablebases, pieces: int, rng: random.Random) -> Board:
    """Return a random won position with this number of pieces."""
    while True:
        board = random_board(tables.rules, pieces, rng)
        if tables.probe_wdl(board):
            return board


def random_board(rules: Rules, pieces: int, rng: random.Random) -> Board:
    """Return a random position with this number of pieces, of both sides."""
    start = Board(rules)
    squares = start.square_count
    row = squares // rules.height
    while True:
        text = ["."] * squares
        for at in rng.sample(range(squares), pieces):
            text[at] = rng.choice("wWbB")
        crowned = "w" in text[:row] or "b" in text[squares - row :]
        sides = {piece.lower() for piece in text if piece != "."}
        if crowned or len(sides) < 2:
            continue
        return start.with_pieces("".join(text), "W" if rng.random() < 0.5 else "B")


def play(tables: Tablebases, engine: Engine, board: Board, tally: Tally) -> str | None:
    """Play the ending; return an error message if it was not won."""
    rules = tables.rules
    distance = tables.probe_distance(board)
    winner = board.turn if tables.probe_wdl(board) > 0 else "WB".replace(board.turn, "")
    game = Game(rules, board.fen)
    while game.result is None:
        if game.turn == winner:
            move = engine.search(game, nodes=NODES).move
            assert move is not None
        else:
            move = tables.moves(game.board)[0][0]
        game.play(move)
    tally.played += 1
    plies = len(game.history)
    tally.longest = max(tally.longest, plies)
    if game.result.winner != winner:
        return f"{rules.name} {board.fen}: won in {abs(distance)}, ended {game.result}"
    tally.won += 1
    tally.best += plies == abs(distance)
    return None


def measure(name: str, arguments: argparse.Namespace, console: Console) -> tuple[Tally, list[str]]:
    """Build the missing tables, play, and return the results and a row of figures."""
    rules = load(name)
    jobs = os.cpu_count() or 1
    started = time.perf_counter()
    built = tablebase.build(rules, arguments.pieces, arguments.folder, jobs=jobs)
    building = time.perf_counter() - started
    rng = random.Random(arguments.seed)
    tally = Tally()
    with Tablebases(rules, arguments.folder) as tables, Progress(console=console) as bar:
        full_tables = [
            table for table in tables.tables.values() if len(table.material) == arguments.pieces + 1
        ]
        longest = [
            board
            for table in full_tables
            for half in table.halves
            for board, _ in tables.longest(half, arguments.longest)
        ]
        boards = [random_position(tables, arguments.pieces, rng) for _ in range(arguments.games)]
        engine = Engine(16, tablebases=arguments.folder)
        started = time.perf_counter()
        for board in bar.track([*boards, *longest], description=name):
            error = play(tables, engine, board, tally)
            if error:
                console.print(error, style="red", markup=False)
        playing = time.perf_counter() - started
        stretch = max(
            tables.max_no_progress_plies(table.material)
            for table in bar.track(
                list(tables.tables.values()), description=f"{name}: every position"
            )
        )
        size = sum(table.size for table in tables.tables.values())
    allowed = 2 * rules.no_progress_moves
    return tally, [
        name,
        f"{building:.1f} s, {len(built)} built",
        f"{size / 1e6:.1f} MB",
        f"{tally.won} of {tally.played}",
        f"{tally.best}",
        f"{tally.longest}",
        f"{stretch} of {allowed or 'any'}",
        f"{playing:.1f} s",
    ]


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print figures to the standard output."""
    table = Table(*columns)
    for row in rows:
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 140).print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return 1 if an ending was not won or a goal was missed."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.endings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rules", nargs="*", help="rule sets (american dama64)")
    parser.add_argument("--truth", action="store_true", help="compare scores with results")
    parser.add_argument("--levels", action="store_true", help="let the levels win")
    parser.add_argument("--pieces", type=int, help="pieces in an ending (4, with --levels 5)")
    parser.add_argument(
        "--games",
        type=int,
        help="random endings per rule set (1000; with --truth 2000, with --levels 200)",
    )
    parser.add_argument(
        "--longest", type=int, default=20, help="longest wins per material and side (20)"
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed (0)")
    parser.add_argument(
        "--folder",
        type=Path,
        default=tablebase.default_folder(),
        help="folder of the tables (%(default)s)",
    )
    options = parser.parse_args(arguments)
    options.pieces = options.pieces or (5 if options.levels else 4)
    if options.truth:
        return truth(options)
    if options.levels:
        return conversion(options)
    options.games = options.games or 1000
    console = Console(stderr=True)
    good = True
    rows = []
    for name in options.rules or ["american", "dama64"]:
        tally, row = measure(name, options, console)
        good &= tally.won == tally.played
        rows.append(row)
    print_table(
        (
            *("rules", "building", "size", "won", "in the fewest plies", "longest game"),
            *("plies without progress", "playing"),
        ),
        rows,
    )
    return 0 if good else 1


def truth(options: argparse.Namespace) -> int:
    """Compare scores with results."""
    from bench import ending_truth  # noqa: PLC0415

    families = ending_truth.measure_all(
        options.rules, options.games or 2000, options.pieces, options.folder, options.seed
    )
    print_table(ending_truth.COLUMNS, [family.row for family in families])
    return 0 if all(family.good for family in families) else 1


def conversion(options: argparse.Namespace) -> int:
    """Let the levels win."""
    from bench import ending_levels  # noqa: PLC0415

    results = ending_levels.measure(
        options.rules, options.games or 200, options.pieces, options.folder, options.seed
    )
    print_table(ending_levels.COLUMNS, [result.row for result in results])
    return 0 if all(result.good for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())

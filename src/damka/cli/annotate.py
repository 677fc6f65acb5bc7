"""Games with the engine's evaluation of every position, as PDN or JSON."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import chain
from typing import TYPE_CHECKING, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from damka.cli.options import games_of, labelled_fen, print_json, report_errors
from damka.cli.usage import UsageProblem

if TYPE_CHECKING:
    from pathlib import Path

    from damka import Board, Move
    from damka.engine import Analysis, Engine, SearchLimits, Variation, WinningChances
    from damka.pdn import Node, PdnGame

__all__ = ["analysis_dict", "annotate", "chances_of", "line_texts"]

_OWN_COMMANDS: Final = re.compile(r" *\[%(?:eval|pv)\b[^\]]*\]")
_MAX_MEN: Final = 99.0


def annotate(
    file: Path,
    rules: str | None,
    output: Path | None,
    engine: Engine,
    limits: SearchLimits,
    lines: int,
    *,
    as_json: bool,
) -> None:
    """Write the games of a file with an evaluation and the expected line after every move.

    Each game is written when it is finished. If games have errors, they are reported, and at the
    end typer.Exit is raised with status 1. Raises GameFileError and PdnError for a file that cannot
    be read, and OSError for one that cannot be written.
    """
    if output is not None and output.exists() and output.samefile(file):
        raise UsageProblem(f"--output: {output} is the input file; choose another file.")

    def search(board: Board) -> Analysis:
        return engine.search(
            board,
            depth=limits.depth,
            nodes=limits.nodes,
            seconds=limits.seconds,
            multi_pv=lines,
        )

    games = games_of(file, rules)
    first = next(games, None)  # Report an unreadable file before creating the output.
    has_errors = False
    destination = nullcontext(sys.stdout) if output is None else output.open("w", encoding="utf-8")
    with destination as file_out, _bar() as bar:
        for game in chain(() if first is None else (first,), games):
            has_errors = report_errors(game) or has_errors
            task = bar.add_task(f"game {game.number}", total=game.move_count + 1)
            for ply, node, board in _positions(game):
                # A game may continue after a draw that the players overlooked.
                if board.result is None or (board.result.winner is None and board.has_legal_moves):
                    analysis = search(board)
                    if as_json:
                        move = None if node is game else _last_move_text(board)
                        position = {"game": game.number, "ply": ply, "move": move}
                        print_json(position | analysis_dict(board, analysis))
                    else:
                        _comment(node, board, analysis)
                bar.advance(task)
            bar.remove_task(task)
            if not as_json:
                file_out.write(("\n" if game is not first else "") + str(game))
                file_out.flush()
    if has_errors:
        raise typer.Exit(1)


def analysis_dict(board: Board, analysis: Analysis) -> dict[str, object]:
    """Return an analysis as plain values, for JSON."""
    lines = [
        {
            "score": line.score,
            "mate": line.mate,
            "chances": _rounded(chances_of(board, line)),
            "moves": list(line_texts(board, line.pv)),
        }
        for line in analysis.lines
    ]
    figures = {"depth": analysis.depth, "nodes": analysis.nodes, "seconds": analysis.seconds}
    return {"rules": board.rules.name, "fen": labelled_fen(board)} | figures | {"lines": lines}


def chances_of(board: Board, line: Variation) -> WinningChances:
    """Return the winning chances of a line for the side to move."""
    from damka.engine import winning_chances  # noqa: PLC0415

    pieces = sum(piece != "." for piece in board.pieces)
    return winning_chances(board.rules, line.score, pieces)


def _rounded(chances: WinningChances) -> dict[str, float]:
    return {name: round(value, 4) for name, value in chances._asdict().items()}


def line_texts(board: Board, line: Sequence[Move]) -> Iterator[str]:
    """Yield the moves of a line in the federation's notation."""
    from damka.notation import text as notation  # noqa: PLC0415

    after = board.copy()
    for move in line:
        yield notation.write(after, move)
        after.push_unchecked(move)


def _positions(game: PdnGame) -> Iterator[tuple[int, Node, Board]]:
    """Yield the positions of the main line: the number of plies, the node, and the board."""
    board = game.start()
    yield 0, game, board
    for ply, node in enumerate(game.mainline(), start=1):
        board = node.enter(board)
        yield ply, node, board


def _last_move_text(board: Board) -> str:
    """Return the last move of a board in the federation's notation."""
    from damka.notation import text as notation  # noqa: PLC0415

    before = board.copy()
    return notation.write(before, before.pop())


def _comment(node: Node, board: Board, analysis: Analysis) -> None:
    """Replace the score and the line in a node's comment."""
    mate = analysis.mate
    sign = 1 if board.turn == "W" else -1
    if mate is not None:
        moves = (abs(mate) + 1) // 2
        score = f"#{moves if (mate > 0) == (sign > 0) else -moves}"
    else:
        men = max(-_MAX_MEN, min(_MAX_MEN, sign * analysis.score / 100))
        score = f"{men:.2f}"
    line = " ".join(line_texts(board, analysis.pv))
    other_text = _OWN_COMMANDS.sub("", node.comment).strip()
    node.comment = f"{other_text} [%eval {score}] [%pv {line}]".strip()


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )

"""`damka analyze`: engine analysis of a position or of the games in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from rich.text import Text

from damka.cli import annotate, games_review
from damka.cli.annotate import analysis_dict, chances_of, line_texts
from damka.cli.options import (
    board_of,
    depth_option,
    file_of,
    hash_option,
    jobs_option,
    json_option,
    lang_option,
    language_of,
    load_rules,
    nodes_option,
    output_option,
    print_json,
    rules_option,
    time_option,
)
from damka.cli.screen import Screen
from damka.cli.usage import UsageProblem

if TYPE_CHECKING:
    from damka import Board
    from damka.engine import Analysis, Engine, SearchLimits, Variation

__all__ = ["analyze"]

_SECONDS: Final = 5.0
_SECONDS_IN_GAMES: Final = 0.5
_DEFAULT: Final = "Default: dama64 for a position, the game's own for a file."
_HEAD: Final = (
    f"{'depth':>5}  {'score':>8}  {'win/draw/loss':>13}  {'nodes':>13}  {'time':>8}  line"
)


def analyze(
    what: str = typer.Argument(
        metavar="FEN|FILE",
        help='Position, such as "W:W21-32:B1-12" or "start", or a file of games: saved or PDN.',
    ),
    output: Path | None = output_option("PDN file to write the annotated games to."),
    name: str | None = rules_option(None, _DEFAULT),
    depth: int | None = depth_option("-d"),
    seconds: float | None = time_option(
        None,
        "Seconds per position. Default: 5, or 0.5 in a game, without --depth and --nodes.",
        "-t",
        most=86_400,
    ),
    nodes: int | None = nodes_option("Positions to search."),
    lines: int = typer.Option(
        1,
        "--lines",
        "-l",
        min=1,
        max=100,
        metavar="N",
        help="Number of best moves to show (1 to 100).",
    ),
    hash_mb: int = hash_option(),
    threads: int = jobs_option(),
    review: bool = typer.Option(
        False, "--review", help="Explain in words where games were decided."
    ),
    lang: str | None = lang_option(),
    as_json: bool = json_option("Print JSON, one line per depth."),
) -> None:
    """Analyze a position or annotate games.

    For a position, it prints one line per depth. For a file, it writes the games as PDN with two
    comments after each move: `[%eval 0.35]`, the score for White, and `[%pv 32-28 19-23]`, the
    expected line.

    With `--review`, it prints where each game was decided, in words, and the accuracy of both
    sides. `--nodes` is then the number of positions for a move that may decide the game.

    Scores are in men, from the point of view of the side to move: +1.00 is one man ahead, "won 7" a
    win in 7 plies. The chances of a win, a draw and a loss, in percent, are those between equal
    players. The search stops at the first limit that it reaches, or with Ctrl-C. It uses the
    installed endgame tablebases.

    Example:  damka analyze "W:W31,32,37:B19,20,24" --rules international --lines 3
    """
    from damka.engine import Engine, SearchLimits  # noqa: PLC0415
    from damka.tablebase import default_folder  # noqa: PLC0415

    file = file_of(what)
    if output is not None and (file is None or as_json):
        raise UsageProblem("--output is for games as PDN.")
    if lines > 1 and file is not None and not as_json:
        raise UsageProblem("--lines is for positions, and for games with --json.")
    if review and (file is None or output is not None or depth is not None or seconds is not None):
        raise UsageProblem("--review is for a file, without --output, --depth and --time.")
    if depth is None and nodes is None and seconds is None:
        seconds = _SECONDS if file is None else _SECONDS_IN_GAMES
    limits = SearchLimits(depth, nodes, seconds)
    engine = Engine(hash_mb, threads, tablebases=default_folder())
    try:
        if file is not None and review:
            games_review.review(file, name, engine, nodes, language_of(lang), as_json=as_json)
            return
        if file is not None:
            annotate.annotate(file, name, output, engine, limits, lines, as_json=as_json)
            return
        _analyze(what, name or "dama64", engine, limits, lines, as_json=as_json)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _analyze(
    fen: str, rules: str, engine: Engine, limits: SearchLimits, lines: int, *, as_json: bool
) -> None:
    board = board_of(load_rules(rules), None if fen == "start" else fen)
    if board.result is not None:
        reason = board.result.reason.replace("_", " ")
        typer.echo(f"damka: {fen}: the game is over in this position ({reason})", err=True)
        raise typer.Exit(2)
    view = _Json(board) if as_json else _Lines(board)
    with view:
        engine.search(
            board,
            depth=limits.depth,
            nodes=limits.nodes,
            seconds=limits.seconds,
            multi_pv=lines,
            on_info=view.show,
        )


class _Lines:
    """Prints a line for each completed depth; a terminal also shows the board and the progress."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._screen = Screen()
        self._status = self._screen.status("depth 1")

    def __enter__(self) -> None:
        if self._screen.is_terminal:
            self._screen.board(self._board)
            self._screen.print(Text(_HEAD, style="bold"))
            self._status.start()
        else:
            typer.echo(_HEAD)

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def show(self, analysis: Analysis) -> None:
        """Print the analysis of a depth."""
        depth, *figures = (
            f"{analysis.depth:>5}",
            f"{analysis.nodes:>13,}",
            f"{analysis.seconds:>6.1f} s",
        )
        for line in analysis.lines:
            score, chances = f"{_score(line):>8}", f"{_chances(self._board, line):>13}"
            text = "  ".join((depth, score, chances, *figures, self._moves(line)))
            # The node count and time include all lines.
            depth, *figures = (" " * len(each) for each in (depth, *figures))
            if self._screen.is_terminal:
                self._screen.print(Text(text), no_wrap=True, overflow="ellipsis")
            else:
                typer.echo(text)
        self._status.update(f"depth {analysis.depth + 1}")

    def _moves(self, line: Variation) -> str:
        return " ".join(line_texts(self._board, line.pv))


class _Json:
    """Prints a JSON line for each depth."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def show(self, analysis: Analysis) -> None:
        """Print the analysis of a depth."""
        print_json(analysis_dict(self._board, analysis))


def _score(line: Variation) -> str:
    from damka.engine import BEYOND  # noqa: PLC0415

    if line.mate is not None:
        return f"won {line.mate}" if line.mate > 0 else f"lost {-line.mate}"
    if abs(line.score) > BEYOND:
        return "won" if line.score > 0 else "lost"
    return f"{line.score / 100:+.2f}"


def _chances(board: Board, line: Variation) -> str:
    """Return the chances of a win, a draw and a loss in percent, whose sum is 100."""
    chances = chances_of(board, line)
    win, loss = round(100 * chances.win), round(100 * chances.loss)
    return f"{win}/{max(0, 100 - win - loss)}/{loss}"

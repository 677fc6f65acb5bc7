"""`damka analyze`: what the engine thinks of a position, deeper and deeper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import typer
from rich.text import Text

from damka.cli.options import (
    board_of,
    json_option,
    labelled_fen,
    load_rules,
    print_json,
    rules_option,
    saved_game,
)
from damka.cli.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from damka import Board, Move
    from damka.engine import Analysis, Variation

__all__ = ["analyze"]

_SECONDS: Final = 5.0
_HEAD: Final = f"{'depth':>5}  {'score':>8}  {'nodes':>13}  {'time':>8}  line"


def analyze(
    what: str = typer.Argument(
        metavar="FEN|FILE",
        help='A position, such as "W:W21-32:B1-12" or "start", or the file of a saved game, whose '
        "last position is analyzed.",
    ),
    name: str = rules_option("dama64"),
    depth: int | None = typer.Option(
        None, "--depth", "-d", min=1, max=100, help="Plies to search."
    ),
    seconds: float | None = typer.Option(
        None,
        "--seconds",
        "-s",
        min=0.001,
        max=86_400,
        help="Seconds to search: 5, unless --depth or --nodes is given.",
    ),
    nodes: int | None = typer.Option(None, min=1, help="Positions to search."),
    lines: int = typer.Option(1, "--lines", "-l", min=1, max=100, help="The best moves to show."),
    hash_mb: int = typer.Option(
        64, "--hash", min=1, max=65536, help="Memory of the search, in MiB."
    ),
    threads: int = typer.Option(1, min=1, max=256, help="Threads of the search."),
    as_json: bool = json_option(
        "Answer in JSON, a line for each depth; docs/command-line.md has the keys."
    ),
) -> None:
    """Analyze a position: a line for each depth, with the score and the play expected.

    Scores are in men, as the side to move sees them: +1.00 is a man ahead, "won 7" a win in 7
    plies. The search ends at the first limit that it reaches, or with Ctrl-C. It uses the endgame
    tables that are installed.

    Example:  damka analyze "W:W31,32,37:B19,20,24" --rules international --lines 3
    """
    from damka.engine import Engine  # noqa: PLC0415
    from damka.tablebase import default_folder  # noqa: PLC0415

    board = _board(what, name)
    if not board.has_legal_moves:
        typer.echo(f"damka: {what}: the side to move has no move, so the game is over", err=True)
        raise typer.Exit(2)
    if depth is None and nodes is None and seconds is None:
        seconds = _SECONDS
    engine = Engine(hash_mb, threads, tablebases=default_folder())
    view = _Json(board) if as_json else _Lines(board)
    try:
        with view:
            engine.search(
                board,
                depth=depth,
                nodes=nodes,
                seconds=seconds,
                multi_pv=lines,
                on_info=view.show,
            )
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _board(what: str, name: str) -> Board:
    """Return the position of a FEN, or the last one of a saved game, with the moves before it."""
    game = saved_game(what)
    if game is not None:
        return game.board
    return board_of(load_rules(name), None if what == "start" else what)


class _Lines:
    """A line for each depth, as it is reached; a terminal shows the board and what goes on too."""

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

    def show(self, found: Analysis) -> None:
        """Print what a depth has found."""
        depth, *figures = f"{found.depth:>5}", f"{found.nodes:>13,}", f"{found.seconds:>6.1f} s"
        for line in _variations(found):
            text = "  ".join((depth, f"{_score(line):>8}", *figures, self._moves(line)))
            # The figures are those of all lines.
            depth, *figures = (" " * len(each) for each in (depth, *figures))
            if self._screen.is_terminal:
                self._screen.print(Text(text), no_wrap=True, overflow="ellipsis")
            else:
                typer.echo(text)
        self._status.update(f"depth {found.depth + 1}")

    def _moves(self, line: Variation) -> str:
        return " ".join(_told(self._board, line.pv))


class _Json:
    """A line for each depth, for a program."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._head = {"rules": board.rules.name, "fen": labelled_fen(board)}

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def show(self, found: Analysis) -> None:
        """Print what a depth has found."""
        lines = [
            {"score": line.score, "mate": line.mate, "moves": list(_told(self._board, line.pv))}
            for line in _variations(found)
        ]
        figures = {"depth": found.depth, "nodes": found.nodes, "seconds": found.seconds}
        print_json(self._head | figures | {"lines": lines})


def _variations(found: Analysis) -> tuple[Variation, ...]:
    """Return the best line and the next best ones."""
    from damka.engine import Variation  # noqa: PLC0415

    return Variation(found.score, found.pv), *found.others


def _told(board: Board, line: Sequence[Move]) -> Iterator[str]:
    """Yield the moves of a line as the federation writes them."""
    from damka.notation import text as notation  # noqa: PLC0415

    after = board.copy()
    for move in line:
        yield notation.write(after, move)
        after.push_unchecked(move)


def _score(line: Variation) -> str:
    from damka.engine import BEYOND  # noqa: PLC0415

    if line.mate is not None:
        return f"won {line.mate}" if line.mate > 0 else f"lost {-line.mate}"
    if abs(line.score) > BEYOND:
        return "won" if line.score > 0 else "lost"
    return f"{line.score / 100:+.2f}"

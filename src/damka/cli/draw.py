"""`damka draw`: pictures of positions and games."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from damka.cli.options import (
    board_of,
    file_of,
    games_of,
    load_rules,
    output_option,
    report_errors,
    rules_option,
)
from damka.cli.screen import Screen
from damka.cli.usage import UsageProblem
from damka.draw import Marks, Style, raster, svg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka import Game
    from damka.pdn import Playback

__all__ = ["draw"]

_WIDTHS: Final = {".svg": 0, ".png": 800, ".gif": 400, ".webp": 400}
_ANIMATED: Final = (".gif", ".webp")
_PAGE_WIDTH: Final = 1200
_DEFAULT: Final = "Default: dama64 for a position, the game's own for a file."


def draw(
    what: str = typer.Argument(
        metavar="FEN|FILE",
        help='Position, such as "W:W21-32:B1-12" or "start", or a file of games: saved or PDN.',
    ),
    output: Path | None = output_option(
        "Picture to write: .svg, .png, .gif or .webp. Default: draw in the terminal."
    ),
    name: str | None = rules_option(None, _DEFAULT),
    number: int = typer.Option(
        1, "--game", min=1, metavar="N", help="Number of the game in a PDN file."
    ),
    flip: bool = typer.Option(False, "--flip", help="Show the board from Black's side."),
    no_numbers: bool = typer.Option(False, "--no-numbers", help="Leave out the square numbers."),
    light_squares: bool = typer.Option(
        False,
        "--light-squares",
        help="Put the pieces on the light squares, as books and pages of diagrams do.",
    ),
    dark_squares: bool = typer.Option(
        False,
        "--dark-squares",
        help="Put the pieces on the dark squares, even on a page of diagrams.",
    ),
    crown: bool = typer.Option(
        False, "--crown", help="Draw a crown on kings, in addition to the second man."
    ),
    size: int | None = typer.Option(
        None,
        "--size",
        min=16,
        max=4000,
        metavar="PIXELS",
        help="Width of the picture. Default: 800 for PNG, 400 for GIF and WebP.",
    ),
    every: int | None = typer.Option(
        None,
        "--diagram-every",
        min=1,
        metavar="N",
        help="Draw a page of diagrams of a game, one every N plies (SVG or PNG).",
    ),
    columns: int = typer.Option(
        3, "--columns", min=1, max=12, metavar="N", help="Diagrams in a row of a page (1 to 12)."
    ),
    seconds: float = typer.Option(
        1.0,
        "--delay",
        min=0.02,
        max=60,
        metavar="SECONDS",
        help="Time between two moves of an animation.",
    ),
) -> None:
    """Draw a position or a game.

    SVG, GIF and WebP of a game are animated; a PNG shows its last position. Without --output the
    board is drawn in the terminal. PNG, GIF and WebP need: pip install 'damka[pictures]'

    Example:  damka draw "W:WK12,30:B6,K8,15" --rules dama64 -o board.png
    """
    kind = _format_of(output)
    file = file_of(what)
    game = None if file is None else _game(file, name, number)
    if every is not None and (game is None or kind not in (".svg", ".png")):
        raise UsageProblem(
            "--diagram-every needs a file with a game, and --output FILE.svg or FILE.png."
        )
    if light_squares and dark_squares:
        raise UsageProblem("give one of --light-squares and --dark-squares.")
    if game is None:
        board = board_of(load_rules(name or "dama64"), None if what == "start" else what)
        marks = Marks()
    else:
        board, marks = game.board, _last_move_marks(game)
    if output is None:
        Screen().board(board, marks, flip=flip, numbers=not no_numbers)
        return
    default_style = Style() if every is None else svg.PRINTED
    style = replace(
        default_style,
        flip=flip,
        numbers=not no_numbers,
        print_style=light_squares or (default_style.print_style and not dark_squares),
        crown=crown,
    )
    if kind == ".svg":
        style = replace(style, size=size)
    pictures: Iterable[str]
    if game is not None and every is not None:
        pictures = [svg.game(game, style, every=every, columns=columns)]
    elif game is not None and kind == ".svg":
        pictures = [svg.replay(game, style, seconds=seconds)]
    elif game is not None and kind in _ANIMATED:
        pictures = svg.frames(game, style)
    else:
        pictures = [svg.board(board.rules, board.pieces, marks, style)]
    data = _encode(kind, pictures, size or (_PAGE_WIDTH if every else _WIDTHS[kind]), seconds)
    try:
        output.write_bytes(data)
    except OSError as error:
        typer.echo(f"damka: cannot write {output}: {error.strerror}", err=True)
        raise typer.Exit(2) from error


def _format_of(output: Path | None) -> str:
    """Return the format of the output file; raises UsageProblem for an unknown one."""
    kind = ".svg" if output is None else output.suffix.lower() or ".svg"
    if kind not in _WIDTHS:
        raise UsageProblem(
            f"unknown picture format: {output} must end in .svg, .png, .gif or .webp."
        )
    return kind


def _game(file: Path, rules: str | None, number: int) -> Game | Playback:
    """Return a game of a file, up to its first error; raises GameFileError and PdnError."""
    from damka import Game  # noqa: PLC0415

    if file.suffix == ".json":
        return Game.load(file)
    pdn_game = next(islice(games_of(file, rules), number - 1, None), None)
    if pdn_game is None:
        typer.echo(f"damka: {file}: there is no game {number}", err=True)
        raise typer.Exit(2)
    report_errors(pdn_game)
    return pdn_game.playback()


def _last_move_marks(game: Game | Playback) -> Marks:
    """Return the marks of the last move."""
    if not game.history:
        return Marks()
    route = game.history[-1].move.route
    return Marks(last=(route[0], route[-1]))


def _encode(kind: str, pictures: Iterable[str], width: int, seconds: float) -> bytes:
    """Encode SVG pictures in the format of the output file.

    Raises PictureError without the picture libraries.
    """
    match kind:
        case ".svg":
            return next(iter(pictures)).encode()
        case ".png":
            return raster.png(next(iter(pictures)), width)
        case ".gif":
            return raster.gif(pictures, width, seconds)
        case _:
            return raster.webp(pictures, width, seconds)

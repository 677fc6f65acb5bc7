"""`damka draw`: a picture of a position or of a game."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from damka.cli.options import board_of, file_of, games_of, load_rules, rules_option
from damka.cli.screen import Screen
from damka.draw import Marks, Style, raster, svg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka import Game
    from damka.pdn import Drawn

__all__ = ["draw"]

_SIZES: Final = {".svg": 0, ".png": 800, ".gif": 400, ".webp": 400}
_MOVING: Final = (".gif", ".webp")
_PAGE: Final = 1200
_DEFAULT: Final = "Default: dama64 for a position; a game says by which it is played."


def draw(
    what: str = typer.Argument(
        metavar="FEN|FILE",
        help='A position, such as "W:W21-32:B1-12" or "start", or a file of games: a saved one, or '
        "PDN.",
    ),
    output: Path | None = typer.Option(
        None,
        "--output",
        "-o",
        help="The file to write: .svg, .png, .gif or .webp; without it the board is drawn here.",
    ),
    name: str | None = rules_option(None, _DEFAULT),
    number: int = typer.Option(1, "--game", min=1, help="The number of the game in a PDN file."),
    flip: bool = typer.Option(False, help="Put the upper side at the bottom."),
    numbers: bool = typer.Option(True, help="Show the labels of the squares."),
    print_style: bool | None = typer.Option(
        None,
        "--print/--no-print",
        help="Put the pieces on the light squares, as books print them. A page of diagrams does.",
    ),
    crown: bool = typer.Option(False, help="Draw a crown on kings besides the second man."),
    size: int | None = typer.Option(
        None, min=16, max=4000, help="The width in pixels: 800 for PNG, 400 for GIF and WebP."
    ),
    every: int | None = typer.Option(
        None,
        min=1,
        help="For a page of diagrams of a game (SVG or PNG): the plies from one to the next.",
    ),
    columns: int = typer.Option(
        3, min=1, max=12, help="How many diagrams are side by side on a page."
    ),
    seconds: float = typer.Option(
        1.0, min=0.02, max=60, help="How long each ply of a game is shown."
    ),
) -> None:
    """Draw a position or a game, as SVG, PNG, GIF or WebP, or here as text.

    An SVG of a game plays by itself in a browser, GIF and WebP move too; a PNG shows its last
    position. PNG, GIF and WebP need: pip install 'damka\\[pictures]'

    Example:  damka draw "W:WK12,30:B6,K8,15" --rules dama64 -o board.png
    """
    kind = _kind(output)
    file = file_of(what)
    game = None if file is None else _game(file, name, number)
    if every is not None and (game is None or kind not in (".svg", ".png")):
        raise typer.BadParameter("a page needs a file with a game, and -o FILE.svg or FILE.png")
    if game is None:
        board = board_of(load_rules(name or "dama64"), None if what == "start" else what)
        marks = Marks()
    else:
        board, marks = game.board, _last(game)
    if output is None:
        Screen().board(board, marks, flip=flip, numbers=numbers)
        return
    usual = Style() if every is None else svg.PRINTED
    style = replace(
        usual,
        flip=flip,
        numbers=numbers,
        print_style=usual.print_style if print_style is None else print_style,
        crown=crown,
    )
    picture = style if kind != ".svg" else replace(style, size=size)
    drawn: Iterable[str]
    if game is not None and every is not None:
        drawn = [svg.game(game, picture, every=every, columns=columns)]
    elif game is not None and kind == ".svg":
        drawn = [svg.replay(game, picture, seconds=seconds)]
    elif game is not None and kind in _MOVING:
        drawn = svg.frames(game, picture)
    else:
        drawn = [svg.board(board.rules, board.pieces, marks, picture)]
    written = _file(kind, drawn, size or (_PAGE if every else _SIZES[kind]), seconds)
    try:
        output.write_bytes(written)
    except OSError as error:
        typer.echo(f"damka: cannot write {output}: {error.strerror}", err=True)
        raise typer.Exit(2) from error


def _kind(output: Path | None) -> str:
    """Return what kind of file is to be written; raises typer.Exit for one we do not write."""
    kind = ".svg" if output is None else output.suffix.lower() or ".svg"
    if kind not in _SIZES:
        expected = "a name that ends in .svg, .png, .gif or .webp"
        typer.echo(f"damka: {output}: no picture of this kind; expected {expected}", err=True)
        raise typer.Exit(2)
    return kind


def _game(file: Path, rules: str | None, number: int) -> Game | Drawn:
    """Return a game of a file; raises GameFileError and PdnError."""
    from damka import Game  # noqa: PLC0415

    if file.suffix == ".json":
        return Game.load(file)
    found = next(islice(games_of(file, rules), number - 1, None), None)
    if found is None:
        typer.echo(f"damka: {file}: there is no game {number}", err=True)
        raise typer.Exit(2)
    return found.drawn()


def _last(game: Game | Drawn) -> Marks:
    """Return the marks of the last move."""
    if not game.history:
        return Marks()
    route = game.history[-1].move.route
    return Marks(last=(route[0], route[-1]))


def _file(kind: str, drawn: Iterable[str], width: int, seconds: float) -> bytes:
    """Return the bytes of the file; raises PictureError without the libraries for pixels."""
    match kind:
        case ".svg":
            return next(iter(drawn)).encode()
        case ".png":
            return raster.png(next(iter(drawn)), width)
        case ".gif":
            return raster.gif(drawn, width, seconds)
        case _:
            return raster.webp(drawn, width, seconds)

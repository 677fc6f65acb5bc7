"""`damka draw`: a picture of a position."""

from __future__ import annotations

from pathlib import Path

import typer

from damka.cli.options import NAME_HELP, board_of, load_rules
from damka.cli.screen import Screen

__all__ = ["draw"]


def draw(
    fen: str = typer.Argument(help='The position, such as "W:W21-32:B1-12", or "start".'),
    output: Path | None = typer.Option(
        None, "--output", "-o", help="The SVG file to write; without it the board is drawn here."
    ),
    name: str = typer.Option("dama64", "--rules", "-r", help=NAME_HELP),
    flip: bool = typer.Option(False, help="Put the upper side at the bottom."),
    numbers: bool = typer.Option(True, help="Show the square numbers."),
    print_style: bool = typer.Option(
        False, "--print", help="Pieces on the light squares, as books print them."
    ),
    crown: bool = typer.Option(False, help="Draw a crown on kings besides the second man."),
) -> None:
    """Draw a position as an SVG picture, or as text in the terminal.

    Example:  damka draw "W:WK12,30:B6,K8,15" --rules dama64 -o board.svg
    """
    from damka.draw import Style, svg  # noqa: PLC0415

    if output is not None and output.suffix.lower() not in ("", ".svg"):
        typer.echo(
            f"damka: {output}: the picture is SVG; expected a name that ends in .svg", err=True
        )
        raise typer.Exit(2)
    rules = load_rules(name)
    board = board_of(rules, None if fen == "start" else fen)
    if output is None:
        Screen().board(board, flip=flip, numbers=numbers)
        return
    style = Style(flip=flip, numbers=numbers, print_style=print_style, crown=crown)
    picture = svg.board(rules, board.pieces, style=style)
    try:
        output.write_text(picture, encoding="utf-8")
    except OSError as error:
        typer.echo(f"damka: cannot write {output}: {error.strerror}", err=True)
        raise typer.Exit(2) from error

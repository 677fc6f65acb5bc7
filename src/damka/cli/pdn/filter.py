"""`damka pdn filter`: the games that are looked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from damka.cli.options import complete_rules, load_rules
from damka.cli.pdn import conditions
from damka.cli.pdn.reading import Errors, Reading, errors_option, file_argument, read_as_option
from damka.cli.pdn.writing import Output, output_option
from damka.errors import PdnError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.cli.pdn.conditions import Condition

__all__ = ["filter"]


def filter(  # noqa: A001  as the command
    file: str = file_argument(),
    output: Path | None = output_option(),
    player: list[str] | None = typer.Option(
        None,
        metavar="NAME",
        help="Part of the name of either player, in any letters; both, where given twice.",
    ),
    white: str | None = typer.Option(
        None, metavar="NAME", help="Part of the name of White, in any letters."
    ),
    black: str | None = typer.Option(
        None, metavar="NAME", help="Part of the name of Black, in any letters."
    ),
    rules: str | None = typer.Option(
        None,
        "--rules",
        "-r",
        metavar="RULES",
        help="The name of the rule set that is played.",
        autocompletion=complete_rules,
    ),
    result: str | None = typer.Option(
        None,
        metavar="RESULT",
        help="Who won: white, black, draw, or none where it is not told; or the result as it is "
        "written, such as 4-6.",
    ),
    position: str | None = typer.Option(
        None,
        metavar="FEN",
        help="A position that the main line reaches, with the side to move, its squares named as "
        "in the game.",
    ),
    material: str | None = typer.Option(
        None,
        metavar="PIECES",
        help="Pieces left at some time, of either side against the other: 3-2 pieces of any kind, "
        "2K-1K kings only, 1K2M-3M a king and two men against three men.",
    ),
    name: str | None = read_as_option("--read-as"),
    errors: Errors = errors_option(),
) -> None:
    """Write the games that fit everything asked for.

    Positions and material are looked for in the main line, after every move and at the start.

    Example:  damka pdn filter games.pdn --white Ana --result draw -o found.pdn
    """
    from damka import pdn  # noqa: PLC0415

    out = Output(output, file)
    place = None if position is None else conditions.Position(position)
    wanted = [
        *(conditions.player(("White", "Black"), each) for each in player or ()),
        *_told(white, black, rules, result),
        *(() if material is None else (conditions.material(material),)),
        *(() if place is None else (place,)),
    ]
    if not wanted:
        raise typer.BadParameter("nothing to look for: give --player, --rules, --result …")
    read_as = None if name is None else load_rules(name)
    count = 0
    with Reading(read_as, errors, bar=not out.on_terminal) as reading, out:
        for game in reading.games(file):
            count += 1
            if not all(condition(game) for condition in wanted):
                continue
            try:
                text = pdn.format(game)
            except PdnError as error:
                reading.wrong(game, error)
                continue
            out.write(text, "\n")
        if place is not None:
            place.check()
        if output is not None:
            typer.echo(f"{output}: {out.count:,} of {count:,} {'game' if count == 1 else 'games'}")


def _told(
    white: str | None, black: str | None, rules: str | None, result: str | None
) -> Iterator[Condition]:
    if white is not None:
        yield conditions.player(("White",), white)
    if black is not None:
        yield conditions.player(("Black",), black)
    if rules is not None:
        yield conditions.rules(load_rules(rules))
    if result is not None:
        yield conditions.result(result)

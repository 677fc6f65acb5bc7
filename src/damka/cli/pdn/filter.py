"""`damka pdn filter`: select the games that match conditions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from damka.cli.options import complete_rules, load_rules
from damka.cli.pdn import conditions
from damka.cli.pdn.reading import Errors, Reading, errors_option, file_argument, read_as_option
from damka.cli.pdn.writing import Output, output_option
from damka.cli.usage import UsageProblem
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
        "--player",
        metavar="NAME",
        help="Part of either player's name (case-insensitive, repeatable for both players).",
    ),
    white: str | None = typer.Option(
        None, "--white", metavar="NAME", help="Part of White's name (case-insensitive)."
    ),
    black: str | None = typer.Option(
        None, "--black", metavar="NAME", help="Part of Black's name (case-insensitive)."
    ),
    rules: str | None = typer.Option(
        None,
        "--rules",
        "-r",
        metavar="RULES",
        help="Rule set of the game.",
        autocompletion=complete_rules,
    ),
    result: str | None = typer.Option(
        None,
        "--result",
        metavar="RESULT",
        help="Winner: white, black, draw or none (unknown); or the exact result, such as 4-6.",
    ),
    position: str | None = typer.Option(
        None,
        "--position",
        metavar="FEN",
        help="Position in the main line, with the side to move and the squares named as in the "
        "game.",
    ),
    material: str | None = typer.Option(
        None,
        "--material",
        metavar="PIECES",
        help="Material at some point of the main line: 3-2 (any pieces), 2K-1K (only kings) or "
        "1K2M-3M (a king and two men against three men), for either side.",
    ),
    name: str | None = read_as_option(),
    errors: Errors = errors_option(),
) -> None:
    """Select the games that match all the given conditions.

    Positions and material are checked in the main line: at the start and after every move.

    Example:  damka pdn filter games.pdn --white Ana --result draw -o found.pdn
    """
    from damka import pdn  # noqa: PLC0415

    out = Output(output, file)
    place = None if position is None else conditions.Position(position)
    wanted = [
        *(conditions.player(("White", "Black"), each) for each in player or ()),
        *_tag_conditions(white, black, rules, result),
        *(() if material is None else (conditions.material(material),)),
        *(() if place is None else (place,)),
    ]
    if not wanted:
        raise UsageProblem("give at least one condition, such as --player, --rules or --result.")
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
                reading.skip(game, error)
                continue
            out.write(text, "\n")
        if place is not None:
            place.check()
        if output is not None:
            typer.echo(f"{output}: {out.count:,} of {count:,} {'game' if count == 1 else 'games'}")


def _tag_conditions(
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

"""`damka pdn convert`: convert games to another notation or format."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer

from damka.cli.options import json_option, load_rules
from damka.cli.pdn.reading import Errors, Reading, errors_option, file_argument, read_as_option
from damka.cli.pdn.writing import Output, output_option
from damka.errors import PdnError

if TYPE_CHECKING:
    from damka.pdn import PdnGame
    from damka.pdn.writer import Squares

__all__ = ["convert"]


class Notation(StrEnum):
    """Target notations."""

    NUMERIC = "numeric"
    ALGEBRAIC = "algebraic"
    RULES = "rules"


class Fen(StrEnum):
    """Square labels of positions."""

    NUMERIC = "numeric"
    ALGEBRAIC = "algebraic"


def convert(
    file: str = file_argument(),
    output: Path | None = output_option(),
    notation: Notation | None = typer.Option(
        None,
        "--notation",
        metavar="numeric|algebraic|rules",
        help="Square names: numbers, letters, or the notation of the rule set's federation. "
        "Default: as in the game.",
    ),
    fen: Fen | None = typer.Option(
        None,
        "--fen-notation",
        metavar="numeric|algebraic",
        help="Square names in FEN. Default: as in the moves.",
    ),
    listed: bool = typer.Option(
        False,
        "--listed",
        help="Write ambiguous captures with the captured squares, such as 47x36 <14, 29>, instead "
        "of every landing.",
    ),
    as_json: bool = json_option("Write JSON, one line per game, without variations."),
    name: str | None = read_as_option(),
    errors: Errors = errors_option(),
) -> None:
    """Convert a PDN file to standard PDN, another notation, or JSON.

    PDN keeps comments and variations; squares in commands in comments, such as `[%cal G12-18]`,
    change with the notation. The output is UTF-8.

    Example:  damka pdn convert games.pdn --notation algebraic -o letters.pdn
    """
    rules = None if name is None else load_rules(name)
    out = Output(output, file)
    squares: Squares | None = None if fen is None else fen.value
    with Reading(rules, errors, bar=not out.on_terminal) as reading, out:
        for game in reading.games(file):
            try:
                if notation is not None:
                    game.relabel(notation.value)
                text = _text(game, squares, listed=listed, as_json=as_json)
            except PdnError as error:
                reading.skip(game, error)
                continue
            out.write(text, "" if as_json else "\n")


def _text(game: PdnGame, fen: Squares | None, *, listed: bool, as_json: bool) -> str:
    from damka import pdn  # noqa: PLC0415

    if not as_json:
        return pdn.format(game, listed=listed, fen=fen)
    return msgspec.json.encode(pdn.to_dict(game, listed=listed, fen=fen)).decode() + "\n"

"""Pasted text of the board editor: positions, games, or a list of games to choose from.

Squares in the text are the federation's labels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from damka.errors import FenError, PdnError
from damka.live import requests
from damka.live.files import MAX_NUMBER
from damka.live.positions import Fault, PositionProblem, fen_fault
from damka.live.problems import Problem
from damka.notation import fen
from damka.rules import Rules

__all__ = ["PositionText", "ReadOptions", "fen_in", "read"]

_TAG: Final = re.compile(r"\[\s*(?!FEN\b|SetUp\b)\w+\s+\"", re.IGNORECASE)


class ReadOptions(msgspec.Struct, frozen=True):
    """Options for reading a pasted text.

    `game` is the number of one of its games; `read_as` selects the rules for a game that names
    others than the chosen ones. `partial` reads a faulty game up to the fault. `after` lists the
    games after a number. Without `labels`, squares of a position are the library's numbers.
    """

    game: Annotated[int, Meta(ge=1, le=MAX_NUMBER)] | None = None
    read_as: Literal["named", "chosen"] | None = None
    partial: bool = False
    after: Annotated[int, Meta(ge=0, le=MAX_NUMBER)] | None = None
    labels: bool = True


@dataclass(frozen=True, slots=True)
class PositionText:
    """Contents of a pasted text: positions of one game, or a list of games, or a choice of rules.

    `lists` are JSON values as of `damka.live.requests.contents`.
    """

    rules: Rules
    fen: str = ""
    start_fen: str = ""
    plies: int = 0
    lists: dict[str, Any] | None = None


def read(
    data: bytes, chosen: Rules, options: ReadOptions, language: str, *, is_pdn: bool
) -> PositionText:
    """Return the positions in a pasted text: FEN, PDN or a game file.

    A text that names no rules is read by the `chosen` ones. Raises Problem when it has no position.
    """
    position, fault = fen_in(data, chosen, options, is_pdn=is_pdn)
    if position is not None:
        return PositionText(chosen, position, position)
    load = requests.LoadOptions(
        game=options.game, read_as=options.read_as, partial=options.partial, after=options.after
    )
    try:
        contents = requests.read_file(data, load, language, is_pdn=is_pdn, chosen=chosen)
    except Problem as problem:
        if fault is None or not isinstance(problem.pdn, PdnError):
            raise
        raise PositionProblem("body", fault) from problem
    if contents.game is None:
        lists = requests.contents(contents, language)
        if fault is not None and "choice" in lists:
            lists["choice"] = {**lists["choice"], "error": fault.sentence(language)}
        return PositionText(chosen, lists=lists)
    game = contents.game
    return PositionText(game.rules, game.board.fen, game.start_fen, game.ply_count)


def fen_in(
    data: bytes, chosen: Rules, options: ReadOptions, *, is_pdn: bool
) -> tuple[str | None, Fault | None]:
    """Return the position that a text consists of, as the library writes it, or its fault.

    Both are None if the text is no FEN.
    """
    text = data.decode("utf-8", "replace").strip()
    is_fen = is_pdn and len(text) <= fen.MAX_LENGTH and ":" in text and not _TAG.search(text)
    if not is_fen or options.read_as == "named":
        return None, None
    try:
        pieces, turn = fen.parse(chosen, text, labels=options.labels, repair=True)
    except FenError as error:
        return None, fen_fault(chosen, text, error)
    return fen.format(chosen, pieces, turn), None

"""Positions of the board editor: reading pasted text, and checking whether a game can start there.

Squares in requests and answers are the library's numbers, except in pasted text, which has the
federation's labels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from damka import locales
from damka.errors import FenError, PdnError, PositionTooComplexError
from damka.game import Game
from damka.live.files import MAX_NUMBER
from damka.live.problems import Problem
from damka.live.replay import require_showable
from damka.notation import fen, labels
from damka.rules import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.rules import Rules, Side

__all__ = ["PositionProblem", "PositionText", "ReadOptions", "describe", "read", "start"]

_ITEM: Final = re.compile(r"[^,:;\s\"\]]*")
_TAG: Final = re.compile(r"\[\s*(?!FEN\b|SetUp\b)\w+\s+\"", re.IGNORECASE)
_SHOWN: Final = 20
"""Maximum length of a quoted piece of text."""


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


class PositionProblem(Problem):
    """Response about a position from which no game can start; the detail is the code of `fault`."""

    def __init__(self, where: str, fault: _Fault) -> None:
        super().__init__(422, "bad_position", where=where, detail=fault.code)
        self._fault: Final = fault

    def sentence(self, language: str) -> str:
        """Return the fault in `language`."""
        return self._fault.sentence(language)


def describe(of: Rules, text: str, language: str) -> dict[str, Any]:
    """Return whether a game can start from the position `text`, as JSON values.

    `problem` is a code of `FenError`, "empty", "no_pieces", "too_complex" or the reason of the
    game's result, or None; `sentence` describes the problem, or the side to move and its moves;
    `squares` are those of the problem.
    """
    game = _examine(of, text)
    if isinstance(game, _Fault):
        return {
            "problem": game.code,
            "sentence": game.sentence(language),
            "squares": game.squares,
        }
    side = _colour(of, game.turn, language)
    moves = game.legal_moves
    kind = "captures" if moves[0].captures else "moves"
    sentence = (
        f"{locales.translate(language, 'game.status.turn', side=side)} "
        f"{locales.plural(language, f'edit.{kind}', len(moves))}"
    )
    return {"problem": None, "sentence": sentence, "squares": []}


def start(of: Rules, text: str) -> Game:
    """Return a game that starts from a position. Raises Problem when none can."""
    game = _examine(of, text)
    if isinstance(game, _Fault):
        raise PositionProblem("fen", game)
    return game


def read(
    data: bytes, chosen: Rules, options: ReadOptions, language: str, *, is_pdn: bool
) -> PositionText:
    """Return the positions in a pasted text: FEN, PDN or a game file.

    A text that names no rules is read by the `chosen` ones. Raises Problem when it has no position.
    """
    from damka.live import requests  # noqa: PLC0415  not needed to check a position

    text = data.decode("utf-8", "replace").strip()
    is_fen = is_pdn and len(text) <= fen.MAX_LENGTH and ":" in text and not _TAG.search(text)
    fault = None
    if is_fen and options.read_as != "named":
        try:
            pieces, turn = fen.parse(chosen, text, labels=options.labels, repair=True)
        except FenError as error:
            fault = _fen_fault(chosen, text, error)
        else:
            position = fen.format(chosen, pieces, turn)
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


class _Fault:
    """Reason why no game can start from a position.

    The sentence is that of `key` with its `values`, after "the game is over" if `over`; `side` is a
    colour's name in it, and `squares` are the library's numbers.
    """

    def __init__(
        self,
        of: Rules,
        code: str,
        key: str,
        *,
        squares: Sequence[int] = (),
        side: Side | None = None,
        over: bool = False,
        **values: object,
    ) -> None:
        self.code: Final = code
        self.squares: Final = [*squares]
        self._rules: Final = of
        self._key: Final = key
        self._side: Final = side
        self._over: Final = over
        self._values: Final = values

    def sentence(self, language: str) -> str:
        """Return the reason in `language`."""
        values = dict(self._values)
        if self._side is not None:
            values["side"] = _colour(self._rules, self._side, language)
        if self.squares:
            names = [labels(self._rules).name(square) for square in self.squares]
            values["squares"] = locales.listing(language, names)
        text = locales.translate(language, self._key, **values)
        return f"{locales.translate(language, 'edit.over')} {text}" if self._over else text


def _examine(of: Rules, text: str) -> Game | _Fault:
    """Return the game that starts from a position, or the reason why none can."""
    try:
        pieces, turn = fen.parse(of, text)
    except FenError as error:
        return _fen_fault(of, text, error)
    missing = [side for side in SIDES if side not in pieces.upper()]
    if len(missing) == len(SIDES):
        return _Fault(of, "empty", "edit.empty")
    if missing:
        return _Fault(of, "no_pieces", "edit.no_pieces", side=missing[0])
    try:
        game = Game(of, fen.format(of, pieces, turn))
        require_showable(game)
    except PositionTooComplexError:
        return _Fault(of, "too_complex", "server.problem.too_complex")
    if game.result is None:
        return game
    winner, reason = game.result
    side = {"no_moves": turn, "breakthrough": winner}.get(reason)
    return _Fault(of, reason, f"game.result.{reason}", over=True, side=side)


def _fen_fault(of: Rules, text: str, error: FenError) -> _Fault:
    """Return the fault of a FEN, with the piece of text that is wrong."""
    key = f"edit.fen.{error.code}"
    match error.code:
        case "length":
            return _Fault(of, error.code, key, n=fen.MAX_LENGTH)
        case "square" | "off_board" | "range" | "duplicate":
            item = _ITEM.match(text, error.at or 0)
            return _Fault(of, error.code, key, text=item[0][:_SHOWN] if item else "")
    return _Fault(of, error.code, key, squares=error.squares)


def _colour(of: Rules, side: Side, language: str) -> str:
    return locales.colour(language, of.colours[0 if side == "W" else 1], "side")

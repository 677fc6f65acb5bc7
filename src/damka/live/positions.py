"""Positions of the board editor: checking whether a game can start there.

Squares are the library's numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from damka import locales
from damka.errors import FenError, PositionTooComplexError
from damka.game import Game
from damka.live.problems import Problem
from damka.live.replay import require_showable
from damka.notation import fen, labels
from damka.rules import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.rules import Rules, Side

__all__ = ["Fault", "PositionProblem", "describe", "fen_fault", "start"]

_ITEM: Final = re.compile(r"\s*([^,:;\s\"\]]*)")
_SHOWN: Final = 20
"""Maximum length of a quoted piece of text."""


class PositionProblem(Problem):
    """Response about a position from which no game can start; the detail is the code of `fault`."""

    def __init__(self, where: str, fault: Fault) -> None:
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
    if isinstance(game, Fault):
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
    if isinstance(game, Fault):
        raise PositionProblem("fen", game)
    return game


class Fault:
    """Reason why no game can start from a position.

    The sentence is the text of `key` with its `values`, after "the game is over" if `over`. It may
    name the colour of `side` and the `squares`, which are the library's numbers.
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


def _examine(of: Rules, text: str) -> Game | Fault:
    """Return the game that starts from a position, or the reason why none can."""
    try:
        pieces, turn = fen.parse(of, text)
    except FenError as error:
        return fen_fault(of, text, error)
    missing = [side for side in SIDES if side not in pieces.upper()]
    if len(missing) == len(SIDES):
        return Fault(of, "empty", "edit.empty")
    if missing:
        return Fault(of, "no_pieces", "edit.no_pieces", side=missing[0])
    try:
        game = Game(of, fen.format(of, pieces, turn))
        require_showable(game)
    except PositionTooComplexError:
        return Fault(of, "too_complex", "server.problem.too_complex")
    if game.result is None:
        return game
    winner, reason = game.result
    side = {"no_moves": turn, "breakthrough": winner}.get(reason)
    return Fault(of, reason, f"game.result.{reason}", over=True, side=side)


def fen_fault(of: Rules, text: str, error: FenError) -> Fault:
    """Return the fault of a FEN, with the piece of text that is wrong."""
    key = f"edit.fen.{error.code}"
    match error.code:
        case "length":
            return Fault(of, error.code, key, n=fen.MAX_LENGTH)
        case "square" | "off_board" | "range" | "duplicate":
            item = _ITEM.match(text, error.at or 0)
            return Fault(of, error.code, key, text=item[1][:_SHOWN] if item else "")
    return Fault(of, error.code, key, squares=error.squares)


def _colour(of: Rules, side: Side, language: str) -> str:
    return locales.colour(language, of.colours[0 if side == "W" else 1], "side")

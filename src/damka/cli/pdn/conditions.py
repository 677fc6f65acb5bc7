"""Conditions of `damka pdn filter`: players, rules, result, position, material."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from damka.cli.usage import UsageProblem
from damka.errors import FenError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from damka import Board, Rules
    from damka.pdn import PdnGame
    from damka.rules import Side

    Condition: TypeAlias = Callable[[PdnGame], bool]

__all__ = ["Condition", "Position", "material", "outcome", "player", "result", "rules"]

_OUTCOMES: Final = ("white", "black", "draw", "none")
_SCORE: Final = re.compile(r"(\d{1,3})-(\d{1,3})", re.ASCII)
_DRAWS: Final = ("1/2-1/2", "½-½", "1/2")
_SIDE: Final = re.compile(r"(\d{1,3})|(?:(\d{1,3})K)?(?:(\d{1,3})M)?", re.ASCII | re.IGNORECASE)


def player(tags: tuple[str, ...], part: str) -> Condition:
    """Return the condition that one of the tags contains `part`."""
    wanted = " ".join(part.split()).casefold()

    def matches(game: PdnGame) -> bool:
        names = (" ".join(game.headers.get(tag, "").split()) for tag in tags)
        return any(wanted in name.casefold() for name in names)

    return matches


def rules(wanted: Rules) -> Condition:
    """Return the condition that a game is played by a rule set."""
    return lambda game: game.rules.name == wanted.name


def result(wanted: str) -> Condition:
    """Return the condition that a game has a result."""
    if wanted.lower() in _OUTCOMES:
        return lambda game: outcome(game.result) == wanted.lower()
    return lambda game: game.result.strip() == wanted.strip()


def outcome(text: str) -> str:
    """Return the winner according to a result tag: "white", "black", "draw", or "none" if unknown.

    >>> [outcome(text) for text in ("2-0", "4-6", "1/2-1/2", "0-0", "*")]
    ['white', 'black', 'draw', 'none', 'none']
    """
    if text.strip() in _DRAWS:
        return "draw"
    score = _SCORE.fullmatch(text.strip())
    if score is None or text.strip() == "0-0":  # Both lost, or neither appeared.
        return "none"
    white, black = int(score[1]), int(score[2])
    if white == black:
        return "draw"
    return "white" if white > black else "black"


class Position:
    """The condition that a game's main line reaches a position, in the game's own labels.

    It is false for boards without the position's squares.
    """

    def __init__(self, fen: str) -> None:
        self._fen = fen
        self._parsed: dict[tuple[Rules, str], tuple[str, Side] | None] = {}
        self._error: FenError | None = None

    def __call__(self, game: PdnGame) -> bool:
        """Return whether a game reaches the position."""
        key = game.rules, game.rules.notation
        if key not in self._parsed:
            self._parsed[key] = self._parse(game.rules)
        wanted = self._parsed[key]
        if wanted is None:
            return False
        pieces, turn = wanted
        return any(board.turn == turn and board.pieces == pieces for board in _boards(game))

    def check(self) -> None:
        """Raise FenError if the position is invalid by the rules of every game so far."""
        if self._error is not None and not any(self._parsed.values()):
            raise self._error

    def _parse(self, rules: Rules) -> tuple[str, Side] | None:
        from damka.notation import fen  # noqa: PLC0415

        try:
            return fen.parse(rules, self._fen, labels=True)
        except FenError as error:
            self._error = self._error or error
            return None


def material(text: str) -> Condition:
    """Return the condition that the main line reaches this material, for either side.

    Raises UsageProblem for an invalid text.
    """
    first, hyphen, second = text.partition("-")
    sides = [_count(first), _count(second)]
    if not hyphen or None in sides:
        raise UsageProblem(f"--material must be such as 3-2, 2K-1K or 1K2M-3M, not {text[:60]!r}.")
    one, two = sides

    def matches(game: PdnGame) -> bool:
        for board in _boards(game):
            pieces = board.pieces
            white, black = (
                (pieces.count(king), pieces.count(man)) for king, man in (("W", "w"), ("B", "b"))
            )
            if (_matches(white, one) and _matches(black, two)) or (
                _matches(white, two) and _matches(black, one)
            ):
                return True
        return False

    return matches


_Count: TypeAlias = "int | tuple[int, int]"
"""Total pieces, or kings and men."""


def _count(side: str) -> _Count | None:
    match = _SIDE.fullmatch(side.strip())
    if match is None or not side.strip():
        return None
    pieces, kings, men = match.groups()
    return int(pieces) if pieces is not None else (int(kings or 0), int(men or 0))


def _matches(kings_and_men: tuple[int, int], wanted: _Count | None) -> bool:
    return kings_and_men == wanted or sum(kings_and_men) == wanted


def _boards(game: PdnGame) -> Iterator[Board]:
    """Yield the board at the start and after every move of the main line."""
    board = game.start()
    yield board
    for node in game.mainline():
        board = node.enter(board)
        yield board

"""Move text as people write it: "22-18", "22x15", "22x15x8", "c3-d4", "c3:e5:g7".

Two squares are start and end. If several moves have the same ends, the text means the direct one,
if there is one. A longer text is a route with every landing square. "x", ":" and "×" mean a
capture, "-" a quiet move. Without such a move, two squares mean a move of the other kind, because
some books do not distinguish them. Other dashes, "*", "=", a space, and nothing are the same as
"-": "32*28", "32 28", "3228".

Squares are the library's: numbers from White's top left, or letters and digits as in
`damka.notation.squares`. `damka.notation.labels` converts to and from the federation's labels;
`write` uses these. `damka.Board.text` and `damka.Board.parse` support both, with `labels` for the
federation's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from damka._former import former_names, warn_former
from damka.notation import squares
from damka.notation.labels import labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from damka._core import Board
    from damka.move import Move

__all__ = [
    "MAX_LENGTH",
    "MoveText",
    "matching_moves",
    "numbers",
    "read",
    "routes",
    "with_usual_signs",
    "write",
]


def __dir__() -> list[str]:
    return __all__


MAX_LENGTH: Final = 200
MAX_ROUTES: Final = 4096

# The last two capture signs are Cyrillic letters that look like x.
_SIGNS: Final = {"-": "-–", "x": "xX×:хХ"}  # noqa: RUF001
_SIGN: Final = "|".join(rf" *[{signs}] *" for signs in _SIGNS.values())
_MOVE = re.compile(rf"({squares.SQUARE})((?:(?:{_SIGN})(?:{squares.SQUARE}))+)")
_STEP = re.compile(rf" *([{''.join(_SIGNS.values())}]) *({squares.SQUARE})")
# Other signs between squares in game records, also accepted by `damka.pdn`.
_OTHER_SIGNS: Final = str.maketrans(
    dict.fromkeys("*=\u2010\u2011\u2012\u2014\u2015\u2212\ufe63\uff0d", "-")
    | dict.fromkeys("\u2715\u2716\u2a2f\u2236\uff1a", "x")
)
_SPACED = re.compile(rf"({squares.SQUARE}) +({squares.SQUARE})")
_JOINED = re.compile(r"([0-9]{2}|[A-La-l][0-9])([0-9]{2}|[A-La-l][0-9])")


@dataclass(frozen=True, slots=True, weakref_slot=True)
class MoveText:
    """A parsed move text: the square names as written, and whether it is a capture."""

    names: tuple[str, ...]
    is_capture: bool

    @property
    def takes(self) -> bool:
        """Deprecated: use `is_capture`."""
        warn_former("MoveText.takes", "is_capture")
        return self.is_capture


def with_usual_signs(text: str) -> str:
    """Return a move text with "-" or "x" between the squares, any other text unchanged.

    >>> from damka.notation.text import with_usual_signs
    >>> with_usual_signs("32*28"), with_usual_signs("32 28"), with_usual_signs("c3d4")
    ('32-28', '32-28', 'c3-d4')
    """
    if len(text) > MAX_LENGTH:
        return text
    usual = text.strip().translate(_OTHER_SIGNS)
    bare = _JOINED.fullmatch(usual) or _SPACED.fullmatch(usual)
    if bare:
        return f"{bare[1]}-{bare[2]}"
    return usual if _MOVE.fullmatch(usual) else text


def read(text: str) -> MoveText | None:
    """Parse `text`; return None if it does not look like a move."""
    if len(text) > MAX_LENGTH:
        return None
    match = _MOVE.fullmatch(with_usual_signs(text).strip())
    if match is None:
        return None
    steps = _STEP.findall(match[2])
    kinds = {sign in _SIGNS["x"] for sign, _ in steps}
    if len(kinds) > 1:
        return None
    return MoveText((match[1], *(name for _, name in steps)), kinds.pop())


def numbers(board: Board, move: Move) -> str:
    """Return the shortest unambiguous text of a legal move in the library's numbers.

    A capture has its start and end, or every landing square if another capture has the same ends.
    Landing squares are right behind the captured pieces, or further on if the route turns there.
    """
    if move.is_capture:
        ends = (move.start, move.end)
        if sum((other.start, other.end) == ends for other in board.legal_moves) > 1:
            return "x".join(map(str, _nearest_route(board, move)))
    return str(move)


def _nearest_route(board: Board, move: Move) -> tuple[int, ...]:
    """Return the first of the routes that land as near as possible to the captured pieces."""
    if len(move.route) < 3:
        return move.route
    cell = board.rules.cell
    captured = {cell(square) for square in move.captures}

    def distance(route: tuple[int, ...]) -> int:
        far = 0
        for start, end in pairwise(route):
            (row, column), (end_row, end_column) = cell(start), cell(end)
            down, right = _sign(end_row - row), _sign(end_column - column)
            at = (end_row - down, end_column - right)
            while at not in captured and at != (row, column):
                far += 1
                at = (at[0] - down, at[1] - right)
        return far

    return min(routes(board, move), key=distance, default=move.route)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def write(board: Board, move: Move, moves: Iterable[Move] | None = None) -> str:
    """Return a legal move in the federation's notation, with its labels.

    A capture has its start and end, or every landing square if these could mean another of `moves`
    (by default the legal moves). `damka.Board.parse` needs `labels=True` to parse it, because the
    federation's numbers may be other squares in the library. `labels(rules).read` translates the
    text to the library's numbers.

    >>> import damka
    >>> from damka.notation.text import write
    >>> russian = damka.rules.load("russian").replace(notation="A0", capture_sign=":")
    >>> board = damka.Board(russian, "W:W22:B18")
    >>> write(board, board.legal_moves[0])
    'c3:e5'
    """
    square_labels = labels(board.rules)
    text = numbers(board, move)
    if square_labels.sign == "-" and move.is_capture:
        # The parser prefers a quiet move with the same ends.
        ends = (move.start, move.end)
        if any(
            not other.is_capture and (other.start, other.end) == ends
            for other in (board.legal_moves if moves is None else moves)
        ):
            text = "x".join(map(str, _nearest_route(board, move)))
    return square_labels.shown(text)


def matching_moves(
    board: Board, moves: Iterable[Move], route: Sequence[int], *, is_capture: bool | None = None
) -> list[Move]:
    """Return those of `moves` that match these squares.

    A capture is preferred if `is_capture` is True, a quiet move if it is False. More than two
    squares with `is_capture` match only captures.
    """
    matches = [move for move in moves if move.start == route[0] and move.end == route[-1]]
    if is_capture is not None and (is_capture or len(route) == 2):
        same_kind = [move for move in matches if move.is_capture is is_capture]
        matches = same_kind if same_kind or len(route) > 2 else matches
    if len(route) == 2 and len(matches) < 2:
        return matches
    exact = [move for move in matches if tuple(route) in routes(board, move)]
    return exact or (matches if len(route) == 2 else [])


def routes(board: Board, move: Move) -> tuple[tuple[int, ...], ...]:
    """Return every route of a move; a quiet move has one."""
    return tuple(board._routes(move, MAX_ROUTES)) if move.is_capture else (move.route,)


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"Written": "MoveText", "fitting": "matching_moves"})

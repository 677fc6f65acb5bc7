"""Moves as people write them: "22-18", "22x15", "22x15x8", "c3-d4", "c3:e5:g7".

Two squares are where a move starts and where it ends; when several moves share both, the one that
goes straight from one to the other is meant, if there is one. A longer text is a route with every
landing square. "x", ":" and "×" write a capture, "-" a move that takes nothing. Where there is no
such move, two squares mean the other kind as well, because some books write both alike.

Squares are the library's: numbers from White's top-left, or letters and digits as
`damka.notation.squares` has them. `damka.notation.labels` goes from there to what a federation
prints and back; `write` writes a move so. Boards have both ways: `damka.Board.text` and
`damka.Board.parse`, with `labels` for what the federation prints.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from damka.notation import squares
from damka.notation.labels import labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from damka._core import Board
    from damka.move import Move

__all__ = ["MAX_LENGTH", "Written", "fitting", "numbers", "read", "routes", "write"]


def __dir__() -> list[str]:
    return __all__


MAX_LENGTH: Final = 200
MAX_ROUTES: Final = 4096

# The last two signs of a capture are the Cyrillic letter that looks like x.
_SIGNS: Final = {"-": "-–", "x": "xX×:хХ"}  # noqa: RUF001
_SIGN: Final = "|".join(rf" *[{signs}] *" for signs in _SIGNS.values())
_MOVE = re.compile(rf"({squares.SQUARE})((?:(?:{_SIGN})(?:{squares.SQUARE}))+)")
_STEP = re.compile(rf" *([{''.join(_SIGNS.values())}]) *({squares.SQUARE})")


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Written:
    """A text that looks like a move: the squares' names as written, and whether it takes."""

    names: tuple[str, ...]
    takes: bool


def read(text: str) -> Written | None:
    """Return the squares that `text` names, or None when it does not look like a move."""
    if len(text) > MAX_LENGTH:
        return None
    found = _MOVE.fullmatch(text.strip())
    if found is None:
        return None
    steps = _STEP.findall(found[2])
    takes = {sign in _SIGNS["x"] for sign, _ in steps}
    if len(takes) > 1:
        return None
    return Written((found[1], *(name for _, name in steps)), takes.pop())


def numbers(board: Board, move: Move) -> str:
    """Return the shortest text in the library's numbers that means this legal move.

    A capture is written with its ends, or with every landing when another capture has the same
    ends: right behind each piece that it takes, except where it must turn further on.
    """
    if move.is_capture:
        ends = (move.start, move.end)
        if sum((other.start, other.end) == ends for other in board.legal_moves) > 1:
            return "x".join(map(str, _written_route(board, move)))
    return str(move)


def _written_route(board: Board, move: Move) -> tuple[int, ...]:
    """Return the route whose landings are nearest to what it captures, the first of several."""
    if len(move.route) < 3:
        return move.route
    cell = board.rules.cell
    taken = {cell(square) for square in move.captures}

    def distance(route: tuple[int, ...]) -> int:
        far = 0
        for start, end in pairwise(route):
            (row, column), (end_row, end_column) = cell(start), cell(end)
            down, right = _sign(end_row - row), _sign(end_column - column)
            at = (end_row - down, end_column - right)
            while at not in taken and at != (row, column):
                far += 1
                at = (at[0] - down, at[1] - right)
        return far

    return min(routes(board, move), key=distance, default=move.route)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def write(board: Board, move: Move, moves: Iterable[Move] | None = None) -> str:
    """Return a legal move as the federation writes it, with the labels of its squares.

    A capture is written with its ends, or with every landing where that could mean another of
    `moves`, by default the legal ones. `damka.Board.parse` reads it back with `labels=True`, and
    only so: where the federation's numbers begin in another corner, they name other squares than
    the library's. `labels(rules).read` gives the text in the library's numbers.

    >>> import damka
    >>> from damka.notation.text import write
    >>> russian = damka.rules.load("russian").replace(notation="A0", capture_sign=":")
    >>> board = damka.Board(russian, "W:W22:B18")
    >>> write(board, board.legal_moves[0])
    'c3:e5'
    """
    on = labels(board.rules)
    text = numbers(board, move)
    if on.sign == "-" and move.is_capture:
        # A move that takes nothing may have the same ends: it is the one that they mean then.
        ends = (move.start, move.end)
        if any(
            not other.is_capture and (other.start, other.end) == ends
            for other in (board.legal_moves if moves is None else moves)
        ):
            text = "x".join(map(str, _written_route(board, move)))
    return on.shown(text)


def fitting(
    board: Board, moves: Iterable[Move], route: Sequence[int], *, takes: bool | None = None
) -> list[Move]:
    """Return those of `moves` that a text with these squares means.

    With `takes` false a move that takes nothing is preferred, with `takes` true a capture; more
    than two squares with `takes` true mean nothing else than a capture.
    """
    found = [move for move in moves if move.start == route[0] and move.end == route[-1]]
    if takes is not None and (takes or len(route) == 2):
        alike = [move for move in found if move.is_capture is takes]
        found = alike if alike or len(route) > 2 else found
    if len(route) == 2 and len(found) < 2:
        return found
    straight = [move for move in found if tuple(route) in routes(board, move)]
    return straight or (found if len(route) == 2 else [])


def routes(board: Board, move: Move) -> tuple[tuple[int, ...], ...]:
    """Return every route of a move; a quiet move has one."""
    return tuple(board._routes(move, MAX_ROUTES)) if move.is_capture else (move.route,)

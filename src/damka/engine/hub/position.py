"""Positions of the Hub protocol: the side to move, then one letter for each square from 1.

The letters are `w` and `b` for men, `W` and `B` for kings, `e` for an empty square. Squares are
numbered as in Damka: row by row from White's top left, in every rule set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from damka.board import Board
from damka.engine.hub.line import HubError
from damka.notation import fen

if TYPE_CHECKING:
    from damka.rules import Rules, Side

__all__ = ["read", "write"]


def read(rules: Rules, text: str) -> Board:
    """Parse a position. Raises HubError, and FenError for an impossible position.

    >>> import damka
    >>> from damka.engine.hub.position import read
    >>> board = read(damka.rules.load("dama64"), "B" + "b" + 27 * "e" + "wwww")
    >>> board.fen
    'B:W29,30,31,32:B1'
    """
    length = 1 + rules.square_count
    if len(text) != length:
        raise HubError(f"a position of {rules.name} must have {length} letters, not {len(text)}")
    turn, pieces = text[0], text[1:]
    if turn not in {"W", "B"}:
        raise HubError(f"a position must begin with W or B, not {turn!r}")
    for square, piece in enumerate(pieces, 1):
        if piece not in "wbWBe":
            raise HubError(f"square {square} must be w, b, W, B or e, not {piece!r}")
    return Board(rules, fen.format(rules, pieces.replace("e", "."), cast("Side", turn)))


def write(board: Board) -> str:
    """Return the position of a board; `read` is the inverse."""
    return board.turn + board.pieces.replace(".", "e")

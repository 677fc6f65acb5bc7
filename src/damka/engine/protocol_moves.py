"""Legal moves in Hub and DXP notation: from, to and the captured squares.

The notation is ambiguous in one case. If the rules' `promotion` is "go", two captures may remove
the same pieces between the same squares, and only one of them crowns the man on the way. The text
then means the crowning capture; the other cannot be written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.refusal import parse_hub

if TYPE_CHECKING:
    from damka.board import Board
    from damka.move import Move

__all__ = ["distinct_moves", "parse_move"]


def distinct_moves(board: Board) -> list[Move]:
    """Return the legal moves without those that have the same text as a crowning one."""
    by_text: dict[str, Move] = {}
    for move in board.legal_moves:
        if move.crowns or move.hub() not in by_text:
            by_text[move.hub()] = move
    return list(by_text.values())


def parse_move(board: Board, text: str) -> Move:
    """Parse a legal move in Hub notation.

    Raises InvalidMoveError if it is not Hub text and IllegalMoveError if there is no such move.
    """
    return parse_hub(board, text, distinct_moves(board))

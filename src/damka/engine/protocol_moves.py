"""Legal moves as Hub and DXP write them: from, to and the captured squares.

The notation is ambiguous in one case. Where the rules' `promotion` is "go", two captures may take
the same pieces between the same squares, and only one of them crowns on the way. The text then
means the one that crowns; the other cannot be written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.refusal import parse_hub

if TYPE_CHECKING:
    from damka.board import Board
    from damka.move import Move

__all__ = ["distinct_moves", "parse_move"]


def distinct_moves(board: Board) -> list[Move]:
    """Return the legal moves that can be written, each with a text of its own."""
    by_text: dict[str, Move] = {}
    for move in board.legal_moves:
        if move.crowns or move.hub() not in by_text:
            by_text[move.hub()] = move
    return list(by_text.values())


def parse_move(board: Board, text: str) -> Move:
    """Return the legal move that a Hub text means.

    Raises InvalidMoveError when it is not Hub text and IllegalMoveError when there is no such move.
    """
    return parse_hub(board, text, distinct_moves(board))

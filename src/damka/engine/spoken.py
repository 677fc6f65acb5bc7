"""The moves that engines can tell each other: from, to and the captured squares.

That says every move but one kind: where the rules' `promotion` is "go", two captures may take the
same pieces between the same squares, one by way of the crowning row and one not. Spoken, the text
means the one that crowns, and the other cannot be said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.refusal import parse_hub

if TYPE_CHECKING:
    from damka.board import Board
    from damka.move import Move

__all__ = ["heard", "sayable"]


def sayable(board: Board) -> list[Move]:
    """Return the legal moves of which no two are written alike."""
    said: dict[str, Move] = {}
    for move in board.legal_moves:
        if move.crowns or move.hub() not in said:
            said[move.hub()] = move
    return list(said.values())


def heard(board: Board, text: str) -> Move:
    """Return the legal move that a Hub text means.

    Raises InvalidMoveError when it is not Hub text and IllegalMoveError when there is no such move.
    """
    return parse_hub(board, text, sayable(board))

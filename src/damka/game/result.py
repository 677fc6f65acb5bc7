"""How a game has ended: won by the rules' objective, or drawn by what counters.py has counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.game.record import Result
from damka.rules import other

if TYPE_CHECKING:
    from damka.board import Board
    from damka.game.counters import DrawCounters
    from damka.rules import Side

__all__ = ["ending", "win", "win_by_huff"]


def ending(
    board: Board,
    counters: DrawCounters,
    *,
    pending: tuple[int, ...],
    quiet: bool,
    drawn: Result | None = None,
) -> Result | None:
    """Return the result of a game that stands so, or None while it is on.

    `pending` are the pieces that the side to move may huff; `quiet` says that it has neither these
    nor a capture. `drawn` is the draw that the last move has made. A win takes precedence over
    any draw.
    """
    return win(board, pending) or drawn or counters.draw_by_material(quiet=quiet)


def win(board: Board, pending: tuple[int, ...] = ()) -> Result | None:
    """Return the result when the side to move has no piece, or none that can move, or a king won.

    `pending` are the pieces it may huff before it moves: a side that can still huff and then move,
    or win by that, has not lost.
    """
    turn, opponent = board.turn, other(board.turn)
    rules = board.rules
    if rules.objective == "breakthrough":
        # The side not to move has just moved.
        for side in (opponent, turn):
            if side in board.pieces:
                return Result(side, "breakthrough")
    winner = turn if rules.objective == "losing" else opponent
    if not _stands(board.pieces, turn):
        return Result(winner, "no_pieces")
    if board.has_legal_moves:
        return None
    if winner == opponent and any(_saves(board, square) for square in pending):
        return None
    return Result(winner, "no_moves")


def win_by_huff(board: Board) -> Result | None:
    """Return the result after the side to move has huffed: the other's last piece may be gone."""
    if not _stands(board.pieces, other(board.turn)):
        losing = board.rules.objective == "losing"
        return Result(other(board.turn) if losing else board.turn, "no_pieces")
    return win(board)


def _saves(board: Board, square: int) -> bool:
    """Whether a side without moves can huff this piece and then move, or win by huffing it."""
    after = board.remove(square)
    return after.has_legal_moves or not _stands(after.pieces, other(board.turn))


def _stands(pieces: str, side: Side) -> bool:
    return side in pieces or side.lower() in pieces

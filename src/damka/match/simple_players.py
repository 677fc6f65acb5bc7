"""Simple baseline players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random

    from damka.board import Board
    from damka.game import Game
    from damka.move import Move

__all__ = ["oneply", "random_move"]

_KING: Final = 3


def oneply(game: Game, rng: random.Random) -> Move:
    """Return a move with the best balance of men after it; ties are broken at random.

    A king counts as three men. If the objective is to lose, the worst balance is the best.
    """
    aim = -1 if game.rules.objective == "losing" else 1
    board = game.board.copy()
    side = game.turn

    def score_after(move: Move) -> int:
        board.push(move)
        after = aim * _material(board, side)
        board.pop()
        return after

    scores = [score_after(move) for move in game.legal_moves]
    best = max(scores)
    best_moves = [
        move for move, value in zip(game.legal_moves, scores, strict=True) if value == best
    ]
    return rng.choice(best_moves)


def _material(board: Board, side: str) -> int:
    count = board.pieces.count
    white = count("w") + _KING * count("W") - count("b") - _KING * count("B")
    return white if side == "W" else -white


def random_move(game: Game, rng: random.Random) -> Move:
    """Return a random legal move."""
    return rng.choice(game.legal_moves)

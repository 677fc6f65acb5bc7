"""Games between equal players, and the scores of their positions."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from damka.board import Board
from damka.engine.search import Engine
from damka.rules import from_dict

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["Batch", "PlayedGame", "ScoredGame", "play", "score"]

_OPENINGS: Final = (4, 10)
"""The least and the largest number of random moves at the start of a game."""
_MAX_PLIES: Final = 300
"""Longer games count as draws: some rule sets have no rule that ends them."""

PlayedGame = dict[str, Any]
"""A game: its `number`, White's `result` (1, 0, -1), the number of random moves in `opening`, and
its `moves` as Hub text."""

ScoredGame = dict[str, Any]
"""Positions of a game: its `number`, and `positions`, each with the number of plies before it, the
number of pieces, and the score for White in hundredths of a man."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Numbers of games to play, or games whose positions to score.

    `rules` is from `Rules.to_dict`; `nodes` is the limit of a search, and `positions` the number of
    positions to score per game. The number and the seed determine a game.
    """

    rules: dict[str, Any]
    seed: int
    nodes: int
    numbers: tuple[int, ...] = ()
    games: tuple[PlayedGame, ...] = ()
    positions: int = 0


def play(batch: Batch) -> list[PlayedGame]:
    """Play a batch of games, to the end or until a search proves the result."""
    rules = from_dict(batch.rules)
    with Engine(hash_mb=1) as engine:
        return [_play(rules, engine, batch, number) for number in batch.numbers]


def _play(rules: Rules, engine: Engine, batch: Batch, number: int) -> PlayedGame:
    rng = _random(batch, number)
    board, moves = _opening(rules, rng)
    opening = len(moves)
    engine.clear()
    winner = None
    while (result := board.result) is None and len(moves) < _MAX_PLIES:
        analysis = engine.search(board, nodes=batch.nodes)
        if analysis.mate is not None:
            winner = board.turn if analysis.mate > 0 else "B" if board.turn == "W" else "W"
            break
        assert analysis.move is not None  # noqa: S101  The game is not over.
        moves.append(analysis.move.hub())
        board.push_unchecked(analysis.move)
    if result is not None:
        winner = result.winner
    white = 0 if winner is None else 1 if winner == "W" else -1
    return {"number": number, "result": white, "opening": opening, "moves": " ".join(moves)}


def _opening(rules: Rules, rng: random.Random) -> tuple[Board, list[str]]:
    """Return a board after random moves, which do not end the game, and the moves."""
    while True:
        board = Board(rules)
        moves = []
        for _ in range(rng.randint(*_OPENINGS)):
            legal = sorted(board.legal_moves, key=lambda move: move.hub())
            if not legal or board.result is not None:
                break
            move = rng.choice(legal)
            moves.append(move.hub())
            board.push_unchecked(move)
        if board.result is None:
            return board, moves


def score(batch: Batch) -> list[ScoredGame]:
    """Search positions of games: of all plies after the random moves with the same probability."""
    rules = from_dict(batch.rules)
    with Engine(hash_mb=1) as engine:
        return [_score(rules, engine, batch, game) for game in batch.games]


def _score(rules: Rules, engine: Engine, batch: Batch, game: PlayedGame) -> ScoredGame:
    moves = game["moves"].split()
    rng = _random(batch, ~game["number"])
    plies = range(game["opening"], len(moves))
    chosen = set(rng.sample(plies, min(batch.positions, len(plies))))
    board = Board(rules)
    positions = []
    for ply, text in enumerate(moves):
        if ply in chosen:
            engine.clear()
            value = engine.search(board, nodes=batch.nodes).score
            pieces = sum(piece != "." for piece in board.pieces)
            positions.append([ply, pieces, value if board.turn == "W" else -value])
        board.push_unchecked(next(move for move in board.legal_moves if move.hub() == text))
    return {"number": game["number"], "positions": positions}


def _random(batch: Batch, number: int) -> random.Random:
    return random.Random(f"{batch.seed} {number}")

"""Comparison of the kernel with the reference rules, for positions and complete games."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from damka import Board, Move, reference
from damka.rules import Rules
from tests.reference.reference_game import ReferenceGame
from tests.support import write_fen

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["assert_games_agree", "assert_positions_agree", "effect"]

MANY_ROUTES: Final = 10_000
MOVES_FOLLOWED: Final = 4
"""Approximate number of moves per position after which the replies are compared."""


def effect(move: Move | reference.Move) -> tuple[int, int, tuple[int, ...], bool]:
    """Return start, end, captures and whether the move crowns."""
    return move.start, move.end, move.captures, move.crowns


def assert_positions_agree(board: Board, position: reference.Position) -> list[reference.Move]:
    """Compare all properties of a position in both implementations; return its moves."""
    rules = board.rules
    _same("the position", _state(board), (position.pieces, position.turn, position.streaks))
    expected = {effect(move): move for move in reference.legal_moves(rules, position)}
    legal = board.legal_moves
    _same("the legal moves", sorted(map(effect, legal)), sorted(expected))
    if expected:
        quiet = sorted(map(effect, reference.quiet_moves(rules, position)))
        _same("the quiet moves", sorted(map(effect, board.quiet_moves)), quiet)
    _same("the count of moves", board.perft(1), len(expected))
    replies = 0
    for number, move in enumerate(legal):
        specified = expected[effect(move)]
        _same(f"the mover of {move}", move.is_king, position.at(move.start).isupper())
        if len(specified.routes) <= MANY_ROUTES:
            routes = board.routes(move, limit=MANY_ROUTES)
            _same(f"the routes of {move}", (*sorted(routes),), specified.routes)
            _same(f"the first route of {move}", routes[0], move.route)
        after = reference.apply(rules, position, specified)
        board.push(move)
        _same(
            f"the position after {move}", _state(board), (after.pieces, after.turn, after.streaks)
        )
        if not after.streaks:
            _same(f"the key after {move}", board.key, Board(rules, write_fen(after)).key)
        # perft(1) has separate code that counts moves without listing them.
        count = board.perft(1)
        replies += count
        if number % (1 + len(legal) // MOVES_FOLLOWED) == 0:
            _same(f"the replies to {move}", count, len(reference.legal_moves(rules, after)))
        board.pop()
        _same(f"{move} undone", board.pieces, position.pieces)
    _same("the leaves of two plies", board.perft(2), replies)
    return list(expected.values())


def assert_games_agree(
    rules: Rules, first: reference.Position, rng: random.Random, plies: int
) -> int:
    """Compare results and counters after each ply of a random game; return the number of plies."""
    board, game = Board(rules, write_fen(first)), ReferenceGame(rules, first)
    played = 0
    while True:
        result = game.result()
        _same(
            f"the end of a game from {board.root().fen} after {board.steps}",
            (board.offences, board.counters, board.material_counts, board.result, board.is_over),
            (
                game.now.offences,
                game.counters(),
                game.material,
                result,
                result is not None,
            ),
        )
        if board.is_over or played == plies:
            break
        moves = board.legal_moves
        offending = rules.obligation == "huff" and moves and moves[0].is_capture
        if offending and rng.random() < 0.5:
            moves = board.quiet_moves or moves
        if board.offences and (not moves or rng.random() < 0.5):
            square = rng.choice(board.offences)
            board.huff(square)
            game.huff(square)
        else:
            move = _choose(moves, board.stack, rng)
            board.push_unchecked(move)
            game.move(move)
            played += 1
    _assert_replayable(board, rng)
    return played


def _choose(moves: Sequence[Move], played: Sequence[Move], rng: random.Random) -> Move:
    """Return a random move, often the reverse of the last one, so that positions repeat."""
    if len(played) > 1 and rng.random() < 0.4:
        last = played[-2]
        back = [move for move in moves if (move.start, move.end) == (last.end, last.start)]
        if back:
            return back[0]
    return rng.choice(moves)


def _assert_replayable(board: Board, rng: random.Random) -> None:
    """Assert that undoing and replaying moves restores everything."""
    if not board.move_count:
        return
    before = (board.fen, board.steps, board.counters, board.result)
    twin = board.copy()
    pops = 1 + rng.randrange(board.move_count)
    for _ in range(pops):
        twin.pop()
    for step in board.steps[len(twin.steps) :]:
        if isinstance(step, int):
            twin.huff(step)
        else:
            twin.push_unchecked(step)
    again = (twin.fen, twin.steps, twin.counters, twin.result)
    _same(f"{pops} moves undone after {board.steps} from {board.root().fen}", again, before)


def _state(board: Board) -> tuple[str, str, tuple[tuple[int, int], ...]]:
    return board.pieces, board.turn, board.streaks


def _same(what: str, kernel: object, specified: object) -> None:
    assert kernel == specified, f"{what}: the kernel has {kernel}, the reference rules {specified}"

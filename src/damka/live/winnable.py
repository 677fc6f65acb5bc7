"""Whether a side can still win with the other's help: decides the result of a flag fall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from damka.errors import PositionTooComplexError
from damka.result import variant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.game import Game
    from damka.rules import Side

__all__ = ["NODES", "can_win"]

NODES: Final = 4000
"""Number of positions to search."""
_BY_PATH: Final = frozenset({"repetition.pieces", "same_move.game"})
"""Draws (`damka.result.variant`) by counts that differ between the paths to one position."""


def can_win(game: Game, side: Side, nodes: int = NODES) -> bool:
    """Return whether some sequence of legal moves wins for `side`, under the rules and draw rules.

    The search is deterministic and visits at most `nodes` positions. If it is undecided, the win
    counts as possible.
    """
    if game.result is not None:
        return game.result.winner == side
    seen = {_search_key(game)}
    drawn = set[object]()
    stack = [_successors(game, side)]
    while stack:
        try:
            successor = next(stack[-1], None)
        except PositionTooComplexError:
            return True
        if successor is None:
            stack.pop()
            continue
        result, key = successor.result, _search_key(successor)
        if result is not None and result.winner == side:
            return True
        if key in seen:
            continue
        if result is not None:
            if variant(game.rules, result.reason) in _BY_PATH:
                drawn.add(key)
            continue
        seen.add(key)
        if len(seen) > nodes:
            return True
        stack.append(_successors(successor, side))
    # A position that was only reached with a draw by its path may be won on another path.
    return not drawn <= seen


def _successors(game: Game, side: Side) -> Iterator[Game]:
    """Yield the games after each huff and move; captures of the winning side come first."""
    for square in game.offences:
        huffed = game.copy()
        huffed.huff(square)
        yield huffed
    sign = 1 if game.turn == side else -1
    moves = [*game.legal_moves, *game.offence_moves]
    moves.sort(key=lambda move: (-sign * len(move.captures), move.hub(), move.crowns))
    for move in moves:
        played = game.copy()
        played.play(move)
        yield played


def _search_key(game: Game) -> tuple[object, ...]:
    """Return the key of a position in the search.

    Repetition counts are left out: a shortest win never repeats one of its positions. It may repeat
    what the draws `_BY_PATH` count.
    """
    kinds = ("no_progress", "material", "move_limit")
    counters = tuple(c.n for c in game.counters if c.kind in kinds)
    return game.key(), game.pending_huff, counters, game.material_counts

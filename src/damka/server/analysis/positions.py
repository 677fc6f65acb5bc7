"""Keys of positions: equal where a search gives the same result, whatever the way there."""

from __future__ import annotations

import functools
import hashlib
from typing import TYPE_CHECKING

import msgspec

from damka.server.settings import VERSION

if TYPE_CHECKING:
    from damka.board import Board
    from damka.rules import Rules

__all__ = ["key_of", "rules_fingerprint"]


@functools.lru_cache(64)
def rules_fingerprint(rules: Rules) -> bytes:
    """Return a hash of rules, titles included, and of the version that searches by them."""
    return hashlib.sha256(msgspec.json.encode((VERSION, rules.to_dict()))).digest()


def key_of(board: Board, *what: object) -> str:
    """Return the key of a position and of `what` is asked about it.

    The counters of the draw rules and the positions that may be repeated are part of it: they
    change what a search finds. After a capture or a man's move there are none of them.
    """
    rules = board.rules
    no_progress, occurrences, same_move, plies = board._counts
    position = (
        board.pieces,
        board.turn,
        board.streaks,
        board.offences,
        board.pending_huff,
        no_progress,
        occurrences,
        same_move if rules.same_move else 0,
        plies if rules.move_limit_plies else 0,
        board.material_counts,
        _earlier(board, no_progress),
        what,
    )
    return hashlib.sha256(rules_fingerprint(rules) + msgspec.json.encode(position)).hexdigest()


def _earlier(board: Board, plies: int) -> list[int]:
    """Return the keys of the positions of the last plies, which may be repeated."""
    before, keys = board.copy(), []
    for _ in range(min(plies, board.move_count)):
        before.pop()
        keys.append(before.key)
    return sorted(keys)

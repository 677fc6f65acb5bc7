"""The engine's signature: the total node count of a deterministic bench.

Two builds with the same signature play alike. A change that only makes the search faster must not
change it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from damka.board import Board
from damka.engine.search import Engine
from damka.rules import names

__all__ = ["DEPTH", "Part", "parts"]

DEPTH: Final = 7

_PLIES: Final = (0, 12, 30)
"""The bench positions of a rule set, as plies played from its start."""


@dataclass(frozen=True, slots=True)
class Part:
    """Nodes and time of searching one rule set's positions."""

    rules: str
    nodes: int
    seconds: float


def parts(depth: int = DEPTH) -> Iterator[Part]:
    """Search the positions of every shipped rule set; the sum of nodes is the signature."""
    engine = Engine(hash_mb=1)
    for name in names():
        nodes = 0
        started = time.process_time()
        for plies in _PLIES:
            engine.clear()
            nodes += engine.search(_position(name, plies), depth=depth).nodes
        yield Part(name, nodes, time.process_time() - started)


def _position(name: str, plies: int) -> Board:
    """Return the position after up to `plies` moves, selected by a fixed pattern."""
    board = Board(name)
    for ply in range(plies):
        moves = sorted(board.legal_moves, key=lambda move: move.hub())
        if not moves:
            break
        board.push(moves[7 * ply % len(moves)])
    return board

"""Random openings are balanced and distinct."""

from __future__ import annotations

from itertools import islice

import pytest

from damka.engine import Engine
from damka.match.openings import EVEN, begin, read
from damka.rules import load

NODES = 20_000


@pytest.mark.parametrize("name", ["mini-american", "dama64", "american", "international"])
def test_random_openings_are_even(name: str) -> None:
    """Without the search about one in three would be decided, some by several men."""
    rules = load(name)
    games = [begin(rules, text) for text in islice(read("random", rules, seed=1), 12)]
    assert all(game.result is None for game in games)
    scores = [abs(Engine(hash_mb=1).search(game, nodes=NODES).score) for game in games]
    # The search that chose them had a filled table, so its scores differ from a new one's.
    assert max(scores) < 1.5 * EVEN


def test_random_openings_are_distinct() -> None:
    rules = load("mini-american")
    positions = [begin(rules, text).board.fen for text in islice(read("random", rules, 1), 20)]
    assert len(set(positions)) == len(positions)

"""Perft from the start position, compared with the published counts of each game."""

from __future__ import annotations

import pytest

from damka import Board, reference
from tests.support import RULE_SETS, published_counts

COUNTS = published_counts()


def test_published_counts_belong_to_rule_sets() -> None:
    assert COUNTS.keys() <= RULE_SETS.keys()


@pytest.mark.parametrize(
    ("name", "depth"),
    [(name, depth) for name, counts in COUNTS.items() for depth in range(1, len(counts) + 1)],
)
def test_the_kernel_matches_the_published_counts(name: str, depth: int) -> None:
    assert Board(RULE_SETS[name]).perft(depth) == COUNTS[name][depth - 1]


@pytest.mark.parametrize("name", [name for name in COUNTS if len(COUNTS[name]) > 5])
def test_several_threads_count_the_same(name: str) -> None:
    assert Board(RULE_SETS[name]).perft(6, threads=2) == COUNTS[name][5]


@pytest.mark.parametrize("name", COUNTS)
def test_a_hash_table_does_not_change_the_counts(name: str) -> None:
    board = Board(RULE_SETS[name])
    counts = [board.perft(depth, hash_mb=1) for depth in range(1, len(COUNTS[name]) + 1)]
    assert counts == COUNTS[name]
    assert board.perft(5, threads=2, hash_mb=1) == COUNTS[name][4]


@pytest.mark.parametrize("hash_mb", [-1, 1 << 20])
def test_an_invalid_table_size_is_refused(hash_mb: int) -> None:
    with pytest.raises(ValueError, match="hash_mb"):
        Board("international").perft(1, hash_mb=hash_mb)


@pytest.mark.parametrize("name", COUNTS)
def test_divided_counts_add_up(name: str) -> None:
    board = Board(RULE_SETS[name])
    parts = board.divide(5)
    assert set(parts) == set(board.legal_moves)
    assert sum(parts.values()) == COUNTS[name][4]


@pytest.mark.parametrize("name", COUNTS)
def test_the_reference_matches_the_published_counts(name: str) -> None:
    rules = RULE_SETS[name]
    # The depth that takes about a second.
    depth = 5 if rules.square_count == 32 else 4
    start = reference.start(rules)
    counts = [reference.perft(rules, start, ply) for ply in range(1, depth + 1)]
    assert counts == COUNTS[name][:depth]

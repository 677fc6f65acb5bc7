"""Sixty positions of each game with all their legal moves, computed outside this project."""

from __future__ import annotations

import pytest

from damka import Board, reference
from tests.support import RULE_SETS, hub, published_positions, read_fen

POSITIONS = [(name, fen, moves) for name in RULE_SETS for fen, moves in published_positions(name)]


def test_there_are_sixty_positions_of_every_rule_set() -> None:
    assert len(POSITIONS) == 60 * len(RULE_SETS)


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_reference_finds_the_legal_moves(name: str) -> None:
    rules = RULE_SETS[name]
    found = {
        fen: sorted(map(hub, reference.legal_moves(rules, read_fen(rules, fen))))
        for fen, _ in published_positions(name)
    }
    assert found == dict(published_positions(name))


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_kernel_finds_the_legal_moves(name: str) -> None:
    found = {
        fen: sorted(move.hub() for move in Board(RULE_SETS[name], fen).legal_moves)
        for fen, _ in published_positions(name)
    }
    assert found == dict(published_positions(name))

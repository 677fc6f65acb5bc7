"""Sixty positions of each game with all their legal moves, computed by other programs."""

from __future__ import annotations

import pytest

from damka import Board, reference
from tests.support import (
    RULE_SETS,
    hub,
    published_positions,
    read_fen,
    with_published_positions,
)

NAMES = with_published_positions()


@pytest.mark.parametrize("name", NAMES)
def test_there_are_sixty_positions(name: str) -> None:
    assert len(list(published_positions(name))) == 60


def test_boxes_and_federation_games_have_positions() -> None:
    assert {"dama64", "american", "dama100", "international", "russian", "italian"} <= {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_finds_the_legal_moves(name: str) -> None:
    rules = RULE_SETS[name]
    legal_moves = {
        fen: sorted(map(hub, reference.legal_moves(rules, read_fen(rules, fen))))
        for fen, _ in published_positions(name)
    }
    assert legal_moves == dict(published_positions(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_finds_the_legal_moves(name: str) -> None:
    legal_moves = {
        fen: sorted(move.hub() for move in Board(RULE_SETS[name], fen).legal_moves)
        for fen, _ in published_positions(name)
    }
    assert legal_moves == dict(published_positions(name))

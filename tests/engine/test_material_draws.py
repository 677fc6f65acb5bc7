"""Material draws in the search."""

from __future__ import annotations

import random

import pytest

from damka import Board, Game
from damka.engine import Engine
from damka.rules import Force, Rules, load
from tests.engine.rule_kinds import material
from tests.support import play

TWO_ON_ONE = {"strong": Force(men=(0, 0), kings=(2, 2)), "weak": Force(men=(0, 0), kings=(1, 1))}
WON = "W:WK9,K5:BK17"
"""White captures the last king with its fifth move."""


@pytest.fixture
def engine() -> Engine:
    return Engine(hash_mb=4)


def limited(moves: int) -> Rules:
    """Return rules by which two kings against one must win within a number of moves."""
    draws = material(moves=moves, **TWO_ON_ONE)
    return load("american").replace(name="limited", material_draws=draws, no_progress_moves=0)


@pytest.mark.parametrize(("moves", "mate"), [(20, 9), (5, 9), (4, None), (1, None)])
def test_a_win_beyond_the_draw_limit_is_not_a_win(
    engine: Engine, moves: int, mate: int | None
) -> None:
    analysis = engine.search(Board(limited(moves), WON), depth=14)
    assert analysis.mate == mate
    if mate is None:
        assert analysis.score < 10  # White may give a king to escape the count


def test_table_entries_of_another_count_are_not_used(engine: Engine) -> None:
    rng = random.Random(1)
    for _ in range(20):
        game = Game(limited(rng.randint(4, 6)), WON)
        while game.result is None:
            # Fill the table with the same positions at the start of the count.
            engine.search(Board(game.rules, game.board.fen), depth=10)
            reused = engine.search(game, depth=8)
            fresh = Engine(hash_mb=1).search(game, depth=8)
            if reused.mate is not None and fresh.mate is None:
                fresh = Engine(hash_mb=1).search(
                    game, depth=abs(reused.mate) + 4
                )  # the other one searched deeper
            elif fresh.mate is not None and reused.mate is None:
                # Scores of pruned searches in the table delay the proof.
                reused = engine.search(game, depth=abs(fresh.mate) + 4)
            assert reused.mate == fresh.mate
            assert reused.move is not None
            game.play(rng.choice([reused.move, *game.legal_moves]))


def test_the_search_continues_the_games_count(engine: Engine) -> None:
    game = play(Game(limited(2), WON), "9-6", "17-22", "6-2")
    assert game.material_counts == (3,)
    # The next ply draws the game, but not if a new game starts from here.
    assert engine.search(game, depth=8).score == 0
    assert engine.search(Board(game.rules, game.board.fen), depth=1).score < 0


def test_the_search_foresees_an_immediate_draw(engine: Engine) -> None:
    immediate = material(
        moves=0,
        strong=Force(men=(0, 0), kings=(1, 1)),
        weak=Force(men=(0, 0), kings=(1, 1)),
    )
    rules = load("dama64").replace(name="one-each", material_draws=immediate)
    assert engine.search(Board(rules, "W:WK30:BK3"), depth=4).score == 0
    # Black is a man ahead, but White captures it, which leaves one king each.
    board = Board(rules, "W:WK30:BK32,25")
    assert [m.is_capture for m in board.legal_moves] == [True]
    assert engine.search(board, depth=4).score == 0
    # A side that can capture the last king does so despite the draw.
    assert engine.search(Board(rules, "W:WK30:BK26"), depth=4).mate == 1


def test_the_side_behind_seeks_the_draw(engine: Engine) -> None:
    draws = material(moves=0, strong=Force(men=(0, 0)), weak=Force(men=(0, 0), kings=(1, 1)))
    rules = load("american").replace(name="kings-draw", material_draws=draws)
    board = Board(rules, "B:WK32,K31,K30:B21,K1")
    assert engine.search(board, depth=10).score <= 0

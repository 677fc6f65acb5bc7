"""The engine wins won endings."""

from __future__ import annotations

import random
from typing import Final

import pytest

from damka import Board, Game
from damka.engine import Engine, levels, skill

POSITIONS: Final = 200
ATTACKER: Final = skill.at(5)  # the lowest grade that sees every jump


@pytest.fixture(scope="module")
def attacker() -> Engine:
    return Engine(hash_mb=16)


@pytest.fixture(scope="module")
def defender() -> Engine:
    return Engine(hash_mb=16)


def three_against_one(rng: random.Random) -> Game:
    """Return a random position of three kings to move against one."""
    while True:
        *kings, lone = rng.sample(range(1, 33), 4)
        side, other = rng.sample("WB", 2)
        three = side + ",".join(f"K{square}" for square in kings)
        game = Game("dama64", f"{side}:{three}:{other}K{lone}")
        if game.result is None:
            return game


def play_out(game: Game, attacker: Engine, defender: Engine, rng: random.Random) -> Game:
    """Let a medium grade play the side to move, and a search with twice its nodes the other."""
    side = game.turn
    nodes = 2 * (ATTACKER.limits.nodes or 0)
    while game.result is None:
        if game.turn == side:
            move = levels.choose(attacker, game, ATTACKER, rng).move
        else:
            move = defender.search(game, nodes=nodes).move
        assert move is not None
        game.play(move)
    return game


def test_three_kings_always_win_against_one(attacker: Engine, defender: Engine) -> None:
    rng = random.Random("three kings against one")
    lengths = []
    for _ in range(POSITIONS):
        game = three_against_one(rng)
        start, side = game.start_fen, game.turn
        play_out(game, attacker, defender, rng)
        assert game.result is not None
        assert (game.result.winner, game.result.reason[:3]) == (side, "no_"), start
        lengths.append(len(game.history))
    # Perfect play needs at most 14 plies; the draw rule allows 30.
    assert max(lengths) <= 20


@pytest.mark.parametrize(
    ("rules", "fen"),
    [
        ("american", "W:WK30,K31:BK8"),
        ("american", "W:WK30,K31,K3:BK8,K1"),
        ("dama64", "W:WK30,K31,K3:BK4"),
        ("italian", "W:WK30,K31:BK8"),
    ],
)
def test_other_won_endings_are_won(
    attacker: Engine, defender: Engine, rules: str, fen: str
) -> None:
    game = play_out(Game(rules, fen), attacker, defender, random.Random(1))
    assert game.result is not None
    assert game.result.winner == "W"


@pytest.mark.parametrize(
    ("fen", "plies"), [("W:WK28:BK12,16,27", -16), ("W:W21,26,28:BK15", 19), ("W:W9,24:BK11", 11)]
)
def test_the_shortest_win_is_found_without_tables(fen: str, plies: int) -> None:
    """In an ending of few pieces nothing is pruned or reduced: that would hide a win."""
    engine = Engine(hash_mb=16, tablebases=None)
    assert engine.search(Board("american", fen), depth=abs(plies)).mate == plies

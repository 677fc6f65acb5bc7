"""The engine by all kinds of rules: tactics, legal games, strength and ends of games."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from damka import Board, Game, reference
from damka.engine import WIN, Engine, levels
from damka.engine.levels import DEFAULT, LEVELS
from damka.rules import load
from tests.engine.rule_kinds import (
    KINDS,
    act,
    board_of,
    exact_score,
    tiny_position,
    without_draws,
)
from tests.support import RULE_SETS

if TYPE_CHECKING:
    from damka import Move
    from damka.game import Result


@pytest.fixture
def engine() -> Engine:
    return Engine(hash_mb=1)


# Tactics


@pytest.mark.parametrize("kind", KINDS)
def test_the_search_agrees_with_an_exhaustive_search(engine: Engine, kind: str) -> None:
    rules = without_draws(KINDS[kind])
    rng = random.Random(kind)
    plies, decided = 3, 0
    for _ in range(150):
        if decided == 6:
            break
        position = tiny_position(rules, rng, max_pieces=2)
        if reference.winner(rules, position) or len(reference.legal_moves(rules, position)) > 14:
            continue
        exact = exact_score(rules, position, plies)
        engine.clear()
        score = engine.search(board_of(rules, position), depth=plies + 2).score
        if exact:
            assert score == exact, position
            decided += 1
        else:
            assert abs(score) < WIN - plies, position
    assert decided


@pytest.mark.parametrize(
    ("kind", "fen", "mate"),
    [
        # The last man is given away: 18-14 must be captured.
        ("giveaway", "W:W18:B9", 2),
        # The side without a move has won.
        ("giveaway", "W:W21:B17,14", 0),
        ("breakthrough", "W:W6,50:B45", 1),
        # The leading man cannot be stopped and needs three moves.
        ("breakthrough", "W:W18,50:B26,27", 5),
        ("free", "W:W22:B18", 1),
    ],
)
def test_the_search_finds_the_end_of_the_game(
    engine: Engine, kind: str, fen: str, mate: int
) -> None:
    analysis = engine.search(Board(KINDS[kind], fen), depth=8)
    assert analysis.mate == mate


def test_an_existing_king_has_won_breakthrough(engine: Engine) -> None:
    rules = KINDS["breakthrough"]
    assert engine.search(Board(rules, "W:W30:BK50,20"), depth=3).score == -WIN
    assert engine.search(Board(rules, "W:WK30:B20"), depth=3).score == WIN


def test_an_optional_capture_may_be_declined(engine: Engine) -> None:
    # The only capture loses two men for one.
    fen = "W:W13,18,27:B9,14,21"
    forced = engine.search(Board(load("american"), fen), depth=7)
    engine.clear()
    free = engine.search(Board(KINDS["free"], fen), depth=7)
    assert forced.move is not None
    assert forced.move.is_capture
    assert free.move is not None
    assert not free.move.is_capture
    assert free.score > forced.score + 100


# Legal games of every kind


@pytest.mark.parametrize("kind", KINDS)
def test_games_of_every_kind_are_legal(engine: Engine, kind: str) -> None:
    rng = random.Random(kind)
    game = Game(KINDS[kind])
    while game.result is None and len(game.history) < 120:
        act(game, engine, rng.randint(1, 4), rng)
    if game.result is None:
        assert len(game.history) == 120
    elif game.result.winner is not None:
        won = game.result.winner == game.turn
        assert won == (game.rules.objective == "losing")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", [level for level in LEVELS if level != 10])
def test_every_level_moves_and_declines_a_draw(engine: Engine, kind: str, level: int) -> None:
    game = Game(KINDS[kind])
    assert levels.choose(engine, game, level, random.Random(1)).move in game.legal_moves
    if level == DEFAULT:
        assert not levels.accepts_draw(engine, game, "W", level)


@pytest.mark.parametrize("kind", ["canadian", "frisian", "turkish", "wide-losing"])
def test_the_default_level_moves_within_a_second(engine: Engine, kind: str) -> None:
    game = Game(KINDS[kind])
    rng = random.Random(1)
    spent = []
    while game.result is None and len(game.history) < 40:
        started = time.thread_time()
        act(game, engine, DEFAULT, rng)
        spent.append(time.thread_time() - started)
    assert max(spent) < 1


# Strength


def winner_against_random(
    engine: Engine, kind: str, rng: random.Random, plies: int = 300
) -> str | None:
    """Let level 8 play against random moves; return "engine", "random" or None."""
    game = Game(KINDS[kind])
    side = rng.choice("WB")
    while game.result is None and len(game.history) < plies:
        if game.turn == side:
            act(game, engine, 8, rng)
        else:
            game.play(rng.choice(game.legal_moves))
    if game.result is None or game.result.winner is None:
        return None
    return "engine" if game.result.winner == side else "random"


# If captures are optional, a sacrifice need not be accepted.
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {"small", "free-losing"}])
def test_level_8_beats_random_moves(engine: Engine, kind: str) -> None:
    rng = random.Random(kind)
    results = [winner_against_random(engine, kind, rng) for _ in range(4)]
    assert results.count("engine") >= 3
    assert "random" not in results


# Ends of games


SHIPPED = ("russian", "international", "turkish", "frisian", "jamaican", "spanish")


@pytest.mark.parametrize("name", [*KINDS, *SHIPPED])
def test_scores_of_a_final_move_match_the_result(engine: Engine, name: str) -> None:
    rules = RULE_SETS[name] if name in SHIPPED else KINDS[name]
    rules = rules.replace(name=f"{name}-brief", obligation=_without_huffs(rules.obligation))
    rng = random.Random(name)
    ended = 0
    for _ in range(12):
        position = tiny_position(rules, rng, max_pieces=3)
        game = Game(rules, board_of(rules, position).fen)
        while game.result is None and len(game.history) < 60:
            move = rng.choice(game.legal_moves)
            score = engine.search(game, depth=1, moves=[move]).score
            side = game.turn
            result = _played(game, move)
            if result is None:
                assert abs(score) < WIN - 1
            elif result.winner is None:
                assert score == 0, (game.start_fen, result)
            else:
                assert score == (WIN - 1 if result.winner == side else 1 - WIN)
            ended += result is not None
    assert ended > 3


def _played(game: Game, move: Move) -> Result | None:
    game.play(move)
    return game.result


def _without_huffs(obligation: str) -> str:
    return "forced" if obligation == "huff" else obligation

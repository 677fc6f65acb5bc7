"""Turns, draw offers and descriptions of the ten levels."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Board, Game
from damka.engine import WIN, Analysis, Decision, Engine, SearchLimits, Stop, levels, skill
from damka.engine.levels import DEFAULT, LEVELS
from damka.locales import LANGUAGES
from damka.rules import load, names
from tests.strategies import rule_sets
from tests.support import play

if TYPE_CHECKING:
    from damka.rules import Rules


@pytest.fixture(autouse=True)
def _fast_level_10(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the time of level 10, which has no other limit."""
    full_strength = skill._FULL_STRENGTH
    monkeypatch.setattr(
        skill, "_FULL_STRENGTH", replace(full_strength, limits=SearchLimits(seconds=0.2))
    )


@pytest.fixture
def engine() -> Engine:
    return Engine(hash_mb=1)


def choose(engine: Engine, game: Game, level: int, seed: int = 1) -> Decision:
    return levels.choose(engine, game, level, random.Random(seed))


def play_out(game: Game, engine: Engine, rng: random.Random, strongest: int, plies: int) -> Game:
    while game.result is None and len(game.history) < plies:
        game.apply(levels.choose(engine, game, rng.randint(1, strongest), rng))
    return game


# Legal play


@pytest.mark.parametrize("rules", names())
def test_levels_play_legal_games(engine: Engine, rules: str) -> None:
    rng = random.Random(rules)
    for _ in range(3):
        game = play_out(Game(rules), engine, rng, strongest=5, plies=160)
        assert len(game.history) > 10


@settings(max_examples=40, deadline=None)
@given(rule_sets(), st.sampled_from(("forced", "huff")), st.integers(0, 2**32))
def test_levels_play_legal_games_by_any_rules(rules: Rules, obligation: str, seed: int) -> None:
    game = Game(rules.replace(obligation=obligation, no_progress_moves=10))
    play_out(game, Engine(hash_mb=1), random.Random(seed), strongest=3, plies=80)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_from_the_start(engine: Engine, level: int) -> None:
    for rules in ("dama64", "american", "dama100"):
        game = Game(rules)
        decision = choose(engine, game, level)
        assert decision.move in game.legal_moves
        assert decision.huff is None
        assert not decision.offer_draw
        assert not game.history


@pytest.mark.parametrize("rules", ["dama64", "american", "dama100"])
def test_the_default_level_moves_in_much_less_than_a_second(engine: Engine, rules: str) -> None:
    game = Game(rules)
    rng = random.Random(1)
    spent = []
    while game.result is None and len(game.history) < 60:
        # CPU time of this thread, because other tests may use the machine.
        started = time.thread_time()
        game.apply(levels.choose(engine, game, DEFAULT, rng))
        spent.append(time.thread_time() - started)
    assert max(spent) < 1
    assert sorted(spent)[len(spent) // 2] < 0.25


def test_the_same_seed_yields_the_same_decision() -> None:
    game = Game("dama64")
    for level in (1, 3, 5):
        decisions = {repr(choose(Engine(hash_mb=1), game, level, seed=7)) for _ in range(3)}
        assert len(decisions) == 1


@pytest.mark.parametrize("level", [1, 4, 7])
def test_games_with_different_seeds_differ(level: int) -> None:
    openings = set()
    for seed in range(8):
        game = Game("american")
        rng = random.Random(seed)
        engine = Engine(hash_mb=1)
        for _ in range(8):
            game.apply(levels.choose(engine, game, level, rng))
        openings.add(str(game.history[-1].pieces))
    assert len(openings) > 2


def test_a_higher_level_beats_a_lower_one(engine: Engine) -> None:
    points = 0
    for number in range(4):
        game = Game("dama64")
        rng = random.Random(number)
        strong = "WB"[number % 2]
        while game.result is None:
            game.apply(levels.choose(engine, game, 5 if game.turn == strong else 1, rng))
        points += game.result.winner == strong
    assert points == 4


def test_a_stop_ends_the_search(engine: Engine) -> None:
    stop = Stop()
    stop.set()
    game = Game("dama100")
    started = time.perf_counter()
    decision = levels.choose(engine, game, 10, random.Random(1), stop=stop)
    assert time.perf_counter() - started < 0.2
    assert decision.move in game.legal_moves


@pytest.mark.parametrize("level", LEVELS)
def test_only_the_highest_level_probes_endgame_tables(level: int) -> None:
    """The other levels were measured without tables, but on a server they share its engines.

    Strong ones finish won endings with tables.
    """
    probes: list[bool] = []

    class RecordingEngine(Engine):
        def search(self, game: Game | Board, **options: Any) -> Analysis:
            probes.append(options["tables"])
            return super().search(game, **options)

    engine = RecordingEngine(hash_mb=1)
    choose(engine, Game("dama64"), level)
    levels.accepts_draw(engine, Game("dama64"), "W", level)
    assert set(probes) == {level == 10}
    probes.clear()
    choose(engine, Game("dama64", "W:WK1,K2,K3:BK25"), level)
    assert set(probes) == {level >= 5}


def test_choosing_a_move_in_a_finished_game_is_an_error(engine: Engine) -> None:
    game = Game("dama64")
    game.resign("W")
    with pytest.raises(ValueError, match="over"):
        choose(engine, game, 3)


@pytest.mark.parametrize("level", [0, 11, -1])
def test_there_are_ten_levels(engine: Engine, level: int) -> None:
    with pytest.raises(ValueError, match="1 to 10"):
        choose(engine, Game("dama64"), level)
    with pytest.raises(ValueError, match="1 to 10"):
        levels.describe(level, "en")
    with pytest.raises(ValueError, match="1 to 10"):
        levels.title(level, "en")


# Descriptions of levels


@pytest.mark.parametrize("language", LANGUAGES)
def test_levels_are_described_in_a_short_sentence(language: str) -> None:
    sentences = [levels.describe(level, language) for level in LEVELS]
    assert len(set(sentences)) == 10
    assert all(10 < len(s) <= 60 and s.endswith(".") for s in sentences)
    titles = [levels.title(level, language) for level in LEVELS]
    assert len(set(titles)) == 10
    assert all(len(title) <= 20 for title in titles)


# Huffing

OFFENCE = "W:W33,39,47,48:B28,8,9"
"""47-42 misses the capture 33x22. Black cannot capture the man on 33, but may huff it."""


@pytest.mark.parametrize("level", LEVELS)
def test_an_offence_is_huffed_if_that_is_best(engine: Engine, level: int) -> None:
    game = play(Game("dama100", OFFENCE), "47-42")
    assert game.offences == (33,)
    decision = choose(engine, game, level)
    assert decision.huff == 33
    game.apply(decision)
    assert game.history[-1].huff == 33


@pytest.mark.parametrize("level", [9, 10])
def test_a_capture_that_gains_more_is_preferred_to_a_huff(engine: Engine, level: int) -> None:
    # Black missed 9x20. White may huff the man on 9, or capture it together with the one on 8.
    game = play(Game("dama100", "B:W37,38,39,47,14:B9,8,11,25,15"), "11-16")
    assert game.offences == (9,)
    decision = choose(engine, game, level)
    assert decision.huff is None
    assert decision.move is not None
    assert decision.move.hub() == "14x12x8x9"


def test_a_side_without_legal_moves_may_huff(engine: Engine) -> None:
    game = play(Game("dama100", "B:W21:B44,17,16,23,8"), "8-12")
    assert not game.legal_moves
    for level in (1, 5, 9):
        decision = choose(engine, game, level)
        assert decision.huff in game.offences
        game.copy().apply(decision)


def test_a_huff_of_the_last_piece_ends_the_game(engine: Engine) -> None:
    game = play(Game("dama100", "W:W32:B27,8"), "32-28")
    decision = choose(engine, game, 5)
    assert decision == Decision(28, None, WIN, offer_draw=False)
    game.apply(decision)
    assert game.result is not None
    assert game.result.winner == "B"


def offences(level: int, games: int) -> tuple[int, int]:
    """Return how often a level could commit an offence, and how often it did."""
    engine = Engine(hash_mb=1)
    rng = random.Random(level)
    chances = offended = 0
    for _ in range(games):
        game = Game("dama100")
        while game.result is None and len(game.history) < 60:
            chances += bool(game.offence_moves)
            game.apply(levels.choose(engine, game, level, rng))
            offended += game.history[-1].offence
    return chances, offended


@pytest.mark.parametrize("level", [1, 2])
def test_weak_levels_sometimes_miss_a_compulsory_capture(level: int) -> None:
    chances, offended = offences(level, games=12)
    assert 0.02 < offended / chances < 0.5


@pytest.mark.parametrize("level", [3, 4])
def test_levels_from_three_do_not_commit_offences(level: int) -> None:
    chances, offended = offences(level, games=12)
    assert chances > 100
    assert offended == 0


@pytest.mark.parametrize("level", [level for level in LEVELS if level > 2])
def test_higher_levels_never_forget_captures(level: int) -> None:
    for rules in names():
        assert skill.level(level, load(rules)).forget == 0


def test_there_are_no_offences_if_captures_are_forced() -> None:
    engine = Engine(hash_mb=1)
    rng = random.Random(1)
    for _ in range(5):
        game = Game("dama100", obligation="forced")
        while game.result is None and len(game.history) < 60:
            game.apply(levels.choose(engine, game, 1, rng))
        assert not any(ply.offence for ply in game.history)


# Draws


@pytest.mark.parametrize("level", [1, 4, 8])
@pytest.mark.parametrize(
    ("rules", "fen"),
    [("dama64", "W:WK30:BK8"), ("american", "W:WK30:BK8"), ("dama100", "W:WK50:BK4")],
)
def test_levels_accept_a_draw_with_one_king_each(
    engine: Engine, level: int, rules: str, fen: str
) -> None:
    game = Game(rules, fen)
    assert levels.accepts_draw(engine, game, "W", level)
    assert levels.accepts_draw(engine, game, "B", level)


@pytest.mark.parametrize("rules", ["dama64", "american", "dama100"])
def test_levels_decline_a_draw_at_the_start(engine: Engine, rules: str) -> None:
    game = Game(rules)
    for level in (1, DEFAULT, 9):
        assert not levels.accepts_draw(engine, game, "W", level)
        assert not levels.accepts_draw(engine, game, "B", level)


def test_the_winning_side_declines_a_draw_and_the_losing_side_accepts(engine: Engine) -> None:
    game = Game("dama64", "W:WK30,K31,K3:BK4")
    assert not levels.accepts_draw(engine, game, "W", 5)
    assert levels.accepts_draw(engine, game, "B", 5)


def test_a_draw_is_declined_if_a_king_can_be_captured(engine: Engine) -> None:
    game = Game("american", "W:WK22:BK18")
    assert not levels.accepts_draw(engine, game, "W", 5)


def shuffled_kings(plies: int) -> Game:
    """Return a game of two kings that move back and forth, by rules without repetition draws."""
    rules = load("american").replace(name="patient", repetition=0)
    game = Game(rules, "W:WK30:BK3")
    while len(game.history) < plies:
        turns = len(game.history) // 2
        game.play({"W": ("30-25", "25-30"), "B": ("3-7", "7-3")}[game.turn][turns % 2])
    return game


def test_a_draw_is_offered_in_a_long_even_ending(engine: Engine) -> None:
    assert not choose(engine, shuffled_kings(20), 5).offer_draw
    assert choose(engine, shuffled_kings(44), 5).offer_draw


def test_an_offer_is_not_repeated_soon(engine: Engine) -> None:
    game = shuffled_kings(44)
    game.offer_draw("W")
    game.play("30-25")
    game.decline_draw("B")
    game.play("3-7")
    assert not choose(engine, game, 5).offer_draw


def test_no_draw_is_offered_with_many_men(engine: Engine) -> None:
    rng = random.Random(3)
    game = Game("american")
    while game.result is None and len(game.history) < 50:
        decision = levels.choose(engine, game, 4, rng)
        men = sum(piece in "wb" for piece in game.board.pieces)
        assert not (decision.offer_draw and men > 8)
        game.apply(decision)

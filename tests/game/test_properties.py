"""Random games of random rule sets, checked step by step against the reference rules."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from damka import Game, reference
from tests.reference.reference_game import ReferenceGame
from tests.strategies import examples, positions, rule_sets_with_draws
from tests.support import read_fen, write_fen

if TYPE_CHECKING:
    from damka.rules import Rules

PLIES = 40


@st.composite
def starts(draw: st.DrawFn) -> tuple[Rules, str]:
    """Generate a rule set with early draws, and a start position."""
    rules = draw(rule_sets_with_draws())
    if draw(st.booleans()):
        return rules, rules.start_fen
    return rules, write_fen(draw(positions(rules)))


def step(game: Game, rng: random.Random) -> None:
    """Perform a random action of a player."""
    playable = game.legal_moves + game.offence_moves
    actions = ["play"] * 8 * bool(playable) + ["huff"] * 4 * bool(game.offences)
    other = reference.OTHER[game.turn]
    actions += ["offer"] if game.draw_offer is None else ["decline"]
    action = rng.choice(actions)
    if action == "play":
        game.play(rng.choice(playable))
    elif action == "huff":
        game.huff(rng.choice(game.offences))
    elif action == "offer":
        game.offer_draw(rng.choice((game.turn, other)))
    elif game.draw_offer is not None:
        game.decline_draw(reference.OTHER[game.draw_offer])


def follow(record: ReferenceGame, game: Game, done: int) -> int:
    """Record the steps of the game after the first `done`; return the number of steps."""
    steps = game.board.steps
    for step in steps[done:]:
        if isinstance(step, int):
            record.huff(step)
            continue
        waived = record.now.offences
        record.move(step)
        ply = game.history[-1]
        assert (ply.waived, ply.offences) == (waived, record.now.offences)
    return len(steps)


@examples(150)
@given(starts(), st.integers(0, 2**32))
def test_every_step_of_a_random_game_matches_the_reference(
    start: tuple[Rules, str], seed: int
) -> None:
    rules, fen = start
    rng = random.Random(seed)
    game = Game(rules, fen)
    record, done = ReferenceGame(rules, read_fen(rules, fen)), 0
    for _ in range(PLIES):
        done = follow(record, game, done)
        position = record.now.position
        assert game.key() == (
            position.pieces,
            position.turn,
            record.now.offences,
            position.streaks,
        )
        assert game.counters == record.counters()
        assert game.material_counts == record.material
        assert game.result == record.result()
        if game.result is not None:
            assert (game.legal_moves, game.offence_moves, game.offences) == ([], [], ())
            break
        legal = reference.legal_moves(rules, position)
        assert len(game.legal_moves) == len(legal)
        may_offend = any(move.captures for move in legal) and rules.obligation == "huff"
        assert {m.hub() for m in game.offence_moves} == (
            {f"{m.start}-{m.end}" for m in reference.quiet_moves(rules, position)}
            if may_offend
            else set()
        )
        step(game, rng)


@examples(100)
@given(starts(), st.integers(0, 2**32))
def test_undo_restores_every_earlier_state(start: tuple[Rules, str], seed: int) -> None:
    rng = random.Random(seed)
    game = Game(*start)
    before: list[Game] = []
    for _ in range(PLIES):
        if game.result is not None:
            break
        count = len(game.events)
        copy = game.copy()
        step(game, rng)
        if game.events[count:] and game.events[-1].kind in ("move", "huff"):
            # A move and the huff before it are undone together.
            follows_huff = game.events[-1].kind == "move" and game.history[-1].huff is not None
            if not follows_huff:
                before.append(copy)
    while before:
        game.undo()
        expected = before.pop()
        assert game == expected
        assert game.key() == expected.key()
        assert game.counters == expected.counters
        assert game.legal_moves == expected.legal_moves
        assert game.draw_offer == expected.draw_offer
        assert game.result is None
    assert game.history == ()


@examples(100)
@given(starts(), st.integers(0, 2**32), st.sampled_from(("", "resign", "agree")))
def test_a_saved_game_round_trips(start: tuple[Rules, str], seed: int, end: str) -> None:
    rng = random.Random(seed)
    game = Game(*start, players={"B": "Žofia Дамгалиева"})
    for _ in range(rng.randrange(PLIES)):
        if game.result is None:
            step(game, rng)
    if game.result is None and end == "resign":
        game.resign(rng.choice("WB"))  # type: ignore[arg-type]
    elif game.result is None and end == "agree" and game.draw_offer is not None:
        game.accept_draw(reference.OTHER[game.draw_offer])
    loaded = Game.from_json(game.to_json())
    assert loaded == game
    assert loaded.key() == game.key()
    assert loaded.history == game.history
    assert loaded.counters == game.counters
    assert loaded.result == game.result
    assert loaded.draw_offer == game.draw_offer
    assert loaded.pending_huff == game.pending_huff
    assert loaded.to_json() == game.to_json()


@examples(60)
@given(starts(), st.integers(0, 2**32))
def test_a_games_texts_replay_it(start: tuple[Rules, str], seed: int) -> None:
    rng = random.Random(seed)
    game = Game(*start)
    for _ in range(PLIES):
        if game.result is None:
            step(game, rng)
    again = Game(*start)
    for ply in game.history:
        again.play(str(ply))
    assert again.history == game.history
    for earlier, later in pairwise(game.history):
        assert earlier.pieces == later.before

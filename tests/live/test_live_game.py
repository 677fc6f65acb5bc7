"""Replaying the log of a live game, and the computer's decisions as events."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Generator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka.engine import Decision, Engine, levels
from damka.game import Game
from damka.live import events, messages
from damka.live.live_game import LiveGame, key_of
from damka.live.problems import Refused
from damka.live.search_request import SearchRequest, decide
from damka.live.state import refusal, state
from damka.locales import LANGUAGES
from damka.rules import Side
from tests.live.live_games import AGAINST_COMPUTER, live_game

BOTH: tuple[Side, ...] = ("W", "B")


def act(live: LiveGame, rng: random.Random) -> events.Event:
    """Return the event of a random action, most often a move; the action may be refused."""
    sides: tuple[Side | None, ...] = ("W", "B", None)
    side = rng.choice(sides)
    ok = rng.random() < 0.5
    playable = live.playable()
    if playable and rng.random() < 0.7:
        # Sometimes an offence, so that there is something to huff.
        move = rng.choice(playable)
        return live.move(BOTH, live.ply, key_of(move, playable))
    actions: list[Callable[[], events.Event]] = [
        lambda: live.huff(BOTH, live.ply, rng.choice(live.game.offences or (1,))),
        lambda: live.undo(BOTH, side),
        lambda: live.answer_undo(BOTH, ok, side),
        lambda: live.draw(BOTH, side),
        lambda: live.answer_draw(BOTH, ok and rng.random() < 0.2, side),
        lambda: live.resign(BOTH, side) if rng.random() < 0.05 else live.undo(BOTH, side),
    ]
    return rng.choice(actions)()


@settings(max_examples=25, deadline=None)
@given(name=st.sampled_from(["dama64", "american", "dama100"]), seed=st.integers(0, 2**32))
def test_replaying_the_log_gives_the_same_game(name: str, seed: int) -> None:
    rng = random.Random(seed)
    live = live_game(name)
    log: list[events.Event] = []
    for _ in range(80):
        try:
            event = act(live, rng)
        except Refused:
            continue
        live.apply(event)
        log.append(events.read(event.kind, events.payload_of(event)))
        if rng.random() < 0.1 or live.result is not None:
            replayed = live_game(name, *log)
            for you in ((), ("W",), ("B",), BOTH):
                before, after = state(live, you, "en"), state(replayed, you, "en")
                assert messages.encode(before) == messages.encode(after)
    assert live.seq == len(log)
    assert Game.from_json(live.game.to_json()) == live.game


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_undo_returns_to_a_turn_of_the_player(seed: int) -> None:
    rng = random.Random(seed)
    live = live_game("dama100")
    for _ in range(30):
        try:
            live.apply(act(live, rng))
        except Refused:
            continue
    if live.result is not None or live.undo_offer is not None:
        return
    for side in BOTH:
        before = live.ply
        steps = live._steps_back(side)
        if steps == 0:
            assert all(ply.side != side for ply in live.game.history)
            continue
        copy = live.game.copy()
        for _ in range(steps):
            copy.undo()
        assert copy.turn == side
        assert len(copy.history) < before or live.pending_huff is not None
        assert before - len(copy.history) <= 2


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(["dama64", "american", "dama100"]),
    seed=st.integers(0, 2**32),
    clicks=st.lists(st.integers(0, 60), min_size=1, max_size=6),
    language=st.sampled_from(LANGUAGES),
)
def test_refusals_of_random_clicks_can_be_encoded(
    name: str, seed: int, clicks: list[int], language: str
) -> None:
    rng = random.Random(seed)
    live = live_game(name)
    for _ in range(rng.randrange(40)):
        if live.playable():
            move = rng.choice(live.playable())
            live.apply(live.move(BOTH, live.ply, key_of(move, live.playable())))
    why = live.game.why_not(clicks)
    if why is not None:
        frame = json.loads(messages.encode(refusal(live, why, clicks, language)))
        assert frame["sentence"] == why.sentence(language)
        assert frame["clicks"] == clicks


# The computer's decisions


@pytest.fixture
def engine() -> Engine:
    return Engine(hash_mb=1)


def decided(game: Game, engine: Engine, **options: Any) -> tuple[events.Event, ...]:
    fields: dict[str, Any] = {"about_draw": False, "may_offer_draw": True, **options}
    # A lower level may misjudge the captures at random.
    return decide(engine, SearchRequest(game, game.turn, 9, **fields), random.Random(1))


def test_the_computer_moves(engine: Engine) -> None:
    (moved,) = decided(Game("dama64", "W:W22:B18"), engine)
    assert moved == events.Moved("W", "22x15x18")


def test_the_computer_huffs_even_the_last_piece(engine: Engine) -> None:
    game = Game("dama100", "W:W33,39,50:B28,7")
    game.play("50-45")
    huffed, moved = decided(game, engine)
    assert huffed == events.Huffed("B", 33)
    assert isinstance(moved, events.Moved)

    last = Game("dama100", "W:W33:B28,7")
    last.play(last.offence_moves[0])
    (offender,) = last.offences
    assert decided(last, engine) == (events.Huffed("B", offender),)


@pytest.mark.parametrize("may", [True, False])
def test_the_computer_offers_a_draw_when_it_may(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, may: bool
) -> None:
    game = Game("dama64", "W:WK32:BK1")
    move = game.legal_moves[0]

    def offering(*_: object) -> Generator[levels.SearchTask, None, Decision]:
        yield from ()
        return Decision(None, move, 0, True)

    monkeypatch.setattr(levels, "decision_steps", offering)
    entries = decided(game, engine, may_offer_draw=may)
    assert entries[0] == events.Moved("W", move.hub())
    assert entries[1:] == ((events.DrawOffered("W"),) if may else ())


def test_the_computer_answers_an_offer_before_it_moves(engine: Engine) -> None:
    game = Game("dama64", "W:WK32:BK1")
    live = live_game(game, events.DrawOffered("W"), seats=AGAINST_COMPUTER)
    request = live.search_request()
    assert request is not None
    assert request.about_draw
    assert decide(engine, request, random.Random(1)) == (events.DrawAccepted("B"),)

"""A guided game: its notices follow from its moves, and its guide replies."""

from __future__ import annotations

import random

import msgspec
import pytest

from damka import locales, rules
from damka.live import requests, setup
from damka.live.events import DrawAccepted, DrawDeclined, DrawOffered, Event, Undone
from damka.live.lesson_links import about, lesson_path
from damka.live.live_game import LiveGame
from damka.live.problems import Problem
from damka.live.search_request import decide_guided
from damka.live.setup import GameSetup
from damka.live.state import state
from damka.live.stored_game import StoredGame
from damka.study.lessons import fingerprint
from tests.live.live_games import NOW
from tests.study.lessons.test_guide import gain

HOUSE = rules.load("dama64").replace(name="house", title={"en": "Ours"}, man_capture="all")


def stored(game_setup: GameSetup, *log: Event, game_id: str = "") -> StoredGame:
    return StoredGame(
        id=game_id or game_setup.id,
        rules=game_setup.rules,
        base=game_setup.base,
        lot=None,
        previous=None,
        next=None,
        created=NOW,
        updated=NOW,
        seats=game_setup.seats,
        events=log,
        guide=game_setup.guide,
    )


def guided(name: str = "dama64", game_id: str = "") -> LiveGame:
    return LiveGame(stored(setup.guided(rules.load(name), "one"), game_id=game_id))


def reply(live: LiveGame) -> None:
    request = live.search_request()
    assert request is not None
    for event in decide_guided(request):
        live.apply(event)


def play_turn(live: LiveGame, rng: random.Random) -> None:
    move = max(live.game.legal_moves, key=lambda move: (gain(live.game, move), rng.random()))
    live.apply(live.move(("W",), live.ply, move.hub()))
    while live.computer_has_to_act:
        reply(live)


def play_to_the_end(live: LiveGame, seed: int = 1) -> None:
    rng = random.Random(seed)
    while live.result is None and live.ply < 200:
        play_turn(live, rng)


def notices(live: LiveGame) -> list[tuple[int, str]]:
    assert live.guided is not None
    return [(ply, notice.stage) for ply, notice in live.guided.occurrences]


@pytest.mark.parametrize("name", ["dama64", "dama100", "american"])
def test_a_reloaded_game_has_the_same_notices(name: str) -> None:
    game_setup = setup.guided(rules.load(name), "one")
    live, rng = LiveGame(stored(game_setup)), random.Random(3)
    log: list[Event] = []
    while live.result is None and live.ply < 40:
        request = live.search_request()
        if request is not None:
            events = decide_guided(request)
        else:
            move = rng.choice(live.game.legal_moves)
            events = (live.move(("W",), live.ply, move.hub()),)
        for event in events:
            live.apply(event)
        log += events
    again = LiveGame(stored(game_setup, *log))
    assert notices(again) == notices(live)
    assert len(notices(live)) >= 3


def test_a_takeback_takes_back_the_notices_and_the_guide_replies_as_before() -> None:
    live = guided()
    play_turn(live, random.Random(5))
    before, position = notices(live), live.game.board.fen
    hub = live.game.history[0].move.hub()
    event = live.undo(("W",))
    assert isinstance(event, Undone)
    live.apply(event)
    assert notices(live) == [(0, "men")]
    live.apply(live.move(("W",), 0, hub))
    reply(live)
    assert (notices(live), live.game.board.fen) == (before, position)


def test_takebacks_are_not_limited() -> None:
    live = guided()
    for _ in range(20):
        play_turn(live, random.Random(1))
        assert state(live, ("W",), "en").can.undo
        live.apply(live.undo(("W",)))
    assert live.ply == 0


def test_the_state_has_the_notices_and_their_lessons() -> None:
    live = guided()
    shown = state(live, ("W",), "en")
    assert shown.guide is not None
    assert shown.guide.course == fingerprint(rules.load("dama64"))
    (first,) = shown.guide.notices
    assert first.sentence == (
        "This board is smaller for your first game: 6×6, not 8×8."
        " It’s your move. A man moves one square forwards, diagonally."
    )
    assert set(first.squares) == {move.start for move in shown.legal}
    assert first.url == "/learn/dama64/move_lines.diagonal"
    assert first.sentence in shown.announce
    assert shown.players["B"].name == "Guide"
    assert shown.guide.end == ""
    assert (live.rules.width, live.rules.height) == (6, 6)


def test_the_guide_says_what_its_own_moves_did() -> None:
    """Its captures and its kings, at the learner's next move."""
    said = set()
    for seed in range(12):
        live = guided(game_id=f"said-{seed}")
        rng = random.Random(seed)
        while live.result is None:
            play_turn(live, rng)
            if live.result is not None or live.game.turn != "W":
                continue
            move = live.game.history[-1].move
            shown = state(live, ("W",), "en")
            assert shown.guide is not None
            texts = [shown.status.sentence]
            due = [each.sentence for each in shown.guide.notices if each.ply == live.ply]
            texts += due[:1]
            assert not any("I took" in each for each in due[1:])
            assert shown.announce.count("I took") <= 1
            for text in texts:
                assert ("I took one of your pieces." in text) == (len(move.captures) == 1)
                assert (f"I took {len(move.captures)} of" in text) == (len(move.captures) > 1)
                assert ("My man is a king now." in text) == move.crowns
            said |= {len(move.captures), move.crowns and "king"}
    assert said >= {0, 1, "king"}


def test_the_end_is_true_and_kind() -> None:
    begins = {"W": "Well done!", "B": "Every game teaches you", None: "Well played!"}
    seen = set()
    for seed in range(60):
        live = guided(game_id=f"end-{seed}")
        rng = random.Random(seed)
        while live.result is None and live.ply < 200:
            if live.ply > 6 and seed % 3 == 2:
                live.apply(DrawOffered("W"))
                live.apply(DrawAccepted("B"))
            elif seed % 3:
                play_turn(live, rng)
            else:
                live.apply(live.move(("W",), live.ply, rng.choice(live.game.legal_moves).hub()))
                while live.computer_has_to_act:
                    reply(live)
        assert live.result is not None
        winner = live.result[0]
        shown = state(live, ("W",), "en").guide
        assert shown is not None
        assert shown.end.startswith(begins[winner])
        assert " These rules came up: moving" in shown.end
        seen.add(winner)
        if len(seen) == len(begins):
            break
    assert len(seen) == len(begins)


def test_the_end_congratulates_and_names_the_rules_that_occurred() -> None:
    live = guided()
    play_to_the_end(live)
    for language in locales.LANGUAGES:
        shown = state(live, ("W",), language)
        assert shown.guide is not None
        assert shown.guide.end
        assert shown.guide.end in shown.announce
    english = state(live, ("W",), "en").guide
    assert english is not None
    assert " These rules came up: moving, " in english.end


def test_notices_are_announced_once_and_only_to_the_learner_of_a_running_game() -> None:
    live = guided()
    notice = "It’s your move."
    assert notice in state(live, ("W",), "en").announce
    assert notice not in state(live, (), "en").announce
    live.apply(DrawOffered("W"))
    live.apply(DrawDeclined("B"))
    assert notice not in state(live, ("W",), "en").announce
    ended = guided()
    ended.apply(ended.resign(("W",)))
    assert notice not in state(ended, ("W",), "en").announce


def test_a_resignation_is_no_success() -> None:
    live = guided()
    live.apply(live.resign(("W",)))
    shown = state(live, ("W",), "en")
    assert shown.guide is not None
    assert shown.guide.end == ""


@pytest.mark.parametrize("name", ["dama64", "dama100", "american"])
def test_every_rule_occurs_in_four_of_five_games(name: str) -> None:
    complete = 0
    for seed in range(50):
        # The guide's replies depend on the id.
        live = guided(name, f"game-{seed}")
        while live.computer_has_to_act:
            reply(live)
        play_to_the_end(live, seed)
        assert live.guided is not None
        stages = [stage for _, stage in notices(live)]
        assert len(stages) == len(set(stages))
        complete += set(stages) == set(live.guided.player(live.game).stages)
    assert complete >= 40


def test_the_next_game_is_at_level_one_on_the_board_of_the_course() -> None:
    live = guided()
    live.apply(live.resign(("W",)))
    following = setup.rematch(live, "one", 1)
    assert following.guide is None
    assert following.rules == rules.load("dama64").to_dict()
    assert {seat.level for seat in following.seats} == {None, 1}
    again = setup.rematch(live, "one")
    assert (again.guide, again.rules) == (live.guided.stored, live.rules.to_dict())  # type: ignore[union-attr]
    assert (again.you, again.previous) == ("W", live.id)


def test_house_rules_have_a_guide_that_is_stored() -> None:
    game_setup = setup.guided(HOUSE, "one")
    copied = msgspec.json.decode(msgspec.json.encode(game_setup.guide))
    assert copied == game_setup.guide
    live = LiveGame(stored(game_setup))
    shown = state(live, ("W",), "it")
    assert shown.guide is not None
    assert shown.guide.notices[0].url.startswith("/learn/-/move_lines.diagonal?r=")
    play_to_the_end(live)
    assert live.result is not None


def test_a_request_for_a_guided_game() -> None:
    request = requests.read(b'{"rules": "dama64", "opponent": "guide"}', requests.NewGame)
    assert requests.new(request, "one", lambda *_: False).guide is not None
    rated = msgspec.structs.replace(request, rated=True)
    with pytest.raises(Problem, match="bad_field"):
        requests.new(rated, "one", lambda *_: False)


def test_refusals_lead_to_the_lesson_about_their_rule() -> None:
    of = rules.load("dama64")
    assert about(of, "obligation") == "/learn/dama64?about=obligation"
    assert about(of, "your_turn") == ""
    assert about(HOUSE, "obligation").endswith("&about=obligation")
    assert lesson_path(of) == "/learn/dama64"
    assert lesson_path(of, "game") == "/learn/dama64/game"

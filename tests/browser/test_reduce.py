"""Unit tests of reduce.js, which computes the view from messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Route

from damka import Game
from damka.live import messages
from damka.live.events import Event, Huffed, Moved, Resigned
from damka.live.state import state
from damka.live.stored_game import Seat
from damka.rules import Side
from tests.browser.support import Json
from tests.live.live_games import AGAINST_COMPUTER, PEOPLE, live_game

STATIC: Final = Path(__file__).parents[2] / "src" / "damka" / "web" / "static"
PREFS: Final = {"confirm": False, "warn": True, "pace": True, "turn": False, "sound": True}
RUN: Final = """async ([game, prefs, messages]) => {
  const { initial, reduce } = await import("/reduce.js");
  const freeze = (value) => {
    if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  let view = freeze(initial(game, prefs));
  const effects = [];
  for (const message of messages) {
    const [next, caused] = reduce(view, freeze(message));
    view = freeze(next);
    effects.push(caused);
  }
  return [view, effects];
}"""
"""Views and messages are frozen: a reducer that changed them in place would throw."""

CAPTURE_DUE: Final = Game("dama100", fen="W:W32,36,37,46:B3,4,28")
"""White's man on 32 can take 28; the men on 36 and 46 can move instead."""

Effects = list[list[Json]]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page without a server: its modules are read from the source tree."""
    context = browser.new_context()

    def read(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if name:
            route.fulfill(path=STATIC / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    context.route("http://page.test/**", read)
    page = context.new_page()
    page.goto("http://page.test/")
    yield page
    context.close()


class Play:
    """A live game of the server, with the states sent to a page."""

    def __init__(
        self,
        game: Game | str = "dama64",
        seats: tuple[Seat, Seat] = AGAINST_COMPUTER,
        you: tuple[Side, ...] = ("W",),
    ) -> None:
        self.live = live_game(game, seats=seats)
        self.you = you

    def state(self) -> Json:
        encoded: Json = json.loads(messages.encode(state(self.live, self.you, "en")))
        return encoded

    def move(self, hub: str) -> Json:
        return self.apply(Moved(self.live.game.turn, hub))

    def apply(self, event: Event) -> Json:
        self.live.apply(event)
        return self.state()


def run(page: Page, game: Json, *inputs: Json, **prefs: bool) -> tuple[dict[str, Any], Effects]:
    view, effects = page.evaluate(RUN, [game, PREFS | prefs, inputs])
    return view, effects


def chosen_move(game: Json, hub: str) -> Json:
    [move] = [m for m in (*game["legal"], *game["offences"]) if m["hub"] == hub]
    return {"t": "chosen", "move": move, "route": move["route"], "legs": 0}


def kinds(effects: list[Json]) -> list[str]:
    return [effect["do"] for effect in effects]


def test_a_chosen_move_is_shown_and_sent_once(page: Page) -> None:
    play = Play()
    first = play.state()
    view, [effects] = run(page, first, chosen_move(first, "22-18"))
    sent = [effect["message"] for effect in effects if effect["do"] == "send"]
    assert sent == [{"t": "move", "ply": 0, "move": "22-18", "version": first["version"]}]
    assert [each["kind"] for e in effects if e["do"] == "stage" for each in e["steps"]] == ["move"]
    assert view["own"]["phase"] == "sent"
    assert view["line"] == ["22-18"]


def test_the_computers_reply_waits_for_the_animation_and_a_pause(page: Page) -> None:
    play = Play()
    first = play.state()
    play.move("22-18")
    reply = play.move("9-13")
    inputs = [chosen_move(first, "22-18"), reply, {"t": "staged", "stage": 1}]
    waiting, _ = run(page, first, *inputs[:2])
    assert waiting["game"]["ply"] == 0
    assert waiting["next"]["ply"] == 2
    _view, effects = run(page, first, *inputs)
    [stage] = [effect for effect in effects[-1] if effect["do"] == "stage"]
    assert [step["kind"] for step in stage["steps"]] == ["pause", "move"]
    assert "speak" not in kinds(effects[-1]), "announced only when shown"
    final, effects = run(
        page,
        first,
        *inputs,
        *({"t": "step", "stage": 2, "step": step} for step in stage["steps"]),
        {"t": "staged", "stage": 2},
    )
    assert final["line"] == ["22-18", "9-13"]
    assert final["pieces"] == reply["pieces"]
    assert (final["own"], final["stage"], final["step"]) == (None, 0, None)
    assert "speak" in kinds(effects[-1])
    _, effects = run(page, first, *inputs, pace=False)
    [stage] = [effect for effect in effects[-1] if effect["do"] == "stage"]
    assert [step["kind"] for step in stage["steps"]] == ["move"]


def test_a_huffed_man_is_removed_before_the_reply(page: Page) -> None:
    play = Play(CAPTURE_DUE)
    first = play.state()
    play.move("36-31")
    huffed = play.apply(Huffed("B", 32))
    assert huffed["status"]["news"] == "Green huffs your man on 32: it could have captured."
    reply = play.move("3-9")
    assert reply["status"]["news"] == "Green huffs your man on 32: it could have captured."
    own = chosen_move(first, "36-31")
    _, [caused] = run(page, first, own, warn=False)
    [step] = next(effect["steps"] for effect in caused if effect["do"] == "stage")
    landed = [own, {"t": "step", "stage": 1, "step": step}, {"t": "staged", "stage": 1}]
    _, effects = run(page, first, *landed, reply, warn=False)
    [stage] = [effect for effect in effects[-1] if effect["do"] == "stage"]
    assert [step["kind"] for step in stage["steps"]] == ["pause", "ring", "huff", "move"]
    assert [step["square"] for step in stage["steps"][1:3]] == [32, 32]
    _, effects = run(page, first, *landed, huffed, warn=False)
    [stage] = [effect for effect in effects[-1] if effect["do"] == "stage"]
    assert [step["kind"] for step in stage["steps"]] == ["pause", "ring", "huff"]


def test_a_refusal_undoes_the_move(page: Page) -> None:
    first = Play().state()
    error = {"t": "error", "code": "bad_move", "message": "No."}
    view, effects = run(page, first, chosen_move(first, "22-18"), error)
    assert view["own"] is None
    assert view["line"] == []
    assert view["pieces"] == first["pieces"]
    assert "show" in kinds(effects[-1])
    assert view["notice"]["words"] == [{"text": "No."}]


def test_a_move_is_resent_after_a_reconnection(page: Page) -> None:
    first = Play().state()
    view, effects = run(
        page,
        first,
        chosen_move(first, "22-18"),
        {"t": "connection", "up": False},
        {"t": "connection", "up": True},
    )
    assert effects[0][0] == effects[2][0]
    assert view["connected"]


def test_an_older_state_is_ignored(page: Page) -> None:
    play = Play()
    first = play.state()
    later = play.move("22-18")
    view, _ = run(page, later, first)
    assert view["game"]["ply"] == 1


def test_a_hint_request_returns_to_the_current_position(page: Page) -> None:
    play = Play()
    play.move("22-18")
    game = play.move("9-13")
    view, _effects = run(page, game, {"t": "look", "position": 0}, {"t": "ask", "what": "hint"})
    assert view["past"] is None
    assert view["pieces"] == game["pieces"]
    hint = {"t": "hint", "move": game["legal"][0], "huff": None, "score": 0, "won": False, "ply": 2}
    view, _ = run(page, game, {"t": "look", "position": 0}, hint)
    assert view["past"] is None
    assert view["arrow"] == game["legal"][0]["route"]
    view, _ = run(page, game, hint, {"t": "look", "position": 0})
    assert view["arrow"] == []


def test_takebacks_and_draws_at_one_screen_need_no_consent(page: Page) -> None:
    play = Play("dama64", PEOPLE, ("W", "B"))
    game = play.move("22-18")
    _, [effects] = run(page, game, {"t": "ask", "what": "undo"})
    assert [e["message"]["t"] for e in effects] == ["undo", "undo_answer"]
    view, effects_of = run(page, game, {"t": "ask", "what": "draw"})
    assert view["question"] == "draw"
    assert "send" not in kinds(effects_of[0])
    inputs = [{"t": "ask", "what": "draw"}, {"t": "confirm", "what": "draw"}]
    _, [_, effects] = run(page, game, *inputs)
    assert [e["message"]["t"] for e in effects] == ["draw", "draw_answer"]


def test_declining_to_huff_is_remembered_for_the_position(page: Page) -> None:
    play = Play(CAPTURE_DUE, PEOPLE, ("W", "B"))
    game = play.move("36-31")
    assert game["huff_asks"]
    view, _ = run(page, game, {"t": "decline_huff"})
    assert view["declinedAt"] == game["version"]


def test_three_taps_on_immovable_pieces_show_an_explanation(page: Page) -> None:
    play = Play(Game("american", fen="B:W18,30,K31:B3,15"), PEOPLE, ("W", "B"))
    game = play.state()
    tap = {"t": "attempt", "clicks": [3]}
    why = {"t": "refusal", "code": "must_capture", "sentence": "No.", "clicks": [3], "must": [15]}
    view, effects = run(page, game, *[tap, why] * 3)
    assert "urge" in kinds(effects[-1])
    assert view["notice"]["words"][0] == {"key": "stuck"}
    assert view["taps"] == 0


def test_a_premove_against_the_computer_is_sent_with_its_reply(page: Page) -> None:
    play = Play()
    first = play.state()
    moved = play.move("22-18")
    plan = {"t": "plan", "clicks": [24, 20]}
    view, _ = run(page, first, moved, {"t": "staged", "stage": 1}, plan)
    assert view["plan"] == [24, 20]
    answered = play.move("9-13")
    view, effects = run(page, first, moved, {"t": "staged", "stage": 1}, plan, answered)
    assert view["plan"] == []
    sent = [effect["message"]["move"] for effect in effects[-1] if effect["do"] == "send"]
    assert sent == ["24-20"]


def test_late_answers_about_a_tap_are_not_shown(page: Page) -> None:
    """The position has changed since the tap: its piece can move now, or it is gone."""
    first = Play().state()
    refusal: Json = {
        "t": "refusal",
        "clicks": [22],
        "args": {},
        "must": [],
        "topic": "",
        "rule": None,
        "sentence": "Several moves match.",
    }
    view, [effects] = run(page, first, refusal | {"code": "ambiguous"})
    assert view["notice"] is None
    assert effects == [{"do": "select", "clicks": [22]}]
    view, [effects] = run(page, first, refusal | {"code": "no_piece", "clicks": [14]})
    assert (view["notice"], effects) == (None, [])
    view, _ = run(page, first, refusal | {"code": "ambiguous", "clicks": []})
    assert view["notice"] is not None, "a typed move needs the explanation"


def test_a_game_that_ends_while_one_looks_back_shows_its_end(page: Page) -> None:
    play = Play(seats=PEOPLE)
    first = play.move("22-18")
    ended = play.apply(Resigned("B"))
    view, effects = run(page, first, {"t": "look", "position": 0}, ended)
    assert (view["past"], view["pieces"], view["dismissed"]) == (None, ended["pieces"], False)
    assert "celebrate" in kinds(effects[-1])

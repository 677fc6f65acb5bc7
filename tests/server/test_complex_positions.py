"""Positions with too many captures to list: errors, and games that continue."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest

from damka.engine import levels
from damka.errors import PositionTooComplexError
from damka.game import Game
from damka.live import replay
from damka.live.events import Event
from damka.live.live_game import LiveGame
from tests.server.support import PATIENCE, Browser, Server
from tests.slowness import slowness
from tests.workers.support import Here


def too_complex(*_: Any, **__: Any) -> Any:
    raise PositionTooComplexError


def test_a_file_with_too_many_moves_is_refused(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "MAX_MOVES", 6)
    response = browser.http.post("/api/games/load", content=Game("dama64").to_json())
    assert response.status_code == 422
    assert response.json()["error"] == "too_complex"
    assert "more possible captures" in response.json()["message"]
    monkeypatch.setattr(replay, "MAX_MOVES", 7)
    browser.load_game(Game("dama64").to_json())


FRISIAN = (
    "W:WK5:BK2,K4,K7,K8,K9,K10,K11,K13,K15,K16,K18,K19,K20,K21,K22,K24,K27,K29,K30,K31,K32,K33,"
    "K35,K36,K38,K40,K41,K42,K43,K44,K47,K49"
)


def test_a_position_beyond_the_kernels_limits_is_refused_quickly(browser: Browser) -> None:
    # Following every route takes minutes.
    file = json.loads(Game("frisian").to_json()) | {"start": FRISIAN}
    start = time.monotonic()
    response = browser.http.post("/api/games/load", content=json.dumps(file))
    assert (response.status_code, response.json()["error"]) == (422, "too_complex")
    assert "more possible captures" in response.json()["message"]
    assert (time.monotonic() - start) / slowness() < 5


def test_a_start_position_with_too_many_moves_is_refused(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "MAX_MOVES", 6)
    response = browser.post("/api/games", {"rules": "dama64"})
    assert (response.status_code, response.json()["where"]) == (422, "rules")


def test_a_stored_game_that_became_too_complex_shows_an_error_page(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = browser.new_game()
    monkeypatch.setattr(replay, "MAX_MOVES", 6)
    response = browser.http.get(f"/game/{game}", headers={"accept": "text/html"})
    assert response.status_code == 422
    assert "more possible captures" in response.text
    assert browser.live(game).closed_with() == 4404


def test_a_move_into_a_too_complex_position_is_refused(
    browser: Browser, stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = browser.live(browser.new_game())
    spectator = stranger.live(live.state()["id"])
    spectator.state()
    apply = LiveGame.apply

    def apply_with_limit(live: LiveGame, event: Event) -> None:
        apply(live, event)
        if live.ply == 1 and live.game.moves[0].hub() == "22-18":
            too_complex()

    monkeypatch.setattr(LiveGame, "apply", apply_with_limit)
    response = live.request("move", ply=0, move="22-18")
    assert response["code"] == "too_complex"
    assert "Play another move" in response["message"]
    assert live.play("23-19")["history"][0]["text"] == "23-19"
    assert spectator.state(lambda state: state["ply"] == 1)["history"][0]["text"] == "23-19"


def test_a_position_too_complex_for_the_computer_pauses_the_game(
    server: Server, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.app.state.damka.engine_pool._pool, "_workers", Here())
    live = browser.live(browser.new_game(opponent="computer", level=1))
    live.state()
    with monkeypatch.context() as patched:
        patched.setattr(levels, "decision_steps", too_complex)
        live.play("22-18")
        state = live.state(lambda state: not state["thinking"])
        assert "The game is paused" in state["status"]["sentence"]
        assert "The game is paused" in browser.live(state["id"]).state()["status"]["sentence"]
    live.send("undo")
    live.state(lambda state: state["ply"] == 0)
    live.play("22-18")
    assert live.state(lambda state: state["ply"] == 2)["turn"] == "W"


def test_a_slow_move_does_not_block_other_games(
    browser: Browser, stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With this many kings the generation of captures may take long.
    kings = Game("dama64", "W:WK31,K32,22:BK1,2")
    slow = browser.live(browser.load_game(kings.to_json()))
    fast = stranger.live(stranger.new_game())
    slow.state()
    fast.state()
    apply, begun, ended = LiveGame.apply, threading.Event(), threading.Event()

    def apply_slowly(live: LiveGame, event: Event) -> None:
        if live.id == slow.current["id"]:
            begun.set()
            ended.wait(2 * PATIENCE)
        apply(live, event)

    monkeypatch.setattr(LiveGame, "apply", apply_slowly)
    slow.send("move", ply=0, move=slow.current["legal"][0]["hub"])
    assert begun.wait(PATIENCE)
    try:
        fast.play("22-18")
        assert stranger.http.get("/healthz").status_code == 200
    finally:
        ended.set()
    assert slow.state()["ply"] == 1

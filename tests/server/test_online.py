"""Two people on two devices: agreements, presence, and forged messages."""

from __future__ import annotations

import time

import pytest

from damka.live.clock import ClockSettings
from damka.server import game_session
from damka.server.presence import Presence
from damka.server.settings import Limits
from tests.server.online import BLITZ, at, code_of, invited, join, play, two
from tests.server.support import LIMITS, Browser, Live, Server, serving

OPENING = "22-18 11-15"


def over(live: Live) -> tuple[str | None, str]:
    result = live.state(lambda state: state["result"])["result"]
    return result["winner"], result["reason"]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a server announce a player's absence at once."""
    monkeypatch.setattr(game_session, "AWAY_SECONDS", 0.2)


# Forged messages


def test_players_cannot_move_for_the_other_side(server: Server, browser: Browser) -> None:
    with server.browser() as guest, server.browser() as stranger:
        first, second = two(browser, guest)
        watcher = stranger.live(first.now["id"])
        watcher.state()
        move = {"ply": 0, "move": "22-18"}
        assert watcher.ask("move", **move)["code"] == "not_yours"
        assert watcher.ask("move", **move, side="W")["code"] == "not_yours"
        assert second.ask("move", **move)["code"] == "not_your_turn"
        assert second.ask("move", **move, side="W")["code"] == "not_your_side"
        assert second.ask("resign", side="W")["code"] == "not_your_side"
        for t in ("draw", "undo", "resign", "abort", "give_time", "rematch"):
            assert watcher.ask(t)["code"] == "not_yours"
        assert watcher.ask("claim", draw=False)["code"] == "not_yours"
        assert first.now["version"] == second.now["version"] == 1
        first.play("22-18")
        # A duplicate, and one for an earlier position.
        assert first.ask("move", **move)["code"] == "stale"
        assert second.ask("move", ply=0, move="11-15")["code"] == "stale"


def test_a_replay_after_taking_back_is_stale(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = two(browser, guest)
        play(first, second, OPENING)
        version = first.now["version"]
        play(first, second, "18x11x15")
        first.send("undo")
        second.state(lambda state: state["undo_asks"])
        assert first.ask("undo_answer", ok=True)["code"] == "no_offer", "not by who asked"
        second.send("undo_answer", ok=True)
        first.state(lambda state: state["ply"] == 2)
        first.send("move", ply=2, move="18x11x15", version=version)
        assert first.receive("error")["code"] == "stale"
        play(first, second, "18x11x15")


# Actions of two people


def test_no_hints(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, _ = two(browser, guest)
        refused = first.ask("hint")
        assert refused["code"] == "no_help"
        assert refused["message"] == "No hints in games between two people."


def test_a_draw_by_agreement_and_how_often_it_is_offered(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = two(browser, guest)
        assert first.ask("draw")["code"] == "too_soon"
        play(first, second, OPENING)
        first.send("draw")
        assert second.state(lambda s: s["draw_asks"])["can"]["answer_draw"]
        second.send("draw_answer", ok=False)
        first.state(lambda state: not state["draw_offer"])
        assert first.ask("draw")["code"] == "too_soon"
        second.send("draw")
        first.state(lambda state: state["draw_asks"])
        first.send("draw_answer", ok=True)
        assert over(second) == (None, "agreement")


def test_breaking_off(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = two(browser, guest, clock=BLITZ)
        first.play("22-18")
        assert second.state(at(1))["can"]["abort"]
        second.send("abort")
        assert over(first) == (None, "aborted")
        assert first.now["result"]["outcome"] == "No result."
        assert not first.now["can"]["abort"]
        assert browser.http.get(f"/api/games/{first.now['id']}/pdn").text.rstrip().endswith("*")
    with server.browser() as guest:
        first, second = two(browser, guest)
        play(first, second, OPENING)
        assert first.ask("abort")["code"] == "too_late"


def test_giving_time(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = two(browser, guest, clock=BLITZ)
        assert first.ask("give_time")["code"] == "no_clock"
        play(first, second, OPENING)
        second.send("give_time")
        state = first.state(lambda state: state["clock"]["left"]["W"] > 310_000)
        assert state["status"]["news"] == "Black gave the opponent 15 seconds."
        assert second.ask("give_time")["code"] == "too_soon"


def test_a_rematch_by_consent(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = two(browser, guest, clock=BLITZ, names=["Ana", ""])
        game = first.now["id"]
        first.send("resign")
        assert over(second) == ("B", "resignation")
        assert browser.post(f"/api/games/{game}/rematch", {}).json() == {"offered": True}
        state = second.state(lambda state: state["rematch_asks"])
        assert state["rematch_asks"] == "White offers a rematch. Do you accept?"
        assert browser.post(f"/api/games/{game}/rematch", {}).status_code == 202, "asked twice"
        assert second.ask("rematch_answer", ok=True)["code"] == "bad_message"
        made = guest.post(f"/api/games/{game}/rematch", {})
        assert made.status_code == 201
        next_ = first.state(lambda state: state["next"])["next"]["url"]
        assert next_ == made.json()["url"]
        again = browser.live(made.json()["id"]).state()
        assert again["online"]
        assert again["clock"]["text"] == "5+3"
        assert sorted(again["players"][side]["name"] for side in "WB") == ["Ana", "Player"]
        assert again["you"] != guest.live(made.json()["id"]).state()["you"]


def test_a_rematch_is_declined_once(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = two(browser, guest)
        first.send("resign")
        second.state(lambda state: state["result"])
        first.send("rematch")
        second.state(lambda state: state["rematch_asks"])
        second.send("rematch_answer", ok=False)
        first.state(lambda state: state["status"]["news"] == "Black declined the rematch.")
        assert first.ask("rematch")["code"] == "too_soon"


# Presence


def test_presence_and_spectators_are_shown(server: Server, browser: Browser, hasty: None) -> None:
    with server.browser() as guest, server.browser() as stranger:
        first, second = two(browser, guest, clock=BLITZ)
        here = first.state(lambda state: state["presence"]["B"]["here"])
        assert here["presence"]["W"] == {"here": True, "claim": None}
        watcher = stranger.live(first.now["id"])
        assert watcher.state()["presence"]["B"]["here"]
        first.state(lambda state: state["watching"] == 1)
        watcher.close()
        first.state(lambda state: state["watching"] == 0)
        second.close()
        gone = first.state(lambda state: not state["presence"]["B"]["here"])
        assert 0 < gone["presence"]["B"]["claim"] <= 12_000, "the page was closed"
        assert not gone["can"]["claim"]
        assert first.ask("claim", draw=False)["code"] == "not_away"
        again = guest.live(first.now["id"])
        again.state()
        first.state(lambda state: state["presence"]["B"]["here"])


def test_claiming_a_game_that_the_other_has_left(
    server: Server, browser: Browser, hasty: None
) -> None:
    for draw, expected in ((False, ("W", "abandonment")), (True, (None, "abandonment_draw"))):
        with server.browser() as guest:
            first, second = two(browser, guest, clock=BLITZ)
            play(first, second, OPENING)
            session = server.app.state.damka.sessions._open[first.now["id"]].session.result()
            second.close()
            first.state(lambda state: not state["presence"]["B"]["here"])
            session._presence._players["B"].left_at -= 13.0  # more than the timeout of 12 s
            # The game does not end automatically; the page is notified after the timeout.
            with server.browser() as stranger:
                stranger.live(first.now["id"]).state()
                first.state(lambda state: state["can"]["claim"])
            first.send("claim", draw=draw)
            assert over(first) == expected


def test_how_long_a_player_may_be_away() -> None:
    blitz = ClockSettings(kind="fischer", seconds=300, increment=3)
    presence = Presence(now=100.0)
    assert presence.claim_time("W", blitz) == 220.0, "not there from the beginning"
    assert presence.enter("W")
    assert not presence.enter("W")
    assert presence.claim_time("W", blitz) is None
    assert not presence.leave("W", 150.0, page_closed=False)
    assert presence.leave("W", 160.0, page_closed=True)
    assert presence.claim_time("W", blitz) == 172.0
    assert presence.info(170.0, blitz)["W"].claim == 2000
    assert presence.info(300.0, blitz)["W"].claim == 0
    assert presence.claim_time("W", None) is None, "never without a clock"


def test_a_crowd_keeps_no_player_out(tmp_path_factory: pytest.TempPathFactory) -> None:
    few = Limits(
        **{
            **{name: getattr(LIMITS, name) for name in ("post_burst", "connect_burst")},
            "connections_per_game": 3,
        }
    )
    with (
        serving(tmp_path_factory.mktemp("crowd"), limits=few) as server,
        server.browser() as ana,
        server.browser() as petra,
        server.browser() as crowd,
    ):
        game = invited(ana)
        join(petra, game)
        for watcher in [crowd.live(game) for _ in range(3)]:
            watcher.state()
        assert crowd.live(game).closed_with() == 1013
        assert petra.live(game).state()["you"] == ["B"]
        assert ana.live(game).state()["you"] == ["W"]


def test_a_quick_reload_is_not_reported_as_absence(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = two(browser, guest, clock=BLITZ)
        if not first.now["presence"]["B"]["here"]:
            first.state(lambda state: state["presence"]["B"]["here"])
        time.sleep(0.5)
        second.close()
        again = guest.live(first.now["id"])
        again.state()
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            first.send("ping")
            first.receive("pong")
            assert first.now["presence"]["B"]["here"]
            time.sleep(0.1)


# Terms


def test_no_draw_before_a_move(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        game = invited(browser, no_draw_before=3)
        waiting = browser.live(game)
        waiting.state()
        code = code_of(waiting)
        assert "Draw offers are allowed from move 3." in guest.http.get(f"/join/{code}").text
        join(guest, game)
        first, second = browser.live(game), guest.live(game)
        for live in (first, second):
            assert live.state()["no_draw"] == "No draw before move 3"
        play(first, second, "22-18 11-15 18x11x15")
        refused = first.ask("draw")
        assert refused["code"] == "no_draw_yet"
        assert refused["message"] == "You can offer a draw from move 3."
        assert not first.now["can"]["draw"]
        second.play(second.now["legal"][0]["hub"])
        first.state(at(4))
        assert first.now["no_draw"] is None
        assert first.now["can"]["draw"]
        first.send("draw")
        second.state(lambda state: state["can"]["answer_draw"])
        second.send("draw_answer", ok=True)
        first.state(lambda state: state["result"])
        # The rematch has the same terms.
        browser.post(f"/api/games/{game}/rematch")
        again = guest.post(f"/api/games/{game}/rematch").json()["id"]
        assert guest.live(again).state()["no_draw"] == "No draw before move 3"


def test_terms_that_are_refused(browser: Browser) -> None:
    for opponent, n in (("computer", 30), ("person", 30), ("invite", 1), ("invite", 201)):
        asked = {"rules": "dama64", "opponent": opponent, "no_draw_before": n}
        assert browser.post("/api/games", asked).status_code == 422, asked


def test_an_opening_is_drawn_by_lot(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        openings = set()
        for _ in range(4):
            first, second = two(browser, guest, rules="american-3move")
            moves = [entry["text"] for entry in first.now["history"]]
            assert len(moves) == 3
            assert moves == [entry["text"] for entry in second.now["history"]]
            assert first.now["can"]["abort"], "neither has moved yet"
            openings.add(tuple(moves))
        assert len(openings) > 1

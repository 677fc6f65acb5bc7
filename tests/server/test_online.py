"""Two people on two devices: agreements, presence, and forged messages."""

from __future__ import annotations

import pytest

from damka.live.clock import ClockSettings
from damka.server import game_session
from damka.server.presence import Presence
from damka.server.settings import Limits
from tests.server.events.support import wait_for
from tests.server.online import (
    BLITZ,
    code_of,
    create_invitation,
    join,
    play,
    ply_reached,
    start_online_game,
)
from tests.server.support import LIMITS, Browser, Live, Server, serving

OPENING = "22-18 11-15"


def final_result(live: Live) -> tuple[str | None, str]:
    result = live.state(lambda state: state["result"])["result"]
    return result["winner"], result["reason"]


@pytest.fixture
def report_absence_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Report a player's absence after 0.2 seconds."""
    monkeypatch.setattr(game_session, "AWAY_SECONDS", 0.2)


# Forged messages


def test_players_cannot_move_for_the_other_side(server: Server, browser: Browser) -> None:
    with server.browser() as guest, server.browser() as stranger:
        first, second = start_online_game(browser, guest)
        spectator = stranger.live(first.current["id"])
        spectator.state()
        move = {"ply": 0, "move": "22-18"}
        assert spectator.request("move", **move)["code"] == "not_yours"
        assert spectator.request("move", **move, side="W")["code"] == "not_yours"
        assert second.request("move", **move)["code"] == "not_your_turn"
        assert second.request("move", **move, side="W")["code"] == "not_your_side"
        assert second.request("resign", side="W")["code"] == "not_your_side"
        for t in ("draw", "undo", "resign", "abort", "give_time", "rematch"):
            assert spectator.request(t)["code"] == "not_yours"
        assert spectator.request("claim", draw=False)["code"] == "not_yours"
        assert first.current["version"] == second.current["version"] == 1
        first.play("22-18")
        # A duplicate, and one for an earlier position.
        assert first.request("move", **move)["code"] == "stale"
        assert second.request("move", ply=0, move="11-15")["code"] == "stale"


def test_a_move_resent_after_a_takeback_is_stale(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = start_online_game(browser, guest)
        play(first, second, OPENING)
        version = first.current["version"]
        play(first, second, "18x11x15")
        first.send("undo")
        second.state(lambda state: state["undo_asks"])
        assert first.request("undo_answer", ok=True)["code"] == "no_offer", (
            "the requester cannot consent"
        )
        second.send("undo_answer", ok=True)
        first.state(lambda state: state["ply"] == 2)
        first.send("move", ply=2, move="18x11x15", version=version)
        assert first.receive("error")["code"] == "stale"
        play(first, second, "18x11x15")


# Actions of two people


def test_hints_are_refused_between_people(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, _ = start_online_game(browser, guest)
        refused = first.request("hint")
        assert refused["code"] == "no_help"
        assert refused["message"] == "No hints in games between two people."


def test_draw_offers_are_limited_and_can_be_accepted(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = start_online_game(browser, guest)
        assert first.request("draw")["code"] == "too_soon"
        play(first, second, OPENING)
        first.send("draw")
        assert second.state(lambda s: s["draw_asks"])["can"]["answer_draw"]
        second.send("draw_answer", ok=False)
        first.state(lambda state: state["status"]["news"] == "Black declined the draw.")
        assert first.request("draw")["code"] == "too_soon"
        second.send("draw")
        first.state(lambda state: state["draw_asks"])
        first.send("draw_answer", ok=True)
        assert final_result(second) == (None, "agreement")


def test_aborting(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = start_online_game(browser, guest, clock=BLITZ)
        first.play("22-18")
        assert second.state(ply_reached(1))["can"]["abort"]
        second.send("abort")
        assert final_result(first) == (None, "aborted")
        assert first.current["result"]["sentence"] == "The game was aborted."
        assert not first.current["can"]["abort"]
        assert browser.http.get(f"/api/games/{first.current['id']}/pdn").text.rstrip().endswith("*")
    with server.browser() as guest:
        first, second = start_online_game(browser, guest)
        play(first, second, OPENING)
        assert first.request("abort")["code"] == "too_late"


def test_giving_time_to_the_opponent(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = start_online_game(browser, guest, clock=BLITZ)
        assert first.request("give_time")["code"] == "no_clock"
        play(first, second, OPENING)
        second.send("give_time")
        state = first.state(lambda state: state["clock"]["left"]["W"] > 310_000)
        assert state["status"]["news"] == "Black gave the opponent 15 seconds."
        assert second.request("give_time")["code"] == "too_soon"


def test_a_rematch_by_consent(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = start_online_game(browser, guest, clock=BLITZ, names=["Ana", ""])
        game = first.current["id"]
        first.send("resign")
        assert final_result(second) == ("B", "resignation")
        assert browser.post(f"/api/games/{game}/rematch", {}).json() == {"offered": True}
        state = second.state(lambda state: state["rematch_asks"])
        assert state["rematch_asks"] == "White offers a rematch. Do you accept?"
        assert browser.post(f"/api/games/{game}/rematch", {}).status_code == 202, "requested twice"
        assert second.request("rematch_answer", ok=True)["code"] == "bad_message"
        response = guest.post(f"/api/games/{game}/rematch", {})
        assert response.status_code == 201
        next_url = first.state(lambda state: state["next"])["next"]["url"]
        assert next_url == response.json()["url"]
        rematch = browser.live(response.json()["id"]).state()
        assert rematch["online"]
        assert rematch["clock"]["text"] == "5+3"
        assert sorted(rematch["players"][side]["name"] for side in "WB") == ["Ana", "Player"]
        assert rematch["you"] != guest.live(response.json()["id"]).state()["you"]


def test_a_declined_rematch_cannot_be_offered_again(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, second = start_online_game(browser, guest)
        first.send("resign")
        second.state(lambda state: state["result"])
        first.send("rematch")
        second.state(lambda state: state["rematch_asks"])
        second.send("rematch_answer", ok=False)
        first.state(lambda state: state["status"]["news"] == "Black declined the rematch.")
        assert first.request("rematch")["code"] == "too_soon"


# Presence


def test_presence_and_spectators_are_shown(
    server: Server, browser: Browser, report_absence_early: None
) -> None:
    with server.browser() as guest, server.browser() as stranger:
        first, second = start_online_game(browser, guest, clock=BLITZ)
        present = first.state(lambda state: state["presence"]["B"]["here"])
        assert present["presence"]["W"] == {"here": True, "claim": None}
        spectator = stranger.live(first.current["id"])
        assert spectator.state()["presence"]["B"]["here"]
        first.state(lambda state: state["watching"] == 1)
        spectator.close()
        first.state(lambda state: state["watching"] == 0)
        second.close()
        absent = first.state(lambda state: not state["presence"]["B"]["here"])
        assert 0 < absent["presence"]["B"]["claim"] <= 12_000, "the page was closed"
        assert not absent["can"]["claim"]
        assert first.request("claim", draw=False)["code"] == "not_away"
        reconnected = guest.live(first.current["id"])
        reconnected.state()
        first.state(lambda state: state["presence"]["B"]["here"])


def test_a_game_left_by_the_opponent_can_be_claimed(
    server: Server, browser: Browser, report_absence_early: None
) -> None:
    for draw, expected in ((False, ("W", "abandonment")), (True, (None, "abandonment_draw"))):
        with server.browser() as guest:
            first, second = start_online_game(browser, guest, clock=BLITZ)
            play(first, second, OPENING)
            session = server.app.state.damka.sessions._open[first.current["id"]].session.result()
            second.close()
            first.state(lambda state: not state["presence"]["B"]["here"])
            session._presence._players["B"].left_at -= 13.0  # more than the timeout of 12 s
            # The game does not end automatically; the page is notified after the timeout.
            with server.browser() as stranger:
                stranger.live(first.current["id"]).state()
                first.state(lambda state: state["can"]["claim"])
            first.send("claim", draw=draw)
            assert final_result(first) == expected


def test_the_time_until_an_absence_can_be_claimed() -> None:
    blitz = ClockSettings(kind="fischer", seconds=300, increment=3)
    presence = Presence(now=100.0)
    assert presence.claim_time("W", blitz) == 220.0, "absent from the start"
    assert presence.enter("W")
    assert not presence.enter("W")
    assert presence.claim_time("W", blitz) is None
    assert not presence.leave("W", 150.0, page_closed=False)
    assert presence.leave("W", 160.0, page_closed=True)
    assert presence.claim_time("W", blitz) == 172.0
    assert presence.info(170.0, blitz)["W"].claim == 2000
    assert presence.info(300.0, blitz)["W"].claim == 0
    assert presence.claim_time("W", None) is None, "never without a clock"


def test_spectators_do_not_take_connections_of_players(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    limits = Limits(
        **{
            **{name: getattr(LIMITS, name) for name in ("post_burst", "connect_burst")},
            "connections_per_game": 3,
        }
    )
    with (
        serving(tmp_path_factory.mktemp("crowd"), limits=limits) as server,
        server.browser() as ana,
        server.browser() as petra,
        server.browser() as crowd,
    ):
        game = create_invitation(ana)
        join(petra, game)
        for spectator in [crowd.live(game) for _ in range(3)]:
            spectator.state()
        assert crowd.live(game).closed_with() == 1013
        assert petra.live(game).state()["you"] == ["B"]
        assert ana.live(game).state()["you"] == ["W"]


def test_a_quick_reload_is_not_reported_as_absence(
    server: Server, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The page may take longer than usual to reconnect on a busy machine.
    monkeypatch.setattr(game_session, "AWAY_SECONDS", 3600.0)
    with server.browser() as guest:
        first, second = start_online_game(browser, guest, clock=BLITZ)
        first.state(lambda state: state["presence"]["B"]["here"])
        session = server.app.state.damka.sessions._open[first.current["id"]].session.result()
        # The update after the arrivals would include the departure.
        wait_for(lambda: session._publish_timer, lambda timer: timer is None)
        second.close()
        timer = wait_for(lambda: session._publish_timer, bool)
        reconnected = guest.live(first.current["id"])
        reconnected.state()
        first.send("ping")
        first.receive("pong")
        assert first.current["presence"]["B"]["here"]
        # The time is over.
        loop = server.app.state.damka.conductor._task.get_loop()
        loop.call_soon_threadsafe(timer.cancel)
        loop.call_soon_threadsafe(session._begin_publishing)
        assert first.state()["presence"]["B"]["here"]


# Settings of a game


def test_draw_offers_can_be_forbidden_before_a_move(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        game = create_invitation(browser, no_draw_before=3)
        waiting = browser.live(game)
        waiting.state()
        code = code_of(waiting)
        assert "Draw offers are allowed from move 3." in guest.http.get(f"/join/{code}").text
        join(guest, game)
        first, second = browser.live(game), guest.live(game)
        for live in (first, second):
            assert live.state()["no_draw"] == "No draw before move 3"
        play(first, second, "22-18 11-15 18x11x15")
        refused = first.request("draw")
        assert refused["code"] == "no_draw_yet"
        assert refused["message"] == "You can offer a draw from move 3."
        assert not first.current["can"]["draw"]
        second.play(second.current["legal"][0]["hub"])
        first.state(ply_reached(4))
        assert first.current["no_draw"] is None
        assert first.current["can"]["draw"]
        first.send("draw")
        second.state(lambda state: state["can"]["answer_draw"])
        second.send("draw_answer", ok=True)
        first.state(lambda state: state["result"])
        # The rematch has the same setting.
        browser.post(f"/api/games/{game}/rematch")
        rematch = guest.post(f"/api/games/{game}/rematch").json()["id"]
        assert guest.live(rematch).state()["no_draw"] == "No draw before move 3"


def test_invalid_draw_settings_are_refused(browser: Browser) -> None:
    for opponent, n in (("computer", 30), ("person", 30), ("invite", 1), ("invite", 201)):
        request = {"rules": "dama64", "opponent": opponent, "no_draw_before": n}
        assert browser.post("/api/games", request).status_code == 422, request


def test_openings_are_drawn_at_random(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        openings = set()
        for _ in range(4):
            first, second = start_online_game(browser, guest, rules="american-3move")
            moves = [entry["text"] for entry in first.current["history"]]
            assert len(moves) == 3
            assert moves == [entry["text"] for entry in second.current["history"]]
            assert first.current["can"]["abort"], "neither player has moved yet"
            openings.add(tuple(moves))
        assert len(openings) > 1

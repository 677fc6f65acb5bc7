"""Players: double entries, unusual names, changes of device and absences."""

from __future__ import annotations

import re
import time
from urllib.parse import urlencode

import pytest

from damka.server.accounts import history, members
from damka.server.events import conductor
from tests.server.accounts.support import store_of
from tests.server.events.support import act, create_event, event_data, form, join, wait_for
from tests.server.support import Browser, Server
from tests.slowness import slowness

UNUSUAL_NAMES = (
    "<script>alert(1)</script>",
    "'; DROP TABLE--",
    "\u202eabc\u2066def",
    "{{ 7 * 7 }}",
    "  Ana \t\n Maria ",
    "🙂" * 30,
)
HTML = {"accept": "text/html"}


def test_joining_twice_has_no_effect(server: Server, browser: Browser) -> None:
    path = create_event(browser, server)
    with server.browser() as first, server.browser() as second:
        for _ in range(2):
            join(first, path, "Ana")
        response = form(second, f"{path}/join", name=" ANA ")
        assert response.status_code == 409
        assert "That name is taken here." in response.json()["message"]
        # The page shows the form again.
        page = second.http.post(f"{path}/join", data={"name": " ANA "}, headers=HTML)
        assert page.status_code == 409
        assert re.search(r'<input id="name"[^>]* value="ANA" aria-invalid="true"', page.text)
        assert "That name is taken here." in page.text
        join(second, path, "Ben")
        assert event_data(browser, path)["event"]["players"] == 2
        assert form(second, f"{path}/leave").status_code == 303
        assert event_data(browser, path)["event"]["players"] == 1


@pytest.mark.parametrize("name", UNUSUAL_NAMES)
def test_unusual_names_are_escaped(server: Server, browser: Browser, name: str) -> None:
    path = create_event(browser, server, name=f"E {name}"[:60])
    with server.browser() as player:
        join(player, path, name)
        act(browser, path, "add", name="Other")
        for page in (path, f"{path}/arbiter", f"{path}/projector", "/events"):
            text = browser.http.get(page).text
            assert "<script>alert" not in text
            assert "\u202e" not in text
            assert "\u2066" not in text
            assert "E 49" not in text
    act(browser, path, "start")
    act(browser, path, "pair")
    for document in ("pairings", "standings", "cross", "sheets"):
        response = browser.http.get(f"{path}/print/{document}")
        assert response.status_code == 200
        assert "<script>alert" not in response.text
    assert browser.http.get(f"{path}/export.trf").status_code == 200


@pytest.mark.parametrize(
    ("action", "fields", "status"),
    [
        ("join", {"name": ""}, 422),
        ("join", {"name": "x" * 31}, 422),
        ("join", {"name": "\x07\u200b"}, 422),
        ("join", {"name": "a\x00b"}, 400),
        ("leave", {}, 403),
        ("pause", {}, 403),
        ("result", {"round": "1", "board": "1", "outcome": "9-9"}, 422),
        ("result", {"round": "9" * 40, "board": "1", "outcome": "="}, 422),
        ("result", {"round": "٣", "board": "1", "outcome": "="}, 422),
        ("seat", {"code": "BCDFGH"}, 404),
        ("seat", {"code": "é\ud83d" * 3000}, 404),
        ("boards/1/device", {}, 404),
        ("boards/x/device", {}, 404),
    ],
)
def test_invalid_forms_are_refused_with_a_message(
    server: Server, browser: Browser, action: str, fields: dict[str, str], status: int
) -> None:
    path = create_event(browser, server)
    with server.browser() as player:
        body = urlencode(fields, errors="replace")
        response = player.http.post(f"{path}/{action}", content=body)
    assert response.status_code == status
    assert response.json()["message"]


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "knockout"},
        {"rules": "nonsense"},
        {"rules": "house:99"},
        {"rounds": "0"},
        {"rounds": "999"},
        {"clock": "9+9"},
        {"minutes": "-5", "kind": "arena", "clock": "3+2"},
        {"kind": "arena", "clock": "none"},
        {"kind": "arena", "play": "table"},
        {"starts": "2026-13-99"},
        {"starts": "9999-01-01T00:00"},
        {"zone": "many", "starts": "2026-12-01T10:00"},
    ],
)
def test_invalid_events_are_refused(
    server: Server, browser: Browser, fields: dict[str, str]
) -> None:
    fields = {"name": "X", "arbiter": "Y", "rules": "dama64", **fields}
    response = form(browser, "/events", **fields)
    assert response.status_code == 422


@pytest.mark.parametrize("path", ["/events/zzzzzzzz", "/events/ABC", "/e/ZZZZ"])
def test_an_unknown_event_is_not_found(browser: Browser, path: str) -> None:
    assert browser.http.get(path).status_code == 404


def test_a_player_continues_on_another_phone(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, rounds=1)
    with server.browser() as ana, server.browser() as ben, server.browser() as new_device:
        join(ana, path, "Ana")
        join(ben, path, "Ben")
        act(browser, path, "start")
        act(browser, path, "pair")
        act(browser, path, "begin")
        game = wait_for(lambda: event_data(ana, path)["me"]["game"], bool).rpartition("/")[2]
        first = ana.live(game).state()
        page = browser.http.get(f"{path}/arbiter").text
        code = re.search(
            r"Ana <small>guest</small></th><td class=\"codes\">([B-Z2-9-]{16})",
            page.replace("\n", ""),
        )
        assert code
        # Ben's device has his seat: it cannot take a second one.
        assert form(ben, f"{path}/seat", code=code[1]).status_code == 409
        assert form(new_device, f"{path}/seat", code=code[1]).status_code == 303
        assert event_data(new_device, path)["me"]["game"] == f"/game/{game}"
        assert new_device.live(game).state()["you"] == first["you"]
        assert ana.live(game).state()["you"] == []
        assert event_data(ana, path)["me"]["player"] is None
        # The code changes with the device.
        assert form(ana, f"{path}/seat", code=code[1]).status_code == 404


def test_wrong_seat_codes_are_rate_limited(server: Server, browser: Browser) -> None:
    path = create_event(browser, server)
    codes = [form(browser, f"{path}/seat", code="BCDFGHJKMNPQRS").status_code for _ in range(25)]
    assert codes[0] == 404
    assert codes[-1] == 429
    other = create_event(browser, server)
    assert form(browser, f"{other}/seat", code="BCDFGHJKMNPQRS").status_code == 404
    page = browser.http.post(f"{other}/seat", data={"code": "bcdfg-hjkmn-pqrs"}, headers=HTML)
    assert page.status_code == 404
    field = r'<input id="seat"[^>]* value="bcdfg-hjkmn-pqrs" aria-invalid="true"'
    assert re.search(field, page.text)
    assert "Unknown code." in page.text


def test_error_pages_link_back_to_the_tournament(server: Server, browser: Browser) -> None:
    path = create_event(browser, server)
    refused = browser.http.post(f"{path}/arbiter/pair", headers=HTML)
    assert refused.status_code == 409
    assert f'href="{path}/arbiter">Back to the tournament' in refused.text
    with server.browser() as other:
        refused = other.http.post(f"{path}/leave", headers=HTML)
        assert refused.status_code == 403
        assert f'href="{path}">Back to the tournament' in refused.text
    assert "Back to the tournament" not in browser.http.get("/events/nowhere", headers=HTML).text


def test_a_player_without_an_opponent_sees_the_bye(server: Server, browser: Browser) -> None:
    path = create_event(browser, server)
    with server.browser() as ana:
        join(ana, path, "Ana")
        for name in ("Ben", "Cvetan"):
            act(browser, path, "add", name=name)
        act(browser, path, "start")
        expected = "No opponent this round: bye, counts as a draw."
        assert form(ana, f"{path}/bye").status_code == 303
        assert expected not in ana.http.get(path).text
        act(browser, path, "pair")
        assert expected in ana.http.get(path).text
        assert expected not in browser.http.get(path).text


def test_aborting_a_tournament_game_explains_the_consequence(
    server: Server, browser: Browser
) -> None:
    path = create_event(browser, server, rounds=1)
    with server.browser() as ana:
        join(ana, path, "Ana")
        act(browser, path, "add", name="Ben")
        act(browser, path, "start")
        act(browser, path, "pair")
        act(browser, path, "begin")
        game = wait_for(lambda: event_data(ana, path)["me"]["game"], bool)
        text = ana.http.get(game).text
        assert "You will lose it by forfeit." in text
        assert "It won’t count." not in text
        assert f'href="{path}">Back to the tournament' in text
        live = ana.live(game.rpartition("/")[2])
        live.send("abort")
        cause = live.state(lambda state: state["result"])["result"]["sentence"]
        assert cause == "The game was aborted. See the tournament for how it counts."
    wait_for(
        lambda: event_data(browser, path)["round"]["boards"][0]["result"],
        {"+/-", "-/+"}.__contains__,
    )
    pdn = browser.http.get(f"{path}/export.pdn").text
    assert '[Termination "forfeit"]' in pdn
    assert re.search(r'\[Result "(1-0|0-1)"\]', pdn)


def test_tournament_games_have_no_takebacks_extra_time_or_rematches(
    server: Server, browser: Browser
) -> None:
    path = create_event(browser, server, rounds=1)
    with server.browser() as ana, server.browser() as ben:
        join(ana, path, "Ana")
        join(ben, path, "Ben")
        act(browser, path, "start")
        act(browser, path, "pair")
        act(browser, path, "begin")
        game = wait_for(lambda: event_data(ana, path)["me"]["game"], bool).rpartition("/")[2]
        players = [ana.live(game), ben.live(game)]
        for player in players:
            player.state()
        white = next(each for each in players if each.current["you"] == ["W"])
        black = next(each for each in players if each is not white)
        white.play(white.current["legal"][0]["hub"])
        black.state(lambda state: state["ply"] == 1)
        black.play(black.current["legal"][0]["hub"])
        white.state(lambda state: state["ply"] == 2)
        assert not white.current["can"]["undo"]
        assert white.request("undo")["code"] == "event_takeback"
        assert not white.current["can"]["give_time"]
        assert white.request("give_time")["code"] == "event_time"
        white.send("resign")
        wait_for(lambda: event_data(browser, path)["round"]["boards"][0]["result"], bool)
        response = ana.http.post(f"/api/games/{game}/rematch")
        assert (response.status_code, response.json()["error"]) == (409, "event_rematch")
        assert not ben.live(game).state()["can"]["rematch"]
        # The exported games have the arbiter's result.
        assert '[Termination "resignation"]' in browser.http.get(f"{path}/export.pdn").text
        before = event_data(browser, path)["round"]["boards"][0]["outcome"]
        assert re.search("Counts as (2-0|0-2)", event_data(ana, f"{path}?game={game}")["counts"])
        act(browser, path, "settle", round=1, board=1, before=before, after="=", why="agreed")
        assert (
            event_data(ana, f"{path}?game={game}")["counts"] == "Counts as 1-1 in the tournament."
        )
        assert (
            event_data(ana, path)["counts"] == event_data(ana, f"{path}?game=none")["counts"] == ""
        )
        pdn = browser.http.get(f"{path}/export.pdn").text
        assert '[Result "1/2-1/2"]' in pdn
        assert '[Termination "arbiter"]' in pdn


def test_one_device_enters_both_sides_moves_at_a_real_board(
    server: Server, browser: Browser
) -> None:
    path = create_event(browser, server, play="table", rounds=1)
    with server.browser() as ana:
        join(ana, path, "Ana")
        act(browser, path, "add", name="Ben")
        act(browser, path, "start")
        act(browser, path, "pair")
        act(browser, path, "begin")
        game = wait_for(lambda: event_data(ana, path)["me"]["game"], bool).rpartition("/")[2]
        live = ana.live(game)
        assert sorted(live.state()["you"]) == ["B", "W"]
        for _ in range(4):
            live.play(live.current["legal"][0]["hub"])
        assert live.current["can"]["undo"]  # An entered move may be wrong.
        # The arbiter's tablet continues the game, and the result is recorded automatically.
        assert form(browser, f"{path}/boards/1/device").status_code == 303
        tablet = browser.live(game)
        state = tablet.state()
        assert state["ply"] == 4
        assert sorted(state["you"]) == ["B", "W"]
        tablet.send("resign")
        wait_for(lambda: event_data(ana, path)["round"]["boards"][0]["result"], bool)
        with server.browser() as stranger:
            assert form(stranger, f"{path}/boards/1/device").status_code == 403


def test_reported_results_count_when_both_players_agree(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, play="hand", rounds=1)
    with server.browser() as ana, server.browser() as ben:
        join(ana, path, "Ana")
        join(ben, path, "Ben")
        act(browser, path, "start")
        act(browser, path, "pair")
        assert form(ana, f"{path}/result", round=1, board=1, outcome="1-0").status_code == 403
        act(browser, path, "begin")
        for outcome in ("0-1", "1-0", "1-0"):
            form(ana, f"{path}/result", round=1, board=1, outcome=outcome)
        form(ben, f"{path}/result", round=1, board=1, outcome="=")
        assert event_data(browser, path)["round"]["boards"][0]["result"] == ""
        assert "reported 2-0" in browser.http.get(f"{path}/arbiter").text
        assert "Your opponent reported 2-0" in ben.http.get(path).text
        form(ben, f"{path}/result", round=1, board=1, outcome="1-0")
        assert event_data(browser, path)["round"]["boards"][0]["result"] == "2-0"


def test_an_absent_arena_player_loses_and_is_paused(
    server: Server, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(conductor._FIRST_MOVE, "blitz", 5)
    monkeypatch.setattr("damka.server.session_clock._GRACE_MS", -4500)
    path = create_event(browser, server, kind="arena", clock="3+2")
    with server.browser() as ana, server.browser() as ben:
        join(ana, path, "Ana")
        join(ben, path, "Ben")
        act(browser, path, "start")
        wait_for(lambda: event_data(browser, path)["games"], bool)
        start = time.monotonic()
        wait_for(lambda: event_data(browser, path)["games"][-1]["result"], bool)
        assert (time.monotonic() - start) / slowness() < 5
        rows = event_data(browser, path)["standings"]
        assert [row["points"] for row in rows] == ["2", "0"]
        assert [row["away"] for row in rows] == [False, True]
        absent = ana if rows[1]["name"] == "Ana" else ben
        assert "End the break" in absent.http.get(path).text


def test_spectators_receive_updates_within_a_second(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, rounds=1)
    with server.browser() as ana, server.browser() as ben, server.browser() as spectator:
        join(ana, path, "Ana")
        join(ben, path, "Ben")
        act(browser, path, "start")
        act(browser, path, "pair")
        feed = spectator.live(path.replace("/events/", "event/"))
        version = feed.receive("event")["version"]
        act(browser, path, "begin")
        game = wait_for(lambda: event_data(ana, path)["me"]["game"], bool).rpartition("/")[2]
        update = feed.receive("event")
        while game not in update["boards"]:
            update = feed.receive("event")
        assert update["version"] is None or update["version"] > version
        lives = [each.live(game) for each in (ana, ben)]
        states = [live.state() for live in lives]
        mover = next(
            live for live, state in zip(lives, states, strict=True) if state["turn"] in state["you"]
        )
        mover.play(mover.current["legal"][0]["hub"])
        moved_at = time.monotonic()
        while update["boards"].get(game, {}).get("ply") != 1:
            update = feed.receive("event")
        assert (time.monotonic() - moved_at) / slowness() < 1
        assert update["boards"][game]["pieces"] == mover.current["pieces"]
        assert feed.request("ping")["t"] == "pong"
        feed.connection.send("x" * 5000)
        assert feed.closed_with() == 1009


def member_browser(server: Server, name: str) -> Browser:
    """Return a browser that is logged in to a new account."""
    with store_of(server).transaction() as connection:
        account = members.get(connection, members.create(connection, name, None))
        assert account is not None
        session = members.log_in(connection, account, "?")
    browser = server.browser()
    browser.http.cookies.set("damka_session", session.token)
    return browser


def test_games_of_members_are_rated_without_early_draws(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, rounds=1, rated=1, no_draw=30, clock="5+3")
    with member_browser(server, "Radka") as first, member_browser(server, "Silvia") as second:
        for each in (first, second):
            join(each, path, "ignored for members")
        assert [row for row in browser.http.get(path).text.split() if "Radka" in row]
        for action in ("start", "pair", "begin"):
            act(browser, path, action)
        game = wait_for(lambda: event_data(first, path)["me"]["game"], bool).rpartition("/")[2]
        lives = [each.live(game) for each in (first, second)]
        states = [live.state() for live in lives]
        assert all(state["rated"] for state in states)
        if "B" not in states[0]["you"]:
            lives.reverse()
        black, white = lives
        for ply in range(4):
            mover = white if white.current["turn"] == "W" else black
            mover.play(mover.current["legal"][0]["hub"])
            for live in lives:
                live.version(ply + 1)
        assert black.request("draw")["t"] == "error"
        # A code does not give access to the seat of an account.
        page = browser.http.get(f"{path}/arbiter").text.replace("\n", "")
        code = re.search(r"Radka.*?</th><td class=\"codes\">([B-Z2-9-]{16})", page)
        assert code
        with server.browser() as thief:
            response = form(thief, f"{path}/seat", code=code[1])
            assert response.status_code == 409
            assert "belongs to an account" in response.json()["message"]
        black.send("resign")
        wait_for(
            lambda: event_data(browser, path)["event"]["status"], lambda status: status == "over"
        )
        with store_of(server).transaction() as connection:
            accounts = [members.find(connection, name) for name in ("Radka", "Silvia")]
            ratings = [history.ratings(connection, each.id) for each in accounts if each]
        assert [each[0].games for each in ratings] == [1, 1]

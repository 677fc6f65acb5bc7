"""Players: double entries, strange names, dead phones and absences."""

from __future__ import annotations

import re
import time
from urllib.parse import urlencode

import pytest

from damka.server.accounts import history, members
from damka.server.events import conductor
from tests.server.accounts.support import store_of
from tests.server.events.support import act, event_data, form, join, make, wait_for
from tests.server.support import Browser, Server

STRANGE = (
    "<script>alert(1)</script>",
    "'; DROP TABLE--",
    "\u202eabc\u2066def",
    "{{ 7 * 7 }}",
    "  Ana \t\n Maria ",
    "🙂" * 30,
)
PAGE = {"accept": "text/html"}


def test_joining_twice_is_joining_once(server: Server, browser: Browser) -> None:
    path = make(browser, server)
    with server.browser() as one, server.browser() as two:
        for _ in range(2):
            join(one, path, "Ana")
        answer = form(two, f"{path}/join", name=" ANA ")
        assert answer.status_code == 409
        assert "That name is taken here." in answer.json()["message"]
        # The page shows the form again.
        page = two.http.post(f"{path}/join", data={"name": " ANA "}, headers=PAGE)
        assert page.status_code == 409
        assert re.search(r'<input id="name"[^>]* value="ANA" aria-invalid="true"', page.text)
        assert "That name is taken here." in page.text
        join(two, path, "Ben")
        assert event_data(browser, path)["event"]["players"] == 2
        assert form(two, f"{path}/leave").status_code == 303
        assert event_data(browser, path)["event"]["players"] == 1


@pytest.mark.parametrize("name", STRANGE)
def test_strange_names_are_shown_as_they_are(server: Server, browser: Browser, name: str) -> None:
    path = make(browser, server, name=f"E {name}"[:60])
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
    for what in ("pairings", "standings", "cross", "sheets"):
        answer = browser.http.get(f"{path}/print/{what}")
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
    assert browser.http.get(f"{path}/export.trf").status_code == 200


@pytest.mark.parametrize(
    ("way", "fields", "status"),
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
def test_wrong_forms_are_refused_in_words(
    server: Server, browser: Browser, way: str, fields: dict[str, str], status: int
) -> None:
    path = make(browser, server)
    with server.browser() as player:
        body = urlencode(fields, errors="replace")
        answer = player.http.post(f"{path}/{way}", content=body)
    assert answer.status_code == status
    assert answer.json()["message"]


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
def test_an_event_that_cannot_be_is_not_made(
    server: Server, browser: Browser, fields: dict[str, str]
) -> None:
    fields = {"name": "X", "arbiter": "Y", "rules": "dama64", **fields}
    answer = form(browser, "/events", **fields)
    assert answer.status_code == 422


@pytest.mark.parametrize("path", ["/events/zzzzzzzz", "/events/ABC", "/e/ZZZZ"])
def test_there_is_no_such_event(browser: Browser, path: str) -> None:
    assert browser.http.get(path).status_code == 404


def test_a_player_continues_on_another_phone(server: Server, browser: Browser) -> None:
    path = make(browser, server, rounds=1)
    with server.browser() as ana, server.browser() as ben, server.browser() as new:
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
        # Ben's device belongs to Ben: it cannot take both seats.
        assert form(ben, f"{path}/seat", code=code[1]).status_code == 409
        assert form(new, f"{path}/seat", code=code[1]).status_code == 303
        assert event_data(new, path)["me"]["game"] == f"/game/{game}"
        assert new.live(game).state()["you"] == first["you"]
        assert ana.live(game).state()["you"] == []
        assert event_data(ana, path)["me"]["player"] is None
        # The code changes with the device.
        assert form(ana, f"{path}/seat", code=code[1]).status_code == 404


def test_codes_of_no_seat_are_rationed(server: Server, browser: Browser) -> None:
    path = make(browser, server)
    codes = [form(browser, f"{path}/seat", code="BCDFGHJKMNPQRS").status_code for _ in range(25)]
    assert codes[0] == 404
    assert codes[-1] == 429
    other = make(browser, server)
    assert form(browser, f"{other}/seat", code="BCDFGHJKMNPQRS").status_code == 404
    page = browser.http.post(f"{other}/seat", data={"code": "bcdfg-hjkmn-pqrs"}, headers=PAGE)
    assert page.status_code == 404
    field = r'<input id="seat"[^>]* value="bcdfg-hjkmn-pqrs" aria-invalid="true"'
    assert re.search(field, page.text)
    assert "Unknown code." in page.text


def test_a_refused_player_returns_to_the_event_page(server: Server, browser: Browser) -> None:
    path = make(browser, server)
    wrong = browser.http.post(f"{path}/arbiter/pair", headers=PAGE)
    assert wrong.status_code == 409
    assert f'href="{path}/arbiter">Back to the tournament' in wrong.text
    with server.browser() as other:
        wrong = other.http.post(f"{path}/leave", headers=PAGE)
        assert wrong.status_code == 403
        assert f'href="{path}">Back to the tournament' in wrong.text
    assert "Back to the tournament" not in browser.http.get("/events/nowhere", headers=PAGE).text


def test_a_player_without_an_opponent_sees_the_bye(server: Server, browser: Browser) -> None:
    path = make(browser, server)
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
    path = make(browser, server, rounds=1)
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
        cause = live.state(lambda state: state["result"])["result"]["cause"]
        assert cause == "The game was aborted. See the tournament for how it counts."
    wait_for(
        lambda: event_data(browser, path)["round"]["boards"][0]["result"],
        {"+/-", "-/+"}.__contains__,
    )
    pdn = browser.http.get(f"{path}/export.pdn").text
    assert '[Termination "forfeit"]' in pdn
    assert re.search(r'\[Result "(1-0|0-1)"\]', pdn)


def test_tournament_games_have_no_takebacks_gifts_or_rematches(
    server: Server, browser: Browser
) -> None:
    path = make(browser, server, rounds=1)
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
        white = next(each for each in players if each.now["you"] == ["W"])
        black = next(each for each in players if each is not white)
        white.play(white.now["legal"][0]["hub"])
        black.state(lambda state: state["ply"] == 1)
        black.play(black.now["legal"][0]["hub"])
        white.state(lambda state: state["ply"] == 2)
        assert not white.now["can"]["undo"]
        assert white.ask("undo")["code"] == "event_takeback"
        assert not white.now["can"]["give_time"]
        assert white.ask("give_time")["code"] == "event_time"
        white.send("resign")
        wait_for(lambda: event_data(browser, path)["round"]["boards"][0]["result"], bool)
        answer = ana.http.post(f"/api/games/{game}/rematch")
        assert (answer.status_code, answer.json()["error"]) == (409, "event_rematch")
        assert not ben.live(game).state()["can"]["rematch"]
        # The file of games has the arbiter's result.
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


def test_at_a_real_board_one_device_enters_both_sides_moves(
    server: Server, browser: Browser
) -> None:
    path = make(browser, server, play="table", rounds=1)
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
            live.play(live.now["legal"][0]["hub"])
        assert live.now["can"]["undo"]  # An entered move may be wrong.
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
    path = make(browser, server, play="hand", rounds=1)
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
    path = make(browser, server, kind="arena", clock="3+2")
    with server.browser() as ana, server.browser() as ben:
        join(ana, path, "Ana")
        join(ben, path, "Ben")
        act(browser, path, "start")
        wait_for(lambda: event_data(browser, path)["games"], bool)
        begun = time.monotonic()
        wait_for(lambda: event_data(browser, path)["games"][-1]["result"], bool)
        assert time.monotonic() - begun < 5
        rows = event_data(browser, path)["standings"]
        assert [row["points"] for row in rows] == ["2", "0"]
        assert [row["away"] for row in rows] == [False, True]
        absent = ana if rows[1]["name"] == "Ana" else ben
        assert "End the break" in absent.http.get(path).text


def test_spectators_are_updated_within_a_second(server: Server, browser: Browser) -> None:
    path = make(browser, server, rounds=1)
    with server.browser() as ana, server.browser() as ben, server.browser() as watcher:
        join(ana, path, "Ana")
        join(ben, path, "Ben")
        act(browser, path, "start")
        act(browser, path, "pair")
        feed = watcher.live(path.replace("/events/", "event/"))
        version = feed.receive("event")["version"]
        act(browser, path, "begin")
        game = wait_for(lambda: event_data(ana, path)["me"]["game"], bool).rpartition("/")[2]
        seen = feed.receive("event")
        while game not in seen["boards"]:
            seen = feed.receive("event")
        assert seen["version"] is None or seen["version"] > version
        lives = [each.live(game) for each in (ana, ben)]
        states = [live.state() for live in lives]
        mover = next(
            live for live, state in zip(lives, states, strict=True) if state["turn"] in state["you"]
        )
        mover.play(mover.now["legal"][0]["hub"])
        moved = time.monotonic()
        while seen["boards"].get(game, {}).get("ply") != 1:
            seen = feed.receive("event")
        assert time.monotonic() - moved < 1
        assert seen["boards"][game]["pieces"] == mover.now["pieces"]
        assert feed.ask("ping")["t"] == "pong"
        feed.connection.send("x" * 5000)
        assert feed.closed_with() == 1009


def member(server: Server, name: str) -> Browser:
    """A logged-in browser."""
    with store_of(server).transaction() as connection:
        found = members.get(connection, members.create(connection, name, None))
        assert found is not None
        session = members.log_in(connection, found, "?")
    browser = server.browser()
    browser.http.cookies.set("damka_session", session.token)
    return browser


def test_games_of_members_are_rated_without_early_draws(server: Server, browser: Browser) -> None:
    path = make(browser, server, rounds=1, rated=1, no_draw=30, clock="5+3")
    with member(server, "Radka") as one, member(server, "Silvia") as two:
        for each in (one, two):
            join(each, path, "what is typed does not count")
        assert [row for row in browser.http.get(path).text.split() if "Radka" in row]
        for action in ("start", "pair", "begin"):
            act(browser, path, action)
        game = wait_for(lambda: event_data(one, path)["me"]["game"], bool).rpartition("/")[2]
        lives = [each.live(game) for each in (one, two)]
        states = [live.state() for live in lives]
        assert all(state["rated"] for state in states)
        if "B" not in states[0]["you"]:
            lives.reverse()
        black, white = lives
        for ply in range(4):
            mover = white if white.now["turn"] == "W" else black
            mover.play(mover.now["legal"][0]["hub"])
            for live in lives:
                live.version(ply + 1)
        assert black.ask("draw")["t"] == "error"
        # A code does not give access to the seat of an account.
        page = browser.http.get(f"{path}/arbiter").text.replace("\n", "")
        code = re.search(r"Radka.*?</th><td class=\"codes\">([B-Z2-9-]{16})", page)
        assert code
        with server.browser() as thief:
            answer = form(thief, f"{path}/seat", code=code[1])
            assert answer.status_code == 409
            assert "belongs to an account" in answer.json()["message"]
        black.send("resign")
        wait_for(
            lambda: event_data(browser, path)["event"]["status"], lambda status: status == "over"
        )
        with store_of(server).transaction() as connection:
            found = [members.find(connection, name) for name in ("Radka", "Silvia")]
            ratings = [history.ratings(connection, each.id) for each in found if each]
        assert [each[0].games for each in ratings] == [1, 1]

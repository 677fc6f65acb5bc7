"""Open seats: invitations, codes, acceptance, cancellation and expiry."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from damka.live import codes
from damka.server import addresses
from damka.server.invitations import normalise, qr_code
from tests.server.online import BLITZ, code_of, create_invitation, join, start_online_game
from tests.server.support import LIMITS, Browser, Server, serving


def test_only_a_post_request_takes_a_seat(server: Server, browser: Browser) -> None:
    game = create_invitation(browser, names=["Ana", ""], clock=BLITZ)
    live = browser.live(game)
    state = live.state()
    assert state["invitation"] == {"side": "B", "code": code_of(live), "freed": False}
    assert state["status"]["sentence"] == "Waiting for an opponent."
    assert (state["players"]["W"]["name"], state["players"]["B"]["name"]) == ("Ana", "Open seat")
    assert state["clock"]["running"] is None
    with server.browser() as guest:
        # Opening a link does not take the seat.
        for path in (f"/game/{game}", f"/join/{code_of(live)}"):
            assert guest.http.get(path).status_code == 200
        spectator = guest.live(game)
        assert spectator.state()["you"] == []
        assert spectator.current["invitation"] is None, "only the inviting player sees the code"
        assert join(guest, game, "Boris") == {"id": game, "url": f"/game/{game}"}
        state = live.state(lambda state: state["invitation"] is None)
        assert state["players"]["B"]["name"] == "Boris"
        assert state["status"]["news"] == "Black: Boris has joined."
        guest_live = guest.live(game)
        assert guest_live.state()["you"] == ["B"]
        assert guest.http.get(f"/join/{code_of(live) if live.current['invitation'] else 'BBBB'}")
        live.play("22-18")
        assert guest_live.state(lambda state: state["ply"] == 1)["turn"] == "B"


def test_only_one_of_two_browsers_gets_the_seat(server: Server, browser: Browser) -> None:
    game = create_invitation(browser)
    with server.browser() as first, server.browser() as second:
        responses = {}
        ready = threading.Barrier(2)

        def join_game(name: str, guest: Browser) -> None:
            ready.wait()
            responses[name] = guest.post(f"/api/games/{game}/join", {"name": name})

        threads = [
            threading.Thread(target=join_game, args=each)
            for each in (("one", first), ("two", second))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(response.status_code for response in responses.values()) == [200, 409]
        [refused] = [response for response in responses.values() if response.status_code == 409]
        assert refused.json()["error"] == "seat_taken"
        assert "You can watch" in refused.json()["message"]
        sides = {
            name: guest.live(game).state()["you"]
            for name, guest in (("one", first), ("two", second))
        }
        winner = next(name for name, response in responses.items() if response.status_code == 200)
        assert sides == {name: ["B"] if name == winner else [] for name in sides}


def test_no_moves_before_the_seat_is_taken(browser: Browser) -> None:
    live = browser.live(create_invitation(browser))
    live.state()
    for t in ("draw", "undo", "resign"):
        assert live.request(t)["code"] == "waiting"
    assert live.request("move", ply=0, move="22-18")["code"] == "waiting"
    assert not any(live.current["can"][name] for name in ("draw", "undo", "resign", "hint"))


def test_the_inviting_player_cannot_take_the_open_seat(browser: Browser) -> None:
    game = create_invitation(browser)
    response = browser.post(f"/api/games/{game}/join", {})
    assert (response.status_code, response.json()["error"]) == (409, "own_invitation")


def test_an_invitation_can_be_cancelled(server: Server, browser: Browser) -> None:
    live = browser.live(create_invitation(browser))
    code = live.state()["invitation"]["code"]
    game = live.current["id"]
    with server.browser() as guest:
        assert guest.post(f"/api/games/{game}/cancel").status_code == 403
        assert browser.post(f"/api/games/{game}/cancel").status_code == 200
        result = live.state(lambda state: state["result"])["result"]
        assert (result["winner"], result["reason"]) == (None, "aborted")
        assert guest.http.get(f"/join/{code}").status_code == 404
        assert guest.post(f"/api/games/{game}/join", {}).status_code == 409


def test_the_seat_can_be_given_to_the_computer(browser: Browser) -> None:
    live = browser.live(create_invitation(browser, clock=BLITZ))
    game = live.state()["id"]
    assert browser.post(f"/api/games/{game}/computer", {"level": 1}).status_code == 200
    state = live.state(lambda state: state["invitation"] is None)
    assert (state["players"]["B"]["kind"], state["clock"], state["online"]) == (
        "computer",
        None,
        False,
    )
    live.play("22-18")
    live.state(lambda state: state["ply"] == 2)


def test_a_game_at_one_screen_continues_on_two_devices(server: Server, browser: Browser) -> None:
    game = browser.new_game(names=["Ana", "Petra"])
    live = browser.live(game)
    live.state()
    live.play("22-18")
    assert browser.post(f"/api/games/{game}/invite", {"side": "B"}).status_code == 200
    state = live.state(lambda state: state["invitation"])
    assert state["invitation"]["freed"]
    assert state["you"] == ["W"]
    # The offer can be cancelled,
    assert browser.post(f"/api/games/{game}/cancel").status_code == 200
    assert live.state(lambda state: not state["invitation"])["you"] == ["W", "B"]
    # or another player takes the seat.
    assert browser.post(f"/api/games/{game}/invite", {"side": "B"}).status_code == 200
    live.state(lambda state: state["invitation"])
    with server.browser() as guest:
        join(guest, game)
        guest_live = guest.live(game)
        assert guest_live.state()["you"] == ["B"]
        guest_live.play("11-15")
        live.state(lambda state: state["ply"] == 2)
        assert live.request("move", ply=2, move="23-19")["code"] in {"bad_move", "stale"}
        assert browser.post(f"/api/games/{game}/invite", {"side": "W"}).status_code == 403


def test_the_page_of_an_invitation(server: Server, browser: Browser) -> None:
    live = browser.live(
        create_invitation(browser, rules="dama100", names=["<Ana>", ""], clock=BLITZ)
    )
    code = live.state()["invitation"]["code"]
    with server.browser() as guest:
        page = guest.http.get(f"/join/{code.lower()}").text
        assert "&lt;Ana&gt; invites you to a game." in page
        assert "Clock: 5 min plus 3 s per move." in page
        assert "Your colour: blue." in page or "Your colour: green." in page
        assert "<svg" in page
        assert f'data-game="{live.current["id"]}"' in page
        svg = guest.http.get(f"/join/{code}.svg")
        assert svg.headers["content-type"].startswith("image/svg+xml")
    assert "This is your own invitation." in browser.http.get(f"/join/{code}").text
    with_spaces = code.lower().replace("-", " ")
    redirect = browser.http.get("/join", params={"code": f" {with_spaces} "})
    assert (redirect.status_code, redirect.headers["location"]) == (303, f"/join/{code}")
    error_page = browser.http.get("/join", params={"code": "AEIO"})
    assert "An invitation code has 14 letters and digits" in error_page.text


def test_codes_are_unambiguous() -> None:
    assert not set("AEIOUL01") & set(codes.LETTERS)
    assert normalise(" bkrtd-fgh j2-3456 ") == "BKRTD-FGHJ2-3456"
    assert normalise("BKRT") == "BKRT", "codes of an earlier version"
    assert normalise("BKR") is None
    assert normalise("BKRA") is None
    assert normalise("ЖЖЖЖ") is None


def expire(server: Server, days: float) -> int:
    """Advance the time by days, and close expired games."""
    invitations = server.app.state.damka.invitations
    coroutine = invitations.expire(datetime.now(UTC) + timedelta(days=days))
    loop = invitations._sweep_task.get_loop()
    closed: int = asyncio.run_coroutine_threadsafe(coroutine, loop).result(10)
    return closed


def test_an_invitation_expires_after_a_week(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.browser() as browser, server.browser() as guest:
        joined = create_invitation(browser)
        join(guest, joined)
        live = browser.live(create_invitation(browser, clock=BLITZ))
        code = live.state()["invitation"]["code"]
        one_screen = browser.new_game(names=["Ana", "Petra"])
        guest_live = browser.live(one_screen)
        guest_live.state()
        guest_live.play("22-18")
        browser.post(f"/api/games/{one_screen}/invite", {"side": "B"})
        guest_live.state(lambda state: state["invitation"])
        assert expire(server, 6.9) == 0
        assert guest.http.get(f"/join/{code}").status_code == 200
        assert expire(server, 7.1) == 2
        result = live.state(lambda state: state["result"])["result"]
        assert (result["winner"], result["reason"]) == (None, "aborted")
        assert result["sentence"] == "The invitation expired: nobody joined."
        assert guest.http.get(f"/join/{code}").status_code == 404
        assert guest.post(f"/api/games/{live.current['id']}/join", {}).status_code == 409
        # A game started at one screen continues at one screen.
        state = guest_live.state(lambda state: not state["invitation"])
        assert (state["you"], state["result"]) == (["W", "B"], None)
        assert browser.live(joined).state()["result"] is None
        assert expire(server, 30) == 0
    with serving(tmp_path) as server, server.browser() as stranger:
        state = stranger.live(live.current["id"]).state()
        assert state["status"]["sentence"] == "The invitation expired: nobody joined."


def test_the_number_of_open_invitations_is_limited(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, invitations_per_holder=2, invite_burst=5, invite_rate=0.01)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        request = {"rules": "dama64", "opponent": "invite"}
        first = browser.post("/api/games", request).json()["id"]
        assert browser.post("/api/games", request).status_code == 201
        refused = browser.post("/api/games", request)
        assert (refused.status_code, refused.json()["error"]) == (429, "too_many_invitations")
        one_screen = browser.new_game()
        assert browser.post(f"/api/games/{one_screen}/invite", {"side": "B"}).status_code == 429
        # Cancelled invitations and other games do not count.
        browser.post(f"/api/games/{first}/cancel")
        assert browser.post("/api/games", request).status_code == 201
        with server.browser() as stranger:
            refused = stranger.post("/api/games", request)
            assert (refused.status_code, refused.json()["error"]) == (429, "too_many")


def test_the_qr_code_is_an_svg_without_scripts() -> None:
    svg = qr_code("http://192.0.2.7:8077/join/BKRT")
    assert re.match(r"<svg [^>]*viewBox=", svg)
    assert "<script" not in svg


def test_invalid_clocks_are_refused(browser: Browser) -> None:
    for clock in (
        {"kind": "sudden", "seconds": 0},
        {"kind": "sudden", "seconds": 60, "increment": 2},
        {"kind": "fischer", "seconds": 60},
        {"kind": "days", "seconds": 60},
        {"kind": "fischer", "seconds": 60, "increment": 10_000},
        {"kind": "hourglass", "seconds": 60},
    ):
        request = {"rules": "dama64", "opponent": "invite", "clock": clock}
        assert browser.post("/api/games", request).status_code == 422, clock
    request = {"rules": "dama64", "opponent": "computer", "clock": BLITZ}
    assert browser.post("/api/games", request).status_code == 422


def test_seat_cookies_work_without_https(server: Server, browser: Browser) -> None:
    game = create_invitation(browser)
    with server.browser() as guest:
        response = guest.post(f"/api/games/{game}/join", {})
        cookie = response.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "secure" not in cookie
    with server.browser(**{"x-forwarded-proto": "https"}) as https_browser:
        https_browser.http.headers["origin"] = server.url.replace("http:", "https:")
        response = https_browser.post("/api/games", {"rules": "dama64", "opponent": "invite"})
        assert "; secure" in response.headers["set-cookie"].lower()


def test_the_start_page_marks_games_with_the_reader_to_move(
    server: Server, browser: Browser
) -> None:
    with server.browser() as guest:
        first, _ = start_online_game(browser, guest)
        other = browser.new_game()
        browser.live(other).state()
        browser.live(other).state()
        page = browser.http.get("/").text
        assert page.count("<mark>Your turn</mark>") == 1
        first.play("22-18")
        assert "<mark>" not in browser.http.get("/").text
        assert guest.http.get("/").text.count("<mark>Your turn</mark>") == 1


def test_members_play_under_their_account_names(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        for each, name in ((browser, "Ana-M"), (guest, "Boris-M")):
            form = {"name": name, "password": "seven green men"}
            assert each.http.post("/account/register", data=form).status_code == 303
        live = browser.live(create_invitation(browser))
        code = code_of(live) if live.state() else ""
        page = guest.http.get(f"/join/{code}").text
        assert "Ana-M invites you" in page
        assert 'type="hidden" id="name"' in page
        join(guest, live.current["id"])
        state = live.state(lambda state: state["invitation"] is None)
        assert [state["players"][side]["name"] for side in "WB"] == ["Ana-M", "Boris-M"]


def test_a_page_knows_names_from_a_missing_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server listens to the network, but answers at none of its addresses."""
    everywhere = "0.0.0.0"  # noqa: S104
    hosts = ("127.0.0.1", "dama.example")
    with (
        serving(tmp_path, listens_on=everywhere, hosts=hosts) as server,
        server.browser() as browser,
    ):
        for found, text in ((["192.168.100.200"], "--hosts"), ([], "isn’t connected to a network")):
            monkeypatch.setattr(addresses, "routed_addresses", lambda found=found: found)
            assert text in browser.http.get("/lobby?lang=en").text

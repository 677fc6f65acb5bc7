"""Open seats: invitations, codes, and how they are accepted or closed."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

from damka.live import codes
from damka.server.invitations import normalise, picture
from tests.server.online import BLITZ, code_of, invited, join, two
from tests.server.support import LIMITS, Browser, Server, serving


def test_only_a_post_takes_a_seat(server: Server, browser: Browser) -> None:
    game = invited(browser, names=["Ana", ""], clock=BLITZ)
    here = browser.live(game)
    state = here.state()
    assert state["invitation"] == {"side": "B", "code": code_of(here), "freed": False}
    assert state["status"]["sentence"] == "Waiting for an opponent."
    assert (state["players"]["W"]["name"], state["players"]["B"]["name"]) == ("Ana", "Open seat")
    assert state["clock"]["running"] is None
    with server.browser() as guest:
        # Opening the links does not take a seat.
        for path in (f"/game/{game}", f"/join/{code_of(here)}"):
            assert guest.http.get(path).status_code == 200
        watcher = guest.live(game)
        assert watcher.state()["you"] == []
        assert watcher.now["invitation"] is None, "only the inviting player sees the code"
        assert join(guest, game, "Boris") == {"id": game, "url": f"/game/{game}"}
        state = here.state(lambda state: state["invitation"] is None)
        assert state["players"]["B"]["name"] == "Boris"
        assert state["status"]["news"] == "Black: Boris has joined."
        there = guest.live(game)
        assert there.state()["you"] == ["B"]
        assert guest.http.get(f"/join/{code_of(here) if here.now['invitation'] else 'BBBB'}")
        here.play("22-18")
        assert there.state(lambda state: state["ply"] == 1)["turn"] == "B"


def test_only_one_of_two_browsers_gets_the_seat(server: Server, browser: Browser) -> None:
    game = invited(browser)
    with server.browser() as one, server.browser() as two_:
        answers = {}
        ready = threading.Barrier(2)

        def sit(name: str, guest: Browser) -> None:
            ready.wait()
            answers[name] = guest.post(f"/api/games/{game}/join", {"name": name})

        threads = [
            threading.Thread(target=sit, args=each) for each in (("one", one), ("two", two_))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answer.status_code for answer in answers.values()) == [200, 409]
        [lost] = [answer for answer in answers.values() if answer.status_code == 409]
        assert lost.json()["error"] == "seat_taken"
        assert "You can watch" in lost.json()["message"]
        sides = {
            name: guest.live(game).state()["you"] for name, guest in (("one", one), ("two", two_))
        }
        winner = next(name for name, answer in answers.items() if answer.status_code == 200)
        assert sides == {name: ["B"] if name == winner else [] for name in sides}


def test_no_moves_before_the_seat_is_taken(browser: Browser) -> None:
    here = browser.live(invited(browser))
    here.state()
    for t in ("draw", "undo", "resign"):
        assert here.ask(t)["code"] == "waiting"
    assert here.ask("move", ply=0, move="22-18")["code"] == "waiting"
    assert not any(here.now["can"][name] for name in ("draw", "undo", "resign", "hint"))


def test_the_inviting_player_cannot_take_the_open_seat(browser: Browser) -> None:
    game = invited(browser)
    answer = browser.post(f"/api/games/{game}/join", {})
    assert (answer.status_code, answer.json()["error"]) == (409, "own_invitation")


def test_an_invitation_is_cancelled(server: Server, browser: Browser) -> None:
    here = browser.live(invited(browser))
    code = here.state()["invitation"]["code"]
    game = here.now["id"]
    with server.browser() as guest:
        assert guest.post(f"/api/games/{game}/cancel").status_code == 403
        assert browser.post(f"/api/games/{game}/cancel").status_code == 200
        result = here.state(lambda state: state["result"])["result"]
        assert (result["winner"], result["reason"]) == (None, "aborted")
        assert guest.http.get(f"/join/{code}").status_code == 404
        assert guest.post(f"/api/games/{game}/join", {}).status_code == 409


def test_the_computer_takes_the_seat(browser: Browser) -> None:
    here = browser.live(invited(browser, clock=BLITZ))
    game = here.state()["id"]
    assert browser.post(f"/api/games/{game}/computer", {"level": 1}).status_code == 200
    state = here.state(lambda state: state["invitation"] is None)
    assert (state["players"]["B"]["kind"], state["clock"], state["online"]) == (
        "computer",
        None,
        False,
    )
    here.play("22-18")
    here.state(lambda state: state["ply"] == 2)


def test_a_game_on_one_screen_continues_on_two_devices(server: Server, browser: Browser) -> None:
    game = browser.new_game(names=["Ana", "Petra"])
    here = browser.live(game)
    here.state()
    here.play("22-18")
    assert browser.post(f"/api/games/{game}/invite", {"side": "B"}).status_code == 200
    state = here.state(lambda state: state["invitation"])
    assert state["invitation"]["freed"]
    assert state["you"] == ["W"]
    # It may become a game at one screen,
    assert browser.post(f"/api/games/{game}/cancel").status_code == 200
    assert here.state(lambda state: not state["invitation"])["you"] == ["W", "B"]
    # or a player takes the seat.
    assert browser.post(f"/api/games/{game}/invite", {"side": "B"}).status_code == 200
    here.state(lambda state: state["invitation"])
    with server.browser() as guest:
        join(guest, game)
        there = guest.live(game)
        assert there.state()["you"] == ["B"]
        there.play("11-15")
        here.state(lambda state: state["ply"] == 2)
        assert here.ask("move", ply=2, move="23-19")["code"] in {"bad_move", "stale"}
        assert browser.post(f"/api/games/{game}/invite", {"side": "W"}).status_code == 403


def test_the_page_of_an_invitation(server: Server, browser: Browser) -> None:
    here = browser.live(invited(browser, rules="dama100", names=["<Ana>", ""], clock=BLITZ))
    code = here.state()["invitation"]["code"]
    with server.browser() as guest:
        page = guest.http.get(f"/join/{code.lower()}").text
        assert "&lt;Ana&gt; invites you to a game." in page
        assert "Clock: 5 min plus 3 s per move." in page
        assert "Your colour: blue." in page or "Your colour: green." in page
        assert "<svg" in page
        assert f'data-game="{here.now["id"]}"' in page
        drawn = guest.http.get(f"/join/{code}.svg")
        assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert "This is your own invitation." in browser.http.get(f"/join/{code}").text
    spaced = code.lower().replace("-", " ")
    redirect = browser.http.get("/join", params={"code": f" {spaced} "})
    assert (redirect.status_code, redirect.headers["location"]) == (303, f"/join/{code}")
    wrong = browser.http.get("/join", params={"code": "AEIO"})
    assert "An invitation code has 14 letters and digits" in wrong.text


def test_codes_are_unambiguous() -> None:
    assert not set("AEIOUL01") & set(codes.LETTERS)
    assert normalise(" bkrtd-fgh j2-3456 ") == "BKRTD-FGHJ2-3456"
    assert normalise("BKRT") == "BKRT", "as issued by an earlier version"
    assert normalise("BKR") is None
    assert normalise("BKRA") is None
    assert normalise("ЖЖЖЖ") is None


def expire(server: Server, days: float) -> int:
    """Advance the time by days, and close expired games."""
    invitations = server.app.state.damka.invitations
    work = invitations.expire(datetime.now(UTC) + timedelta(days=days))
    loop = invitations._sweeping.get_loop()
    closed: int = asyncio.run_coroutine_threadsafe(work, loop).result(10)
    return closed


def test_an_invitation_expires_after_a_week(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.browser() as browser, server.browser() as guest:
        taken = invited(browser)
        join(guest, taken)
        here = browser.live(invited(browser, clock=BLITZ))
        code = here.state()["invitation"]["code"]
        one_screen = browser.new_game(names=["Ana", "Petra"])
        there = browser.live(one_screen)
        there.state()
        there.play("22-18")
        browser.post(f"/api/games/{one_screen}/invite", {"side": "B"})
        there.state(lambda state: state["invitation"])
        assert expire(server, 6.9) == 0
        assert guest.http.get(f"/join/{code}").status_code == 200
        assert expire(server, 7.1) == 2
        result = here.state(lambda state: state["result"])["result"]
        assert (result["winner"], result["reason"]) == (None, "aborted")
        assert result["cause"] == "The invitation expired: nobody joined."
        assert guest.http.get(f"/join/{code}").status_code == 404
        assert guest.post(f"/api/games/{here.now['id']}/join", {}).status_code == 409
        # A game started at one screen continues there.
        state = there.state(lambda state: not state["invitation"])
        assert (state["you"], state["result"]) == (["W", "B"], None)
        assert browser.live(taken).state()["result"] is None
        assert expire(server, 30) == 0
    with serving(tmp_path) as server, server.browser() as stranger:
        state = stranger.live(here.now["id"]).state()
        assert state["status"]["sentence"] == "The invitation expired: nobody joined."


def test_open_invitations_are_counted(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, invitations_per_holder=2, invite_burst=5, invite_rate=0.01)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        request = {"rules": "dama64", "opponent": "invite"}
        first = browser.post("/api/games", request).json()["id"]
        assert browser.post("/api/games", request).status_code == 201
        refused = browser.post("/api/games", request)
        assert (refused.status_code, refused.json()["error"]) == (429, "too_many_invitations")
        one_screen = browser.new_game()
        assert browser.post(f"/api/games/{one_screen}/invite", {"side": "B"}).status_code == 429
        # Cancelled ones do not count; other games never do.
        browser.post(f"/api/games/{first}/cancel")
        assert browser.post("/api/games", request).status_code == 201
        with server.browser() as stranger:
            refused = stranger.post("/api/games", request)
            assert (refused.status_code, refused.json()["error"]) == (429, "too_many")


def test_the_picture_is_an_svg_without_scripts() -> None:
    drawn = picture("http://192.0.2.7:8077/join/BKRT")
    assert re.match(r"<svg [^>]*viewBox=", drawn)
    assert "<script" not in drawn


def test_wrong_clocks_are_refused(browser: Browser) -> None:
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
    game = invited(browser)
    with server.browser() as guest:
        answer = guest.post(f"/api/games/{game}/join", {})
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "secure" not in cookie
    with server.browser(**{"x-forwarded-proto": "https"}) as safe:
        safe.http.headers["origin"] = server.url.replace("http:", "https:")
        answer = safe.post("/api/games", {"rules": "dama64", "opponent": "invite"})
        assert "; secure" in answer.headers["set-cookie"].lower()


def test_the_start_page_marks_games_where_it_is_your_turn(server: Server, browser: Browser) -> None:
    with server.browser() as guest:
        first, _ = two(browser, guest)
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
        here = browser.live(invited(browser))
        code = code_of(here) if here.state() else ""
        page = guest.http.get(f"/join/{code}").text
        assert "Ana-M invites you" in page
        assert 'type="hidden" id="name"' in page
        join(guest, here.now["id"])
        state = here.state(lambda state: state["invitation"] is None)
        assert [state["players"][side]["name"] for side in "WB"] == ["Ana-M", "Boris-M"]

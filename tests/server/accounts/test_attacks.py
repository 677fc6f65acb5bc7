"""Attacks with accounts: quotas, seats and races."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from damka.server.engine_pool import EnginePool
from damka.server.settings import Limits
from damka.workers import Requester
from tests.server.accounts.support import register
from tests.server.online import at, invited, join, two
from tests.server.support import Browser, Live, Server, serving


def test_searches_count_for_the_member_at_any_address(
    server: Server, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(browser)
    paid: list[Requester] = []
    pool: EnginePool = server.app.state.damka.engine_pool
    decide = pool.decide

    def noted(question: Any, requester: Requester) -> Any:
        paid.append(requester)
        return decide(question, requester)

    monkeypatch.setattr(pool, "decide", noted)
    with server.browser() as guest:
        for one in (browser, guest):
            live = one.live(one.new_game(opponent="computer", level=1))
            live.state()
            live.play("22-18")
            live.state(at(2))
    member, visitor = paid[0], paid[-1]
    assert member.address == visitor.address == "127.0.0.1"
    assert member.account
    assert not visitor.account
    assert visitor.person


def test_a_seat_is_of_no_use_in_another_browser(
    server: Server, browser: Browser, other: Browser
) -> None:
    """A member's old seat cookie or the link of a game gives no right to play."""
    game = invited(browser)
    stolen = browser.http.cookies.get("damka_seat")
    assert stolen
    register(browser)
    other.http.cookies.set("damka_seat", stolen)
    thief = other.live(game)
    assert thief.state()["you"] == []
    assert thief.now["invitation"] is None
    with server.browser() as guest:
        join(guest, game)
        owner = browser.live(game)
        assert len(owner.state()["you"]) == 1
        assert thief.ask("move", ply=0, move="22-18")["code"] == "not_yours"
        assert thief.ask("resign")["code"] == "not_yours"
        assert other.post(f"/api/games/{game}/cancel").status_code in (403, 409)
        assert owner.now["result"] is None
        owner.play("22-18")


def test_an_open_seat_is_taken_by_one_of_many(server: Server, browser: Browser) -> None:
    game = invited(browser)
    browsers = [server.browser() for _ in range(6)]
    answers: list[int] = []
    start = threading.Barrier(len(browsers))

    def take(one: Browser) -> None:
        start.wait()
        answers.append(one.post(f"/api/games/{game}/join", {"name": ""}).status_code)

    threads = [threading.Thread(target=take, args=(one,)) for one in browsers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 409, 409, 409, 409, 409]
    plays = [bool(one.live(game).state()["you"]) for one in browsers]
    assert plays.count(True) == 1
    for one in browsers:
        one.http.close()


def test_simultaneous_requests_are_serialised(
    server: Server, browser: Browser, other: Browser
) -> None:
    """A move, both resignations, offers and false claims at once give one common result."""
    for _ in range(5):
        first, second = two(browser, other, clock={"kind": "sudden", "seconds": 60, "increment": 0})
        first.play("22-18")
        second.state(at(1))
        second.play("11-15")
        first.state(at(2))
        start = threading.Barrier(2)

        def act(live: Live, *messages: tuple[str, dict[str, Any]]) -> None:
            start.wait()  # noqa: B023
            for t, fields in messages:
                live.send(t, **fields)

        move = ("move", {"ply": 2, "move": "18x11x15"})
        claims: list[tuple[str, dict[str, Any]]] = [("flag", {}), ("claim", {"draw": False})]
        threads = [
            threading.Thread(target=act, args=(first, move, *claims, ("resign", {}), move)),
            threading.Thread(target=act, args=(second, *claims, ("draw", {}), ("resign", {}))),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ends = [live.state(lambda state: state["result"])["result"] for live in (first, second)]
        assert ends[0]["winner"] == ends[1]["winner"]
        assert ends[0]["reason"] == ends[1]["reason"] == "resignation"
        with server.browser() as watcher:
            shown = watcher.live(first.now["id"]).state()
        assert shown["result"]["winner"] == ends[0]["winner"]
        assert shown["ply"] in (2, 3)
        first.close()
        second.close()


def test_forty_guests_behind_one_address_play(tmp_path: Path) -> None:
    """Under the default limits they all connect, join and play at once."""
    with serving(tmp_path, limits=Limits()) as server:
        browsers = [server.browser() for _ in range(40)]
        lives = []
        try:
            for inviter, guest in zip(browsers[::2], browsers[1::2], strict=True):
                game = invited(inviter)
                assert inviter.http.get(f"/game/{game}").status_code == 200
                join(guest, game)
                assert guest.http.get(f"/game/{game}").status_code == 200
                lives.append((inviter.live(game, has={}), guest.live(game, has={})))
            for first, second in lives:
                first.state()
                second.state()
                first.play("22-18")
                second.state(at(1))
        finally:
            for browser in browsers:
                with browser:
                    pass


def test_game_pages_of_an_address_are_rationed(tmp_path: Path) -> None:
    limits = Limits(page_burst=3, page_rate=0.01)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        game = browser.new_game()
        answers = [browser.http.get(f"/game/{game}").status_code for _ in range(5)]
        assert answers == [200, 200, 200, 429, 429]
        assert browser.live(game).state()["ply"] == 0


def test_ids_reveal_nothing_about_others(browser: Browser, other: Browser) -> None:
    """An id that was never issued is answered like any unknown one."""
    game = browser.new_game()
    near = [game[:-1] + letter for letter in "AQgw" if letter != game[-1]]
    texts = {other.http.get(f"/api/games/{each}/file").text for each in (*near, "A" * 22)}
    assert len(texts) == 1
    for each in (*near, "A" * 22):
        assert other.http.get(f"/game/{each}").status_code == 404
        assert other.live(each).closed_with() == 4404


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1"])
def test_members_change_nothing_from_other_pages(browser: Browser, origin: str) -> None:
    register(browser)
    headers = {"origin": origin}
    for path in ("/api/games", "/account/logout", "/account/register", "/lang"):
        answer = browser.http.post(path, headers=headers, data={"lang": "sk", "name": "Mallory"})
        assert answer.status_code == 403, path
    with pytest.raises(InvalidStatus):
        browser.live(browser.new_game(), Origin=origin)

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
from tests.server.online import create_invitation, join, ply_reached, start_online_game
from tests.server.support import Browser, Live, Server, serving


def test_searches_are_counted_for_the_account(
    server: Server, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(browser)
    requesters: list[Requester] = []
    pool: EnginePool = server.app.state.damka.engine_pool
    decide = pool.decide

    def record(request: Any, requester: Requester) -> Any:
        requesters.append(requester)
        return decide(request, requester)

    monkeypatch.setattr(pool, "decide", record)
    with server.browser() as guest:
        for player in (browser, guest):
            live = player.live(player.new_game(opponent="computer", level=1))
            live.state()
            live.play("22-18")
            live.state(ply_reached(2))
    member, guest_requester = requesters[0], requesters[-1]
    assert member.address == guest_requester.address == "127.0.0.1"
    assert member.account
    assert not guest_requester.account
    assert guest_requester.person


def test_a_stolen_seat_cookie_of_a_member_is_useless(
    server: Server, browser: Browser, other: Browser
) -> None:
    """A member's old seat cookie and the link of a game do not let another browser play."""
    game = create_invitation(browser)
    stolen = browser.http.cookies.get("damka_seat")
    assert stolen
    register(browser)
    other.http.cookies.set("damka_seat", stolen)
    thief_live = other.live(game)
    assert thief_live.state()["you"] == []
    assert thief_live.current["invitation"] is None
    with server.browser() as guest:
        join(guest, game)
        owner = browser.live(game)
        assert len(owner.state()["you"]) == 1
        assert thief_live.request("move", ply=0, move="22-18")["code"] == "not_yours"
        assert thief_live.request("resign")["code"] == "not_yours"
        assert other.post(f"/api/games/{game}/cancel").status_code in (403, 409)
        assert owner.current["result"] is None
        owner.play("22-18")


def test_only_one_of_many_browsers_gets_the_seat(server: Server, browser: Browser) -> None:
    game = create_invitation(browser)
    browsers = [server.browser() for _ in range(6)]
    responses: list[int] = []
    start = threading.Barrier(len(browsers))

    def take(each: Browser) -> None:
        start.wait()
        responses.append(each.post(f"/api/games/{game}/join", {"name": ""}).status_code)

    threads = [threading.Thread(target=take, args=(each,)) for each in browsers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(responses) == [200, 409, 409, 409, 409, 409]
    has_seat = [bool(each.live(game).state()["you"]) for each in browsers]
    assert has_seat.count(True) == 1
    for each in browsers:
        each.http.close()


def test_simultaneous_requests_are_serialised(
    server: Server, browser: Browser, other: Browser
) -> None:
    """A move, resignations, offers and false claims at once lead to one common result."""
    for _ in range(5):
        first, second = start_online_game(
            browser, other, clock={"kind": "sudden", "seconds": 60, "increment": 0}
        )
        first.play("22-18")
        second.state(ply_reached(1))
        second.play("11-15")
        first.state(ply_reached(2))
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
        results = [live.state(lambda state: state["result"])["result"] for live in (first, second)]
        assert results[0]["winner"] == results[1]["winner"]
        assert results[0]["reason"] == results[1]["reason"] == "resignation"
        with server.browser() as spectator:
            spectator_state = spectator.live(first.current["id"]).state()
        assert spectator_state["result"]["winner"] == results[0]["winner"]
        assert spectator_state["ply"] in (2, 3)
        first.close()
        second.close()


def test_forty_guests_behind_one_address_can_play(tmp_path: Path) -> None:
    """Under the default limits they all connect, join and play at once."""
    with serving(tmp_path, limits=Limits()) as server:
        browsers = [server.browser() for _ in range(40)]
        lives = []
        try:
            for inviter, guest in zip(browsers[::2], browsers[1::2], strict=True):
                game = create_invitation(inviter)
                assert inviter.http.get(f"/game/{game}").status_code == 200
                join(guest, game)
                assert guest.http.get(f"/game/{game}").status_code == 200
                lives.append((inviter.live(game, has={}), guest.live(game, has={})))
            for first, second in lives:
                first.state()
                second.state()
                first.play("22-18")
                second.state(ply_reached(1))
        finally:
            for browser in browsers:
                with browser:
                    pass


def test_game_pages_are_rate_limited_per_address(tmp_path: Path) -> None:
    limits = Limits(page_burst=3, page_rate=0.01)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        game = browser.new_game()
        responses = [browser.http.get(f"/game/{game}").status_code for _ in range(5)]
        assert responses == [200, 200, 200, 429, 429]
        assert browser.live(game).state()["ply"] == 0


def test_similar_ids_reveal_no_games(browser: Browser, other: Browser) -> None:
    """An id that is similar to an existing one gets the same response as any unknown id."""
    game = browser.new_game()
    similar = [game[:-1] + letter for letter in "AQgw" if letter != game[-1]]
    texts = {other.http.get(f"/api/games/{each}/file").text for each in (*similar, "A" * 22)}
    assert len(texts) == 1
    for each in (*similar, "A" * 22):
        assert other.http.get(f"/game/{each}").status_code == 404
        assert other.live(each).closed_with() == 4404


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1"])
def test_cross_origin_requests_of_members_are_refused(browser: Browser, origin: str) -> None:
    register(browser)
    headers = {"origin": origin}
    for path in ("/api/games", "/account/logout", "/account/register", "/lang"):
        response = browser.http.post(path, headers=headers, data={"lang": "sk", "name": "Mallory"})
        assert response.status_code == 403, path
    with pytest.raises(InvalidStatus):
        browser.live(browser.new_game(), Origin=origin)

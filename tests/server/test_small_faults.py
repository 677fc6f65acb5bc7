"""Edge cases of requests: each returns an error message, never a server error."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from damka.server.accounts.admin import set_right
from damka.server.settings import Limits
from tests.server.accounts.support import register, store_of
from tests.server.events import support as event_support
from tests.server.online import BLITZ, create_invitation, join, start_online_game
from tests.server.programs import Player
from tests.server.support import LIMITS, Browser, Server, serving


@pytest.mark.parametrize(
    "before",
    [
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "0001-01-01T00:00:00+23:59",
        "2026-01-01T00:00:00+99:00",
        "2026-01-01",
        "x" * 1000,
        "２０２６-01-01T00:00:00+00:00",
    ],
)
def test_extreme_dates_of_profiles(browser: Browser, before: str) -> None:
    name = register(browser)
    response = browser.http.get(f"/@/{name}", params={"before": before})
    assert response.status_code == 200


def test_extreme_dates_of_exports_and_events(server: Server, browser: Browser) -> None:
    player = Player(server)
    path = f"/api/members/{player.name}/games"
    for field in ("since", "until"):
        for day in ("0001-01-01", "9999-12-31"):
            response = player.program.http.get(path, params={field: day})
            assert response.status_code == 200, response.text
        for invalid in ("0000-01-01", "10000-01-01", "2026-01-01T00:00:00+14:00"):
            response = player.program.http.get(path, params={field: invalid})
            assert response.status_code == 422, response.text
    player.browser.__exit__(None, None, None)
    for starts, zone in (("0001-01-01T00:00", "840"), ("9999-12-31T23:59", "-999999")):
        created = event_support.form(
            browser, "/events", name="x", arbiter="A", rules="dama64", rounds=3, starts=starts,
            zone=zone, code=event_support.operator_code(server),
        )  # fmt: skip
        assert created.status_code == 422, created.text


@pytest.mark.parametrize("number", ["9" * 23, str(2**63), "0", "-1", "2147483648", "٣"])
def test_invalid_report_numbers_are_refused(server: Server, browser: Browser, number: str) -> None:
    name = register(browser)
    set_right(store_of(server)._engine, name, "arbiter")
    response = browser.http.post(f"/reports/{number}", data={"verdict": "dismissed"})
    assert response.status_code in {404, 409, 422}, response.text


@pytest.mark.parametrize("number", [10**22, 2**63, -1])
def test_invalid_message_numbers_are_refused(server: Server, browser: Browser, number: int) -> None:
    register(browser)
    with server.browser() as guest:
        first, _ = start_online_game(browser, guest)
        game = first.current["id"]
    for path in ("block", "report"):
        body = {"message": number, "on": True, "reason": "other"}
        body.pop("reason" if path == "block" else "on")
        response = browser.post(f"/api/games/{game}/person/{path}", body)
        assert response.status_code in {400, 403, 404, 422}, response.text


def test_blocked_players_cannot_offer_a_rematch(server: Server, browser: Browser) -> None:
    with server.browser() as blocked:
        register(browser)
        register(blocked)
        first, second = start_online_game(browser, blocked, clock=BLITZ)
        game = first.current["id"]
        second.send("resign")
        first.state(lambda state: state["result"])
        assert browser.post(f"/api/games/{game}/person/block", {"on": True}).status_code == 200
        for each in (blocked, browser):
            response = each.post(f"/api/games/{game}/rematch")
            assert (response.status_code, response.json()["error"]) == (403, "no_meeting")
            response = each.post(f"/api/games/{game}/act", {"t": "rematch"})
            assert (response.status_code, response.json()["error"]) == (403, "no_meeting")
        for live in (second, first):
            error = live.request("rematch")
            assert (error["code"], error["message"]) == (
                "no_meeting",
                "You can’t play against this player.",
            )
        assert browser.post(f"/api/games/{game}/person/block", {"on": False}).status_code == 200
        assert blocked.post(f"/api/games/{game}/rematch").status_code == 202


def test_blocked_players_cannot_chat_as_spectators(server: Server, browser: Browser) -> None:
    with server.browser() as blocked, server.browser() as friend:
        register(browser)
        register(blocked)
        first, second = start_online_game(browser, blocked)
        second.send("resign")
        first.state(lambda state: state["result"])
        browser.post(f"/api/games/{first.current['id']}/person/block", {"on": True})
        other = create_invitation(browser)
        join(friend, other)
        message = {"room": "watchers", "text": "boo"}
        response = blocked.post(f"/api/games/{other}/chat", message)
        assert (response.status_code, response.json()["error"]) == (403, "chat_apart")
        with server.browser() as stranger:
            assert stranger.post(f"/api/games/{other}/chat", message).status_code == 201


def test_a_rate_limited_client_gets_retry_after(tmp_path: Path) -> None:
    limits = dataclasses.replace(
        LIMITS, post_burst=2, post_rate=0.01, page_burst=1, page_rate=0.01, guess_burst=0,
        box_burst=0, challenge_burst=0, login_burst=0, connect_burst=1,
    )  # fmt: skip
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        game = browser.new_game()
        browser.http.get(f"/game/{game}")
        responses = [
            browser.http.get(f"/game/{game}"),
            browser.http.get(f"/game/{game}", headers={"accept": "text/html"}),
            browser.http.get("/join/BKRTDFGHJ23456"),
            browser.http.post("/account/login", data={"name": "a", "password": "b"}),
            *(browser.post("/api/games", {"rules": "dama64"}) for _ in range(3)),
        ]
        refused = [each for each in responses if each.status_code == 429]
        assert len(refused) >= 4, [each.status_code for each in responses]
        assert all(int(each.headers["retry-after"]) > 0 for each in refused)


def test_connections_are_counted_per_proxy_or_address(tmp_path: Path) -> None:
    with (
        serving(tmp_path, limits=Limits(sockets_per_address=1)) as server,
        server.browser() as first,
        server.browser() as second,
    ):
        for each in (first, second):
            each.http.headers["x-forwarded-for"] = "192.0.2.1"
        # Connections count for the trusted proxy, not for the forwarded address.
        assert first.http.get("/livez").status_code == 200


@pytest.mark.parametrize("path", ["/openapi.json", "/asyncapi.json", "/api", "/api/live"])
def test_an_api_client_can_read_the_description(server: Server, path: str) -> None:
    player = Player(server)
    assert player.program.http.get(path).status_code == 200
    player.browser.__exit__(None, None, None)
    with server.browser(authorization="Bearer damka_" + "x" * 43) as invalid:
        assert invalid.http.get(path).status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/api/games/load", "POST"),
        ("GET", "/events/new", None),
        ("DELETE", "/api/games/load", "POST"),
        ("POST", "/api/rules", "GET"),
        ("PUT", "/api/games", "POST"),
        ("POST", "/events/code", "GET"),
    ],
)
def test_a_wrong_method_is_answered_with_405(
    browser: Browser, method: str, path: str, allowed: str | None
) -> None:
    response = browser.http.request(method, path)
    if allowed is None:
        assert response.status_code == 200
        return
    assert (response.status_code, response.headers["allow"]) == (405, allowed)
    assert response.json()["error"] == "wrong_method"


def test_an_empty_body_is_no_draw_offer(server: Server) -> None:
    first, second = Player(server), Player(server)
    game = first.program.game(opponent="invite")
    assert second.program.post(f"/api/games/{game}/join").status_code == 200
    for action in ("draw", "undo"):
        response = first.program.http.post(f"/api/games/{game}/{action}")
        assert response.status_code == 400, response.text
        assert '"draw_offer":null' in first.program.http.get(f"/api/games/{game}").text
    assert first.program.post(f"/api/games/{game}/resign").status_code == 200
    for player in (first, second):
        player.browser.__exit__(None, None, None)

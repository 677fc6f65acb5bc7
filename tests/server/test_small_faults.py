"""Edge cases of requests: each gets an error in words, none a server error."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from damka.server.accounts.admin import right
from damka.server.settings import Limits
from tests.server.accounts.support import register, store_of
from tests.server.events import support as of_events
from tests.server.online import BLITZ, invited, join, two
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
def test_dates_at_the_end_of_time(browser: Browser, before: str) -> None:
    name = register(browser)
    answer = browser.http.get(f"/@/{name}", params={"before": before})
    assert answer.status_code == 200


def test_dates_of_exports_and_events(server: Server, browser: Browser) -> None:
    player = Player(server)
    path = f"/api/members/{player.name}/games"
    for field in ("since", "until"):
        for day in ("0001-01-01", "9999-12-31"):
            asked = player.program.http.get(path, params={field: day})
            assert asked.status_code == 200, asked.text
        for wrong in ("0000-01-01", "10000-01-01", "2026-01-01T00:00:00+14:00"):
            asked = player.program.http.get(path, params={field: wrong})
            assert asked.status_code == 422, asked.text
    player.browser.__exit__(None, None, None)
    for starts, zone in (("0001-01-01T00:00", "840"), ("9999-12-31T23:59", "-999999")):
        made = of_events.form(
            browser, "/events", name="x", arbiter="A", rules="dama64", rounds=3, starts=starts,
            zone=zone, code=of_events.operator_code(server),
        )  # fmt: skip
        assert made.status_code == 422, made.text


@pytest.mark.parametrize("number", ["9" * 23, str(2**63), "0", "-1", "2147483648", "٣"])
def test_reports_of_any_number(server: Server, browser: Browser, number: str) -> None:
    name = register(browser)
    right(store_of(server)._engine, name, "arbiter")
    answer = browser.http.post(f"/reports/{number}", data={"verdict": "dismissed"})
    assert answer.status_code in {404, 409, 422}, answer.text


@pytest.mark.parametrize("number", [10**22, 2**63, -1])
def test_messages_of_any_number(server: Server, browser: Browser, number: int) -> None:
    register(browser)
    with server.browser() as guest:
        first, _ = two(browser, guest)
        game = first.now["id"]
    for path in ("block", "report"):
        body = {"message": number, "on": True, "reason": "other"}
        body.pop("reason" if path == "block" else "on")
        answer = browser.post(f"/api/games/{game}/person/{path}", body)
        assert answer.status_code in {400, 403, 404, 422}, answer.text


def test_the_blocked_offer_no_rematch(server: Server, browser: Browser) -> None:
    with server.browser() as blocked:
        register(browser)
        register(blocked)
        first, second = two(browser, blocked, clock=BLITZ)
        game = first.now["id"]
        second.send("resign")
        first.state(lambda state: state["result"])
        assert browser.post(f"/api/games/{game}/person/block", {"on": True}).status_code == 200
        for each in (blocked, browser):
            answer = each.post(f"/api/games/{game}/rematch")
            assert (answer.status_code, answer.json()["error"]) == (403, "no_meeting")
            answer = each.post(f"/api/games/{game}/act", {"t": "rematch"})
            assert (answer.status_code, answer.json()["error"]) == (403, "no_meeting")
        for live in (second, first):
            error = live.ask("rematch")
            assert (error["code"], error["message"]) == (
                "no_meeting",
                "You can’t play against this player.",
            )
        assert browser.post(f"/api/games/{game}/person/block", {"on": False}).status_code == 200
        assert blocked.post(f"/api/games/{game}/rematch").status_code == 202


def test_the_blocked_write_nothing_as_spectators(server: Server, browser: Browser) -> None:
    with server.browser() as blocked, server.browser() as friend:
        register(browser)
        register(blocked)
        first, second = two(browser, blocked)
        second.send("resign")
        first.state(lambda state: state["result"])
        browser.post(f"/api/games/{first.now['id']}/person/block", {"on": True})
        other = invited(browser)
        join(friend, other)
        said = {"room": "watchers", "text": "boo"}
        answer = blocked.post(f"/api/games/{other}/chat", said)
        assert (answer.status_code, answer.json()["error"]) == (403, "chat_apart")
        with server.browser() as stranger:
            assert stranger.post(f"/api/games/{other}/chat", said).status_code == 201


def test_a_rate_limited_client_gets_retry_after(tmp_path: Path) -> None:
    limits = dataclasses.replace(
        LIMITS, post_burst=2, post_rate=0.01, page_burst=1, page_rate=0.01, guess_burst=0,
        box_burst=0, challenge_burst=0, login_burst=0, connect_burst=1,
    )  # fmt: skip
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        game = browser.new_game()
        browser.http.get(f"/game/{game}")
        answers = [
            browser.http.get(f"/game/{game}"),
            browser.http.get(f"/game/{game}", headers={"accept": "text/html"}),
            browser.http.get("/join/BKRTDFGHJ23456"),
            browser.http.post("/account/login", data={"name": "a", "password": "b"}),
            *(browser.post("/api/games", {"rules": "dama64"}) for _ in range(3)),
        ]
        refused = [each for each in answers if each.status_code == 429]
        assert len(refused) >= 4, [each.status_code for each in answers]
        assert all(int(each.headers["retry-after"]) > 0 for each in refused)


def test_too_many_connections_learn_it_too(tmp_path: Path) -> None:
    with (
        serving(tmp_path, limits=Limits(sockets_per_address=1)) as server,
        server.browser() as one,
        server.browser() as two_,
    ):
        for each in (one, two_):
            each.http.headers["x-forwarded-for"] = "192.0.2.1"
        # Connections count for the proxy; without a proxy, for the address.
        assert one.http.get("/livez").status_code == 200


@pytest.mark.parametrize("path", ["/openapi.json", "/asyncapi.json", "/api", "/api/live"])
def test_a_program_may_read_the_description(server: Server, path: str) -> None:
    player = Player(server)
    assert player.program.http.get(path).status_code == 200
    player.browser.__exit__(None, None, None)
    with server.browser(authorization="Bearer damka_" + "x" * 43) as wrong:
        assert wrong.http.get(path).status_code == 401


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
    answer = browser.http.request(method, path)
    if allowed is None:
        assert answer.status_code == 200
        return
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
    assert answer.json()["error"] == "wrong_method"


def test_a_draw_needs_a_body(server: Server) -> None:
    one, two_ = Player(server), Player(server)
    game = one.program.game(opponent="invite")
    assert two_.program.post(f"/api/games/{game}/join").status_code == 200
    for action in ("draw", "undo"):
        answer = one.program.http.post(f"/api/games/{game}/{action}")
        assert answer.status_code == 400, answer.text
        assert '"draw_offer":null' in one.program.http.get(f"/api/games/{game}").text
    assert one.program.post(f"/api/games/{game}/resign").status_code == 200
    for player in (one, two_):
        player.browser.__exit__(None, None, None)

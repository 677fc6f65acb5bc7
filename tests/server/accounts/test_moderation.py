"""Bans, blocks, reports, arbiters' decisions and rate limits."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from damka import rules
from damka.live.setup import new_id
from damka.live.stored_game import Seat
from damka.server.accounts import members, moderation
from damka.server.accounts.values import Right
from tests.server.accounts.support import (
    PASSWORD,
    ROOMY,
    form,
    is_member,
    log_in,
    new_name,
    register,
    store_of,
)
from tests.server.online import create_invitation, join
from tests.server.support import Browser, Server, serving


def id_of(server: Server, name: str) -> str:
    with store_of(server).transaction() as connection:
        account = members.find(connection, name)
    assert account is not None
    return account.id


def holder_of(server: Server, name: str) -> str:
    with store_of(server).transaction() as connection:
        account = members.find(connection, name)
    assert account is not None
    return account.holder


def promote(server: Server, name: str, right: Right = "arbiter") -> None:
    with store_of(server).transaction() as connection:
        members.set_right(connection, id_of(server, name), right)


def create_game_between(server: Server, white: str, black: str) -> str:
    """Store a game of two members; return its id."""
    game = new_id()
    seats = (
        Seat("W", "person", 1, holder=holder_of(server, white)),
        Seat("B", "person", 2, holder=holder_of(server, black)),
    )
    store_of(server).create(game, rules.load("dama64").to_dict(), seats)
    return game


# Bans


def test_a_banned_member_cannot_start_games(server: Server, browser: Browser) -> None:
    name = register(browser)
    game = browser.new_game()
    until = datetime(2199, 5, 1, 12, 30, tzinfo=UTC)
    with store_of(server).transaction() as connection:
        moderation.ban(connection, account_id=id_of(server, name), until=until)
    body = {"rules": "dama64", "opponent": "computer"}
    for path in ("/api/games", "/api/games/load", f"/api/games/{game}/rematch"):
        response = browser.post(path, body)
        assert response.status_code == 403
        assert response.json()["error"] == "banned"
        assert response.json()["message"].endswith("until 2199-05-01 12:30 UTC.")
    response = browser.post("/api/games?lang=it", body)
    assert "fino al 2199-05-01" in response.json()["message"]
    # Running games continue.
    live = browser.live(game)
    live.state()
    live.play(live.current["legal"][0]["hub"])
    with store_of(server).transaction() as connection:
        assert moderation.unban(connection, account_id=id_of(server, name)) == 1
    assert browser.post("/api/games", body).status_code == 201


def test_a_ban_expires_or_is_permanent(server: Server, browser: Browser) -> None:
    name = register(browser)
    past = datetime.now(UTC) - timedelta(seconds=1)
    with store_of(server).transaction() as connection:
        moderation.ban(connection, account_id=id_of(server, name), until=past)
    browser.new_game()
    with store_of(server).transaction() as connection:
        moderation.ban(connection, account_id=id_of(server, name))
    response = browser.post("/api/games", {"rules": "dama64"})
    assert response.json()["message"] == "You are permanently banned from playing here."


@pytest.mark.parametrize("network", ["203.0.113.7", "203.0.113.0/24", "2001:db8::/64"])
def test_addresses_and_networks_can_be_banned(tmp_path: Path, network: str) -> None:
    with serving(tmp_path, limits=ROOMY) as server:
        with store_of(server).transaction() as connection:
            moderation.ban(connection, network=moderation.network_of(network))
        banned = "2001:db8::7" if ":" in network else "203.0.113.7"
        for address, status in ((banned, 403), ("198.51.100.1", 201)):
            with server.browser(**{"x-forwarded-for": address}) as browser:
                response = browser.post("/api/games", {"rules": "dama64", "opponent": "person"})
                assert response.status_code == status


# Blocks


def test_a_member_can_block_and_unblock_another(
    server: Server, browser: Browser, other: Browser
) -> None:
    first, second = register(browser), register(other)
    for _ in range(2):
        assert form(browser, f"/@/{second}/block").status_code == 303
    assert f"You have blocked {second}" in browser.http.get(f"/@/{second}").text
    assert "You have blocked" not in other.http.get(f"/@/{first}").text
    holders = holder_of(server, first), holder_of(server, second)
    with store_of(server).transaction() as connection:
        assert moderation.either_blocks(connection, *holders)
        assert moderation.either_blocks(connection, *holders[::-1])
        assert not moderation.either_blocks(connection, holders[0], "g" * 64)
    form(browser, f"/@/{second}/block", off="1")
    with store_of(server).transaction() as connection:
        assert not moderation.either_blocks(connection, *holders)


def test_blocked_players_cannot_join_the_same_game(browser: Browser, other: Browser) -> None:
    register(browser)
    name = register(other)
    game = create_invitation(browser)
    form(browser, f"/@/{name}/block")
    response = other.post(f"/api/games/{game}/join", {})
    assert (response.status_code, response.json()["error"]) == (403, "no_meeting")
    form(browser, f"/@/{name}/block", off="1")
    assert join(other, game)["id"] == game


def test_invalid_blocks_are_refused(browser: Browser, other: Browser) -> None:
    name = register(browser)
    assert form(browser, f"/@/{name}/block").status_code == 404
    assert form(browser, "/@/unknown-name/block").status_code == 404
    assert form(other, f"/@/{name}/block").status_code == 401


# Reports


def test_a_report_is_decided_once_and_logged(
    server: Server, browser: Browser, other: Browser
) -> None:
    first, second = register(browser), register(other)
    game = create_game_between(server, first, second)
    assert "Reason" in browser.http.get(f"/game/{game}/report").text
    text = "<script>alert(1)</script>\nHe plays like a program. \u202e"
    reported = form(browser, f"/game/{game}/report", reason="cheating", text=text)
    assert reported.status_code == 303
    refused = form(browser, f"/game/{game}/report", reason="other")
    assert (refused.status_code, refused.json()["error"]) == (409, "reported_already")
    with server.browser() as arbiter:
        name = register(arbiter)
        assert arbiter.http.get("/reports").status_code == 403
        promote(server, name)
        page = arbiter.http.get("/reports").text
        assert "<script>alert" not in page
        assert "\u202e" not in page
        assert "He plays like a program." in page
        assert f'href="/@/{first}"' in page
        assert f'href="/@/{second}"' in page
        [report] = re.findall(r'action="/reports/(\d+)"', page)
        assert form(other, f"/reports/{report}", verdict="nothing").status_code == 403
        assert form(arbiter, f"/reports/{report}", verdict="unknown").status_code == 422
        decided = form(arbiter, f"/reports/{report}", verdict="week", note="Warned twice.")
        assert decided.status_code == 303
        refused = form(arbiter, f"/reports/{report}", verdict="nothing")
        assert (refused.status_code, refused.json()["error"]) == (409, "settled_already")
        page = arbiter.http.get("/reports").text
        assert "No open reports." in page
        assert "Warned twice." in page
        assert name in page
    response = other.post("/api/games", {"rules": "dama64"})
    until = datetime.now(UTC) + timedelta(days=7)
    assert f"until {until:%Y-%m-%d}" in response.json()["message"]


@pytest.mark.parametrize("verdict", ["nothing", "warning"])
def test_dismissing_or_warning_does_not_ban(
    server: Server, browser: Browser, other: Browser, verdict: str
) -> None:
    first, second = register(browser), register(other)
    game = create_game_between(server, first, second)
    form(browser, f"/game/{game}/report", reason="other")
    promote(server, first, "operator")
    [report] = re.findall(r'action="/reports/(\d+)"', browser.http.get("/reports").text)
    form(browser, f"/reports/{report}", verdict=verdict)
    other.new_game()


def test_only_opponents_can_report(server: Server, browser: Browser, other: Browser) -> None:
    first, second = register(browser), register(other)
    game = create_game_between(server, first, second)
    own_game = browser.new_game()
    assert form(browser, f"/game/{own_game}/report", reason="other").status_code == 403
    assert form(browser, f"/game/{new_id()}/report", reason="other").status_code == 403
    assert form(browser, "/game/x/report", reason="other").status_code == 404
    assert form(browser, f"/game/{game}/report", reason="boredom").status_code == 422
    with server.browser() as guest:
        assert form(guest, f"/game/{game}/report", reason="other").status_code == 401
        register(guest)
        assert form(guest, f"/game/{game}/report", reason="other").status_code == 403
        assert guest.http.get(f"/game/{game}/report").status_code == 403


def test_only_the_own_game_list_has_report_links(
    server: Server, browser: Browser, other: Browser
) -> None:
    first, second = register(browser), register(other)
    game = create_game_between(server, first, second)
    live = browser.live(game)
    live.state()
    live.send("resign")
    live.state(lambda state: state["result"])
    assert f"/game/{game}/report" in browser.http.get(f"/@/{first}").text
    assert f"/game/{game}/report" not in other.http.get(f"/@/{first}").text


# Rate limits


@pytest.fixture
def strict_server(tmp_path: Path) -> Iterator[Server]:
    limits = dataclasses.replace(
        ROOMY,
        name_burst=3,
        name_rate=1e-9,
        login_burst=8,
        login_rate=1e-9,
        account_burst=2,
        account_rate=1e-9,
    )
    with serving(tmp_path, limits=limits) as server:
        yield server


def test_guesses_of_one_password_have_a_global_limit(strict_server: Server) -> None:
    with strict_server.browser() as browser:
        name = register(browser)
    for number in range(5):
        with strict_server.browser(**{"x-forwarded-for": f"198.51.100.{number}"}) as browser:
            response = log_in(browser, name.upper() if number % 2 else name, "a wrong guess")
            assert response.status_code == (403 if number < 3 else 429)
    with strict_server.browser(**{"x-forwarded-for": "198.51.100.77"}) as browser:
        assert log_in(browser, name).status_code == 429
        assert "Too many attempts" in log_in(browser, name).text


def test_guesses_are_rate_limited_per_address(strict_server: Server) -> None:
    with strict_server.browser() as browser:
        responses = [log_in(browser, new_name(), "a wrong guess").status_code for _ in range(10)]
    assert responses == [403] * 8 + [429] * 2


def test_new_accounts_are_rate_limited(strict_server: Server) -> None:
    responses = []
    for _ in range(3):
        with strict_server.browser() as browser:
            # Attempts at taken names do not count.
            for name in ("admin", new_name()):
                response = form(browser, "/account/register", name=name, password=PASSWORD)
            responses.append(response.status_code)
    assert responses == [303, 303, 429]


def test_a_name_with_nul_is_refused(browser: Browser) -> None:
    assert form(browser, "/account/login", name="Pe\0tra", password=PASSWORD).status_code == 400
    assert browser.http.get("/@/Pe%00tra").status_code == 404
    response = browser.post("/account/passkey/options", {"purpose": "register", "name": "Pe\0tra"})
    assert response.status_code == 422


def test_forms_that_are_too_large_are_refused(browser: Browser) -> None:
    response = form(browser, "/account/login", name="x" * 300_000, password=PASSWORD)
    assert response.status_code == 413
    many = {f"field{n}": "x" for n in range(100)}
    assert form(browser, "/account/login", **many).status_code == 400
    response = form(browser, "/account/login", name=new_name(), password="x" * 100_000)
    assert response.status_code == 403
    assert not is_member(browser)

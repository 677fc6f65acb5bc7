"""Tokens: creation, single display, use by API clients, revocation, and forbidden uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlalchemy import select

from damka.server.accounts import tokens as tokens_module
from damka.server.store.token_models import TokenRow
from tests.server.accounts.support import ROOMY, form, log_in, register, store_of
from tests.server.programs import Program, become_bot, new_token, token_ids
from tests.server.support import Browser, Server, serving


@pytest.fixture
def member(browser: Browser) -> Browser:
    register(browser)
    return browser


def test_a_token_is_shown_once_and_only_its_hash_is_stored(server: Server, member: Browser) -> None:
    token = new_token(member, "read", label="My bot")
    assert re.fullmatch(r"damka_[A-Za-z0-9_-]{43}", token), "256 bits"
    page = member.http.get("/account/tokens")
    assert "My bot" in page.text
    assert token not in page.text
    assert page.headers["cache-control"] == "no-store"
    with store_of(server).transaction() as connection:
        rows = [tuple(map(str, row)) for row in connection.execute(select(TokenRow.__table__))]
    assert not any(token[6:] in value for row in rows for value in row)


def test_a_token_acts_for_its_account(server: Server, member: Browser) -> None:
    program = Program(server, new_token(member, "challenge", "play", "read"))
    game = program.game()
    with program.live(game) as live:
        assert live.state()["you"] == ["W"]
        live.play("23-19")
    assert member.live(game).state()["you"] == ["W"], "the member's browser has the same seat"
    assert "set-cookie" not in program.get("/api/rules").headers


def test_the_last_use_is_recorded(server: Server, member: Browser) -> None:
    token = new_token(member)
    assert "never used" in member.http.get("/account/tokens?lang=en").text
    Program(server, token).get("/api/rules")
    assert "never used" not in member.http.get("/account/tokens?lang=en").text


def test_revoking_a_token_closes_its_connections(server: Server, member: Browser) -> None:
    token = new_token(member)
    program = Program(server, token)
    game = program.game()
    with program.live(game) as live:
        live.state()
        (entry,) = token_ids(member)
        form(member, "/account/tokens/revoke", token=entry)
        assert live.closed_with() == 4401
    response = program.get("/api/rules")
    assert (response.status_code, response.json()["error"]) == (401, "bad_token")
    assert response.headers["www-authenticate"] == 'Bearer error="invalid_token"'


def test_members_cannot_revoke_the_tokens_of_others(
    server: Server, member: Browser, other: Browser
) -> None:
    program = Program(server, new_token(member))
    (entry,) = token_ids(member)
    register(other)
    form(other, "/account/tokens/revoke", token=entry)
    assert program.get("/api/rules").status_code == 200


@pytest.mark.parametrize(
    ("scopes", "method", "path", "missing"),
    [
        (("read",), "POST", "/api/games", "challenge"),
        (("read", "play"), "POST", "/api/games/AAAAAAAAAAAAAAAAAAAAAA/join", "challenge"),
        (("challenge",), "GET", "/api/games/AAAAAAAAAAAAAAAAAAAAAA/pdn", "read"),
    ],
)
def test_a_token_is_limited_to_its_scopes(
    server: Server, member: Browser, scopes: tuple[str, ...], method: str, path: str, missing: str
) -> None:
    response = Program(server, new_token(member, *scopes)).http.request(method, path)
    assert (response.status_code, response.json()["where"]) == (403, missing)
    assert f'scope="{missing}"' in response.headers["www-authenticate"]


def test_a_read_only_token_is_a_spectator(server: Server, member: Browser) -> None:
    game = member.new_game()
    with Program(server, new_token(member, "read")).live(game) as live:
        assert live.state()["you"] == []
        assert live.request("resign")["code"] == "not_yours"


@pytest.mark.parametrize(
    "path", ["/", "/account/tokens", "/account/security", "/account/export", "/@/Kat", "/reports"]
)
def test_tokens_cannot_open_pages(server: Server, member: Browser, path: str) -> None:
    response = Program(server, new_token(member)).get(path)
    assert (response.status_code, response.json()["error"]) == (403, "no_tokens_here")


@pytest.mark.parametrize(
    "path",
    ["/account/tokens", "/account/password", "/account/close", "/account/bot", "/account/settings"],
)
def test_a_token_cannot_manage_tokens_or_the_account(
    server: Server, member: Browser, path: str
) -> None:
    response = Program(server, new_token(member)).post(path)
    assert (response.status_code, response.json()["error"]) == (403, "no_tokens_here")


def test_cookies_are_ignored_with_a_token(server: Server, member: Browser, other: Browser) -> None:
    """An invalid token or another account's token does not fall back to the cookies."""
    game = member.new_game(opponent="person")
    cookies = "; ".join(f"{name}={value}" for name, value in member.http.cookies.items())
    register(other)
    for token in ("nonsense", "damka_" + "A" * 43):
        program = Program(server, token, cookie=cookies)
        assert program.post(f"/api/games/{game}/rematch").status_code == 401
        with program.live(game) as live:
            assert live.closed_with() == 4401
    other_program = Program(server, new_token(other), cookie=cookies)
    assert other_program.post(f"/api/games/{game}/cancel").json()["error"] == "not_yours"
    with other_program.live(game) as live:
        assert live.state()["you"] == []
    assert "set-cookie" not in other_program.post("/api/games", {"rules": "dama64"}).headers


def test_other_authorization_schemes_do_not_allow_cross_origin_requests(
    server: Server, member: Browser
) -> None:
    """Only a token lifts the protection against cross-origin requests."""
    for scheme in ("Basic abc", "Bearer", "bearerdamka", ""):
        response = member.http.post(
            "/api/games",
            json={"rules": "dama64"},
            headers={"origin": "https://evil.example", "authorization": scheme},
        )
        assert response.status_code in {401, 403}, scheme


def test_browsers_cannot_send_tokens_across_origins(server: Server, member: Browser) -> None:
    """Preflight requests are not answered with permissions."""
    response = member.http.options(
        "/api/games",
        headers={
            "origin": "https://evil.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization",
        },
    )
    assert response.status_code == 405
    assert not any(name.startswith("access-control-") for name in response.headers)


@pytest.mark.parametrize("query", ["?access_token=x", "?a={token}", "?Bearer=1"])
def test_a_token_in_an_address_is_refused(server: Server, member: Browser, query: str) -> None:
    token = new_token(member)
    path = query.format(token=token)
    response = Program(server, None).get(f"/api/rules{path}")
    assert (response.status_code, response.json()["error"]) == (400, "token_in_query")
    game = member.new_game()
    with Program(server, token).live(game, path) as live:
        assert live.closed_with() == 4401


def test_each_token_has_its_own_rate_limit(tmp_path: Path) -> None:
    import dataclasses  # noqa: PLC0415

    limits = dataclasses.replace(ROOMY, token_burst=3, token_rate=0.001, login_burst=5)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        register(browser)
        first, second = (Program(server, new_token(browser, "read")) for _ in range(2))
        assert [first.get("/api/rules").status_code for _ in range(4)] == [200, 200, 200, 429]
        assert second.get("/api/rules").status_code == 200, "another token has its own limit"
        invalid = Program(server, "damka_" + "B" * 43)
        statuses = [invalid.get("/api/rules").status_code for _ in range(8)]
        assert statuses[0] == 401
        assert statuses[-1] == 429, "invalid tokens are limited per address"
        assert second.get("/api/rules").status_code == 200, (
            "valid tokens at the address are not affected"
        )


def test_a_token_needs_the_password(server: Server, member: Browser) -> None:
    response = form(member, "/account/tokens", label="x", scope="read", old="wrong password")
    assert response.status_code == 403
    assert not token_ids(member)


@pytest.mark.parametrize(
    "fields", [{"label": " "}, {"label": "x"}, {"label": "x", "scope": "root"}]
)
def test_a_token_needs_a_name_and_scopes(
    server: Server, member: Browser, fields: dict[str, str]
) -> None:
    scope = {} if "scope" in fields or fields["label"] == "x" else {"scope": "read"}
    response = form(member, "/account/tokens", **fields, **scope)
    assert response.status_code == 422
    assert not token_ids(member)


def test_the_number_of_tokens_is_limited(
    server: Server, member: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens_module, "MAX_TOKENS", 1)
    new_token(member)
    assert form(member, "/account/tokens", label="x", scope="read").status_code == 409


def test_a_reset_or_closed_account_has_no_valid_tokens(
    server: Server, browser: Browser, other: Browser
) -> None:
    from damka.server.accounts import admin  # noqa: PLC0415

    name = register(browser)
    program = Program(server, new_token(browser))
    _, path = admin.new_password_link(store_of(server)._engine, name)
    form(other, path, password="eight grey kings")
    assert program.get("/api/rules").status_code == 401
    log_in(browser, name, "eight grey kings")
    program = Program(server, new_token(browser, password="eight grey kings"))
    form(browser, "/account/close", name=name, old="eight grey kings")
    assert program.get("/api/rules").status_code == 401


def test_a_bot_is_labelled_everywhere(server: Server, member: Browser, other: Browser) -> None:
    become_bot(member)
    assert "BOT" in member.http.get("/account/tokens?lang=en").text.upper()
    game = other.new_game(opponent="invite")
    member.post(f"/api/games/{game}/join", {"name": "Ordinary Person"})
    live = other.live(game)
    assert live.state()["players"]["B"]["name"].startswith("BOT Kat")


def test_becoming_a_bot_needs_confirmation(server: Server, member: Browser) -> None:
    response = form(member, "/account/bot", old="wrong")
    assert response.status_code == 422

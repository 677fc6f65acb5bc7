"""Registration, login, and the data of a member."""

from __future__ import annotations

import re

import pytest
from argon2 import PasswordHasher

from damka.server import security
from damka.server.accounts import SESSION_COOKIE, members, passwords
from damka.server.security import SEAT_COOKIE
from tests.server.accounts.support import (
    PASSWORD,
    form,
    is_member,
    log_in,
    new_name,
    register,
    store_of,
)
from tests.server.support import Browser, Server


def test_visitors_are_anonymous_by_default(browser: Browser) -> None:
    page = browser.http.get("/")
    assert page.status_code == 200
    assert 'href="/account?next=/"' in page.text
    assert SESSION_COOKIE not in browser.http.cookies
    assert SEAT_COOKIE not in browser.http.cookies


def test_a_new_member_keeps_the_games_of_the_guest(browser: Browser, other: Browser) -> None:
    game = browser.new_game()
    live = browser.live(game)
    live.state()
    live.play(live.current["legal"][0]["hub"])
    name = register(browser)
    assert name in browser.http.get("/").text
    # The member has the same seats on this device and another.
    assert browser.live(game).state()["you"] == ["W", "B"]
    assert other.live(game).state()["you"] == []
    assert log_in(other, name).status_code == 303
    assert other.live(game).state()["you"] == ["W", "B"]
    assert game in other.http.get("/").text
    assert game in other.http.get(f"/@/{name}").text


def test_a_game_started_as_a_member_belongs_to_the_account(
    browser: Browser, other: Browser
) -> None:
    name = register(browser)
    game = browser.new_game()
    assert SEAT_COOKIE not in browser.http.cookies
    log_in(other, name)
    assert other.live(game).state()["you"] == ["W", "B"]


def test_a_claimed_guest_cookie_is_invalid(
    server: Server, browser: Browser, other: Browser
) -> None:
    game = browser.new_game()
    stolen = browser.http.cookies[SEAT_COOKIE]
    register(browser)
    other.http.cookies.set(SEAT_COOKIE, stolen)
    assert other.live(game).state()["you"] == []
    form(browser, "/account/logout")
    assert browser.live(game).state()["you"] == []
    # A logged-out browser is a new guest.
    new_game = browser.new_game()
    assert browser.live(new_game).state()["you"] == ["W", "B"]
    assert browser.http.cookies[SEAT_COOKIE] != stolen


def test_a_second_account_does_not_take_games_of_the_first(
    browser: Browser, other: Browser
) -> None:
    first = register(browser)
    game = browser.new_game()
    register(browser)
    assert browser.live(game).state()["you"] == []
    log_in(other, first)
    assert other.live(game).state()["you"] == ["W", "B"]


def test_every_login_creates_a_new_session(browser: Browser) -> None:
    planted = "A" * 43
    browser.http.cookies.set(SESSION_COOKIE, planted, domain="127.0.0.1")
    name = register(browser)
    first = [c.value for c in browser.http.cookies.jar if c.name == SESSION_COOKIE]
    assert planted not in first[-1:]
    log_in(browser, name)
    second = [c.value for c in browser.http.cookies.jar if c.name == SESSION_COOKIE]
    assert second[-1] not in first
    # The earlier session of this browser has ended.
    with Browser(browser.url) as thief:
        thief.http.cookies.set(SESSION_COOKIE, str(first[-1]))
        assert not is_member(thief)


def test_the_session_cookie_is_http_only_and_stored_as_a_hash(
    server: Server, browser: Browser
) -> None:
    response = form(browser, "/account/register", name=new_name(), password=PASSWORD)
    cookie = response.headers["set-cookie"]
    assert cookie.startswith(SESSION_COOKIE)
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    match = re.search(r"damka_session=([^;]+)", cookie)
    assert match is not None
    assert security.is_token(match[1])
    with store_of(server).transaction() as connection:
        dump = "\n".join(connection.connection.driver_connection.iterdump())  # type: ignore[union-attr]
    assert match[1] not in dump
    assert PASSWORD not in dump


def test_the_cookie_is_secure_under_https(server: Server) -> None:
    with server.browser(**{"x-forwarded-proto": "https"}) as browser:
        browser.http.headers["origin"] = server.url.replace("http", "https", 1)
        response = form(browser, "/account/register", name=new_name(), password=PASSWORD)
        assert "Secure" in response.headers["set-cookie"]


def test_logging_out_ends_the_session(browser: Browser) -> None:
    register(browser)
    token = browser.http.cookies[SESSION_COOKIE]
    form(browser, "/account/logout")
    assert not is_member(browser)
    browser.http.cookies.set(SESSION_COOKIE, token)
    assert not is_member(browser)


def test_logging_out_everywhere(browser: Browser, other: Browser) -> None:
    name = register(browser)
    log_in(other, name)
    assert is_member(other)
    form(browser, "/account/logout", all="1")
    assert not is_member(browser)
    assert not is_member(other)


def test_devices_are_listed_and_can_be_logged_out(browser: Browser, other: Browser) -> None:
    other.http.headers["user-agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"
    name = register(browser)
    log_in(other, name)
    page = browser.http.get("/account/security").text
    assert "Firefox, Linux" in page
    [session] = re.findall(r'name="session" value="([0-9a-f]{64})"', page)
    form(browser, "/account/session/end", session=session)
    assert not is_member(other)
    assert is_member(browser)


def test_members_cannot_end_the_sessions_of_others(browser: Browser, other: Browser) -> None:
    register(browser)
    register(other)
    session = security.hashed(other.http.cookies[SESSION_COOKIE])
    form(browser, "/account/session/end", session=session)
    assert is_member(other)


@pytest.mark.parametrize("wrong", ["name", "password"])
def test_a_wrong_name_and_a_wrong_password_get_the_same_error(browser: Browser, wrong: str) -> None:
    name = register(browser)
    form(browser, "/account/logout")
    credentials = (new_name(), PASSWORD) if wrong == "name" else (name, "another password")
    response = log_in(browser, *credentials)
    assert response.status_code == 403
    assert "Wrong name or password." in response.text
    assert "set-cookie" not in response.headers
    page = response.text.replace(credentials[0], "NAME")
    other_page = log_in(browser, new_name(), "something else").text
    assert page == re.sub(r'value="Kat[a-z]+"', 'value="NAME"', other_page)


def test_a_wrong_name_is_hashed_like_a_wrong_password(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either login runs one hash with the same parameters, which dominates its time.

    Measured times would be unreliable on a busy machine.
    """
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    verified: list[str] = []

    class CountingHasher:
        hash = cheap.hash
        check_needs_rehash = cheap.check_needs_rehash

        def verify(self, stored: str, password: str) -> bool:
            verified.append(stored.rsplit("$", 2)[0])
            return cheap.verify(stored, password)

    counting = CountingHasher()
    monkeypatch.setattr(passwords, "_hasher", lambda: counting)
    passwords._dummy_hash.cache_clear()
    name = register(browser)
    form(browser, "/account/logout")
    for name_tried in (name, new_name(), "<b>", ""):
        assert log_in(browser, name_tried, "not the password").status_code == 403
    assert len(verified) == 4
    assert set(verified) == {"$argon2id$v=19$m=8,t=1,p=1"}


def test_names_are_case_insensitive(browser: Browser, other: Browser) -> None:
    name = register(browser)
    assert log_in(other, f" {name.upper()} ").status_code == 303
    assert browser.http.get(f"/@/{name.lower()}").headers["location"] == f"/@/{name}"


@pytest.mark.parametrize("taken", ["Bruno", "bruno", "BRUNO", "Bru-no", "Brun0", "Ｂｒｕｎｏ"])
def test_similar_names_are_taken(server: Server, taken: str) -> None:
    with server.browser() as first, server.browser() as second:
        form(first, "/account/register", name="Bruno", password=PASSWORD)
        response = form(second, "/account/register", name=taken, password=PASSWORD)
        assert response.status_code == 409
        assert "That name, or one that looks like it, is taken" in response.text
        assert not is_member(second)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("name", "<b>x</b>", "Start with a letter"),
        ("name", "x", "at least 2"),
        ("name", "Admin", "name is reserved"),
        ("name", "Pеtra", "one alphabet"),  # with a Cyrillic е
        ("password", "1234567", "at least 8"),
        ("password", "password123", "too common"),
        ("password", "x" * 201, "at most 200"),
    ],
)
def test_registration_errors_are_shown_next_to_the_field(
    browser: Browser, field: str, value: str, expected: str
) -> None:
    fields = {"name": new_name(), "password": PASSWORD, field: value}
    response = form(browser, "/account/register", **fields)
    assert response.status_code == 422
    assert expected in response.text
    assert 'aria-invalid="true"' in response.text
    assert "<b>x" not in response.text
    assert "set-cookie" not in response.headers
    assert value not in response.text or field == "name"


def test_the_login_redirects_only_to_this_server(browser: Browser) -> None:
    fields = {"name": new_name(), "password": PASSWORD}
    for address in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:1"):
        response = form(
            browser, "/account/login", **{**fields, "name": register(browser)}, next=address
        )
        assert response.headers["location"] == "/"
    response = form(
        browser, "/account/login", name=register(browser), password=PASSWORD, next="/box"
    )
    assert response.headers["location"] == "/box"


def test_cross_origin_account_requests_are_refused(server: Server, browser: Browser) -> None:
    name = register(browser)
    for path in ("login", "register", "logout", "password", "close", "preferences", "settings"):
        response = browser.http.post(
            f"/account/{path}",
            data={"name": name, "password": PASSWORD},
            headers={"origin": "https://evil.example"},
        )
        assert response.status_code == 403, path
    assert is_member(browser)


def test_a_password_change_logs_out_other_devices(browser: Browser, other: Browser) -> None:
    name = register(browser)
    log_in(other, name)
    refused = form(browser, "/account/password", old="wrong password", password="a new password")
    assert "Wrong password." in refused.text
    assert is_member(other)
    response = form(browser, "/account/password", old=PASSWORD, password="a new password")
    assert response.status_code == 303
    assert is_member(browser)
    assert not is_member(other)
    assert log_in(other, name).status_code == 403
    assert log_in(other, name, "a new password").status_code == 303


def test_a_short_new_password_is_refused(browser: Browser) -> None:
    register(browser)
    response = form(browser, "/account/password", old=PASSWORD, password="short")
    assert response.status_code == 422
    assert "at least 8" in response.text


@pytest.mark.parametrize(
    "path", ["", "/security", "/preferences", "/export", "/close"], ids=lambda path: path or "home"
)
def test_pages_of_a_member(browser: Browser, path: str) -> None:
    guest = browser.http.get(f"/account{path}")
    assert guest.status_code == (200 if path == "" else 401)
    register(browser)
    for language in ("bg", "en", "it", "sk"):
        page = browser.http.get(f"/account{path}?lang={language}")
        assert page.status_code == 200
        assert len(page.content) < 60_000


def test_a_reset_link_works_once(server: Server, browser: Browser, other: Browser) -> None:
    name = register(browser)
    with store_of(server).transaction() as connection:
        account = members.find(connection, name)
        assert account is not None
        token = members.new_reset(connection, account.id)
    assert name in other.http.get(f"/account/reset/{token}").text
    too_short = form(other, f"/account/reset/{token}", password="short")
    assert too_short.status_code == 422
    assert is_member(browser)
    reset = form(other, f"/account/reset/{token}", password="quite another one")
    assert reset.status_code == 303
    assert is_member(other)
    assert not is_member(browser)
    assert form(browser, f"/account/reset/{token}", password="once more please").status_code == 404
    assert browser.http.get(f"/account/reset/{token}").status_code == 404
    assert browser.http.get("/account/reset/nonsense").status_code == 404

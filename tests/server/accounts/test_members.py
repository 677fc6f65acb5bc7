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


def test_anonymous_is_the_default(browser: Browser) -> None:
    page = browser.http.get("/")
    assert page.status_code == 200
    assert 'href="/account?next=/"' in page.text
    assert SESSION_COOKIE not in browser.http.cookies
    assert SEAT_COOKIE not in browser.http.cookies


def test_a_guest_becomes_a_member_and_keeps_the_games(browser: Browser, other: Browser) -> None:
    game = browser.new_game()
    live = browser.live(game)
    live.state()
    live.play(live.now["legal"][0]["hub"])
    name = register(browser)
    assert name in browser.http.get("/").text
    # The same seats, on this device and another.
    assert browser.live(game).state()["you"] == ["W", "B"]
    assert other.live(game).state()["you"] == []
    assert log_in(other, name).status_code == 303
    assert other.live(game).state()["you"] == ["W", "B"]
    assert game in other.http.get("/").text
    assert game in other.http.get(f"/@/{name}").text


def test_a_game_begun_as_a_member_is_the_member_s(browser: Browser, other: Browser) -> None:
    name = register(browser)
    game = browser.new_game()
    assert SEAT_COOKIE not in browser.http.cookies
    log_in(other, name)
    assert other.live(game).state()["you"] == ["W", "B"]


def test_the_guest_s_cookie_plays_no_more_once_it_is_claimed(
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
    mine = browser.new_game()
    assert browser.live(mine).state()["you"] == ["W", "B"]
    assert browser.http.cookies[SEAT_COOKIE] != stolen


def test_a_second_account_leaves_the_first_one_s_games(browser: Browser, other: Browser) -> None:
    first = register(browser)
    game = browser.new_game()
    register(browser)
    assert browser.live(game).state()["you"] == []
    log_in(other, first)
    assert other.live(game).state()["you"] == ["W", "B"]


def test_a_session_is_new_at_every_login(browser: Browser) -> None:
    planted = "A" * 43
    browser.http.cookies.set(SESSION_COOKIE, planted, domain="127.0.0.1")
    name = register(browser)
    first = [c.value for c in browser.http.cookies.jar if c.name == SESSION_COOKIE]
    assert planted not in first[-1:]
    log_in(browser, name)
    second = [c.value for c in browser.http.cookies.jar if c.name == SESSION_COOKIE]
    assert second[-1] not in first
    # This browser's earlier session has ended.
    with Browser(browser.url) as thief:
        thief.http.cookies.set(SESSION_COOKIE, str(first[-1]))
        assert not is_member(thief)


def test_the_cookie_is_out_of_reach_and_stored_as_its_hash(
    server: Server, browser: Browser
) -> None:
    answer = form(browser, "/account/register", name=new_name(), password=PASSWORD)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(SESSION_COOKIE)
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    value = re.search(r"damka_session=([^;]+)", cookie)
    assert value is not None
    assert security.is_token(value[1])
    with store_of(server).transaction() as connection:
        dump = "\n".join(connection.connection.driver_connection.iterdump())  # type: ignore[union-attr]
    assert value[1] not in dump
    assert PASSWORD not in dump


def test_the_cookie_is_secure_under_https(server: Server) -> None:
    with server.browser(**{"x-forwarded-proto": "https"}) as browser:
        browser.http.headers["origin"] = server.url.replace("http", "https", 1)
        answer = form(browser, "/account/register", name=new_name(), password=PASSWORD)
        assert "Secure" in answer.headers["set-cookie"]


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


def test_devices_are_listed_and_ended_one_by_one(browser: Browser, other: Browser) -> None:
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
    asked = (new_name(), PASSWORD) if wrong == "name" else (name, "another password")
    answer = log_in(browser, *asked)
    assert answer.status_code == 403
    assert "Wrong name or password." in answer.text
    assert "set-cookie" not in answer.headers
    shown = answer.text.replace(asked[0], "NAME")
    other = log_in(browser, new_name(), "something else").text
    assert shown == re.sub(r'value="Kat[a-z]+"', 'value="NAME"', other)


def test_a_wrong_name_costs_as_much_as_a_wrong_password(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hashing dominates the time: it runs once in either case, with the same parameters.

    Measuring time would be unreliable: on a busy machine either login may be delayed.
    """
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    verified: list[str] = []

    class Counting:
        hash = cheap.hash
        check_needs_rehash = cheap.check_needs_rehash

        def verify(self, stored: str, password: str) -> bool:
            verified.append(stored.rsplit("$", 2)[0])
            return cheap.verify(stored, password)

    counting = Counting()
    monkeypatch.setattr(passwords, "_hasher", lambda: counting)
    passwords._dummy_hash.cache_clear()
    name = register(browser)
    form(browser, "/account/logout")
    for asked in (name, new_name(), "<b>", ""):
        assert log_in(browser, asked, "not the password").status_code == 403
    assert len(verified) == 4
    assert set(verified) == {"$argon2id$v=19$m=8,t=1,p=1"}


def test_names_are_found_in_any_spelling(browser: Browser, other: Browser) -> None:
    name = register(browser)
    assert log_in(other, f" {name.upper()} ").status_code == 303
    assert browser.http.get(f"/@/{name.lower()}").headers["location"] == f"/@/{name}"


@pytest.mark.parametrize("taken", ["Bruno", "bruno", "BRUNO", "Bru-no", "Brun0", "Ｂｒｕｎｏ"])
def test_a_name_that_looks_like_another_is_taken(server: Server, taken: str) -> None:
    with server.browser() as first, server.browser() as second:
        form(first, "/account/register", name="Bruno", password=PASSWORD)
        answer = form(second, "/account/register", name=taken, password=PASSWORD)
        assert answer.status_code == 409
        assert "That name, or one that looks like it, is taken" in answer.text
        assert not is_member(second)


@pytest.mark.parametrize(
    ("field", "value", "said"),
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
def test_registration_errors_are_shown_at_the_field(
    browser: Browser, field: str, value: str, said: str
) -> None:
    fields = {"name": new_name(), "password": PASSWORD, field: value}
    answer = form(browser, "/account/register", **fields)
    assert answer.status_code == 422
    assert said in answer.text
    assert 'aria-invalid="true"' in answer.text
    assert "<b>x" not in answer.text
    assert "set-cookie" not in answer.headers
    assert value not in answer.text or field == "name"


def test_the_login_redirects_only_to_this_server(browser: Browser) -> None:
    fields = {"name": new_name(), "password": PASSWORD}
    for address in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:1"):
        answer = form(
            browser, "/account/login", **{**fields, "name": register(browser)}, next=address
        )
        assert answer.headers["location"] == "/"
    answer = form(browser, "/account/login", name=register(browser), password=PASSWORD, next="/box")
    assert answer.headers["location"] == "/box"


def test_other_sites_cannot_log_users_in_or_out(server: Server, browser: Browser) -> None:
    name = register(browser)
    for path in ("login", "register", "logout", "password", "close", "preferences", "settings"):
        answer = browser.http.post(
            f"/account/{path}",
            data={"name": name, "password": PASSWORD},
            headers={"origin": "https://evil.example"},
        )
        assert answer.status_code == 403, path
    assert is_member(browser)


def test_a_password_is_changed_and_other_devices_are_logged_out(
    browser: Browser, other: Browser
) -> None:
    name = register(browser)
    log_in(other, name)
    wrong = form(browser, "/account/password", old="wrong password", password="a new password")
    assert "Wrong password." in wrong.text
    assert is_member(other)
    answer = form(browser, "/account/password", old=PASSWORD, password="a new password")
    assert answer.status_code == 303
    assert is_member(browser)
    assert not is_member(other)
    assert log_in(other, name).status_code == 403
    assert log_in(other, name, "a new password").status_code == 303


def test_a_short_new_password_is_refused(browser: Browser) -> None:
    register(browser)
    answer = form(browser, "/account/password", old=PASSWORD, password="short")
    assert answer.status_code == 422
    assert "at least 8" in answer.text


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
    bad = form(other, f"/account/reset/{token}", password="short")
    assert bad.status_code == 422
    assert is_member(browser)
    done = form(other, f"/account/reset/{token}", password="quite another one")
    assert done.status_code == 303
    assert is_member(other)
    assert not is_member(browser)
    assert form(browser, f"/account/reset/{token}", password="once more please").status_code == 404
    assert browser.http.get(f"/account/reset/{token}").status_code == 404
    assert browser.http.get("/account/reset/nonsense").status_code == 404

"""Passkeys: registration, login, and attacks."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from damka.server.accounts.passkeys import Party
from damka.server.store.account_models import ChallengeRow, PasskeyRow, SessionRow
from tests.server.accounts.authenticator import Authenticator, Json, b64
from tests.server.accounts.support import form, is_member, log_in, new_name, register, store_of
from tests.server.support import Browser, Server


@pytest.fixture
def browser(server: Server) -> Any:
    with local(server) as browser:
        yield browser


@pytest.fixture
def other(server: Server) -> Any:
    with local(server) as browser:
        yield browser


def local(server: Server) -> Browser:
    """A browser that uses the host name localhost, which allows passkeys."""
    return Browser(server.url.replace("127.0.0.1", "localhost"))


def options(browser: Browser, purpose: str, name: str = "") -> Json:
    answer = browser.post("/account/passkey/options", {"purpose": purpose, "name": name})
    assert answer.status_code == 200, answer.text
    given: Json = answer.json()
    return given


def send(browser: Browser, purpose: str, credential: Json) -> httpx.Response:
    return browser.post("/account/passkey", {"purpose": purpose, "credential": credential})


def member(browser: Browser) -> tuple[str, Authenticator]:
    """Register with a passkey."""
    name, device = new_name(), Authenticator()
    given = options(browser, "register", name)
    answer = send(browser, "register", device.make(given, browser.url))
    assert answer.status_code == 200, answer.text
    return name, device


def test_a_name_is_taken_with_a_passkey_and_used_on_another_device(
    browser: Browser, other: Browser
) -> None:
    game = browser.new_game()
    name, device = member(browser)
    assert is_member(browser)
    assert name in browser.http.get("/account").text
    given = options(other, "login")
    # Without a name the response reveals no accounts.
    assert given["allowCredentials"] == []
    answer = send(other, "login", device.sign(given, other.url))
    assert answer.status_code == 200, answer.text
    assert other.live(game).state()["you"] == ["W", "B"]


def test_a_second_passkey_is_added_and_the_first_removed(browser: Browser, other: Browser) -> None:
    _, first = member(browser)
    second = Authenticator()
    given = options(browser, "add")
    assert given["excludeCredentials"][0]["id"] == b64(first.id)
    assert send(browser, "add", second.make(given, browser.url)).status_code == 200
    form(browser, "/account/passkey/remove", id=b64(first.id))
    assert send(other, "login", first.sign(options(other, "login"), other.url)).status_code == 403
    assert send(other, "login", second.sign(options(other, "login"), other.url)).status_code == 200
    last = form(browser, "/account/passkey/remove", id=b64(second.id))
    assert last.status_code == 409
    assert "be able to log in again" in last.text
    answer = form(browser, "/account/password", old="", password="now with a password")
    assert answer.status_code == 303
    assert form(browser, "/account/passkey/remove", id=b64(second.id)).status_code == 303


def test_a_member_by_password_adds_a_passkey(browser: Browser, other: Browser) -> None:
    register(browser)
    device = Authenticator()
    assert send(browser, "add", device.make(options(browser, "add"), browser.url)).is_success
    assert send(other, "login", device.sign(options(other, "login"), other.url)).is_success
    assert is_member(other)


def test_an_old_session_must_authenticate_again(server: Server, browser: Browser) -> None:
    name = register(browser)
    with store_of(server).transaction() as connection:
        connection.execute(
            update(SessionRow).values(created=datetime.now(UTC) - timedelta(hours=1))
        )
    answer = browser.post("/account/passkey/options", {"purpose": "add"})
    assert (answer.status_code, answer.json()["error"]) == (403, "log_in_again")
    body = {"purpose": "add", "password": "seven green men"}
    assert browser.post("/account/passkey/options", body).is_success
    assert form(browser, "/account/passkey/remove", id="x").status_code == 403
    log_in(browser, name)
    assert browser.post("/account/passkey/options", {"purpose": "add"}).is_success


def test_an_answer_is_taken_once(browser: Browser, other: Browser) -> None:
    _, device = member(browser)
    answer = device.sign(options(other, "login"), other.url)
    assert send(other, "login", answer).is_success
    again = send(other, "login", answer)
    assert (again.status_code, again.json()["error"]) == (403, "old_passkey")
    name, new = new_name(), Authenticator()
    made = new.make(options(other, "register", name), other.url)
    assert send(other, "register", made).is_success
    assert send(other, "register", made).json()["error"] == "old_passkey"


def test_an_old_challenge_is_refused(server: Server, browser: Browser, other: Browser) -> None:
    _, device = member(browser)
    given = options(other, "login")
    with store_of(server).transaction() as connection:
        connection.execute(update(ChallengeRow).values(expires=datetime.now(UTC)))
    answer = send(other, "login", device.sign(given, other.url))
    assert answer.json()["error"] == "old_passkey"


def test_a_challenge_is_for_one_purpose(browser: Browser, other: Browser) -> None:
    _, device = member(browser)
    given = options(other, "register", new_name())
    given["rpId"] = given["rp"]["id"]
    answer = send(other, "login", device.sign(given, other.url))
    assert answer.json()["error"] == "old_passkey"


def test_a_passkey_made_for_one_account_is_not_added_to_another(
    browser: Browser, other: Browser
) -> None:
    member(browser)
    member(other)
    made = Authenticator().make(options(browser, "add"), browser.url)
    assert send(other, "add", made).json()["error"] == "bad_passkey"


@pytest.mark.parametrize(
    "wrong",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://localhost"},
        {"party": "evil.example"},
        {"type": "webauthn.create"},
        {"challenge": b64(b"another challenge altogether")},
        {"signature": bytes(70)},
        {"signature": b""},
        {"flags": 0},
        {"count": 0},
    ],
    ids=str,
)
def test_a_wrong_answer_does_not_log_in(
    browser: Browser, other: Browser, wrong: dict[str, Any]
) -> None:
    _, device = member(browser)
    good = send(other, "login", device.sign(options(other, "login"), other.url))
    assert good.is_success
    form(other, "/account/logout")
    answer = send(other, "login", device.sign(options(other, "login"), other.url, **wrong))
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert not is_member(other)


@pytest.mark.parametrize(
    "wrong", [{"origin": "https://evil.example"}, {"party": "evil.example"}, {"type": "x"}], ids=str
)
def test_a_wrong_new_passkey_makes_no_account(browser: Browser, wrong: dict[str, Any]) -> None:
    name = new_name()
    made = Authenticator().make(options(browser, "register", name), browser.url, **wrong)
    assert send(browser, "register", made).status_code == 403
    assert browser.http.get(f"/@/{name}").status_code == 404


@pytest.mark.parametrize(
    "credential",
    [
        {},
        {"response": None},
        {"response": {"clientDataJSON": 7}},
        {"response": {"clientDataJSON": "x" * 100_000}},
        {"response": {"clientDataJSON": "!!!"}},
        {"response": {"clientDataJSON": b64(b"[" * 1000)}},
        {"response": {"clientDataJSON": b64(b'{"challenge": 7}')}},
        {"response": {"clientDataJSON": b64(b'{"challenge": "ab"}')}},
    ],
    ids=lambda each: str(each)[:40],
)
@pytest.mark.parametrize("purpose", ["register", "login"])
def test_garbage_is_refused(browser: Browser, credential: Json, purpose: str) -> None:
    assert send(browser, purpose, credential).status_code in {403, 422}


@pytest.mark.parametrize("part", ["attestationObject", "authenticatorData", "signature", "id"])
@pytest.mark.parametrize("put", [None, 7, "", "!!!", "\0", b64(bytes(400)), "x" * 10_000])
def test_garbage_in_a_part_is_refused(browser: Browser, part: str, put: object) -> None:
    device = Authenticator()
    if part == "attestationObject":
        answer = device.make(options(browser, "register", new_name()), browser.url)
        answer["response"][part] = put
        assert send(browser, "register", answer).status_code in {403, 422}
        return
    _, device = member(browser)
    answer = device.sign(options(browser, "login"), browser.url)
    if part == "id":
        answer["id"] = put
    else:
        answer["response"][part] = put
    assert send(browser, "login", answer).status_code in {403, 422}


def test_an_unknown_passkey_is_refused(browser: Browser) -> None:
    answer = send(browser, "login", Authenticator().sign(options(browser, "login"), browser.url))
    assert (answer.status_code, answer.json()["error"]) == (403, "bad_passkey")


def test_a_name_that_was_taken_meanwhile(browser: Browser, other: Browser) -> None:
    name = new_name()
    given = options(browser, "register", name)
    register(other, name)
    answer = send(browser, "register", Authenticator().make(given, browser.url))
    assert (answer.status_code, answer.json()["error"]) == (409, "name_taken")
    taken = browser.post("/account/passkey/options", {"purpose": "register", "name": name})
    assert taken.json()["error"] == "name_taken"


def test_one_passkey_is_not_of_two_accounts(browser: Browser, other: Browser) -> None:
    _, device = member(browser)
    given = options(other, "register", new_name())
    assert not send(other, "register", device.make(given, other.url)).is_success


def test_there_are_none_under_a_bare_address(server: Server) -> None:
    with server.browser() as browser:
        page = browser.http.get("/account").text
        assert "data-passkeys" not in page
        assert "Passkeys work only over HTTPS" in page
        answer = browser.post("/account/passkey/options", {"purpose": "login"})
        assert answer.json()["error"] == "no_passkeys"


def test_public_keys_and_counts_are_kept(server: Server, browser: Browser, other: Browser) -> None:
    _, device = member(browser)
    send(other, "login", device.sign(options(other, "login"), other.url))
    with store_of(server).transaction() as connection:
        query = PasskeyRow.__table__.select().where(PasskeyRow.id == b64(device.id))
        row = connection.execute(query).one()
    assert row.sign_count == 1
    assert row.used is not None


@pytest.mark.parametrize(
    ("scheme", "host", "more", "expected"),
    [
        ("http", "localhost:8077", (), Party("localhost", ("http://localhost:8077",))),
        ("https", "dama.example", (), Party("dama.example", ("https://dama.example",))),
        (
            "https",
            "dama.example",
            ("https://club.dama.example", "https://evil.example", "https://notdama.example"),
            Party("dama.example", ("https://dama.example", "https://club.dama.example")),
        ),
        ("http", "dama.example", (), None),
        ("http", "club", (), None),
        ("https", "192.168.1.7:8443", (), None),
        ("https", "[::1]:8443", (), None),
        ("https", "", (), None),
        ("https", "[", (), None),
    ],
)
def test_where_there_are_passkeys(
    scheme: str, host: str, more: tuple[str, ...], expected: Party | None
) -> None:
    found = Party.of(scheme, host, more)
    assert (found and dataclasses.astuple(found)) == (expected and dataclasses.astuple(expected))

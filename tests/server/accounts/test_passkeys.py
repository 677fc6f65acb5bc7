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
    """Return a browser that uses the host name localhost, which allows passkeys."""
    return Browser(server.url.replace("127.0.0.1", "localhost"))


def options(browser: Browser, purpose: str, name: str = "") -> Json:
    response = browser.post("/account/passkey/options", {"purpose": purpose, "name": name})
    assert response.status_code == 200, response.text
    data: Json = response.json()
    return data


def send(browser: Browser, purpose: str, credential: Json) -> httpx.Response:
    return browser.post("/account/passkey", {"purpose": purpose, "credential": credential})


def register_member(browser: Browser) -> tuple[str, Authenticator]:
    """Register with a passkey; return the name and the device."""
    name, device = new_name(), Authenticator()
    request_options = options(browser, "register", name)
    response = send(browser, "register", device.create_credential(request_options, browser.url))
    assert response.status_code == 200, response.text
    return name, device


def test_a_passkey_account_works_in_another_browser(browser: Browser, other: Browser) -> None:
    game = browser.new_game()
    name, device = register_member(browser)
    assert is_member(browser)
    assert name in browser.http.get("/account").text
    request_options = options(other, "login")
    # Without a name the response reveals no accounts.
    assert request_options["allowCredentials"] == []
    response = send(other, "login", device.sign(request_options, other.url))
    assert response.status_code == 200, response.text
    assert other.live(game).state()["you"] == ["W", "B"]


def test_a_second_passkey_is_added_and_the_first_removed(browser: Browser, other: Browser) -> None:
    _, first = register_member(browser)
    second = Authenticator()
    request_options = options(browser, "add")
    assert request_options["excludeCredentials"][0]["id"] == b64(first.id)
    assert (
        send(browser, "add", second.create_credential(request_options, browser.url)).status_code
        == 200
    )
    form(browser, "/account/passkey/remove", id=b64(first.id))
    assert send(other, "login", first.sign(options(other, "login"), other.url)).status_code == 403
    assert send(other, "login", second.sign(options(other, "login"), other.url)).status_code == 200
    last = form(browser, "/account/passkey/remove", id=b64(second.id))
    assert last.status_code == 409
    assert "be able to log in again" in last.text
    response = form(browser, "/account/password", old="", password="now with a password")
    assert response.status_code == 303
    assert form(browser, "/account/passkey/remove", id=b64(second.id)).status_code == 303


def test_a_member_with_a_password_can_add_a_passkey(browser: Browser, other: Browser) -> None:
    register(browser)
    device = Authenticator()
    assert send(
        browser, "add", device.create_credential(options(browser, "add"), browser.url)
    ).is_success
    assert send(other, "login", device.sign(options(other, "login"), other.url)).is_success
    assert is_member(other)


def test_an_old_session_must_authenticate_again(server: Server, browser: Browser) -> None:
    name = register(browser)
    with store_of(server).transaction() as connection:
        connection.execute(
            update(SessionRow).values(created=datetime.now(UTC) - timedelta(hours=1))
        )
    response = browser.post("/account/passkey/options", {"purpose": "add"})
    assert (response.status_code, response.json()["error"]) == (403, "log_in_again")
    body = {"purpose": "add", "password": "seven green men"}
    assert browser.post("/account/passkey/options", body).is_success
    assert form(browser, "/account/passkey/remove", id="x").status_code == 403
    log_in(browser, name)
    assert browser.post("/account/passkey/options", {"purpose": "add"}).is_success


def test_a_response_is_accepted_once(browser: Browser, other: Browser) -> None:
    _, device = register_member(browser)
    response = device.sign(options(other, "login"), other.url)
    assert send(other, "login", response).is_success
    replayed = send(other, "login", response)
    assert (replayed.status_code, replayed.json()["error"]) == (403, "old_passkey")
    name, new = new_name(), Authenticator()
    credential = new.create_credential(options(other, "register", name), other.url)
    assert send(other, "register", credential).is_success
    assert send(other, "register", credential).json()["error"] == "old_passkey"


def test_an_expired_challenge_is_refused(server: Server, browser: Browser, other: Browser) -> None:
    _, device = register_member(browser)
    request_options = options(other, "login")
    with store_of(server).transaction() as connection:
        connection.execute(update(ChallengeRow).values(expires=datetime.now(UTC)))
    response = send(other, "login", device.sign(request_options, other.url))
    assert response.json()["error"] == "old_passkey"


def test_a_challenge_is_bound_to_its_purpose(browser: Browser, other: Browser) -> None:
    _, device = register_member(browser)
    request_options = options(other, "register", new_name())
    request_options["rpId"] = request_options["rp"]["id"]
    response = send(other, "login", device.sign(request_options, other.url))
    assert response.json()["error"] == "old_passkey"


def test_a_passkey_cannot_be_added_to_another_account(browser: Browser, other: Browser) -> None:
    register_member(browser)
    register_member(other)
    credential = Authenticator().create_credential(options(browser, "add"), browser.url)
    assert send(other, "add", credential).json()["error"] == "bad_passkey"


@pytest.mark.parametrize(
    "overrides",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://localhost"},
        {"rp_id": "evil.example"},
        {"type": "webauthn.create"},
        {"challenge": b64(b"another challenge altogether")},
        {"signature": bytes(70)},
        {"signature": b""},
        {"flags": 0},
        {"count": 0},
    ],
    ids=str,
)
def test_an_invalid_response_does_not_log_in(
    browser: Browser, other: Browser, overrides: dict[str, Any]
) -> None:
    _, device = register_member(browser)
    valid = send(other, "login", device.sign(options(other, "login"), other.url))
    assert valid.is_success
    form(other, "/account/logout")
    response = send(other, "login", device.sign(options(other, "login"), other.url, **overrides))
    assert response.status_code == 403
    assert "set-cookie" not in response.headers
    assert not is_member(other)


@pytest.mark.parametrize(
    "overrides",
    [{"origin": "https://evil.example"}, {"rp_id": "evil.example"}, {"type": "x"}],
    ids=str,
)
def test_an_invalid_passkey_creates_no_account(browser: Browser, overrides: dict[str, Any]) -> None:
    name = new_name()
    credential = Authenticator().create_credential(
        options(browser, "register", name), browser.url, **overrides
    )
    assert send(browser, "register", credential).status_code == 403
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
def test_malformed_credentials_are_refused(
    browser: Browser, credential: Json, purpose: str
) -> None:
    assert send(browser, purpose, credential).status_code in {403, 422}


@pytest.mark.parametrize("part", ["attestationObject", "authenticatorData", "signature", "id"])
@pytest.mark.parametrize("value", [None, 7, "", "!!!", "\0", b64(bytes(400)), "x" * 10_000])
def test_malformed_parts_of_a_credential_are_refused(
    browser: Browser, part: str, value: object
) -> None:
    device = Authenticator()
    if part == "attestationObject":
        response = device.create_credential(options(browser, "register", new_name()), browser.url)
        response["response"][part] = value
        assert send(browser, "register", response).status_code in {403, 422}
        return
    _, device = register_member(browser)
    response = device.sign(options(browser, "login"), browser.url)
    if part == "id":
        response["id"] = value
    else:
        response["response"][part] = value
    assert send(browser, "login", response).status_code in {403, 422}


def test_an_unknown_passkey_is_refused(browser: Browser) -> None:
    response = send(browser, "login", Authenticator().sign(options(browser, "login"), browser.url))
    assert (response.status_code, response.json()["error"]) == (403, "bad_passkey")


def test_a_name_taken_during_registration_is_refused(browser: Browser, other: Browser) -> None:
    name = new_name()
    request_options = options(browser, "register", name)
    register(other, name)
    response = send(
        browser, "register", Authenticator().create_credential(request_options, browser.url)
    )
    assert (response.status_code, response.json()["error"]) == (409, "name_taken")
    taken = browser.post("/account/passkey/options", {"purpose": "register", "name": name})
    assert taken.json()["error"] == "name_taken"


def test_a_passkey_belongs_to_one_account(browser: Browser, other: Browser) -> None:
    _, device = register_member(browser)
    request_options = options(other, "register", new_name())
    assert not send(
        other, "register", device.create_credential(request_options, other.url)
    ).is_success


def test_passkeys_are_unavailable_under_an_ip_address(server: Server) -> None:
    with server.browser() as browser:
        page = browser.http.get("/account").text
        assert "data-passkeys" not in page
        assert "Passkeys work only over HTTPS" in page
        response = browser.post("/account/passkey/options", {"purpose": "login"})
        assert response.json()["error"] == "no_passkeys"


def test_the_signature_count_is_stored(server: Server, browser: Browser, other: Browser) -> None:
    _, device = register_member(browser)
    send(other, "login", device.sign(options(other, "login"), other.url))
    with store_of(server).transaction() as connection:
        query = PasskeyRow.__table__.select().where(PasskeyRow.id == b64(device.id))
        row = connection.execute(query).one()
    assert row.sign_count == 1
    assert row.used is not None


@pytest.mark.parametrize(
    ("scheme", "host", "origins", "expected"),
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
def test_hosts_that_allow_passkeys(
    scheme: str, host: str, origins: tuple[str, ...], expected: Party | None
) -> None:
    party = Party.of(scheme, host, origins)
    assert (party and dataclasses.astuple(party)) == (expected and dataclasses.astuple(expected))

"""The rules for names of people, which are the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from damka.server.accounts.names import BadNameError, guest_name, lookalikes, member_name, skeleton
from tests.server.accounts.support import new_name, register
from tests.server.events import support as event_support
from tests.server.online import create_invitation, join
from tests.server.support import Browser, Server

# The rules


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ana Petrova", "Ana Petrova"),
        ("  Ana \u200b Petrova ", "Ana Petrova"),
        ("Ｐｅｔｒａ", "Petra"),
        ("𝐏𝐞𝐭𝐫𝐚", "Petra"),
        ("Z\u030cofia", "Žofia"),
        ("Жана", "Жана"),
        ("O'Neill, J. (2)", "O'Neill, J. (2)"),
        ("日本 カナ", "日本 カナ"),
        ("नमस्ते", "नमस्ते"),
        ("Botev", "Botev"),
        ("Abbot", "Abbot"),
        ("Ghost", "Ghost"),
        ("<Ana>", "<Ana>"),
        ("🙂", "🙂"),
        ("", ""),
        ("\u3164\u2800\u200b", ""),
        ("Pet\u200bra\ufe0f", "Petra"),
    ],
)
def test_guest_names_are_normalised(text: str, name: str) -> None:
    assert guest_name(text) == name
    assert guest_name(name) == name


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *((each, "reserved") for each in ("admin", "ADMIN", "Adm1n", "a d m i n", "admin2")),
        *((each, "reserved") for each in ("BOT Petra", "[BOT] Petra", "B0T Petra", "Petra bot")),
        *(
            (each, "reserved")
            for each in ("ádmin", "ad\u200bmin", "ａｄｍｉｎ", "админ", "бот Ана")
        ),
        *((each, "reserved") for each in ("ВОТ Петър", "Petra (guest)", "Grandmaster", "Damka")),
        *((each, "reserved") for each in ("Computer Ana", "Rozhodca", "съдия", "Arbiter Rossi")),
        *((each, "script") for each in ("Реtrа", "Petrа", "Αnna", "Anna Жана")),
        *((each, "letters") for each in ("Pe\u0335tra", "Petra\u20dd", "A\u0300\u0316")),
        ("x" * 31, "long"),
        ("x" * 1_000_000, "long"),
    ],
)
def test_forbidden_names_are_refused(text: str, code: str) -> None:
    with pytest.raises(BadNameError) as error:
        guest_name(text)
    assert error.value.code == code


@pytest.mark.parametrize("name", ["Bot-Petra", "Petra_bot", "admin2", "BOT-9", "Ádmin"])
def test_the_rules_apply_to_members(name: str) -> None:
    with pytest.raises(BadNameError):
        member_name(name)


def test_an_arbiter_may_use_the_title() -> None:
    assert guest_name("Arbiter Rossi", allow_arbiter=True) == "Arbiter Rossi"
    for name in ("admin", "BOT Rossi", "Damka"):
        with pytest.raises(BadNameError):
            guest_name(name, allow_arbiter=True)


@pytest.mark.parametrize("name", ["Petra", "pétra", "P e t r a", "Petra!", "PETRA.", "P-e-t-r-a"])
def test_similar_guest_names_have_the_same_skeleton(name: str) -> None:
    assert "petra" in lookalikes(name)


def test_skeletons_of_whole_words_in_another_alphabet() -> None:
    assert skeleton("Оса") == skeleton("O c a")
    assert skeleton("Ján") != skeleton("Jan")


# Entry points of names

SubmitName = Callable[[Server, Browser, str], httpx.Response]


def submit_at_one_screen(_: Server, browser: Browser, name: str) -> httpx.Response:
    request = {"rules": "dama64", "opponent": "person", "names": ["Ana", name]}
    return browser.post("/api/games", request)


def submit_with_invitation(_: Server, browser: Browser, name: str) -> httpx.Response:
    request = {"rules": "dama64", "opponent": "invite", "names": [name, ""]}
    return browser.post("/api/games", request)


def submit_with_join(server: Server, browser: Browser, name: str) -> httpx.Response:
    with server.browser() as host:
        return browser.post(f"/api/games/{create_invitation(host)}/join", {"name": name})


def submit_with_event_join(server: Server, browser: Browser, name: str) -> httpx.Response:
    with server.browser() as arbiter:
        path = event_support.create_event(arbiter, server)
    return event_support.form(browser, f"{path}/join", name=name)


def submit_as_arbiter(server: Server, browser: Browser, name: str) -> httpx.Response:
    return event_support.form(
        browser, "/events", name="x", arbiter=name, rules="dama64", rounds=3,
        code=event_support.operator_code(server),
    )  # fmt: skip


def submit_with_registration(_: Server, browser: Browser, name: str) -> httpx.Response:
    form = {"name": name, "password": "seven green men"}
    return browser.http.post("/account/register", data=form)


def submit_by_arbiter(server: Server, browser: Browser, name: str) -> httpx.Response:
    path = event_support.create_event(browser, server)
    return event_support.form(browser, f"{path}/arbiter/add", name=name)


GUEST_NAME_FORMS = [
    submit_at_one_screen,
    submit_with_invitation,
    submit_with_join,
    submit_with_event_join,
    submit_as_arbiter,
]


@pytest.mark.parametrize("submit", [*GUEST_NAME_FORMS, submit_with_registration, submit_by_arbiter])
@pytest.mark.parametrize("name", ["admin", "BOT Petra", "Реtrа", "ád\u200bmin", "Pe\u0335tra"])
def test_a_forbidden_name_is_refused_everywhere(
    server: Server, browser: Browser, submit: SubmitName, name: str
) -> None:
    response = submit(server, browser, name)
    assert response.status_code == 422, response.text
    if "application/json" in response.headers["content-type"]:
        assert response.json()["where"] in {"name", "arbiter"}


@pytest.mark.parametrize("submit", GUEST_NAME_FORMS)
def test_a_guest_cannot_use_the_name_of_a_member(
    server: Server, browser: Browser, submit: SubmitName
) -> None:
    with server.browser() as member:
        name = register(member)
    for similar in (name, name.upper(), f" {name}!", " ".join(name)):
        response = submit(server, browser, similar[:30])
        assert (response.status_code, response.json()["error"]) == (409, "name_member"), similar


def test_members_play_under_their_own_name(server: Server, browser: Browser) -> None:
    with server.browser() as guest, server.browser() as other:
        name, second = register(browser), register(guest)
        game = create_invitation(browser, names=["Another Name", ""])
        join(guest, game, "admin")
        players = other.live(game).state()["players"]
        assert {each["name"] for each in players.values()} == {name, second}
        # At one screen members may enter their own name.
        response = submit_at_one_screen(server, browser, name)
        assert response.status_code == 201


def test_guests_are_marked(server: Server, browser: Browser) -> None:
    with server.browser() as guest, server.browser() as other:
        name = register(browser)
        game = create_invitation(browser)
        join(guest, game, "Ana")
        players = other.live(game).state()["players"]
        assert {each["name"]: each["guest"] for each in players.values()} == {
            name: False,
            "Ana": True,
        }
        path = event_support.create_event(other, server)
        event_support.join(browser, path, name)
        event_support.join(guest, path, "Ana")
        event_support.act(other, path, "start")
        event_support.act(other, path, "pair")
        rows = event_support.event_data(other, path)["standings"]
        assert {each["name"]: each["guest"] for each in rows} == {name: False, "Ana": True}
        for page in (path, f"{path}/arbiter"):
            html = other.http.get(page).text
            assert "Ana <small>guest</small>" in html
            assert f"{name} <small>guest</small>" not in html


def test_a_member_can_join_an_event_despite_a_taken_name(server: Server, browser: Browser) -> None:
    """A guest had the name before the member, and the arbiter entered a similar one."""
    with server.browser() as member, server.browser() as guest:
        path = event_support.create_event(browser, server)
        name = new_name()
        event_support.join(guest, path, name)
        event_support.act(browser, path, "add", name=f"{name} 2")
        form: Any = {"name": name, "password": "seven green men"}
        assert member.http.post("/account/register", data=form).status_code == 303
        event_support.join(member, path, "whatever")
        state = server.app.state.damka.events._cache[path.rpartition("/")[2]].state
        assert [each.name for each in state.entrants] == [f"{name} 3", f"{name} 2", name]


def test_two_similar_guest_names_cannot_join_one_event(server: Server, browser: Browser) -> None:
    path = event_support.create_event(browser, server)
    with server.browser() as first, server.browser() as second:
        event_support.join(first, path, "Оса")
        for name in ("Oca", "oca", "О-с-а", "Ｏｃａ"):
            response = event_support.form(second, f"{path}/join", name=name)
            assert (response.status_code, response.json()["error"]) == (409, "event_name_taken"), (
                name
            )

"""The same rule for names of people everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from damka.server.accounts.names import BadNameError, clean, guest, lookalikes, skeleton
from tests.server.accounts.support import new_name, register
from tests.server.events import support as of_events
from tests.server.online import invited, join
from tests.server.support import Browser, Server

# The rule itself


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
    assert guest(text) == name
    assert guest(name) == name


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
def test_some_names_are_refused(text: str, code: str) -> None:
    with pytest.raises(BadNameError) as refused:
        guest(text)
    assert refused.value.code == code


@pytest.mark.parametrize("name", ["Bot-Petra", "Petra_bot", "admin2", "BOT-9", "Ádmin"])
def test_members_follow_it_too(name: str) -> None:
    with pytest.raises(BadNameError):
        clean(name)


def test_an_arbiter_may_use_that_title() -> None:
    assert guest("Arbiter Rossi", office=True) == "Arbiter Rossi"
    for name in ("admin", "BOT Rossi", "Damka"):
        with pytest.raises(BadNameError):
            guest(name, office=True)


@pytest.mark.parametrize("name", ["Petra", "pétra", "P e t r a", "Petra!", "PETRA.", "P-e-t-r-a"])
def test_guest_names_that_look_like_a_member(name: str) -> None:
    assert "petra" in lookalikes(name)


def test_skeletons_of_whole_words_in_another_alphabet() -> None:
    assert skeleton("Оса") == skeleton("O c a")
    assert skeleton("Ján") != skeleton("Jan")


# Entry points of names

Give = Callable[[Server, Browser, str], httpx.Response]


def two_at_one_screen(_: Server, browser: Browser, name: str) -> httpx.Response:
    asked = {"rules": "dama64", "opponent": "person", "names": ["Ana", name]}
    return browser.post("/api/games", asked)


def inviting(_: Server, browser: Browser, name: str) -> httpx.Response:
    asked = {"rules": "dama64", "opponent": "invite", "names": [name, ""]}
    return browser.post("/api/games", asked)


def joining(server: Server, browser: Browser, name: str) -> httpx.Response:
    with server.browser() as host:
        return browser.post(f"/api/games/{invited(host)}/join", {"name": name})


def entering(server: Server, browser: Browser, name: str) -> httpx.Response:
    with server.browser() as arbiter:
        path = of_events.make(arbiter, server)
    return of_events.form(browser, f"{path}/join", name=name)


def judging(server: Server, browser: Browser, name: str) -> httpx.Response:
    return of_events.form(
        browser, "/events", name="x", arbiter=name, rules="dama64", rounds=3,
        code=of_events.operator_code(server),
    )  # fmt: skip


def registering(_: Server, browser: Browser, name: str) -> httpx.Response:
    form = {"name": name, "password": "seven green men"}
    return browser.http.post("/account/register", data=form)


def being_entered(server: Server, browser: Browser, name: str) -> httpx.Response:
    path = of_events.make(browser, server)
    return of_events.form(browser, f"{path}/arbiter/add", name=name)


PLACES = [two_at_one_screen, inviting, joining, entering, judging]


@pytest.mark.parametrize("give", [*PLACES, registering, being_entered])
@pytest.mark.parametrize("name", ["admin", "BOT Petra", "Реtrа", "ád\u200bmin", "Pe\u0335tra"])
def test_a_forbidden_name_is_refused_everywhere(
    server: Server, browser: Browser, give: Give, name: str
) -> None:
    answer = give(server, browser, name)
    assert answer.status_code == 422, answer.text
    if "application/json" in answer.headers["content-type"]:
        assert answer.json()["where"] in {"name", "arbiter"}


@pytest.mark.parametrize("give", PLACES)
def test_a_guest_is_not_called_as_a_member(server: Server, browser: Browser, give: Give) -> None:
    with server.browser() as member:
        name = register(member)
    for alike in (name, name.upper(), f" {name}!", " ".join(name)):
        answer = give(server, browser, alike[:30])
        assert (answer.status_code, answer.json()["error"]) == (409, "name_member"), alike


def test_a_member_is_always_called_so(server: Server, browser: Browser) -> None:
    with server.browser() as guest, server.browser() as other:
        name, second = register(browser), register(guest)
        game = invited(browser, names=["Somebody Else", ""])
        join(guest, game, "admin")
        players = other.live(game).state()["players"]
        assert {each["name"] for each in players.values()} == {name, second}
        # At one screen members may enter their own name.
        answer = two_at_one_screen(server, browser, name)
        assert answer.status_code == 201


def test_guests_are_marked_as_such(server: Server, browser: Browser) -> None:
    with server.browser() as guest, server.browser() as other:
        name = register(browser)
        game = invited(browser)
        join(guest, game, "Ana")
        players = other.live(game).state()["players"]
        assert {each["name"]: each["guest"] for each in players.values()} == {
            name: False,
            "Ana": True,
        }
        path = of_events.make(other, server)
        of_events.join(browser, path, name)
        of_events.join(guest, path, "Ana")
        of_events.act(other, path, "start")
        of_events.act(other, path, "pair")
        rows = of_events.event_data(other, path)["standings"]
        assert {each["name"]: each["guest"] for each in rows} == {name: False, "Ana": True}
        for page in (path, f"{path}/arbiter"):
            shown = other.http.get(page).text
            assert "Ana <small>guest</small>" in shown
            assert f"{name} <small>guest</small>" not in shown


def test_a_member_is_never_locked_out_of_an_event(server: Server, browser: Browser) -> None:
    """A guest used the name before the member registered it, or the arbiter entered it."""
    with server.browser() as member, server.browser() as guest:
        path = of_events.make(browser, server)
        name = new_name()
        of_events.join(guest, path, name)
        of_events.act(browser, path, "add", name=f"{name} 2")
        form: Any = {"name": name, "password": "seven green men"}
        assert member.http.post("/account/register", data=form).status_code == 303
        of_events.join(member, path, "whatever")
        state = server.app.state.damka.events._cache[path.rpartition("/")[2]].state
        assert [each.name for each in state.entrants] == [f"{name} 3", f"{name} 2", name]


def test_two_similar_guest_names_cannot_join_one_event(server: Server, browser: Browser) -> None:
    path = of_events.make(browser, server)
    with server.browser() as one, server.browser() as two:
        of_events.join(one, path, "Оса")
        for name in ("Oca", "oca", "О-с-а", "Ｏｃａ"):
            answer = of_events.form(two, f"{path}/join", name=name)
            assert (answer.status_code, answer.json()["error"]) == (409, "event_name_taken"), name

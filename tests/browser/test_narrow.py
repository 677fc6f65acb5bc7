"""At 320 pixels no page scrolls sideways: every page of online play, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from damka.locales import LANGUAGES
from tests.browser.online_screenshots import NARROW, STATES, Table, at_table
from tests.browser.support import locale, window
from tests.server.accounts.support import ROOMY, new_name, register
from tests.server.events.support import act, join, make
from tests.server.lobby.support import Guests
from tests.server.support import Browser as Client
from tests.server.support import Server, serving

TOUCH: Final[dict[str, Any]] = {"viewport": NARROW, "has_touch": True, "is_mobile": True}
LONG: Final = "Championship of the Konstantinopolska Club, Spring and Summer"
CROWDED: Final = ("rated", "away", "takeback_offer", "chat")
"""The states of a game in which the page has the most to hold."""

WIDTH: Final = "document.documentElement.scrollWidth"
SMALL: Final = """[...document.querySelectorAll("button, select, input:not([type=hidden])")]
  .filter((e) => e.checkVisibility() && !e.closest(".unseen, .choice"))
  .filter((e) => !(e.matches("[type=checkbox], [type=radio], [type=file]") && e.closest("label")))
  .map((e) => [e, e.getBoundingClientRect()])
  .filter(([e, { width, height }]) => width > 1 && Math.min(width, height) < 24)
  .map(([e]) => e.outerHTML.slice(0, 120))"""
"""Targets too small for a finger."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("narrow"), limits=ROOMY) as server:
        yield server


@pytest.fixture(scope="module")
def club(server: Server) -> Iterator[tuple[Client, list[str]]]:
    """A member who is an arbiter, and the addresses of the pages that there are."""
    with ExitStack() as stack:
        arbiter = stack.enter_context(Client(server.url))
        member = register(arbiter, f"{new_name()}Konstantina"[:20])
        [challenger] = Guests(server, stack)(1)
        register(challenger, f"{new_name()}Wolfeschlegel"[:20])
        rules = {"rules": "american-3move", "clock": None, "colour": "first"}
        assert challenger.post("/api/lobby", rules).is_success
        paths = ["/", "/lobby", "/join", "/account", f"/@/{member}", "/events", "/events/new"]
        paths += [f"/account/{each}" for each in ("preferences", "security", "close", "tokens")]
        for kind in ("swiss", "arena"):
            event = make(arbiter, server, name=LONG, kind=kind, clock="3+2")
            for name in ("Wolfeschlegelsteinhausenberger", "Konstantina Aleksandrova-Nikol"):
                with Client(server.url) as guest:
                    join(guest, event, name)
            act(arbiter, event, "start")
            if kind == "swiss":
                act(arbiter, event, "pair")
                act(arbiter, event, "begin")
                paths += [
                    f"{event}/print/{each}" for each in ("pairings", "standings", "cross", "sheets")
                ]
            paths += [event, f"{event}/arbiter", f"{event}/projector"]
        yield arbiter, paths


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_a_small_phone(
    browser: Browser, server: Server, club: tuple[Client, list[str]], language: str
) -> None:
    arbiter, paths = club
    with window(browser, server.url, **locale(language), **TOUCH) as phone:
        cookies = [
            {"name": each.name, "value": str(each.value), "url": server.url}
            for each in arbiter.http.cookies.jar
        ]
        found = {}
        for is_member in (False, True):
            if is_member:
                phone.page.context.add_cookies(cookies)  # type: ignore[arg-type]
            for path in paths:
                if not is_member and (path.endswith("/arbiter") or "/account/" in path):
                    continue
                answer = phone.page.goto(f"{server.url}{path}?lang={language}")
                assert answer is not None
                assert answer.ok, path
                width, small = phone.page.evaluate(WIDTH), phone.page.evaluate(SMALL)
                if width > NARROW["width"] or small:
                    found[path, is_member] = width, small
        assert found == {}


@pytest.mark.parametrize("state", CROWDED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_game_is_wider_than_a_small_phone(
    browser: Browser, server: Server, language: str, state: str
) -> None:
    with at_table(browser, server, language, **TOUCH) as table:
        STATES[state](table)
        page = table.desk.page
        assert page.evaluate(WIDTH) <= NARROW["width"]
        assert page.evaluate(SMALL) == []
        assert beside(table) == []


def beside(table: Table) -> list[str]:
    """Return the actions, answers and clocks that are cut off or run into the next one."""
    found: list[str] = table.desk.page.evaluate(
        """() => [...document.querySelectorAll(".actions > *, #answers button, .strip time")]
          .filter((e) => e.checkVisibility())
          .filter((e) => {
            const range = document.createRange();
            range.selectNodeContents(e);
            const [box, words] = [e, range].map((each) => each.getBoundingClientRect());
            return box.left < 0 || box.right > innerWidth || words.width > box.width + 0.5;
          })
          .map((e) => e.textContent)"""
    )
    return found


def test_how_long_an_opponent_may_be_away_is_seen(browser: Browser, server: Server) -> None:
    with at_table(browser, server, "bg", **TOUCH) as table:
        STATES["away"](table)
        about = table.desk.page.locator("#top small")
        assert "0:" in about.inner_text()
        assert about.evaluate("text => text.scrollWidth <= text.clientWidth")


def test_an_offer_of_a_rematch_can_be_declined(browser: Browser, server: Server) -> None:
    """On a phone the sheet of the result would lie over the answers."""
    with at_table(browser, server, "en", **TOUCH) as table:
        STATES["rematch_offer"](table)
        table.desk.page.locator("#answers button").last.tap()
        table.desk.page.locator("#end").wait_for()


def test_the_chat_opens_at_its_end(browser: Browser, server: Server) -> None:
    with at_table(browser, server, "bg", **TOUCH) as table:
        STATES["chat"](table)
        table.until(
            "(lines => lines.scrollHeight > lines.clientHeight && "
            "lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 1)"
            "(document.getElementById('lines'))"
        )

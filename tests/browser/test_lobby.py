"""The lobby, seeks and rated games, with people at two browsers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Response, ViewportSize

from damka.locales import LANGUAGES, translate
from tests.browser.support import Window, locale, window
from tests.browser.two_devices import play, windows
from tests.chromium import DESKTOP, TOUCH
from tests.server.accounts.support import ROOMY, register
from tests.server.support import Browser as Client
from tests.server.support import Server, serving

BUDGET = 60_000
"""Limit in bytes of the lobby's HTML, JavaScript, CSS and JSON, uncompressed."""
WIDE = "document.documentElement.scrollWidth > innerWidth"
NARROW: ViewportSize = {"width": 320, "height": 568}
SMALL = """[...document.querySelectorAll("main button, main select")].filter((e) => {
  const { width, height } = e.getBoundingClientRect();
  return e.offsetParent && Math.min(width, height) < 24;
}).length"""
"""Script that counts touch targets that are too small."""
CUT = """[...document.querySelectorAll("#challenges *, form.how .button")]
  .filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1).length"""
"""Script that counts truncated texts."""
BLITZ = {"kind": "fischer", "seconds": 300, "increment": 3}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("lobby"), limits=ROOMY, wave_seconds=0.2) as server:
        yield server


def at_game(desk: Window) -> None:
    desk.page.wait_for_url("**/game/*")
    desk.ready()


def member(desk: Window, name: str) -> None:
    """Log a member in on this page."""
    with Client(desk.url) as client:
        register(client, name)
        cookie = client.http.cookies["damka_session"]
    desk.page.context.add_cookies([{"name": "damka_session", "value": cookie, "url": desk.url}])


def seek_at_home(desk: Window, language: str, clock: str = "10+0") -> None:
    """Press the big button of the start page."""
    desk.open("/")
    desk.page.get_by_text(translate(language, "shell.online"), exact=True).click()
    desk.page.select_option("#clock", label=clock)
    desk.page.get_by_role("button", name=translate(language, "lobby.find")).click()


def test_two_find_each_other_in_two_languages(browser: Browser, server: Server) -> None:
    with windows(browser, server, locale("bg"), {**locale("sk"), **TOUCH}) as (one, two):
        seek_at_home(one, "bg")
        one.page.wait_for_selector("#seeking[open]")
        one.until(
            lambda: "никой друг" in one.page.inner_text("#seeking-count"), "how many wait is said"
        )
        assert "10+0" in one.page.inner_text("#seeking-game")
        seek_at_home(two, "sk")
        for each in (one, two):
            at_game(each)
        # The embedded state has no presence; it comes over the connection.
        one.until(
            lambda: (who := one.state["presence"]) and all(p["here"] for p in who.values()),
            "both are here",
        )
        assert one.state["id"] == two.state["id"]
        assert {*one.state["you"], *two.state["you"]} == {"W", "B"}
        play(one, two, "22-18", "11-15")
        # The choice is restored the next time.
        one.open("/")
        assert one.page.locator("#clock").evaluate("e => e.selectedOptions[0].text") == "10+0"
        assert one.page.locator("#seek").is_visible()


def test_waiting_is_given_up(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {}) as (one, two):
        seek_at_home(one, "en")
        one.page.wait_for_selector("#seeking[open]")
        # The seek continues on any page of the same browser.
        one.open("/lobby")
        one.page.wait_for_selector("#seeking[open]")
        one.page.keyboard.press("Escape")
        one.page.wait_for_selector("#seeking", state="hidden")
        seek_at_home(two, "en")
        two.page.wait_for_selector("#seeking[open]")
        assert two.page.inner_text("#seeking-count").startswith("Nobody else")
        two.page.get_by_role("button", name="Cancel").click()
        two.page.wait_for_selector("#seeking", state="hidden")


def test_a_challenge_is_accepted_in_another_language(browser: Browser, server: Server) -> None:
    with windows(browser, server, locale("it"), {}) as (one, two):
        two.open("/lobby")
        assert two.page.locator("#none").is_visible()
        one.open("/lobby")
        one.page.select_option("#rules", "russian")
        one.page.get_by_text("nero", exact=True).click()
        one.page.get_by_role("button", name="Lancia una sfida").click()
        row = two.page.locator("#challenges li")
        row.wait_for()
        for text in ("Guest", "Russian draughts", "5+3", "you play white"):
            assert text in row.inner_text(), "it is there without a reload"
        mine = one.page.locator("#challenges li.mine")
        mine.wait_for()
        assert mine.get_by_role("button").inner_text() == "Annulla"
        # Another challenge does not move the focus.
        row.get_by_role("button").focus()
        with Client(server.url) as other:
            made = other.post("/api/lobby", {"rules": "dama64", "clock": BLITZ}).json()["id"]
            two.page.locator("#challenges li").nth(1).wait_for()
            focused = row.first.get_by_role("button").evaluate("e => e === document.activeElement")
            assert other.post(f"/api/lobby/{made}/cancel").is_success
        assert focused
        row = row.first
        # Its maker waits on the start page, and is redirected from there.
        one.open("/")
        row.get_by_role("button").click()
        for each in (one, two):
            at_game(each)
        assert (one.state["you"], two.state["you"]) == (["B"], ["W"])
        assert one.state["id"] == two.state["id"]
        # The back button leads to the start page, not to the game again.
        one.open("/lobby")
        one.page.wait_for_timeout(500)
        assert one.page.url.endswith("/lobby")


def test_a_rated_game_shows_ratings_and_what_changes(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, TOUCH) as (one, two):
        for each, name in ((one, "Petra"), (two, "Bruno")):
            member(each, name)
            each.open("/lobby")
        one.page.get_by_text("Rated", exact=True).click()
        assert one.page.locator("[name=colour][value=first]").is_disabled()
        one.page.get_by_role("button", name="Create a challenge").click()
        row = two.page.locator("#challenges li")
        row.wait_for()
        assert "Petra 1500?" in row.inner_text()
        row.get_by_role("button").tap()
        for each in (one, two):
            at_game(each)
            assert each.page.locator("#undo").is_hidden()
        one.until(lambda: one.page.text_content("#top b") == "Bruno 1500?", "the lot is drawn")
        two.until(lambda: two.page.text_content("#bottom b") == "Bruno 1500?", "the lot is drawn")
        play(one, two, "22-18", "11-15")
        two.page.locator("#resign").tap()
        two.answer("Resign")
        one.until(lambda: one.state["result"], "it is over")
        one.until(lambda: "+" in (one.page.text_content("#bottom b") or ""), "what it has changed")
        gained = (one.page.text_content("#bottom b") or "").split("+")[1]
        assert int(gained) > 100
        assert one.page.text_content("#top b") == f"Bruno 1500? −{gained}"
        one.open("/@/Petra")
        assert str(1500 + int(gained)) in one.page.inner_text("main")


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits(browser: Browser, server: Server, language: str) -> None:
    """Size limit, and the smallest screens."""
    asked: list[dict[str, Any]] = [
        {"rules": "american-3move", "clock": {"kind": "days", "seconds": 259_200}},
        {"rules": "mini-international", "clock": BLITZ, "colour": "second"},
    ]
    weights: dict[str, int] = {}

    def weigh(response: Response) -> None:
        weights[response.url.split("?")[0].rpartition("/")[2]] = len(response.body())

    with (
        window(browser, server.url, own=True, **locale(language)) as desk,
        Client(server.url) as other,
    ):
        register(other, "Wolfeschlegel" + "abcdefg"[LANGUAGES.index(language)])
        made = [other.post("/api/lobby", each).json()["id"] for each in asked]
        desk.page.on("response", weigh)
        for size in (DESKTOP, NARROW):
            desk.page.set_viewport_size(size)
            desk.open("/lobby")
            desk.page.locator("#challenges li").first.wait_for()
            assert not desk.page.evaluate(WIDE), size
            assert desk.page.evaluate(SMALL) == 0, size
            assert desk.page.evaluate(CUT) == 0, size
        desk.page.locator("button[value=pool]").click()
        desk.page.wait_for_selector("#seeking[open]")
        assert not desk.page.evaluate(WIDE)
        desk.page.locator("#seeking-cancel").click()
        desk.page.wait_for_selector("#seeking", state="hidden")
        for each in made:
            assert other.post(f"/api/lobby/{each}/cancel").is_success
    assert {"lobby", "lobby.js", "seek.js", "lobby.css", "base.css"} <= weights.keys()
    assert sum(weights.values()) <= BUDGET, weights

"""The lobby, seeks and rated games, with players at two browsers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from damka.locales import LANGUAGES, translate
from tests.browser.support import FITTED, Window, locale, open_window
from tests.browser.two_devices import play, windows
from tests.chromium import DESKTOP, TOUCH
from tests.server.accounts.support import ROOMY, register
from tests.server.support import Browser as Client
from tests.server.support import Server, serving

IS_TOO_WIDE = "document.documentElement.scrollWidth > innerWidth"
NARROW: ViewportSize = {"width": 320, "height": 568}
COUNT_SMALL_TARGETS = """[...document.querySelectorAll("main button, main select")].filter((e) => {
  const { width, height } = e.getBoundingClientRect();
  return e.offsetParent && Math.min(width, height) < 24;
}).length"""
"""Script that counts touch targets that are too small."""
TRUNCATED = """[...document.querySelectorAll("#challenges *, form.how .button")]
  .filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1).length"""
"""Script that counts truncated texts."""
BLITZ = {"kind": "fischer", "seconds": 300, "increment": 3}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("lobby"), limits=ROOMY, wave_seconds=0.2) as server:
        yield server


def wait_for_game(window: Window) -> None:
    window.page.wait_for_url("**/game/*")
    window.ready()


def log_in_member(window: Window, name: str) -> None:
    """Register a member and log in on this page."""
    with Client(window.url) as client:
        register(client, name)
        cookie = client.http.cookies["damka_session"]
    window.page.context.add_cookies([{"name": "damka_session", "value": cookie, "url": window.url}])


def seek_on_start_page(window: Window, language: str, clock: str = "10+0") -> None:
    """Press the button on the start page that finds an opponent."""
    window.open("/")
    window.page.get_by_text(translate(language, "shell.online"), exact=True).click()
    window.page.select_option("#clock", label=clock)
    window.page.get_by_role("button", name=translate(language, "lobby.find")).click()


def test_two_players_are_paired_across_languages(browser: Browser, server: Server) -> None:
    with windows(browser, server, locale("bg"), {**locale("sk"), **TOUCH}) as (first, second):
        seek_on_start_page(first, "bg")
        first.page.wait_for_selector("#seeking[open]")
        first.until(
            lambda: "никой друг" in first.page.inner_text("#seeking-count"),
            "the number of waiting players",
        )
        assert "10+0" in first.page.inner_text("#seeking-game")
        seek_on_start_page(second, "sk")
        for each in (first, second):
            wait_for_game(each)
        # The embedded state has no presence; it comes over the connection.
        first.until(
            lambda: (who := first.state["presence"]) and all(p["here"] for p in who.values()),
            "both are online",
        )
        assert first.state["id"] == second.state["id"]
        assert {*first.state["you"], *second.state["you"]} == {"W", "B"}
        play(first, second, "22-18", "11-15")
        # The choice is restored the next time.
        first.open("/")
        assert first.page.locator("#clock").evaluate("e => e.selectedOptions[0].text") == "10+0"
        assert first.page.locator("#seek").is_visible()


def test_a_seek_can_be_cancelled(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {}) as (first, second):
        seek_on_start_page(first, "en")
        first.page.wait_for_selector("#seeking[open]")
        # The seek continues on any page of the same browser.
        first.open("/lobby")
        first.page.wait_for_selector("#seeking[open]")
        first.page.keyboard.press("Escape")
        first.page.wait_for_selector("#seeking", state="hidden")
        seek_on_start_page(second, "en")
        second.page.wait_for_selector("#seeking[open]")
        expect(second.page.locator("#seeking-count")).to_have_text(re.compile("^Nobody else"))
        second.page.get_by_role("button", name="Cancel").click()
        second.page.wait_for_selector("#seeking", state="hidden")


def test_a_challenge_is_accepted_in_another_language(browser: Browser, server: Server) -> None:
    with windows(browser, server, locale("it"), {}) as (first, second):
        second.open("/lobby")
        expect(second.page.locator("#none")).to_be_visible()
        first.open("/lobby")
        first.page.select_option("#rules", "russian")
        first.page.get_by_text("Nero", exact=True).click()
        first.page.get_by_role("button", name="Lancia una sfida").click()
        row = second.page.locator("#challenges li")
        row.wait_for()
        for text in ("Guest", "Russian draughts", "5+3", "you play white"):
            assert text in row.inner_text(), "the challenge appears without a reload"
        own = first.page.locator("#challenges li.mine")
        own.wait_for()
        assert own.get_by_role("button").inner_text() == "Annulla"
        # Another challenge does not move the focus.
        row.get_by_role("button").focus()
        with Client(server.url) as other:
            challenge_id = other.post("/api/lobby", {"rules": "dama64", "clock": BLITZ}).json()[
                "id"
            ]
            second.page.locator("#challenges li").nth(1).wait_for()
            focused = row.first.get_by_role("button").evaluate("e => e === document.activeElement")
            assert other.post(f"/api/lobby/{challenge_id}/cancel").is_success
        assert focused
        row = row.first
        # The challenger waits on the start page, and is redirected to the game.
        first.open("/")
        row.get_by_role("button").click()
        for each in (first, second):
            wait_for_game(each)
        assert (first.state["you"], second.state["you"]) == (["B"], ["W"])
        assert first.state["id"] == second.state["id"]
        # The back button leads to the start page, not to the game again.
        first.open("/lobby")
        with Client(server.url) as other:
            later = other.post("/api/lobby", {"rules": "dama64", "clock": BLITZ}).json()["id"]
            first.page.locator(f'#challenges [data-id="{later}"]').wait_for()
            assert other.post(f"/api/lobby/{later}/cancel").is_success
        assert first.page.url.endswith("/lobby")


def test_a_rated_game_shows_ratings_and_rating_changes(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, TOUCH) as (first, second):
        for each, name in ((first, "Petra"), (second, "Bruno")):
            log_in_member(each, name)
            each.open("/lobby")
        first.page.get_by_text("Rated", exact=True).click()
        expect(first.page.locator("[name=colour][value=first]")).to_be_disabled()
        first.page.get_by_role("button", name="Create a challenge").click()
        row = second.page.locator("#challenges li")
        row.wait_for()
        assert "Petra 1500?" in row.inner_text()
        row.get_by_role("button").tap()
        for each in (first, second):
            wait_for_game(each)
            assert each.page.locator("#undo").is_hidden()
        first.until(lambda: first.page.text_content("#top b") == "Bruno 1500?", "colours are drawn")
        second.until(
            lambda: second.page.text_content("#bottom b") == "Bruno 1500?", "colours are drawn"
        )
        play(first, second, "22-18", "11-15")
        second.page.locator("#resign").tap()
        second.answer("Resign")
        first.until(lambda: first.state["result"], "the game is over")
        first.until(
            lambda: "+" in (first.page.text_content("#bottom b") or ""), "the rating change"
        )
        gained = (first.page.text_content("#bottom b") or "").split("+")[1]
        assert int(gained) > 100
        assert first.page.text_content("#top b") == f"Bruno 1500? −{gained}"
        first.open("/@/Petra")
        assert str(1500 + int(gained)) in first.page.inner_text("main")


@pytest.mark.parametrize("language", FITTED)
def test_the_lobby_fits_small_screens(browser: Browser, server: Server, language: str) -> None:
    """Nothing is truncated or too small to tap."""
    challenges: list[dict[str, Any]] = [
        {"rules": "american-3move", "clock": {"kind": "days", "seconds": 259_200}},
        {"rules": "mini-international", "clock": BLITZ, "colour": "second"},
    ]
    with (
        open_window(browser, server.url, own=True, **locale(language)) as window,
        Client(server.url) as other,
    ):
        register(other, "Wolfeschlegel" + "abcdefg"[LANGUAGES.index(language)])
        ids = [other.post("/api/lobby", each).json()["id"] for each in challenges]
        for size in (DESKTOP, NARROW):
            window.page.set_viewport_size(size)
            window.open("/lobby")
            window.page.locator("#challenges li").first.wait_for()
            assert not window.page.evaluate(IS_TOO_WIDE), size
            assert window.page.evaluate(COUNT_SMALL_TARGETS) == 0, size
            assert window.page.evaluate(TRUNCATED) == 0, size
        window.page.locator("button[value=pool]").click()
        window.page.wait_for_selector("#seeking[open]")
        assert not window.page.evaluate(IS_TOO_WIDE)
        window.page.locator("#seeking-cancel").click()
        window.page.wait_for_selector("#seeking", state="hidden")
        for each in ids:
            assert other.post(f"/api/lobby/{each}/cancel").is_success

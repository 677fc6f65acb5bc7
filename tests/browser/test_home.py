"""Start page: one glance, one button; running games in a row; all games in a dialog."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.slow import Slow
from tests.browser.support import FITTED, Window, game_file, locale, open_window
from tests.server.support import Server

SIZES: Final = ((1280, 800), (1366, 650), (390, 844), (320, 568))
TABS: Final = {"computer": ("#play",), "person": ("#play",), "invite": ("#seek", "#play")}

IN_VIEW: Final = """(button) => {
  const { top, right, bottom, left } = button.getBoundingClientRect();
  const inside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return inside && button.contains(shown);
}"""
"""Script for whether the whole button is in the window, uncovered."""


def search(window: Window, query: str) -> list[str]:
    """Return the rule sets that a search finds."""
    window.page.get_by_label("Find a game").fill(query)
    chips = window.page.locator(".chip:visible")
    found: list[str] = chips.evaluate_all("chips => chips.map(chip => chip.value)")
    return found


def open_dialog(window: Window) -> None:
    window.page.locator("#open-more").click()
    window.page.locator("#more .chip").first.wait_for()


@pytest.mark.parametrize("language", FITTED)
def test_the_button_is_in_view_in_every_tab(
    browser: Browser, server: Server, language: str
) -> None:
    """With three running games, and with a game of the dialog chosen, at four sizes."""
    with open_window(browser, server.url, **locale(language)) as window:
        page = window.page
        for rules in ("dama64", "international", "turkish"):
            window.new_game(rules)
            window.play(window.state["legal"][0]["hub"])
        for rules in ("dama100", "spantsiretti"):
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                window.open(f"/?rules={rules}")
                assert page.locator(".run").count() == 3
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                for tab, buttons in TABS.items():
                    page.locator(f"[name=opponent][value={tab}] + span").click()
                    page.evaluate("scrollTo(0, 0)")
                    for button in buttons:
                        place = (rules, width, height, tab, button)
                        assert page.locator(button).evaluate(IN_VIEW), place


LAST: Final = {"opponent": "person", "rules": "american", "name1": "Ana"}


@contextmanager
def late_script(window: Window) -> Iterator[None]:
    """Open the start page of a returning player, and load its script at the end of the block."""
    window.open("/")
    last = json.dumps(LAST)
    window.page.evaluate("last => localStorage.setItem('damka.choice', last)", last)
    slow = Slow(window.page, "**/opponent.js*")
    window.page.goto(f"{window.url}/", wait_until="commit")
    window.until(lambda: slow.held, "the request for the script")
    yield
    slow.let_go()


def test_the_form_can_be_used_before_its_script_is_loaded(desktop: Window) -> None:
    page = desktop.page
    names = page.locator("#names-row")
    with late_script(desktop):
        expect(names).to_be_visible()
        page.locator("[name=opponent][value=computer] + span").click()
        expect(names).to_be_hidden()
        expect(page.locator("#level-row")).to_be_visible()
    expect(page.locator("[name=name1]")).to_have_value("Ana")
    expect(page.locator("[name=opponent][value=computer]")).to_be_checked()
    expect(page.locator("#card-american")).to_be_checked()
    expect(names).to_be_hidden()


def test_a_game_started_before_the_script_is_loaded_begins_then(desktop: Window) -> None:
    page = desktop.page
    with late_script(desktop):
        page.locator(".card", has_text="Italian box").click()
        page.locator("#play").click()
        expect(page).to_have_url(f"{desktop.url}/")
    page.wait_for_url("**/game/**")
    desktop.ready()
    assert "Italian box" in page.title()
    assert "Ana" in page.inner_text("body")


def test_a_game_of_the_dialog_becomes_the_fourth_card(desktop: Window) -> None:
    desktop.open("/")
    page = desktop.page
    fourth = page.locator("#other")
    assert fourth.is_hidden()
    open_dialog(desktop)
    page.locator(".chip[value=turkish]").click()
    expect(page.locator("#more")).to_be_hidden()
    expect(fourth).to_contain_text("Turkish draughts")
    assert fourth.locator("img").evaluate("img => img.decode().then(() => img.naturalWidth)")
    page.locator(".card", has_text="Italian box").click()
    fourth.click()
    page.locator("#play").click()
    page.wait_for_url("**/game/**")
    desktop.ready()
    assert "Turkish draughts" in page.title()
    desktop.open("/")
    expect(fourth).to_contain_text("Turkish draughts")
    assert page.locator("#card-other").is_checked()


def test_an_address_chooses_a_game(desktop: Window) -> None:
    desktop.open("/?rules=frisian")
    assert desktop.page.locator("#card-other").is_checked()
    expect(desktop.page.locator("#other")).to_contain_text("Frisian")
    desktop.open("/?rules=dama100")
    assert desktop.page.locator("#card-dama100").is_checked()
    desktop.open("/?rules=nothing")
    assert desktop.page.locator("#card-dama64").is_checked()


def test_games_are_found_by_aliases_in_any_language_spelling_and_word_order(
    desktop: Window,
) -> None:
    desktop.open("/")
    open_dialog(desktop)
    for query, expected in {
        "bulgarian": {"dama64"},
        "polish": {"international"},
        "шашки": {"russian", "brazilian", "american", "international", "frisian", "turkish"},
        "Česká": {"czech"},
        "ceska dama": {"czech"},
        "dama ceska": {"czech"},
        "10x10": {"dama100", "international", "frisian"},
        "10 х 10": {"dama100", "international"},
        "checkers": {"dama64", "american", "dama100", "pool"},
        "dama": {"dama64", "dama100", "turkish", "italian"},
        "scatola italiana": {"dama100"},
    }.items():
        found = set(search(desktop, query))
        assert expected <= found, (query, found)
        if len(expected) == 1:
            assert found - {"dama64"} <= expected, (query, found)
    assert search(desktop, "no such game") == []
    expect(desktop.page.get_by_text("No games found.")).to_be_visible()
    search(desktop, "italian box")
    desktop.press("Enter")
    assert desktop.page.locator("#card-dama100").is_checked()
    expect(desktop.page.locator("#more")).to_be_hidden()


def test_games_are_filtered_by_board_size(desktop: Window) -> None:
    desktop.open("/")
    open_dialog(desktop)
    total = len(search(desktop, ""))
    assert total > 30
    sizes = desktop.page.get_by_role("group", name="Board size")
    sizes.get_by_role("button", name="12×12", exact=True).click()
    assert search(desktop, "") == ["canadian", "malaysian", "sri-lankan"]
    image = desktop.page.locator(".chip:visible img").first
    assert image.evaluate("img => img.decode().then(() => img.naturalWidth)")
    assert search(desktop, "turk") == []
    sizes.get_by_role("button", name="All", exact=True).click()
    assert len(search(desktop, "turk")) == 2, "and Armenian, whose description mentions it"
    assert len(search(desktop, "")) == total


def test_the_dialog_is_used_with_the_keyboard(desktop: Window) -> None:
    desktop.open("/")
    page = desktop.page
    page.locator("#open-more").focus()
    desktop.press("Enter")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.type("czech")
    page.locator(".chip:visible").first.focus()
    desktop.press("Enter")
    assert page.locator("#card-other").input_value() == "czech"
    expect(page.locator("#open-more")).to_be_focused()
    desktop.press("Enter")
    desktop.press("Escape")
    expect(page.locator("#more")).to_be_hidden()
    assert page.locator("#card-other").is_checked()


PAGES: Final = (
    "/",
    "/rules/dama64",
    "/analyse/dama64",
    "/games",
    "/lobby",
    "/events",
    "/box",
    "/join",
    "/account",
)


def test_every_page_has_one_bar_on_one_grid(desktop: Window) -> None:
    desktop.new_game("dama64")
    game = desktop.page.url.removeprefix(desktop.url)
    places = set()
    for path in (*PAGES, game):
        desktop.page.goto(desktop.url + path)
        bar = desktop.page.locator(".nav")
        assert bar.get_by_role("link", name="Play", exact=True).is_visible(), path
        box = desktop.page.locator(".brand").bounding_box()
        assert box is not None
        places.add(box["x"])
        addresses: list[str] = bar.locator("a").evaluate_all(
            "links => links.map(({ href }) => href)"
        )
        for address in addresses:
            assert desktop.page.request.get(address).ok, address
    assert len(places) == 1
    desktop.open("/events")
    current = desktop.page.locator(".nav [aria-current=page]")
    assert re.search("tournaments|events", current.inner_text(), re.IGNORECASE)


def test_a_phone_has_its_bar_at_the_bottom_and_none_in_a_game(phone: Window) -> None:
    page = phone.page
    for path in PAGES:
        page.goto(phone.url + path)
        box = page.locator(".nav").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] == page.viewport_size["height"], path  # type: ignore[index]
    phone.new_game("dama64")
    phone.play("22-18")
    assert page.locator(".nav").is_hidden()
    assert page.locator(".brand").is_hidden()
    page.get_by_role("link", name="Leave the game page").tap()
    page.wait_for_url(f"{phone.url}/")
    page.locator(".run a").tap()
    phone.ready()
    page.locator("#open-settings").tap()
    expect(page.locator("#settings")).to_be_visible()


def test_missed_captures_are_asked_only_for_games_with_huffing(phone: Window) -> None:
    answers: dict[str, Any] = {}
    for rules in ("dama64", "dama100", "russian"):
        phone.open(f"/?rules={rules}")
        answers[rules] = phone.page.locator("#huff-row").is_visible()
    assert answers == {"dama64": False, "dama100": True, "russian": False}


def test_a_beaten_level_suggests_the_next(desktop: Window) -> None:
    page = desktop.page
    desktop.load_game(game_file("dama64", "W:W14:B10"), "?opponent=computer&level=1&side=W")
    desktop.play("14x7x10")
    desktop.until(lambda: page.locator("#end").is_visible(), "the game is won")
    desktop.open("/")
    expect(page.get_by_text("You beat level 1. Try 2?")).to_be_visible()
    page.get_by_role("button", name="Play level 2").click()
    page.wait_for_url("**/game/**")
    desktop.ready()
    expect(page.locator("#top")).to_contain_text("level 2")
    assert page.inner_text("h1") == "Bulgarian box"

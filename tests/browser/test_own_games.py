"""The page "Your games" in Chromium: by mouse on a desktop, by keyboard and touch on a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.slow import Slow
from tests.browser.support import Window
from tests.server.finished import Past, resigned_game
from tests.server.support import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

OVERLAPS = """() => [...document.querySelectorAll(".game")].filter((game) => {
  const [result, tool] = [".result", ".tools > *"].map((each) => game.querySelector(each));
  return result.getBoundingClientRect().right > tool.getBoundingClientRect().left;
}).length"""
"""Return the number of games whose result overlaps the tools."""


def with_past(window: Window, server: Server, count: int) -> list[str]:
    """Give the window's guest finished games; return their ids, latest first."""
    with server.browser() as client:
        past = Past(server, client)
        names = ("dama64", "american")
        games = [
            past.add(1 + n % 3, "W" if n % 2 else "B", names[n % 2], minute=n) for n in range(count)
        ]
        games.append(resigned_game(client))
        window.become(client)
    return games[::-1]


def shown(window: Window) -> list[str]:
    ids: list[str] = window.page.eval_on_selector_all(
        "[data-game]:not(.gone)", "all => all.map((each) => each.dataset.game)"
    )
    return ids


def test_games_are_renamed_removed_found_and_downloaded(desktop: Window, server: Server) -> None:
    games = with_past(desktop, server, 20)
    page = desktop.open("/games").page
    assert shown(desktop) == games[:12]
    first = page.locator(f'[data-game="{games[0]}"]')
    expect(first).to_contain_text("Black wins")
    first.get_by_role("button", name="Rename").click()
    page.keyboard.type("Sunday")
    page.keyboard.press("Enter")
    expect(first.locator(".name")).to_have_text("Sunday")
    expect(first.get_by_role("button", name="Rename: Sunday")).to_be_focused()
    with page.expect_download() as saved:
        first.get_by_role("link", name="Download as PDN: Sunday").click()
    assert "[GameType " in Path(saved.value.path()).read_text("utf-8")
    first.get_by_role("button", name="Remove").click()
    undo = first.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    expect(page.locator("#said")).to_have_text("Removed from your list.")
    page.keyboard.press("Enter")
    expect(first.locator(".name")).to_be_visible()
    page.get_by_role("link", name="Show more").click()
    expect(page.locator("[data-game]")).to_have_count(len(games))
    assert shown(desktop) == games
    page.get_by_role("combobox", name="Result", exact=True).select_option("won")
    expect(page.locator("[data-game]")).to_have_count(10)
    page.get_by_role("combobox", name="Game", exact=True).select_option("dama64")
    expect(page.locator(".no-match")).to_be_visible()
    page.get_by_role("combobox", name="Game", exact=True).select_option("")
    page.get_by_role("combobox", name="Result", exact=True).select_option("")
    page.get_by_label("Title or opponent").fill("sun")
    expect(page.locator("[data-game]")).to_have_count(1)
    page.reload()
    expect(first.locator(".name")).to_have_text("Sunday")
    page.get_by_role("button", name=re.compile("Play level")).click()
    page.wait_for_url("**/game/*")


@pytest.mark.own_page
def test_a_game_is_removed_once(desktop: Window, server: Server) -> None:
    """Two clicks over a slow connection need one undo."""
    [game, *_] = with_past(desktop, server, 2)
    page = desktop.open("/games").page
    row = page.locator(f'[data-game="{game}"]')
    slow = Slow(page, "**/api/games/*/listing")
    for _ in range(2):
        row.get_by_role("button", name="Remove").click()
    desktop.until(lambda: slow.held, "the request")
    slow.answer()
    row.get_by_role("button", name="Undo").click()
    expect(row.locator(".name")).to_be_visible()
    expect(row.locator(".removed")).to_have_count(0)


def test_the_page_on_a_phone(phone: Window, server: Server) -> None:
    games = with_past(phone, server, 4)
    phone.page.set_viewport_size({"width": 320, "height": 568})
    for language in ("bg", "en", "it", "sk"):
        page = phone.open(f"/games?lang={language}").page
        expect(page.locator("[data-do=remove]").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        assert page.evaluate(OVERLAPS) == 0, language
    last = page.locator(f'[data-game="{games[-1]}"]')
    last.locator("[data-do=remove]").tap()
    expect(last.locator(".removed")).to_be_visible()
    page.reload()
    assert shown(phone) == games[:-1]
    page.locator(f'[data-game="{games[0]}"] .open').tap()
    page.wait_for_url(f"**/game/{games[0]}")

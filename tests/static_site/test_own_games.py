"""The page "Your games" of the static site."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.chromium import Host
from tests.static_site.support import open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

FORGET_RESULT = """() => new Promise((done) => {
  const opening = indexedDB.open("damka");
  opening.onsuccess = () => {
    const change = opening.result.transaction("games", "readwrite");
    const games = change.objectStore("games");
    games.getAll().onsuccess = ({ target }) =>
      target.result.forEach(({ result, ...game }) => games.put(game));
    change.oncomplete = () => done(opening.result.close());
  };
})"""
"""Remove the stored results, as in games of earlier versions of the site."""


def test_games_of_this_browser_are_listed_and_changed(browser: Browser, host: Host) -> None:
    with open_context(browser) as context:
        window = open_window(context, host)
        window.open("en/games.html")
        page = window.page
        expect(page.get_by_text("No games yet")).to_be_visible()
        window.new_game("american", opponent="computer", level="1").play_on(3, 2, "B")
        page.locator("#resign").click()
        page.locator("#answers button").first.click()
        window.until(lambda: window.state["result"], "the end")
        window.new_game("dama64").play_on(3, 1)
        page.evaluate(FORGET_RESULT)

        window.open("en/games.html")
        expect(page.locator("[data-game]")).to_have_count(2)
        running, lost = page.locator("[data-game]").nth(0), page.locator("[data-game]").nth(1)
        expect(running).to_contain_text("Bulgarian box")
        expect(lost.locator(".result")).to_have_text("You lost")
        expect(page.locator(".levels")).to_contain_text("1 lost")
        lost.get_by_role("button", name="Rename").click()
        page.keyboard.type("First")
        page.keyboard.press("Enter")
        expect(lost.locator(".name")).to_have_text("First")
        running.get_by_role("button", name="Rename").click()
        page.keyboard.type("Second")
        page.keyboard.press("Enter")
        expect(running.locator(".name")).to_have_text("Second")
        window.open("en/index.html")
        expect(page.locator(".run b")).to_have_text("Second")
        window.open("en/games.html")
        running.get_by_role("button", name="Remove").click()
        expect(running.locator(".removed")).to_be_visible()
        page.get_by_label("Result").select_option("lost")
        expect(page.locator("[data-game]")).to_have_count(1)
        with page.expect_download() as saved:
            page.get_by_role("link", name="Download all games").click()
        assert Path(saved.value.path()).read_text("utf-8").count("[GameType ") == 1
        page.get_by_role("link", name=re.compile("^Review")).click()
        expect(page.locator("#review.final")).to_be_visible(timeout=60_000)
        assert page.locator("#tree .move").count() >= 3
        page.go_back()
        expect(page.locator("[data-game]")).to_have_count(1)
        expect(page.locator(".name")).to_have_text("First")
        page.locator(".open").click()
        page.wait_for_url(re.compile("game.html"))
        window.ready()
        window.open("en/index.html")
        expect(page.locator("main.choose")).to_be_visible()
        expect(page.locator(".run")).to_have_count(0)
        assert window.errors == []

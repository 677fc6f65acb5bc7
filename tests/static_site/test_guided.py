"""A guided game of the static site."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, expect

from tests.chromium import Host
from tests.static_site.support import open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]


def test_a_guided_game_survives_a_reload_and_leads_to_level_1(browser: Browser, host: Host) -> None:
    with open_context(browser) as context:
        window = open_window(context, host)
        page = window.page
        window.open("en/guided.html?rules=dama64")
        page.wait_for_url("**/game.html?game=*")
        say = page.locator("#say")
        expect(say).to_contain_text("It’s your move. A man moves one square forwards")
        page.wait_for_selector("body.ready")
        window.until(lambda: window.state, "the game")
        window.play_on(3, 1, "W")
        first, count = window.state["history"], len(window.state["guide"]["notices"])
        assert len(first) >= 2
        page.reload()
        page.wait_for_selector("body.ready")
        window.until(lambda: window.state and window.state["history"], "the game")
        assert window.state["history"] == first
        assert len(window.state["guide"]["notices"]) == count
        page.locator("#undo").click()
        window.until(lambda: window.state["ply"] == 0, "the takeback")

        # The address opens the same game.
        game = page.url
        window.open("en/guided.html?rules=dama64")
        page.wait_for_url(game)
        page.wait_for_selector("body.ready")
        window.until(lambda: window.state, "the game")
        window.play_on(7, 200, "W")
        expect(page.locator("#end-guide")).to_contain_text("These rules came up: ")
        page.wait_for_function("'damka.lessons' in localStorage")
        stars = json.loads(page.evaluate("localStorage['damka.lessons']"))
        assert [*stars.values()] == [{"game": 3}]

        window.open("en/games.html")
        expect(page.locator("[data-game]")).to_contain_text("Guided game")
        page.locator(".open").click()
        page.get_by_role("button", name="Play at level 1").click()
        page.wait_for_function("page => location.href !== page", arg=game)
        page.wait_for_selector("body.ready")
        window.until(lambda: window.state and window.state["guide"] is None, "the next game")
        assert window.state["players"]["B"]["level"] == 1

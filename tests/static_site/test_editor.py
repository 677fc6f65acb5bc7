"""The board editor of the static site: links, checks, house rules and a game from a position."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from damka import Board, box, pdn, rules
from tests.chromium import Host
from tests.static_site.support import open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]


def test_a_position_is_checked_and_played(browser: Browser, host: Host) -> None:
    with open_context(browser) as context:
        window = open_window(context, host)
        page = window.open("en/analyse.html?rules=russian&setup=1&fen=W:W1,30:B5").page
        window.until(lambda: window.pieces.startswith("w"), "the position of the address")
        expect(page.locator("#fen")).to_have_value("W:Wc1,b8:Ba7")
        page.get_by_text("A man would be a king on b8.").wait_for()
        page.get_by_role("button", name="Change to king").click()
        page.get_by_text("White to move.").wait_for()
        assert page.url.endswith("/en/analyse.html?rules=russian&setup=1&fen=W:WK1,30:B5")
        page.select_option("#language select", "sk")
        page.wait_for_url("**/sk/analyse.html?rules=russian&setup=1&fen=W:WK1,30:B5")
        page.get_by_text("Biely je na ťahu.").wait_for()
        with page.expect_download() as download:
            page.locator("#svg").click()
        assert download.value.suggested_filename == "russian.svg"
        page.locator("#open-play").click()
        page.locator("#play-form label:has([value=person])").click()
        page.locator("#play").click()
        page.wait_for_url("**/sk/game.html?game=*")
        window.ready()
        window.wait_until_joined()
        assert window.pieces == Board("russian", "W:WK1,30:B5").pieces


def test_a_game_is_analysed_without_a_network(browser: Browser, host: Host, tmp_path: Path) -> None:
    with open_context(browser) as context:
        window = open_window(context, host)
        window.open("").page.wait_for_url("**/en/index.html")
        window.wait_until_cached()
        context.set_offline(True)
        window.new_game("russian").play_on(5, 6)
        game = window.state["id"]
        page = window.open(f"en/analyse.html?game={game}").page
        items = page.locator("#tree [role=treeitem]")
        window.until(lambda: items.count() == 6, "the moves of the game")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#tree [aria-current=true]")
        expect(page.locator("#say")).to_contain_text("to move", timeout=30_000)
        page.keyboard.press("3")
        page.keyboard.press("c")
        page.wait_for_selector("#annotation textarea:focus")
        page.keyboard.type("Found offline")
        page.keyboard.press("Escape")
        page.reload()
        page.get_by_text("Found offline").first.wait_for()
        with page.expect_download() as download:
            page.locator("#save-pdn").click()
        path = tmp_path / "game.pdn"
        download.value.save_as(path)
        [saved] = pdn.read(path)
        [first] = saved.variations
        assert (first.comment, first.nags, saved.move_count) == ("Found offline", {3}, 6)
        with page.expect_download() as download:
            page.locator("#save-replay").click()
        assert download.value.suggested_filename == "russian-replay.svg"
        # The review: by this device, and stored in this browser.
        page.locator("#open-review").click()
        page.locator("#review.final .numbers").wait_for()
        numbers, moments = page.locator(".numbers"), page.locator(".moment")
        shown = numbers.inner_text(), moments.all_inner_texts()
        assert "%" in shown[0]
        page.goto(f"{page.url}&review=1")
        page.locator("#review.final").wait_for()
        assert page.locator("#review progress").is_hidden()
        assert (numbers.inner_text(), moments.all_inner_texts()) == shown


def test_house_rules_have_an_editor(browser: Browser, host: Host) -> None:
    house = rules.load("dama100").replace(
        name="kitchen", title={"en": "Kitchen"}, king_range="short"
    )
    with open_context(browser) as context:
        window = open_window(context, host)
        page = window.open(f"en/analyse.html?r={box.encode(house)}&setup=1&fen=W:WK50:B1").page
        window.until(lambda: window.status_text == "Blue to move. 2 legal moves.", "the check")
        assert page.locator("#game option:checked").inner_text() == "Kitchen"

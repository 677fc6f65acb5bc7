"""The board editor of the static site: links, checks, house rules and a game from a position."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from damka import Board, box, rules
from tests.chromium import Host
from tests.static_site.support import open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]


def test_a_position_is_checked_and_played(browser: Browser, host: Host) -> None:
    with open_context(browser) as context:
        window = open_window(context, host)
        page = window.open("en/analyse.html?rules=russian&setup=1&fen=W:W1,30:B5").page
        window.until(lambda: window.pieces.startswith("w"), "the position of the address")
        assert page.locator("#fen").input_value() == "W:Wc1,b8:Ba7"
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


def test_house_rules_have_an_editor(browser: Browser, host: Host) -> None:
    house = rules.load("dama100").replace(
        name="kitchen", title={"en": "Kitchen"}, king_range="short"
    )
    with open_context(browser) as context:
        window = open_window(context, host)
        page = window.open(f"en/analyse.html?r={box.encode(house)}&setup=1&fen=W:WK50:B1").page
        window.until(lambda: window.status_text == "Blue to move. 2 legal moves.", "the check")
        assert page.locator("#game option:checked").inner_text() == "Kitchen"

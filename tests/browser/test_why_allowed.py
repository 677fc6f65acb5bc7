"""Explanations of moves: why one was allowed, and the first refusal of a kind in full."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.support import Window, game_file
from tests.browser.two_devices import pair, windows
from tests.chromium import TOUCH
from tests.server.support import Server

BACKWARDS = "W:W28,50:B33,2,3"
"""The man on 28 can only capture backwards."""
WHY = "Why is this move allowed?"
BECAUSE = "Men also capture backwards: the man on 28 took 33."


def test_moves_are_explained_with_their_rule_and_squares(desktop: Window) -> None:
    desktop.load_game(game_file("international", BACKWARDS))
    button = desktop.page.get_by_role("button", name=WHY)
    assert button.is_disabled(), "there is no move yet"
    desktop.play("28x39x33")
    button.click()
    desktop.until(lambda: desktop.status_text == BECAUSE)
    assert "#p-man_capture" in (desktop.page.locator("#rule").get_attribute("href") or "")
    assert desktop.page.locator("damka-board .arrow").count(), "the route is drawn"
    assert desktop.page.locator("damka-board .noted:not(.edge)").count() == 2, "28 and 33"
    desktop.play("2-8")
    assert BECAUSE not in desktop.status_text, "the next move ends the explanation"
    desktop.press("ArrowLeft")
    button.focus()
    desktop.press("Enter")
    desktop.until(lambda: desktop.status_text == BECAUSE, "an earlier move, by keyboard")


def test_moves_are_explained_on_two_devices_and_after_the_end(
    browser: Browser, server: Server
) -> None:
    with windows(browser, server, {}, TOUCH) as (ana, petra):
        pair(ana, petra, rules="american")
        ana.play("11-15")
        petra.until(lambda: petra.moves() == ["11-15"], "the move arrives")
        before = ana.status_text
        petra.page.get_by_role("button", name=WHY).click()
        petra.until(lambda: petra.page.locator("#rule").is_visible(), "the move is explained")
        assert "#p-" in (petra.page.locator("#rule").get_attribute("href") or "")
        assert ana.status_text == before, "the opponent sees nothing of it"
        petra.play("23-19")
        petra.page.locator("#resign").click()
        petra.page.locator("#answers button").first.click()
        for window in (ana, petra):
            window.page.locator("#close-end").click()
            window.page.get_by_role("button", name=WHY).click()
            window.until(lambda: window.page.locator("#rule").is_visible(), "explained")  # noqa: B023


def test_the_first_refusal_of_a_kind_is_explained_in_full(phone: Window) -> None:
    phone.load_game(game_file("american", "B:W18,30:B3,4,15"))
    more, arrow = phone.page.locator("#more"), phone.page.locator("damka-board .arrow")
    phone.tap(3)
    phone.until_refused()
    assert more.inner_text().startswith("Capturing is compulsory")
    assert more.inner_text() in phone.page.inner_text("#spoken")
    assert arrow.count(), "the way is shown"
    phone.tap(4)
    phone.until(lambda: more.inner_text() == "" and not arrow.count(), "the second one is short")
    phone.until_refused()
    assert phone.page.locator("#rule").is_visible()


def test_moves_are_explained_on_the_analysis_board(phone: Window) -> None:
    phone.open(f"/analyse/international?fen={BACKWARDS}")
    phone.page.wait_for_selector("body.ready")
    button = phone.page.get_by_role("button", name=WHY)
    assert button.is_disabled()
    phone.page.wait_for_selector("damka-board .must")
    phone.tap(28, 39)
    phone.page.locator("#tree .move").first.wait_for()
    button.click()
    phone.until(lambda: phone.status_text == BECAUSE)
    assert phone.page.locator("#rule").get_attribute("href") == "/rules/international#p-man_capture"
    phone.page.locator("damka-board .arrow").first.wait_for()

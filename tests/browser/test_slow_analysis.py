"""Analysis over a slow connection: a late answer does not replace what was chosen after it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.slow import Slow
from tests.browser.support import Window
from tests.browser.test_analysis import moves, open_game, play, says, until_current

pytestmark = pytest.mark.own_page


def test_a_late_refusal_is_not_shown_for_another_position(desktop: Window) -> None:
    page = open_game(desktop)
    page.locator("#tree .move", has_text="22-18").first.click()
    says(desktop, "Black to move")
    slow = Slow(page, "**/api/line*")
    desktop.click(9, 17)
    desktop.until(lambda: slow.held, "the request")
    page.keyboard.press("ArrowRight")
    desktop.until(lambda: len(slow.held) == 2, "the request of the next position")
    slow.let_last_go()
    says(desktop, "White to move")
    slow.answer()
    page.keyboard.press("f")
    assert page.locator("#status.no").count() == 0
    says(desktop, "White to move")


def test_a_late_engine_line_does_not_replace_a_move(desktop: Window) -> None:
    page = desktop.open("/analyse/dama64").page
    page.wait_for_selector("body.ready")
    says(desktop, "White to move")
    first = page.locator(".engine-lines .first").first
    expect(first).to_be_enabled()
    slow = Slow(page, "**/api/line*")
    first.click()
    desktop.until(lambda: slow.held, "the request")
    play(desktop, 24, 20)
    until_current(desktop, "24-20")
    slow.answer()
    says(desktop, "Black to move")
    assert moves(desktop) == ["24-20"]


def test_an_explanation_is_not_replaced_by_a_late_answer(desktop: Window) -> None:
    page = open_game(desktop)
    page.locator("#tree .move", has_text="22-18").first.click()
    says(desktop, "Black to move")
    slow = Slow(page, "**/api/line*")
    page.keyboard.press("ArrowRight")
    desktop.until(lambda: slow.held, "the request")
    page.locator("#why").click()
    desktop.until(lambda: len(slow.held) == 2, "the request for the explanation")
    slow.let_last_go()
    expect(page.locator("#rule")).to_be_visible()
    explanation = desktop.status_text
    slow.answer()
    assert desktop.status_text == explanation
    page.keyboard.press("ArrowLeft")
    says(desktop, "Black to move")
    page.keyboard.press("ArrowRight")
    says(desktop, "White to move")


def test_analyse_waits_for_the_editor(desktop: Window) -> None:
    page = open_game(desktop)
    slow = Slow(page, "**/setup.js")
    page.click("#set-up")
    desktop.until(lambda: slow.held, "the editor is loading")
    for _ in range(2):
        page.click("#analyse-this")
    assert page.locator("body.setup").count() == 1
    slow.let_go()
    page.wait_for_selector("body:not(.setup)")
    page.locator("#tree .move", has_text="22-18").first.click()
    says(desktop, "Black to move")

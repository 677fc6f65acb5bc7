"""Explanations of moves: why one was allowed, and the first refusal of a kind in full."""

from __future__ import annotations

from tests.browser.support import Window, game_file

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

"""The button that explains why the rules allowed a move."""

from __future__ import annotations

from tests.browser.support import Window, game_file

BACKWARDS = "W:W28,50:B33,2,3"
"""The man on 28 can only capture backwards."""
WHY = "Why is this move allowed?"


def test_a_move_is_explained_with_its_rule_and_squares(desktop: Window) -> None:
    desktop.load_game(game_file("international", BACKWARDS))
    button = desktop.page.get_by_role("button", name=WHY)
    assert button.is_disabled(), "there is no move yet"
    desktop.play("28x39")
    button.click()
    because = "Men also capture backwards: the man on 28 took 33."
    desktop.until(lambda: desktop.status_text.startswith(because))
    assert "#p-man_capture" in (desktop.page.locator("#rule").get_attribute("href") or "")
    assert desktop.page.locator("damka-board .arrow").count(), "the route is drawn"
    desktop.play("2-8")
    assert because not in desktop.status_text, "the next move ends the explanation"


def test_an_earlier_move_is_explained_by_keyboard(desktop: Window) -> None:
    desktop.load_game(game_file("international", BACKWARDS))
    desktop.play("28x39")
    desktop.play("2-8")
    desktop.press("ArrowLeft")
    button = desktop.page.get_by_role("button", name=WHY)
    button.focus()
    desktop.press("Enter")
    desktop.until(lambda: desktop.status_text.startswith("Men also capture backwards"))


def test_the_button_fits_on_a_phone(phone: Window) -> None:
    phone.load_game(game_file("international", BACKWARDS))
    phone.play("28x39")
    phone.page.get_by_role("button", name=WHY).tap()
    phone.until(lambda: phone.status_text.startswith("Men also capture backwards"))

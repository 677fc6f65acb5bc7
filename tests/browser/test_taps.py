"""Taps at awkward moments: none is lost, and none triggers an irrelevant message."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

from tests.browser.support import Window, game_file
from tests.chromium import DOUBLE_CLICK

OFFENCE: Final = "W:W32,36,37,46:B3,4,28"
"""The man on 32 can capture; those on 36 and 46 can move instead."""
RETURN: Final = "W:WK30,32:B26,25,18,17,1"
"""The king on 30 captures four men in a circle."""


def sent_moves(window: Window) -> list[str]:
    return [frame["move"] for frame in window.sent if frame["t"] == "move"]


def refused_taps(window: Window) -> list[list[int]]:
    return [frame["clicks"] for frame in window.sent if frame["t"] == "why"]


def test_a_capture_that_ends_at_its_start_is_shown(desktop: Window) -> None:
    desktop.load_game(game_file("american", RETURN))
    desktop.click(30)
    assert desktop.marked("home") == {30}
    assert desktop.page.locator(".route").count() == 1, "its route is drawn"
    assert "can move here" in (desktop.page.get_attribute('[data-square="30"]', "aria-label") or "")
    desktop.click(30)
    desktop.until_ply(1)
    assert len(desktop.state["history"][0]["move"]["captures"]) == 4


def test_a_double_click_chooses_a_piece_and_plays_a_move_once(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.page.mouse.dblclick(*desktop.at(22))
    assert desktop.marked("target") == {17, 18}
    desktop.page.mouse.dblclick(*desktop.at(18))
    desktop.until_ply(1)
    assert desktop.moves() == ["22-18"]
    desktop.play("11-15")
    assert desktop.moves() == ["22-18", "11-15"]
    assert refused_taps(desktop) == []


def test_another_piece_is_chosen_while_one_is_selected(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.click(22, 23)
    assert desktop.marked("target") == {18, 19}
    desktop.click(19)
    desktop.until_ply(1)
    assert desktop.moves() == ["23-19"]
    assert refused_taps(desktop) == []


def test_a_tap_during_the_reply_counts_after_it(desktop: Window) -> None:
    desktop.new_game("dama64", opponent="computer", level=1)
    desktop.click(22, 18)
    desktop.until(lambda: desktop.state["ply"] == 2, "the reply has arrived")
    square = desktop.state["legal"][0]["from"]
    if square == 18:
        # At once it would be the second click of a double-click.
        desktop.page.wait_for_timeout(DOUBLE_CLICK)
    desktop.click(square)
    desktop.settled()
    desktop.until(lambda: desktop.page.locator(".chosen").count() == 1, "the piece is selected")
    assert refused_taps(desktop) == []


def test_a_tap_on_another_piece_dismisses_the_warning(desktop: Window) -> None:
    desktop.load_game(game_file("dama100", OFFENCE, "huff"))
    desktop.click(36, 31)
    desktop.page.wait_for_selector("#answers button")
    assert sent_moves(desktop) == []
    desktop.click(32)
    desktop.page.wait_for_selector(".chosen")
    assert desktop.page.locator("#answers button").count() == 0
    assert desktop.pieces == desktop.state["pieces"], "the move is taken back"
    desktop.click(36, 31)
    desktop.page.wait_for_selector("#answers button")
    desktop.page.wait_for_timeout(DOUBLE_CLICK)
    desktop.click(31)
    desktop.page.wait_for_selector(".chosen")
    assert desktop.marked("target") == {31}, "the moved man is chosen at its square"
    assert sent_moves(desktop) == []


def test_a_tap_on_an_earlier_position_is_explained(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.play("22-18")
    desktop.play("11-15")
    desktop.press("ArrowLeft")
    assert "Move 1 of 1: 22-18." in desktop.status_text
    assert outlined(desktop.page)
    desktop.click(24)
    desktop.until(lambda: "earlier position" in desktop.status_text, "the explanation")
    desktop.answer("Back to the game")
    assert not outlined(desktop.page)
    desktop.click(18)
    assert desktop.marked("target") == {11}


def outlined(page: Page) -> bool:
    style: str = page.evaluate(
        "getComputedStyle(document.querySelector('damka-board > svg')).outlineStyle"
    )
    return style == "solid"


def test_a_draw_offer_to_the_computer_needs_confirmation(desktop: Window) -> None:
    desktop.new_game("dama64", opponent="computer", level=1)
    desktop.page.locator("#draw").click()
    desktop.page.wait_for_selector("#answers button")
    assert [frame for frame in desktop.sent if frame["t"] == "draw"] == []
    desktop.answer("Offer a draw")
    desktop.until(lambda: [f for f in desktop.sent if f["t"] == "draw"], "the offer")

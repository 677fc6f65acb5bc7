"""Openings on the page: a drawn position is shown, named and played."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from damka import Game, box
from damka.rules import load
from tests.browser.support import Window, locale, open_window
from tests.chromium import PHONE

NAME = "Two against two in the old corner, as it has been played for many years in our kitchen"[:80]
BOTTOM = "document.getElementById('opening').getBoundingClientRect().bottom"
"""Script for the lower edge of the opening's name, which the page replaces when it connects."""
BOX = load("american").replace(name="mine", ballots=[f"7. {NAME}: W:W21,22,K30:B5,9"])


def start_game(window: Window, **options: object) -> Window:
    request = {"rules": box.table(BOX), "opponent": "person", "colour": "first", **options}
    return window.open(window.post("/api/games", request)["url"])


def test_a_drawn_opening_is_shown_and_played(desktop: Window) -> None:
    start_game(desktop)
    assert desktop.page.inner_text("#opening") == f"Opening 7: {NAME}"
    assert desktop.page.inner_text("#spoken").startswith(f"Opening 7: {NAME}.")
    assert desktop.pieces == Game(BOX, ballot=0).board.pieces
    assert desktop.moves() == []
    assert desktop.page.locator("#undo").is_disabled()
    desktop.play("21-17")
    desktop.play("9-13")
    assert desktop.moves() == ["21-17", "9-13"]
    assert desktop.page.inner_text("#opening") == f"Opening 7: {NAME}"
    desktop.page.reload()
    desktop.ready()
    assert desktop.page.inner_text("#opening") == f"Opening 7: {NAME}"
    assert desktop.moves() == ["21-17", "9-13"]


def test_a_game_without_a_drawn_opening_names_none(desktop: Window) -> None:
    desktop.new_game("american")
    assert not desktop.page.locator("#opening").count()


def test_the_drawing_of_colours_names_the_side_that_begins(desktop: Window) -> None:
    """In American draughts Black begins, but White in this opening."""
    request = {"rules": box.table(BOX), "opponent": "computer", "colour": "lot"}
    game = desktop.post("/api/games", request)
    desktop.page.goto(f"{desktop.url}{game['url']}#lot")
    is_white = game["lot"]["you"] == "W"
    expected = "You play White and move first." if is_white else "You play Red and move second."
    desktop.page.locator("#say").get_by_text(expected).wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_long_name_fits_a_phone(browser: Browser, desktop: Window, scheme: str) -> None:
    with open_window(
        browser, desktop.url, viewport=PHONE, color_scheme=scheme, **locale("sk")
    ) as phone:
        start_game(phone)
        opening = phone.page.locator("#opening")
        assert opening.inner_text() == f"Otvorenie 7: {NAME}"
        is_too_wide = "document.documentElement.scrollWidth > innerWidth"
        for width in (320, 390):
            phone.page.set_viewport_size({"width": width, "height": 844})
            assert not phone.page.evaluate(is_too_wide)
            assert phone.page.evaluate(BOTTOM) <= 844

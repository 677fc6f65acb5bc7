"""Openings on the page: a drawn position is shown, named and played."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from damka import Game, box
from damka.rules import load
from tests.browser.support import Window, locale, window
from tests.chromium import PHONE

NAME = "Two against two in the old corner, as it has been played for many years in our kitchen"[:80]
BOX = load("american").replace(name="mine", ballots=[f"7. {NAME}: W:W21,22,K30:B5,9"])


def started(desk: Window, **options: object) -> Window:
    whole = {"rules": box.table(BOX), "opponent": "person", "colour": "first", **options}
    return desk.open(desk.post("/api/games", whole)["url"])


def test_a_position_is_drawn_shown_and_played_from(desk: Window) -> None:
    started(desk)
    assert desk.page.inner_text("#opening") == f"Opening 7: {NAME}"
    assert desk.page.inner_text("#spoken").startswith(f"Opening 7: {NAME}.")
    assert desk.pieces == Game(BOX, ballot=0).board.pieces
    assert desk.moves() == []
    assert desk.page.locator("#undo").is_disabled()
    desk.play("21-17")
    desk.play("9-13")
    assert desk.moves() == ["21-17", "9-13"]
    assert desk.page.inner_text("#opening") == f"Opening 7: {NAME}"
    desk.page.reload()
    desk.ready()
    assert desk.page.inner_text("#opening") == f"Opening 7: {NAME}"
    assert desk.moves() == ["21-17", "9-13"]


def test_a_game_without_a_lot_names_no_opening(desk: Window) -> None:
    desk.new_game("american")
    assert not desk.page.locator("#opening").count()


def test_the_lot_decides_who_begins_in_the_position(desk: Window) -> None:
    """In American draughts Black begins, but White in this opening."""
    asked = {"rules": box.table(BOX), "opponent": "person", "colour": "lot"}
    made = desk.post("/api/games", asked)
    desk.page.goto(f"{desk.url}{made['url']}#lot")
    white = made["lot"]["you"] == "W"
    expected = "You play White and move first." if white else "You play Red and move second."
    desk.page.locator(".lot").get_by_text(expected).wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_long_name_fits_a_phone(browser: Browser, desk: Window, scheme: str) -> None:
    with window(browser, desk.url, viewport=PHONE, color_scheme=scheme, **locale("sk")) as phone:
        started(phone)
        opening = phone.page.locator("#opening")
        assert opening.inner_text() == f"Otvorenie 7: {NAME}"
        wide = "document.documentElement.scrollWidth > innerWidth"
        for width in (320, 390):
            phone.page.set_viewport_size({"width": width, "height": 844})
            assert not phone.page.evaluate(wide)
            place = opening.bounding_box()
            assert place is not None
            assert place["y"] + place["height"] <= 844

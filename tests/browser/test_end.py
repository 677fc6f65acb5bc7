"""The end of a game: the sentence, the sheet, the next game, and sharing."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from damka import Game
from tests.browser.support import Window, game_file, open_window
from tests.chromium import PHONE, TOUCH
from tests.server.support import Server

WINNING: Final = "W:W14,K30:B10"
"""14x7x10 captures Black's last piece."""
SMALL: Final[ViewportSize] = {"width": 320, "height": 568}
RECORD_SHIFTS: Final = """() => { window.shifts = 0; new PerformanceObserver((list) => {
  for (const each of list.getEntries()) window.shifts += each.value;
}).observe({ type: "layout-shift" }); }"""
CELEBRATE: Final = """async () => {
  await new Promise((done) => setTimeout(done));
  const { src } = document.querySelector("script[src$='game.js']");
  await import(src.replace("game.js", "confetti.js"));
}"""
"""Script that ends after the page has begun a celebration."""
SHARED: Final = """navigator.share = async (data) => { window.shared = data; };
navigator.canShare = () => true;"""


def win(window: Window, level: int = 3) -> None:
    """Win against the computer by one move; record the layout shifts from then on."""
    query = f"?opponent=computer&level={level}&side=W"
    window.load_game(game_file("dama64", WINNING), query)
    window.page.evaluate(RECORD_SHIFTS)
    window.play("14x7x10")
    window.page.locator("#end").wait_for()


def resign(window: Window) -> None:
    window.page.click("#resign")
    window.answer("Resign")
    window.page.locator("#end").wait_for()


def rows(window: Window) -> dict[str, list[str]]:
    """Return the displayed numbers: own, the opponent's."""
    texts = window.page.locator("#end tbody tr:visible").all_inner_texts()
    return {cells[0]: cells[1:] for cells in (text.split("\t") for text in texts)}


def next_game(window: Window, button: str) -> None:
    """Press a button of the sheet that starts a game; wait for the game."""
    old = window.page.url
    window.page.locator("#end").get_by_role("button", name=button, exact=True).click()
    window.page.wait_for_url(lambda url: url != old)
    window.ready()


def test_a_won_game_celebrates_and_leads_to_a_stronger_level(desktop: Window) -> None:
    page = desktop.page
    win(desktop)
    assert page.inner_text("#end-result") == "You won: your opponent has no pieces left."
    expect(page.locator("#end-rule")).to_have_attribute("href", re.compile("#p-goal$"))
    spoken = page.inner_text("#spoken")
    assert spoken.count("You won: your opponent has no pieces left.") == 1
    assert page.locator("damka-board").get_attribute("data-winner") == "W"
    # The canvas is there for a moment only.
    events = page.wait_for_function(
        """() => {
          const canvas = document.querySelector("canvas.confetti");
          return canvas && getComputedStyle(canvas).pointerEvents;
        }"""
    )
    assert events.json_value() == "none"
    expect(page.locator("canvas.confetti")).to_have_count(0)
    assert rows(desktop) == {"Moves": ["1", "0"], "Captured pieces": ["1", "0"]}
    board, sheet = page.locator("damka-board").bounding_box(), page.locator("#end").bounding_box()
    assert board is not None
    assert sheet is not None
    assert sheet["x"] >= board["x"] + board["width"]
    assert page.evaluate("shifts") < 0.02
    assert page.locator("#end #new").is_hidden()
    next_game(desktop, "Play level 4 (stronger)")
    assert {player["level"] for player in desktop.state["players"].values()} == {None, 4}


def test_a_lost_game_leads_to_a_weaker_level_by_the_same_rules(desktop: Window) -> None:
    rules = (
        Game("dama64")
        .rules.replace(name="ours", title={"en": "Ours"}, rematch="alternate")
        .to_dict()
    )
    options = {"rules": rules, "opponent": "computer", "level": 2, "colour": "first"}
    desktop.open(desktop.post("/api/games", options)["url"])
    resign(desktop)
    assert desktop.page.inner_text("#end-result") == "You lost: you resigned."
    desktop.page.evaluate(CELEBRATE)
    assert desktop.page.locator("canvas").count() == 0
    assert desktop.page.locator("body.defeat").count() == 1
    next_game(desktop, "Play level 1 (weaker)")
    assert desktop.state["you"] == ["B"], "the colours alternate"
    assert desktop.state["players"]["W"]["level"] == 1
    assert "Ours" in desktop.page.title()
    desktop.until_ply(1)
    resign(desktop)
    assert desktop.page.locator("#level").is_hidden(), "no level is weaker"
    next_game(desktop, "Rematch")
    assert desktop.state["players"]["B"]["level"] == 1


def test_a_draw_and_two_people(desktop: Window) -> None:
    desktop.load_game(game_file("dama64", "W:WK1:BK32"), "?opponent=computer&level=6&side=W")
    desktop.page.click("#draw")
    desktop.answer("Offer a draw")
    desktop.page.locator("#end").wait_for()
    assert desktop.page.inner_text("#end-result") == "Draw: both sides agreed."
    assert desktop.page.locator("#level").is_hidden()
    assert desktop.page.locator("damka-board").get_attribute("data-winner") == ""
    desktop.new_game("american", names=["Ana", "Bo"])
    desktop.play("11-15")
    resign(desktop)
    assert desktop.page.inner_text("#end-result") == "Ana wins. White resigned."
    desktop.page.evaluate(CELEBRATE)
    assert desktop.page.locator("canvas").count() == 0
    assert desktop.page.locator("#end thead .won").inner_text() == "Ana"
    expect(desktop.page.locator("#end #new")).to_have_attribute("href", "/")


def test_reduced_motion_has_no_confetti(desktop: Window) -> None:
    desktop.page.emulate_media(reduced_motion="reduce")
    win(desktop)
    desktop.page.evaluate(CELEBRATE)
    assert desktop.page.locator("canvas").count() == 0


def test_the_sheet_is_put_away_and_brought_back(desktop: Window) -> None:
    page = desktop.page
    sheet, result = page.locator("#end"), page.locator("#open-end")
    desktop.new_game("dama64", opponent="computer", level=1)
    desktop.play("22-18")
    desktop.until_ply(2)
    # With the keyboard only: the focus is not lost with the buttons of the game.
    page.focus("#resign")
    page.keyboard.press("Enter")
    expect(page.locator("#answers button").nth(1)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    sheet.wait_for()
    expect(page.locator("#close-end")).to_be_focused()
    # The focus never goes behind the sheet.
    page.keyboard.press("Shift+Tab")
    assert not page.evaluate("document.activeElement.closest('#moves, #steps, #typed')")
    page.focus("#close-end")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(result).to_be_focused()
    assert page.locator("#moves").is_visible()
    assert page.locator("#again").is_visible()
    page.keyboard.press("ArrowLeft")
    assert "Move 1 of 1" in desktop.status_text
    page.keyboard.press("ArrowRight")
    expect(sheet).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    result.click()
    expect(sheet).to_be_visible()
    expect(page.locator("#end-result")).to_be_focused()
    desktop.settled()
    page.click("#share")
    page.keyboard.press("Escape")
    expect(page.locator("#share")).to_be_focused()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


@pytest.mark.own_page
def test_a_game_is_shared(browser: Browser, server: Server) -> None:
    options: dict[str, Any] = {"own": True, "permissions": ["clipboard-read", "clipboard-write"]}
    with open_window(browser, server.url, **options) as window:
        page = window.page
        page.add_init_script(SHARED)
        win(window)
        page.click("#share")
        assert page.locator("#ways .button:visible").all_inner_texts() == [
            "Copy link",
            "Send to an app",
            "Save picture",
            "Save animation",
            "Save as PDN",
        ]
        page.click("#copy")
        expect(page.locator("#copy")).to_have_text("Copied")
        link = page.evaluate("navigator.clipboard.readText()")
        assert link == f"{server.url}/game/{window.state['id']}"
        expect(page.locator("#spoken")).to_have_text("Copied")
        expect(page.locator("#copy")).to_have_text("Copy link")
        page.click("#send")
        window.until(lambda: page.evaluate("Boolean(window.shared)"), "shared")
        assert page.evaluate("[shared.url, shared.text, shared.files[0].type]") == [
            link,
            "You won: your opponent has no pieces left.",
            "image/png",
        ]
        files = {}
        for name in ("#picture", "#replay", "#ways a:last-child"):
            with page.expect_download() as download:
                page.click(name)
            files[download.value.suggested_filename] = download.value.path().read_bytes()
        picture, replay, pdn = files.values()
        assert picture.startswith(b"\x89PNG")
        assert b"<animate" in replay
        assert b"[White" in pdn
        assert [name.rpartition(".")[2] for name in files] == ["png", "svg", "pdn"]


def test_without_a_share_sheet_its_button_is_hidden(phone: Window) -> None:
    phone.page.add_init_script("delete Navigator.prototype.share")
    win(phone)
    phone.page.tap("#share")
    expect(phone.page.locator("#picture")).to_be_visible()
    assert phone.page.locator("#send").is_hidden()


@pytest.mark.parametrize("language", ["bg", "en", "it", "sk"])
def test_the_sheet_leaves_the_board_of_a_phone_free(
    browser: Browser, server: Server, language: str
) -> None:
    with open_window(browser, server.url, **{**TOUCH, "locale": language}) as phone:
        win(phone)
        for size in (PHONE, SMALL):
            phone.page.set_viewport_size(size)
            strip = phone.page.locator("#bottom").bounding_box()
            assert strip is not None
            free = "top => document.getElementById('end').offsetTop >= top - 1"
            assert phone.page.evaluate(free, strip["y"] + strip["height"]), size
            in_view = """button => button.offsetTop + button.offsetHeight
              <= document.getElementById("end").clientHeight"""
            for button in ("#level", "#rematch", "#share"):
                assert phone.page.locator(button).evaluate(in_view), (button, size)
            assert phone.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        phone.page.tap("#close-end")
        expect(phone.page.locator("#end")).to_be_hidden()
        expect(phone.page.locator("#moves")).to_be_visible()
        phone.page.tap("#open-end")
        expect(phone.page.locator("#end")).to_be_visible()


def test_huffs_are_counted(desktop: Window) -> None:
    game = Game("dama100", fen="W:W32,36,37,46:B3,4,28", obligation="huff")
    offence = next(move for move in game.offence_moves if move.start == 36)
    game.play(offence)
    game.huff(32)
    game.play(next(move for move in game.legal_moves if move.start == 3))
    desktop.load_game(game.to_json())
    resign(desktop)
    numbers = rows(desktop)
    assert sorted(numbers["Missed captures"]) == ["0", "1"]
    assert sorted(numbers["Huffed pieces"]) == ["0", "1"]

"""The board editor by mouse, touch and keyboard, pasted text, and games from its positions."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from damka import Board, Game
from tests.browser.support import Window, open_window
from tests.chromium import PHONE
from tests.server.support import Server

PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  const at = document.activeElement ?? document.body;
  at.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def shows(window: Window, fen: str, rules: str = "dama64") -> None:
    """Wait until the board shows a position, and its text and address are those of `fen`."""
    board = Board(rules, fen)
    window.until(lambda: window.pieces == board.pieces, f"{window.pieces} becomes {fen}")
    expect(window.page.locator("#fen")).to_have_value(board.fen_with(labels=True))
    address = "" if board.fen == Board(rules).fen else f"fen={board.fen}"
    window.until(lambda: window.page.url.endswith(address), f"{window.page.url} ends with {fen}")


def says(window: Window, text: str) -> None:
    window.page.wait_for_function(
        "text => document.querySelector('#say').textContent.includes(text)", arg=text
    )


def tool(page: Page, name: str) -> tuple[float, float]:
    box = page.get_by_role("radio", name=name, exact=True).locator("..").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def press(window: Window, name: str) -> None:
    window.page.get_by_role("button", name=name, exact=True).click()


def test_a_position_is_set_up_with_the_mouse(desktop: Window) -> None:
    page = desktop.open("/analyse/dama64?setup=1").page
    says(desktop, "White to move. 7 legal moves.")
    press(desktop, "Clear")
    says(desktop, "The board is empty.")
    expect(page.locator("#open-play")).to_be_disabled()
    page.mouse.click(*tool(page, "White man"))
    desktop.click(22, 23, 24)
    desktop.click(24)
    shows_pieces(desktop, "W:W22,23,24:B")
    page.mouse.click(*tool(page, "Remove"))
    desktop.click(24)
    shows_pieces(desktop, "W:W22,23:B")
    # A piece dragged from the palette does not change the tool.
    drag(page, tool(page, "Black king"), desktop.at(9))
    shows(desktop, "W:W22,23:BK9")
    assert page.locator("#palette input:checked").get_attribute("value") == "."
    drag(page, desktop.at(22), desktop.at(17))
    shows(desktop, "W:W17,23:BK9")
    x, y = desktop.at(21)
    drag(page, desktop.at(23), (x - 160, y))
    shows(desktop, "W:W17:BK9")
    page.keyboard.press("Control+z")
    shows(desktop, "W:W17,23:BK9")
    press(desktop, "Redo")
    shows(desktop, "W:W17:BK9")
    press(desktop, "Swap colours")
    shows(desktop, "B:WK24:B16")
    page.locator("#turn-W").click()
    shows(desktop, "W:WK24:B16")
    page.mouse.click(*tool(page, "Move"))
    desktop.click(24, 20)
    shows(desktop, "W:WK20:B16")
    press(desktop, "Flip")
    drag(page, desktop.at(20), desktop.at(32))
    shows(desktop, "W:WK32:B16")
    page.reload()
    shows(desktop, "W:WK32:B16")
    press(desktop, "Start position")
    shows(desktop, Board("dama64").fen)


def shows_pieces(window: Window, fen: str) -> None:
    window.until(lambda: window.page.locator("#fen").input_value() == fen, fen)


def test_a_man_on_its_last_row_is_explained(desktop: Window) -> None:
    page = desktop.open("/analyse/russian?setup=1&fen=W:W1,22:B5").page
    says(desktop, "A man would be a king on b8.")
    expect(page.locator("#status.no")).to_have_count(1)
    expect(page.locator("#open-play")).to_be_disabled()
    expect(page.locator(".over .refused:not(.edge)")).to_have_count(1)
    expect(page.locator("#fen")).to_have_value("W:Wc3,b8:Ba7")
    press(desktop, "Change to king")
    shows(desktop, "W:WK1,22:B5", "russian")
    says(desktop, "White to move.")
    assert page.locator("#fen-library").input_value() == "W:WK1,22:B5"


def test_the_editor_by_keyboard(desktop: Window) -> None:
    page = desktop.open("/analyse/dama64?setup=1&fen=W:W30:B").page
    says(desktop, "Black has no pieces.")
    page.locator('[data-square="32"]').focus()
    page.keyboard.press("ArrowUp")
    focused = page.evaluate("document.activeElement.dataset.square")
    page.keyboard.press("4")
    shows(desktop, f"W:W30:BK{focused}")
    page.wait_for_function(
        "text => document.querySelector('#announcement').textContent === text",
        arg=f"{focused}: Black king",
    )
    label = page.locator(f'[data-square="{focused}"]').get_attribute("aria-label")
    assert label == f"{focused}, Black king"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    target = page.evaluate("document.activeElement.dataset.square")
    shows(desktop, f"W:W30:BK{target}")
    page.keyboard.press("0")
    shows_pieces(desktop, "W:W30:B")
    page.keyboard.press("Control+z")
    shows(desktop, f"W:W30:BK{target}")
    page.locator('#palette input[value="w"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#palette input:checked").get_attribute("value") == "W"


def test_the_editor_by_touch(phone: Window) -> None:
    page = phone.open("/analyse/dama64?setup=1&fen=W:W30:B1").page
    says(phone, "White to move.")
    page.touchscreen.tap(*tool(page, "Black man"))
    page.touchscreen.tap(*phone.at(9))
    shows(phone, "W:W30:B1,9")
    devtools = page.context.new_cdp_session(page)
    for start, end in ((phone.at(9), phone.at(10)), (tool(page, "White king"), phone.at(32))):
        points = [start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end]
        for i, (x, y) in enumerate(points):
            kind = "touchMove" if i else "touchStart"
            touch = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            devtools.send("Input.dispatchTouchEvent", touch)
        devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    shows(phone, "W:W30,K32:B1,10")
    assert page.evaluate("scrollY") == 0
    # On the smallest phone, too, the next steps are in view above the bar.
    page.set_viewport_size({"width": 320, "height": 568})
    bar = page.locator(".nav").bounding_box()
    steps = page.locator(".goes").bounding_box()
    palette = page.locator("#palette").bounding_box()
    assert bar is not None
    assert steps is not None
    assert palette is not None
    assert steps["y"] + steps["height"] <= bar["y"]
    assert palette["y"] + palette["height"] <= steps["y"]
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]  # type: ignore[index]


def test_pasted_texts_are_read(desktop: Window) -> None:
    page = desktop.open("/analyse/dama64?setup=1").page
    says(desktop, "White to move.")
    page.evaluate(PASTE, "W:W22:B5")
    shows(desktop, "W:W22:B5")
    # A whole game: its last position, or its first one.
    game = Game("dama64", "W:W22,30:B11,5")
    game.play("22-18")
    page.evaluate(PASTE, game.pdn())
    shows(desktop, game.board.fen)
    press(desktop, "Show the first position")
    shows(desktop, "W:W22,30:B5,11")
    # A game that names other rules.
    russian = '[GameType "25"]\n[FEN "B:W22:Bb6"]\n*'
    page.evaluate(PASTE, russian)
    dialog = page.locator("#reading[open]")
    dialog.get_by_text("This is a game of “Russian draughts”").wait_for()
    dialog.get_by_role("button", name="Keep “Bulgarian box”").click()
    shows(desktop, "B:W22:B9")
    page.evaluate(PASTE, russian)
    dialog.get_by_role("button", name="Switch to “Russian draughts”").click()
    page.wait_for_url("**/analyse/russian?setup=1&fen=*")
    shows(desktop, "B:W22:B9", "russian")
    # Another game with the same board keeps the position, one with another board does not.
    page.select_option("#game", "/analyse/dama64")
    page.wait_for_url("**/analyse/dama64?setup=1&fen=*")
    shows(desktop, "B:W22:B9")
    page.select_option("#game", "/analyse/dama100")
    page.wait_for_url("**/analyse/dama100?setup=1")
    shows(desktop, Board("dama100").fen, "dama100")


def test_a_game_is_played_from_a_position(desktop: Window) -> None:
    page = desktop.open("/analyse/dama64?setup=1&fen=B:W22,30:B11").page
    page.locator("#open-play").click()
    form = page.locator("#play-form")
    form.get_by_text("Second (white)").wait_for()
    form.locator("label:has([value=person])").click()
    form.locator("#play").click()
    page.wait_for_url("**/game/*")
    desktop.ready()
    assert (desktop.pieces, desktop.state["turn"]) == (Board("dama64", "B:W22,30:B11").pieces, "B")
    page.go_back()
    shows(desktop, "B:W22,30:B11")
    page.locator("#open-play").click()
    form.locator("label:has([value=computer])").click()
    form.get_by_text("First (black)").click()
    form.locator("#level").fill("1")
    form.locator("#play").click()
    page.wait_for_url("**/game/*")
    desktop.ready()
    assert desktop.state["you"] == ["B"]
    desktop.play("11-16")
    page.go_back()
    page.locator("#open-play").click()
    form.locator("label:has([value=invite])").click()
    form.locator("#play").click()
    page.wait_for_url("**/game/*")
    desktop.ready()
    assert desktop.state["invitation"]
    assert desktop.state["pieces"].count("w") == 2


def test_link_picture_and_text(browser: Browser, server: Server, tmp_path: Path) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with open_window(
        browser, server.url, own=True, permissions=permissions, ignore_errors=True
    ) as window:
        page = window.open("/analyse/portuguese?setup=1&fen=W:WK30:B1").page
        says(window, "White")
        press(window, "Copy link")
        copied = f"{server.url}/analyse/portuguese?fen=W:WK30:B1"
        window.until(
            lambda: page.evaluate("navigator.clipboard.readText()") == copied, "the link is copied"
        )
        # Without https there is no Clipboard API: the page copies in another way, or says how.
        page.evaluate(
            """() => {
              window.clipboard = navigator.clipboard;
              Object.defineProperty(navigator, "clipboard", { value: undefined });
            }"""
        )
        page.locator("[data-copies=fen]").click()
        expect(page.locator("[data-copies=fen]")).to_have_text("Copied")
        assert page.evaluate("clipboard.readText()") == page.locator("#fen").input_value()
        page.evaluate("document.execCommand = () => false")
        page.locator("[data-copies=address]").click()
        expect(page.locator("#note")).to_contain_text("Copying failed. The text is selected")
        assert page.evaluate("getSelection().toString()") == copied
        for name, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
            with page.expect_download() as download:
                page.locator(".share > *", has_text=name).click()
            path = tmp_path / name
            download.value.save_as(path)
            assert path.read_bytes().startswith(start)
            assert download.value.suggested_filename == f"portuguese.{name.lower()}"
        page.emulate_media(media="print")
        assert page.locator("damka-editor").is_visible()
        assert page.locator("#print-fen").is_visible()
        assert not page.locator("#palette").is_visible()
        page.emulate_media(media="screen")
        page.locator("#fen").fill("W:WK3,x:B32")
        page.keyboard.press("Enter")
        page.locator("#reading[open]").get_by_text("“x” is not a square").wait_for()
        page.keyboard.press("Escape")
        page.locator("#fen").fill("W:WK3:BK31")
        page.keyboard.press("Tab")
        shows(window, "W:WK30:BK2", "portuguese")


@pytest.fixture
def visited(desktop: Window) -> Window:
    """Window of a visitor with Russian draughts as the last choice."""
    page = desktop.open("/").page
    page.evaluate('localStorage["damka.choice"] = \'{"rules": "russian"}\'')
    return desktop


def test_without_a_game_the_last_one_is_shown(visited: Window) -> None:
    page = visited.open("/analyse").page
    page.wait_for_url("**/analyse/russian")
    shows(visited, Board("russian").fen, "russian")


def test_home_sets_up_a_position_of_the_chosen_game(desktop: Window) -> None:
    page = desktop.open("/").page
    page.locator("label.card", has_text="Italian box").click()
    page.get_by_role("link", name="Set up a position").click()
    page.wait_for_url("**/analyse/dama100?setup=1")
    shows(desktop, Board("dama100").fen, "dama100")
    page.go_back()
    page.locator("label.card", has_text="Bulgarian box").click()
    page.locator("#open-load").click()
    page.locator("#pasted").fill("W:W31-50:B1-20")
    page.locator("#load-pasted").click()
    page.get_by_role("button", name="Read as “International draughts”").click()
    page.wait_for_url("**/game/*")
    desktop.ready()
    assert len(desktop.pieces) == 50

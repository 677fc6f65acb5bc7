"""The analysis board: moves, tree, comments, glyphs and marks by mouse, keyboard and touch."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, Route, expect

from damka import Board, Game, pdn
from tests.browser.support import Window, game_file, open_window
from tests.browser.test_editor import PASTE
from tests.server.support import Server

GAME: Final = """[White "Ana"]
[Black "Boris"]

{A quiet start.} 1. 22-18! {[%csl G18,R15] [%cal Y23-19] Takes the centre.}
(1. 23-18 $2 {too early} 1... 11-15 2. 18x11 8x15 (2... 7x16 {or so})) 1... 11-15
2. 18x11 8x15 3. 21-17 $16 9-13 *"""


def says(window: Window, text: str) -> None:
    window.page.wait_for_function(
        "text => document.querySelector('#say').textContent.includes(text)", arg=text
    )


def open_game(window: Window, text: str = GAME, path: str = "/analyse/dama64") -> Page:
    """Open the analysis board and paste a game."""
    page = window.open(path).page
    page.wait_for_selector("body.ready")
    page.evaluate(PASTE, text)
    page.locator("#tree .move").first.wait_for()
    return page


def moves(window: Window) -> list[str]:
    """Return the moves of the tree, in the displayed order."""
    items = window.page.locator("#tree [role=treeitem]")
    texts: list[str] = items.evaluate_all("items => items.map(item => item.firstChild.textContent)")
    return texts


def until_current(window: Window, text: str) -> None:
    """Wait until a move is the current one, and the board shows its position."""
    current = window.page.locator("#tree [aria-current=true]")
    window.until(lambda: current.count() == 1 and text in (current.text_content() or ""), text)


def play(window: Window, start: int, end: int) -> None:
    """Play a move by clicks, once the moves of the position are known."""
    window.until(lambda: window.page.locator(f'[data-square="{start}"]').count() == 1, "the board")
    window.click(start)
    window.page.wait_for_selector(".chosen")
    window.click(end)


def marks(window: Window) -> list[str]:
    found: list[str] = window.page.locator(".over .mark").evaluate_all(
        "marks => marks.map(mark => `${mark.localName} ${mark.getAttribute('class')}`)"
    )
    return found


def saved(window: Window, folder: Path) -> pdn.PdnGame:
    """Save the tree as PDN and read it."""
    with window.page.expect_download() as download:
        window.page.locator("#save-pdn").click()
    path = folder / "saved.pdn"
    download.value.save_as(path)
    [game] = pdn.read(path)
    return game


def test_clicks_wait_for_the_moves_of_the_position(browser: Browser, server: Server) -> None:
    with open_window(browser, server.url, own=True) as window:
        page = open_game(window)
        held: list[Route] = []
        holding = False

        def handle(route: Route) -> None:
            if holding:
                held.append(route)
            else:
                route.continue_()

        def hold(move: str) -> None:
            """Show a move's position, and hold the request for its moves."""
            nonlocal holding
            holding = True
            page.locator("#tree .row .move", has_text=move).click()
            window.until(lambda: held, "the request")

        def go_on() -> None:
            nonlocal holding
            holding = False
            while held:
                held.pop().continue_()

        page.route("**/api/line*", handle)
        planned = page.locator("damka-board .planned:not(.edge)")
        hold("22-18")
        window.click(9, 13)
        expect(planned).to_have_count(2)
        go_on()
        until_current(window, "9-13")
        expect(planned).to_have_count(0)
        # A piece is chosen; a drag plays.
        hold("8x15")
        window.click(24)
        window.click(23)
        expect(planned).to_have_count(1)
        go_on()
        page.wait_for_selector(".chosen")
        assert page.locator("#status.no").count() == 0
        hold("21-17")
        window.drag(12, 16)
        go_on()
        until_current(window, "12-16")
        # Escape takes the clicks back; a failed request forgets them.
        hold("11-15")
        window.click(18, 11)
        page.keyboard.press("Escape")
        expect(planned).to_have_count(0)
        window.click(18, 11)
        expect(planned).to_have_count(2)
        held.pop().abort()
        page.wait_for_selector("#status.no")
        expect(planned).to_have_count(0)
        assert page.locator("#tree [aria-current=true]").inner_text().startswith("11-15")
        failed = ["Failed to load resource: net::ERR_FAILED"]
        window.until(lambda: window.errors == failed, "the failure in the console")
        window.errors.clear()


def test_a_game_is_analysed_with_the_mouse(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with open_window(browser, server.url, own=True, permissions=permissions) as window:
        page = open_game(window)
        main = ["22-18", "11-15", "18x11", "8x15", "21-17", "9-13"]
        variation = ["23-18", "11-15", "18x11", "8x15", "7x16"]
        assert moves(window) == [main[0], *variation, *main[1:]]
        assert page.locator("#tree .remark").first.inner_text() == "A quiet start."
        # Both sides move: a new move becomes a variation.
        page.locator("#tree .row .move", has_text="22-18").click()
        until_current(window, "22-18")
        drawn = ["circle mark mark-G", "circle mark mark-R", "g mark mark-Y"]
        window.until(lambda: marks(window) == drawn, "the marks")
        play(window, 9, 13)
        until_current(window, "9-13")
        says(window, "White to move")
        play(window, 18, 14)
        until_current(window, "18-14")
        says(window, "The man on 10 must capture.")
        window.click(11)
        page.wait_for_selector("#status.no")
        # Its comment, glyph and place in the tree.
        page.locator("#annotate").click()
        page.get_by_role("button", name="interesting move").click()
        page.get_by_label("Comment", exact=True).last.fill("A sacrifice")
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Make main line").click()
        window.until(lambda: moves(window)[:2] == ["22-18", "23-18"], "the main line has changed")
        assert page.locator("#tree .row .move").all_text_contents() == ["22-18!", "9-13", "18-14!?"]
        page.get_by_role("button", name="Undo", exact=True).click()
        window.until(lambda: "11-15" in page.locator(".row").nth(1).inner_text(), "undone")
        page.get_by_role("button", name="Redo", exact=True).click()
        # Marks with the right button.
        page.mouse.move(*window.at(10))
        page.mouse.down(button="right")
        page.mouse.move(*window.at(17))
        page.mouse.up(button="right")
        page.keyboard.down("Shift")
        page.mouse.click(*window.at(14), button="right")
        page.keyboard.up("Shift")
        window.until(lambda: marks(window) == ["g mark mark-G", "circle mark mark-R"], "marks")
        game = saved(window, tmp_path)
        line = [str(node.move) for node in game.mainline()]
        assert line == ["22-18", "9-13", "18-14"]
        end = game.end()
        assert (end.text, end.nags, len(end.marks)) == ("A sacrifice", {5}, 2)
        assert game.headers["White"] == "Ana"
        [first, second] = game.variations
        assert (first.text, second.text, len(first.variations)) == (
            "Takes the centre.",
            "too early",
            2,
        )
        # A reload keeps the tree and the displayed move.
        tree = page.locator("#tree").inner_text()
        page.reload()
        until_current(window, "18-14")
        assert page.locator("#tree").inner_text() == tree
        # Links to the position and to the line.
        page.locator("#copy-line").click()
        window.until(lambda: page.locator("#copy-line").inner_text() == "Copied", "copied")
        link = page.evaluate("navigator.clipboard.readText()")
        assert link == f"{server.url}/analyse/dama64?moves=22-18,9-13,18-14"
        with page.expect_download() as download:
            page.locator("#save-replay").click()
        assert download.value.suggested_filename == "dama64-replay.svg"
        page.goto(link)
        until_current(window, "18-14")
        assert moves(window) == ["22-18", "9-13", "18-14"]
        page.locator("#set-up").click()
        page.locator("#analyse-this:enabled").click()
        until_current(window, "18-14")


def test_the_analysis_by_keyboard(desktop: Window) -> None:
    page = open_game(desktop)
    page.keyboard.press("ArrowRight")
    until_current(desktop, "22-18")
    page.keyboard.press("ArrowDown")
    until_current(desktop, "23-18")
    page.keyboard.press("End")
    until_current(desktop, "8x15")
    page.keyboard.press("ArrowDown")
    until_current(desktop, "7x16")
    page.keyboard.press("p")
    desktop.until(lambda: moves(desktop)[4] == "7x16", "the variation is promoted")
    page.keyboard.press("3")
    until_current(desktop, "7x16!!")
    page.keyboard.press("c")
    page.wait_for_selector("#annotation textarea:focus")
    page.keyboard.type("Better")
    page.keyboard.press("Escape")
    desktop.until(lambda: "Better" in page.locator("#tree").inner_text(), "the comment")
    page.keyboard.press("Delete")
    until_current(desktop, "18x11")
    page.keyboard.press("Control+z")
    desktop.until(lambda: "7x16" in moves(desktop), "the move is back")
    page.keyboard.press("m")
    desktop.until(lambda: moves(desktop)[0] == "23-18", "the variation is the main line")
    page.keyboard.press("f")
    first, last = desktop.at(1), desktop.at(32)
    assert first[1] > last[1], "the board is turned"
    # A move and marks on the board itself.
    page.keyboard.press("Home")
    page.locator('[data-square="24"]').focus()
    page.keyboard.press("o")
    desktop.until(lambda: marks(desktop) == ["circle mark mark-G"], "the circle")
    page.keyboard.press("a")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+A")
    desktop.until(lambda: marks(desktop)[-1:] == ["g mark mark-R"], "the arrow")
    page.locator('[data-square="24"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".chosen")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    desktop.until(lambda: desktop.pieces[23] == ".", "the move is played")
    page.keyboard.press("?")
    help_dialog = page.locator("#help[open]")
    help_dialog.wait_for()
    assert help_dialog.locator("dt").count() == help_dialog.locator("dd").count() >= 15
    page.keyboard.press("Escape")


def test_arrows_by_long_press(phone: Window) -> None:
    page = phone.open("/analyse/dama64").page
    says(phone, "White to move")
    devtools = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        devtools.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    touch("touchStart", phone.at(22))
    page.wait_for_selector(".over .mark")
    touch("touchMove", phone.at(18))
    touch("touchMove", phone.at(15))
    touch("touchEnd")
    phone.until(lambda: marks(phone) == ["g mark mark-G"], "the arrow")
    assert page.locator(".chosen").count() == 0, "the long press chooses no piece"
    # A tap still plays.
    page.touchscreen.tap(*phone.at(22))
    page.wait_for_selector(".chosen")
    page.touchscreen.tap(*phone.at(18))
    until_current(phone, "22-18")
    page.locator("#steps [data-go=back]").tap()
    phone.until(lambda: marks(phone) == ["g mark mark-G"], "the arrow is kept")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_tree_for_screen_readers(desktop: Window) -> None:
    page = open_game(desktop)
    items: list[dict[str, Any]] = page.locator("[role=tree] [role=treeitem]").evaluate_all(
        """items => items.map(item => ({
          name: item.getAttribute("aria-label"),
          level: item.getAttribute("aria-level"),
          place: `${item.getAttribute("aria-posinset")}/${item.getAttribute("aria-setsize")}`,
        }))"""
    )
    assert items[0] == {
        "name": "1. 22-18, good move, Takes the centre.",
        "level": "1",
        "place": "1/6",
    }
    assert items[1] == {"name": "1. 23-18, mistake, too early", "level": "2", "place": "1/4"}
    assert items[5] == {"name": "2… 7x16, or so", "level": "3", "place": "1/1"}
    assert items[6] == {"name": "1… 11-15", "level": "1", "place": "2/6"}
    assert page.get_by_role("tree", name="Moves").count() == 1
    # One tab stop; the arrows follow the reading order, and the focus follows the position.
    assert page.locator("[role=treeitem][tabindex='0']").count() == 1
    page.locator("[role=treeitem][tabindex='0']").focus()
    for name in ("1. 22-18", "1. 23-18", "1… 11-15"):
        page.keyboard.press("ArrowDown" if name != "1. 22-18" else "ArrowRight")
        page.wait_for_function(
            "name => document.activeElement.ariaLabel?.startsWith(name)"
            " && document.activeElement.ariaCurrent === 'true'",
            arg=name,
        )
    # Without the focus in the tree, moves are announced.
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "() => document.querySelector('#announcement').textContent.includes('White: 18 takes 15')"
    )


def test_huffs_are_played_and_offences_marked(desktop: Window) -> None:
    page = desktop.open("/analyse/dama100?fen=W:W32,33,47:B27,8,9").page
    says(desktop, "must capture")
    play(desktop, 33, 29)
    page.locator("#tree .offence").wait_for()
    says(desktop, "may huff 32")
    desktop.click(32)
    desktop.until(lambda: desktop.pieces[31] == ".", "the piece is huffed")
    page.keyboard.press("Escape")
    desktop.until(lambda: desktop.pieces[31] == "w", "the huff is taken back")
    desktop.click(32)
    desktop.until(lambda: desktop.pieces[31] == ".", "the piece is huffed")
    play(desktop, 8, 13)
    until_current(desktop, "(32) 8-13")
    page.keyboard.press("ArrowLeft")
    desktop.until(lambda: desktop.pieces[31] == "w", "the position before the huff")


def test_files_of_other_games_and_several_games(desktop: Window, tmp_path: Path) -> None:
    page = desktop.open("/analyse/dama64").page
    page.wait_for_selector("body.ready")
    path = tmp_path / "two.pdn"
    path.write_text('[White "Ana"]\n1. 22-18 *\n\n[White "Eva"]\n1. 23-18 (1. 24-20 {no}) *\n')
    page.locator("#open-load").click()
    page.wait_for_selector("dialog[open]")
    page.locator("#load-file").set_input_files(path)
    page.locator("#reading-list button", has_text="Eva").click()
    desktop.until(lambda: moves(desktop) == ["23-18", "24-20"], "the second game")
    expect(page.locator("#tree .players")).to_have_text("Eva – ?")
    # With the comment open, the buttons below the tree have room in the panel.
    page.locator("#annotate").click()
    expect(page.locator("#annotation textarea").last).to_be_visible()
    panel, acts = (page.locator(name).bounding_box() for name in ("#panel", "#analysis-acts"))
    assert panel
    assert acts
    assert acts["y"] + acts["height"] <= panel["y"] + panel["height"]
    page.locator("#annotate").click()
    # A game of other rules opens their page with its tree.
    page.locator("#open-load").click()
    page.locator("#load-text").fill('[GameType "25"]\n1. c3-d4 (1. a3-b4) d6-c5 *')
    page.locator("#load-form button").click()
    page.get_by_role("button", name=re.compile("Switch to")).click()
    page.wait_for_url("**/analyse/russian")
    desktop.until(lambda: moves(desktop) == ["c3-d4", "a3-b4", "d6-c5"], "the tree")
    # Without a question, if the game is impossible by the displayed rules.
    page.locator("#open-load").click()
    page.locator("#load-text").fill('[GameType "20"]\n1. 34-30 19-23 *')
    page.locator("#load-form button").click()
    page.wait_for_url("**/analyse/international")
    desktop.until(lambda: moves(desktop) == ["34-30", "19-23"], "the game of the larger board")
    # An impossible position opens the editor, which explains it.
    page.goto(f"{desktop.url}/analyse/dama64?fen=W:W1,22:B5")
    page.locator("damka-editor").wait_for()
    says(desktop, "A man would be a king on 1.")
    desktop.errors.clear()


def test_a_text_with_a_fault_stays_in_its_field(desktop: Window) -> None:
    page = desktop.open("/analyse/dama64").page
    page.wait_for_selector("body.ready")
    page.locator("#open-load").click()
    dialog = page.get_by_role("dialog", name="Game or position")
    field = dialog.get_by_label("Paste a FEN or a PDN")
    text = "1. 22-18 11-15\n2. 18x11 {é𝟙} 5-1 *"
    field.fill(text)
    dialog.get_by_role("button", name="Load", exact=True).click()
    alert = dialog.get_by_role("alert")
    expect(alert).to_contain_text("names no game type, so it was read by the rules of “Bulgarian")
    expect(alert).to_contain_text("The first move that isn’t possible is 5-1 in line 2, column 15")
    expect(field).to_be_focused()
    expect(field).to_have_value(text)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("names no game type"))
    # The move is selected: what is typed replaces it.
    page.keyboard.type("8x15")
    expect(field).to_have_attribute("aria-invalid", "false")
    dialog.get_by_role("button", name="Load", exact=True).click()
    desktop.until(lambda: moves(desktop) == ["22-18", "11-15", "18x11", "8x15"], "the tree")
    # A text that was pasted into the page can be corrected too.
    page.evaluate(PASTE, "1. 22-18\n" + "; a note\n" * 40 + "5-1 *")
    expect(field).to_be_focused()
    assert field.evaluate("({ value, selectionStart }) => value.slice(selectionStart)") == "5-1 *"
    assert field.evaluate("({ scrollTop }) => scrollTop") > 0
    field.fill("1. 22-17 *")
    dialog.get_by_role("button", name="Load", exact=True).click()
    desktop.until(lambda: moves(desktop) == ["22-17"], "the corrected tree")
    page.locator("#open-load").click()
    expect(field).to_be_empty()
    expect(alert).to_be_hidden()
    desktop.errors.clear()


def test_the_review_of_an_own_game_says_you(desktop: Window) -> None:
    query = "?opponent=computer&level=1&side=W"
    desktop.load_game(game_file("dama64", "W:W22:B18"), query)
    desktop.play("22x15x18")
    page = desktop.page
    page.locator("#end").get_by_role("link", name="Review").click()
    page.locator("#review.final").wait_for()
    heads = page.locator(".numbers thead th")
    expect(heads).to_have_text(["You (White)", "BlackDamka, level 1"])
    expect(page.get_by_role("button", name="Retry: You (White)")).to_be_visible()


def test_a_finished_game_is_reviewed(desktop: Window) -> None:
    game = Game("dama64", "W:W22:B18")
    desktop.load_game(game_file("dama64", "W:W22:B18"))
    desktop.play("22x15x18")
    page = desktop.page
    page.locator("#end").get_by_role("link", name="Review").click()
    page.wait_for_url("**/analyse?game=*&review=1")
    expect(page.locator("#review.final")).to_contain_text("No mistakes found.")
    assert desktop.pieces == Board("dama64", game.start_fen).pieces
    page.keyboard.press("End")
    says(desktop, "White wins. Black has no pieces left.")
    page.get_by_role("button", name="Moves").click()
    page.locator("#tree .move", has_text="22x15").wait_for()
    page.goto(f"{desktop.url}/games")
    page.get_by_role("link", name=re.compile("^Review:")).first.click()
    page.locator("#review.final").wait_for()


def test_diagrams_are_printed(desktop: Window) -> None:
    page = open_game(desktop)
    page.evaluate("window.print = () => {}")
    page.locator("#open-diagrams").click()
    page.locator("#diagrams-form button").click()
    assert page.locator("#printed figure").count() == 5
    caption = page.locator("#printed figcaption").nth(1)
    assert caption.text_content() == "1. 22-18! Takes the centre."
    page.locator("#open-diagrams").click()
    page.get_by_text("One diagram every").click()
    page.locator("#diagrams-form [name=every]").fill("2")
    page.locator("#diagrams-form button").click()
    assert page.locator("#printed figure").count() == 3
    page.emulate_media(media="print")
    assert page.locator("#printed").is_visible()
    assert not page.locator("#board").is_visible()

"""Boards of every shape, every input method for moves, and square labels."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest

from damka import Game, Rules, rules
from tests.browser.support import Window

HOUSE_RULES = rules.load("spantsiretti").replace(
    name="kitchen",
    capture_lines="diagonal+orthogonal",
    king_landing="killer",
    obligation="free",
)
ENDINGS: dict[str, tuple[Rules, str, str]] = {
    "turkish": (
        rules.load("turkish"),
        "W:Wa6,d3,e3,Kh1:Bd5,d7,f6,b7",
        "64-24 10-11 24x36x22x28 12-13 36-20 13-21 20x22x21 11-10 45-46 10-9 17x1x9",
    ),
    "frisian": (
        rules.load("frisian"),
        "W:W32,37,14:B22,12,28,K3",
        "32x21x22x28 3x20x14 37-31 20-14 31-27 12-17 27x7x17 14-3 7-2 3x41x2x21",
    ),
    "canadian": (
        rules.load("canadian"),
        "W:W44,50,19:B38,27,26,32",
        "44x20x26x38 27-33 20-14 33-39 19-13 32-38 14-9 39-46 9-3 38-45 50x52x45x46",
    ),
    "house": (
        HOUSE_RULES,
        "W:Wc3,e3,b6:Bc5,e5,g5,h8",
        "11x24x17x18x19 4-9 28-22 9-13 22-18 13x31x18x27 24-20 31-37 20-14 37x5x14",
    ),
}
"""Short endings with multi-captures and a new king: rules, position, and all moves."""


def legal(window: Window, hub: str) -> dict[str, Any]:
    return next(move for move in window.state["legal"] if move["hub"] == hub)


def by_clicks(window: Window, move: dict[str, Any]) -> None:
    window.click(move["from"], move["to"])
    for square in move["route"][1:]:
        if window.page.locator(".chosen").count():
            window.click(square)


def by_drags(window: Window, move: dict[str, Any]) -> None:
    start, *landings = move["route"]
    for square in landings:
        window.drag(start, square)
        start = square


def by_taps(window: Window, move: dict[str, Any]) -> None:
    for square in move["route"]:
        window.tap(square)


def by_text(window: Window, move: dict[str, Any]) -> None:
    window.page.fill("#typed-move", move["text"])
    window.page.press("#typed-move", "Enter")


def by_keys(window: Window, move: dict[str, Any]) -> None:
    """Move with the arrow keys from the focused square, pressing Enter on every landing."""
    window.page.locator('[role="gridcell"][tabindex="0"]').focus()
    for square in move["route"]:
        walk(window, square)
        window.press("Enter")


def walk(window: Window, square: int) -> None:
    """Move the focus to a square with the arrow keys, as displayed."""

    def place(of: str) -> tuple[int, int]:
        cell = window.page.locator(of)
        column = cell.get_attribute("aria-colindex")
        return int(cell.locator("..").get_attribute("aria-rowindex") or 0), int(column or 0)

    focus = '[role="gridcell"]:focus'
    row, column = place(f'[data-square="{square}"]')
    for _ in range(30):
        current = place(focus)
        if current == (row, column):
            return
        if current[0] != row:
            window.press("ArrowDown" if current[0] < row else "ArrowUp")
        else:
            window.press("ArrowRight" if current[1] < column else "ArrowLeft")
    raise AssertionError(f"cannot reach {square}: {current}")


def play_out(window: Window, ending: str, inputs: tuple[Any, ...]) -> None:
    rule_set, fen, hubs = ENDINGS[ending]
    window.load_game(Game(rule_set, fen).to_json())
    for ply, (hub, play) in enumerate(zip(hubs.split(), cycle(inputs), strict=False)):
        play(window, legal(window, hub))
        window.until_ply(ply + 1)
        assert window.state["history"][ply]["move"]["hub"] == hub
    assert window.state["result"]["reason"] == "no_pieces"
    window.page.locator("#end").wait_for()
    assert window.pieces == window.state["pieces"]
    assert window.moves() == [entry["text"] for entry in window.state["history"]]


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ending_by_mouse_keys_and_text(desktop: Window, ending: str) -> None:
    play_out(desktop, ending, (by_clicks, by_drags, by_keys, by_text))


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ending_by_touch(phone: Window, ending: str) -> None:
    play_out(phone, ending, (by_taps,))


# Squares


@pytest.mark.parametrize(
    ("name", "columns", "squares"),
    [("turkish", 8, 64), ("canadian", 12, 72), ("spantsiretti", 10, 40), ("mini-american", 6, 18)],
)
def test_every_board_fills_the_width_of_a_phone(
    phone: Window, name: str, columns: int, squares: int
) -> None:
    phone.new_game(name)
    cells = phone.page.locator('[role="gridcell"]')
    assert cells.count() == squares
    stage = phone.page.locator("#stage").bounding_box()
    board = phone.page.locator("damka-board .rest").bounding_box()
    square = phone.page.locator('[data-square="1"] .play').bounding_box()
    assert stage is not None
    assert board is not None
    assert square is not None
    assert stage["width"] == 390
    assert board["width"] > 0.95 * 390
    assert square["width"] == pytest.approx(board["width"] / columns, abs=2)
    assert square["height"] == pytest.approx(square["width"], abs=2)
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_tap_beside_a_small_square_selects_it(phone: Window) -> None:
    """On a board of twelve columns a tap may miss a square; the nearest one counts."""
    phone.new_game("canadian")
    (x, y), (to_x, to_y) = phone.at(44), phone.at(38)
    size = phone.at(32)[0] - phone.at(31)[0]
    phone.page.touchscreen.tap(x - 0.33 * size, y)
    phone.page.wait_for_selector(".chosen")
    phone.page.touchscreen.tap(to_x, to_y + 0.33 * size)
    phone.until_ply(1)
    assert phone.state["history"][0]["move"]["hub"] == "44-38"


def test_a_mouse_click_must_hit_the_square(desktop: Window) -> None:
    desktop.new_game("canadian")
    x, y = desktop.at(44)
    size = desktop.at(32)[0] - desktop.at(31)[0]
    desktop.page.mouse.click(x - 0.33 * size, y)
    assert desktop.page.locator(".chosen").count() == 0


def test_arrow_keys_on_a_board_with_all_squares_in_use(desktop: Window) -> None:
    desktop.new_game("turkish")
    desktop.page.locator('[role="gridcell"][tabindex="0"]').focus()
    focused = []
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowRight"):
        desktop.press(key)
        focused.append(desktop.page.evaluate("document.activeElement.dataset.square"))
    assert focused == ["56", "48", "47", "46", "54", "55"]


def test_lines_separate_squares_of_one_colour(desktop: Window) -> None:
    for name, opacity in (("turkish", "0.4"), ("russian", "1")):
        desktop.new_game(name)
        play = desktop.page.locator('[data-square="1"] .play')
        assert play.evaluate("square => getComputedStyle(square).strokeOpacity") == opacity


# Labels


def test_a_board_labelled_with_letters(desktop: Window) -> None:
    """Letters are used around the board, in every sentence, and in typed moves."""
    desktop.new_game("russian")
    labels = desktop.page.locator(".rim text").all_text_contents()
    assert labels == [*"abcdefgh", *"87654321"]
    assert desktop.page.locator(".figures text").count() == 0
    assert desktop.page.locator('[data-square="22"]').get_attribute("aria-label") == "c3, White man"
    assert desktop.page.get_attribute("#typed-move", "placeholder") == "Type a move: c3-b4"
    for move in ("C3-d4", "b6-c5", "d4:b6"):
        ply = desktop.state["ply"]
        by_text(desktop, {"text": move})
        desktop.until_ply(ply + 1)
    assert desktop.moves() == ["c3-d4", "b6-c5", "d4:b6"]
    desktop.drag(11, 16)
    desktop.until_refused()
    assert "a7 or c7" in desktop.status_text
    desktop.page.click("#flip")
    assert desktop.page.locator(".rim text").all_text_contents() == [*"hgfedcba", *"12345678"]


def test_without_letters_the_board_is_larger(phone: Window) -> None:
    width = "document.querySelector('damka-board .rest').getBoundingClientRect().width"
    phone.new_game("russian")
    assert phone.page.evaluate(width) < 380
    phone.page.click("#open-settings")
    phone.page.locator('[data-pref="numbers"]').click()
    phone.until(lambda: phone.page.evaluate(width) == 390)
    assert not phone.page.locator(".rim").is_visible()


def test_a_refusal_uses_the_labels_of_the_board(desktop: Window) -> None:
    desktop.load_game(Game("russian", "W:Wc3,g1:Bd4,h8").to_json())
    desktop.drag(32, 28)
    desktop.until_refused()
    assert "c3" in desktop.status_text
    by_text(desktop, {"text": "c3-c4"})
    desktop.until(lambda: "c4" in desktop.status_text)
    assert desktop.state["ply"] == 0


def test_a_board_numbered_from_another_corner(desktop: Window) -> None:
    desktop.new_game("spanish")
    figures = desktop.page.locator(".figures text").all_text_contents()
    assert figures == [str(33 - square) for square in range(1, 33)]
    label = desktop.page.locator('[data-square="22"]').get_attribute("aria-label")
    assert label == "11, White man"
    by_text(desktop, {"text": "11-15"})
    desktop.until_ply(1)
    assert desktop.state["history"][0]["move"]["hub"] == "22-18"
    assert desktop.moves() == ["11-15"]
    by_text(desktop, {"text": "22-15"})
    desktop.until_refused()
    assert "15" in desktop.status_text
    desktop.page.click("#hint")
    desktop.until(lambda: desktop.page.locator(".arrow").count())
    # The hint is for Black, whose men are on the high numbers here.
    start = int(desktop.status_text.split("-")[0].split()[-1].lstrip("“\"'"))
    assert start > 20


@pytest.mark.parametrize(
    ("name", "fen", "hub", "reason"),
    [
        ("breakthrough", "W:W6:B20,45", "6-1", "White got the first king"),
        ("antidraughts", "W:W32:B28", "32x23x28", "Black has no pieces left"),
    ],
)
def test_other_objectives_have_their_own_results(
    desktop: Window, name: str, fen: str, hub: str, reason: str
) -> None:
    desktop.load_game(Game(name, fen).to_json())
    desktop.play(hub)
    desktop.page.locator("#end").wait_for()
    winner = "White" if name == "breakthrough" else "Black"
    assert desktop.page.inner_text("#end-result") == f"{winner} wins. {reason}."


def test_a_refusal_does_not_cover_the_numbers(desktop: Window) -> None:
    desktop.new_game("dama100")
    desktop.click(33, 24)
    # Later elements are drawn on top. The frame is shown for a moment only.
    desktop.page.wait_for_function(
        """() => [...document.querySelectorAll(".refused")].pop()
        ?.compareDocumentPosition(document.querySelector(".figures")) & 4"""
    )


@pytest.mark.parametrize("rules", ["american", "dama100", "canadian"])
def test_numbers_are_nine_pixels_on_a_phone(phone: Window, rules: str) -> None:
    phone.new_game(rules)
    size = phone.page.evaluate(
        """() => parseFloat(getComputedStyle(document.querySelector('.figures text')).fontSize)
        * document.querySelector('.play').getBoundingClientRect().width / 100"""
    )
    assert size > 9

"""Moves by mouse, touch and keys; ambiguous captures; explanations of refusals."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from damka.locales import LANGUAGES
from tests.browser.support import Window, game_file, locale, open_window
from tests.chromium import DOUBLE_CLICK
from tests.server.support import Server

FOUR_WAYS = "B:W6,7,8,14,15,16,22,23,24:BK2"
CIRCLE = "W:W43:B28,29,38,39,1"


def test_a_move_by_two_clicks(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.click(22)
    assert desktop.marked("target") == {17, 18}
    desktop.click(18)
    desktop.until_ply(1)
    assert desktop.moves() == ["22-18"]


def test_a_move_by_drag(desktop: Window) -> None:
    desktop.new_game("american")
    desktop.drag(11, 15)
    desktop.until_ply(1)
    assert desktop.moves() == ["11-15"]


def test_a_drag_follows_the_pointer_and_a_drop_at_its_start_does_not_move(desktop: Window) -> None:
    desktop.new_game("american")
    desktop.page.mouse.move(*desktop.at(11))
    desktop.page.mouse.down()
    x, y = desktop.at(15)
    desktop.page.mouse.move(x + 9, y - 6, steps=3)
    piece = desktop.page.locator(".dragged .face").bounding_box()
    assert piece is not None
    assert abs(piece["x"] + piece["width"] / 2 - x - 9) < 2
    assert abs(piece["y"] + piece["height"] / 2 - y + 6) < 2
    desktop.page.mouse.move(*desktop.at(11))
    desktop.page.mouse.up()
    assert desktop.page.locator(".dragged").count() == 0
    assert [frame for frame in desktop.sent if frame["t"] == "move"] == []
    assert desktop.marked("target") == {15, 16}, "the piece is still selected"


def test_a_move_by_two_taps(phone: Window) -> None:
    phone.new_game("dama64")
    phone.tap(22, 18)
    phone.until_ply(1)
    assert phone.moves() == ["22-18"]


def test_a_move_by_touch_drag_does_not_scroll_the_page(phone: Window) -> None:
    phone.new_game("dama64")
    touch = phone.page.context.new_cdp_session(phone.page)
    (x0, y0), (x1, y1) = phone.at(22), phone.at(18)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    send("touchStart", (x0, y0))
    for step in range(1, 7):
        send("touchMove", (x0 + (x1 - x0) * step / 6, y0 + (y1 - y0) * step / 6))
    piece = phone.page.locator(".dragged .face").bounding_box()
    assert piece is not None
    assert piece["y"] + piece["height"] / 2 < y1 - 8, "the piece is visible above the finger"
    send("touchEnd")
    phone.until_ply(1)
    assert phone.moves() == ["22-18"]
    assert phone.page.evaluate("scrollY") == 0


def test_a_cancelled_touch_does_not_move(phone: Window) -> None:
    phone.new_game("dama64")
    touch = phone.page.context.new_cdp_session(phone.page)
    (x0, y0), (x1, y1) = phone.at(22), phone.at(18)
    start = {"type": "touchStart", "touchPoints": [{"x": x0, "y": y0}]}
    touch.send("Input.dispatchTouchEvent", start)
    touch.send(
        "Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x1, "y": y1}]}
    )
    touch.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
    phone.until(lambda: phone.page.locator(".dragged, .chosen").count() == 0)
    assert phone.sent == []
    phone.tap(22, 18)
    phone.until_ply(1)


def test_a_move_by_keys_keeps_the_focus(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.page.focus('[data-square="32"]')
    focused = "document.activeElement.dataset.square"
    for key, square in [("ArrowUp", "27"), ("ArrowUp", "24"), ("ArrowLeft", "23")]:
        desktop.press(key)
        assert desktop.page.evaluate(focused) == square
    desktop.press("Enter")
    label = desktop.page.get_attribute('[data-square="18"]', "aria-label") or ""
    assert "can move here" in label
    desktop.press("ArrowUp", " ")
    desktop.until_ply(1)
    assert desktop.page.evaluate(focused) == "18"
    assert desktop.moves() == ["23-18"]
    tabbable = desktop.page.locator('damka-board [tabindex="0"]')
    assert tabbable.count() == 1
    can_focus_svg = """(() => {
      const drawing = document.querySelector("damka-board svg");
      drawing.focus();
      return document.activeElement === drawing;
    })()"""
    assert not desktop.page.evaluate(can_focus_svg)


def test_a_typed_move(desktop: Window) -> None:
    desktop.new_game("dama64")
    assert "22-17" in (desktop.page.get_attribute("#typed-move", "placeholder") or "")
    desktop.page.fill("#typed-move", "22-18")
    desktop.press("Enter")
    desktop.until_ply(1)
    assert desktop.page.input_value("#typed-move") == ""
    desktop.page.fill("#typed-move", "9-18")
    desktop.press("Enter")
    desktop.until_refused()
    assert desktop.state["ply"] == 1


def test_a_refused_text_goes_away_with_a_move_on_the_board(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.page.fill("#typed-move", "22-10")
    desktop.press("Enter")
    desktop.until_refused()
    assert desktop.page.input_value("#typed-move") == "22-10"
    desktop.click(22)
    desktop.click(18)
    desktop.until_ply(1)
    assert desktop.page.input_value("#typed-move") == ""


def announcement_changed(window: Window, before: str) -> bool:
    return window.page.inner_text("#spoken") != before


# Captures that need more than two clicks


def test_ambiguous_routes_need_more_than_the_last_square(desktop: Window) -> None:
    desktop.load_game(game_file("american", FOUR_WAYS))
    desktop.click(2, 4)
    assert desktop.marked("branch") == {9, 11}
    assert "more than one route" in desktop.status_text
    desktop.click(9)
    assert desktop.sent == []
    desktop.click(27)
    desktop.until_ply(1)
    assert desktop.state["history"][0]["move"]["captures"] == [6, 8, 14, 16, 23, 24]


def test_the_shortest_of_several_routes(desktop: Window) -> None:
    desktop.load_game(game_file("american", FOUR_WAYS))
    desktop.click(2, 11, 4)
    desktop.until_ply(1)
    assert desktop.state["history"][0]["move"]["captures"] == [7, 8]


def test_a_drag_can_continue_from_a_landing_square(desktop: Window) -> None:
    desktop.load_game(game_file("american", FOUR_WAYS))
    desktop.drag(2, 9)
    assert desktop.sent == []
    captured = desktop.page.locator(".captured")
    assert captured.count() == 1
    king = desktop.page.locator(".king .face").first.bounding_box()
    assert king is not None
    x, _ = desktop.at(9)
    desktop.until(lambda: desktop.page.evaluate("document.getAnimations().length") == 0)
    king = desktop.page.locator(".king .face").first.bounding_box()
    assert king is not None
    assert abs(king["x"] + king["width"] / 2 - x) < 3
    desktop.drag(9, 18)
    assert desktop.sent == []
    desktop.drag(18, 27)
    assert desktop.sent == [], "from 27 the king can end on 4 or return to 2"
    desktop.drag(27, 4)
    desktop.until_ply(1)
    assert desktop.state["history"][0]["move"]["captures"] == [6, 8, 14, 16, 23, 24]


def test_escape_undoes_one_click(desktop: Window) -> None:
    desktop.load_game(game_file("american", FOUR_WAYS))
    desktop.click(2)
    first = desktop.marked("branch")
    desktop.click(9)
    assert desktop.marked("branch") != first
    desktop.press("Escape")
    assert desktop.marked("branch") == first
    desktop.press("Escape")
    assert desktop.marked("branch") == desktop.marked("target") == set()
    assert desktop.sent == []


def test_a_circular_capture_ends_at_its_start(desktop: Window) -> None:
    desktop.load_game(game_file("international", CIRCLE))
    desktop.click(43, 43)
    desktop.until_ply(1)
    assert desktop.state["history"][0]["move"]["captures"] == [28, 29, 38, 39]
    assert desktop.pieces[42] == "w"


def test_a_second_click_deselects_the_piece(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.click(22)
    desktop.page.wait_for_timeout(DOUBLE_CLICK)
    desktop.click(22)
    assert desktop.marked("target") == set()
    desktop.click(22, 23)
    assert desktop.marked("target") == {18, 19}, "another piece is selected"


def test_two_routes_of_a_king_on_ten_by_ten(desktop: Window) -> None:
    desktop.load_game(game_file("international", "W:WK4:B13,32,37,20"))
    assert len(desktop.state["legal"]) > 1
    target = desktop.state["legal"][1]
    desktop.click(4, target["route"][1])
    desktop.until_ply(1)
    assert desktop.state["history"][0]["move"]["hub"] == target["hub"]


def test_captured_men_fade_and_are_removed_at_the_end(desktop: Window) -> None:
    desktop.load_game(game_file("international", "W:W32:B28,19,9,1"))
    desktop.page.evaluate(
        """() => {
          const board = document.querySelector("damka-board");
          const count = (names) => board.querySelectorAll(names).length;
          window.counts = [];
          new MutationObserver(() => counts.push([count(".captured"), count(".piece.b")]))
            .observe(board, { subtree: true, childList: true, attributes: true });
        }"""
    )
    desktop.click(32, 3)
    desktop.until(lambda: desktop.page.locator("damka-board .piece.b").count() == 1, "the man on 1")
    counts = desktop.page.evaluate("counts")
    assert max(faded for faded, _ in counts) >= 2
    assert any(faded and men >= 4 for faded, men in counts), "captured men stay until the move ends"


def test_one_click_plays_an_only_move_if_enabled(desktop: Window) -> None:
    desktop.load_game(game_file("dama64", "W:W25,32:B1,2"))
    desktop.click(25)
    assert desktop.marked("target") == {21, 22}
    desktop.load_game(game_file("dama64", "W:W29,32:B1,2"))
    desktop.click(29)
    assert desktop.sent == []
    desktop.page.click("#open-settings")
    desktop.page.get_by_label("Play an only move").click()
    desktop.press("Escape")
    # On a fast machine, a click on 29 would be the second one of a double-click.
    desktop.click(32, 29)
    desktop.until_ply(1)
    assert desktop.moves() == ["29-25"]


# Refusals

REFUSAL_PATTERNS = {
    "en": re.compile(r"must capture"),
    "bg": re.compile(r"[Тт]рябва да вземе"),
    "it": re.compile(r"[Dd]evi (mangiare|prendere|catturare)"),
    "sk": re.compile(r"[Mm]usí(te|š)? brať"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_move_is_explained_with_its_rule(
    browser: Browser, server: Server, language: str
) -> None:
    with open_window(browser, server.url, **locale(language)) as window:
        window.load_game(game_file("american", "B:W18,30:B3,15"))
        assert window.page.get_attribute("html", "lang") == language
        assert window.marked("must") == {15}
        window.drag(15, 19)
        window.until_refused()
        assert REFUSAL_PATTERNS[language].search(window.status_text), window.status_text
        assert "18" in window.status_text or "15" in window.status_text
        assert window.state["ply"] == 0
        assert window.pieces == window.state["pieces"]
        assert window.page.inner_text("#spoken").strip().startswith(window.status_text)
        window.page.click("#rule")
        window.page.wait_for_url("**/rules/american**")
        paragraph = window.page.url.partition("#")[2]
        assert window.page.locator(f"#{paragraph}").is_visible()


REFUSAL = "You must capture: the man on 15 can take 18."


def test_a_click_on_an_immovable_piece_explains_why(desktop: Window) -> None:
    desktop.load_game(game_file("american", "B:W18,30:B3,15"))
    desktop.click(3)
    assert desktop.page.locator(".refused").count() > 0
    desktop.until(lambda: desktop.status_text == REFUSAL)
    assert desktop.marked("target") == set()


@pytest.mark.own_page
def test_a_click_before_the_first_connection_is_explained_later(desktop: Window) -> None:
    """The page is usable before it is connected."""
    waiting: list[WebSocketRoute] = []
    desktop.page.route_web_socket(
        "**/live/**", lambda route: delay_connection(desktop, route, waiting)
    )
    desktop.load_game(game_file("american", "B:W18,30:B3,15"))
    before = desktop.status_text
    desktop.click(3)
    desktop.until(lambda: waiting)
    assert desktop.status_text == before
    waiting.clear()
    desktop.until(lambda: desktop.status_text == REFUSAL)


@pytest.mark.own_page
def test_a_click_is_explained_after_a_failed_first_connection(desktop: Window) -> None:
    waiting: list[WebSocketRoute] = []
    desktop.page.route_web_socket(
        "**/live/**", lambda route: delay_connection(desktop, route, waiting)
    )
    desktop.load_game(game_file("american", "B:W18,30:B3,15"))
    desktop.click(3)
    desktop.until(lambda: waiting)
    waiting.pop().close()
    desktop.page.wait_for_selector("body.offline")
    desktop.until(lambda: waiting, "the page reconnects")
    waiting.clear()
    desktop.until(lambda: desktop.status_text == REFUSAL)


@pytest.mark.own_page
def test_the_notice_of_a_lost_connection_disappears(desktop: Window) -> None:
    routes: list[WebSocketRoute] = []
    waiting: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        if routes:
            delay_connection(desktop, route, waiting)
        else:
            route.connect_to_server()
        routes.append(route)

    desktop.page.route_web_socket("**/live/**", connect)
    desktop.load_game(game_file("american", "B:W18,30:B3,15"))
    desktop.click(3)
    desktop.until(lambda: desktop.status_text == REFUSAL, "the page is connected")
    routes[0].close()
    desktop.page.wait_for_selector("body.offline")
    desktop.click(3)
    desktop.until(lambda: "You’re offline" in desktop.status_text)
    desktop.until(lambda: waiting)
    waiting.clear()
    desktop.until(lambda: "You’re offline" not in desktop.status_text)


def delay_connection(window: Window, route: WebSocketRoute, waiting: list[WebSocketRoute]) -> None:
    """Connect a page to its server once `waiting` is cleared."""
    waiting.append(route)
    while waiting:
        window.page.wait_for_timeout(10)
    route.connect_to_server()


def test_three_clicks_on_immovable_pieces_show_the_rule(desktop: Window) -> None:
    desktop.load_game(game_file("american", "B:W18,30:B3,4,15"))
    for square in (3, 4, 3):
        before = desktop.page.inner_text("#spoken")
        desktop.click(square)
        desktop.until(partial(announcement_changed, desktop, before))
    assert "isn’t frozen" in desktop.status_text
    assert "15" in desktop.status_text
    assert desktop.page.locator("#rule").is_visible()


@pytest.mark.own_page
def test_the_compulsory_capture_is_explained_after_a_minute(desktop: Window) -> None:
    desktop.page.clock.install(time=0)
    desktop.page.clock.pause_at(1)
    desktop.load_game(game_file("american", "B:W18,30:B3,15"))
    desktop.run_clock(59)
    assert "isn’t frozen" not in desktop.status_text
    desktop.run_clock(2)
    desktop.until(lambda: "isn’t frozen" in desktop.status_text)


@pytest.mark.own_page
def test_a_move_refused_by_the_server_is_undone(desktop: Window) -> None:
    """The page considers the move legal, but the server refuses it."""

    def misdirect(page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        page.on_message(lambda text: server.send(str(text).replace('"22-18"', '"22-9"')))

    desktop.page.route_web_socket(re.compile(r"/live/"), misdirect)
    desktop.new_game("dama64")
    desktop.click(22, 18)
    desktop.until_refused()
    desktop.settled()
    assert desktop.state["ply"] == 0
    desktop.click(23, 19)
    desktop.until_ply(1)


def test_an_immovable_piece_returns_after_a_drag(desktop: Window) -> None:
    desktop.load_game(game_file("american", "B:W18,30:B3,15"))
    desktop.drag(3, 8)
    desktop.until(lambda: desktop.status_text == REFUSAL)
    desktop.until(lambda: desktop.page.evaluate("document.getAnimations().length") == 0)
    transforms = desktop.page.evaluate(
        "[...document.querySelectorAll('.piece.b')].map((man) => man.style.transform)"
    )
    assert "translate(550px, 50px)" in transforms, "the man is back on 3"

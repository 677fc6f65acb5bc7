"""Moves by mouse, touch and keys; ambiguous captures; explanations of refusals."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from damka.locales import LANGUAGES
from tests.browser.support import Window, game_file, locale, window
from tests.server.support import Server

FOUR_WAYS = "B:W6,7,8,14,15,16,22,23,24:BK2"
CIRCLE = "W:W43:B28,29,38,39,1"


def test_a_move_by_two_clicks(desk: Window) -> None:
    desk.new_game("dama64")
    desk.click(22)
    assert desk.marked("target") == {17, 18}
    desk.click(18)
    desk.until_ply(1)
    assert desk.moves() == ["22-18"]


def test_a_move_by_drag(desk: Window) -> None:
    desk.new_game("american")
    desk.drag(11, 15)
    desk.until_ply(1)
    assert desk.moves() == ["11-15"]


def test_a_drag_follows_the_pointer_and_a_drop_at_its_start_is_no_move(desk: Window) -> None:
    desk.new_game("american")
    desk.page.mouse.move(*desk.at(11))
    desk.page.mouse.down()
    x, y = desk.at(15)
    desk.page.mouse.move(x + 9, y - 6, steps=3)
    held = desk.page.locator(".dragged .face").bounding_box()
    assert held is not None
    assert abs(held["x"] + held["width"] / 2 - x - 9) < 2
    assert abs(held["y"] + held["height"] / 2 - y + 6) < 2
    desk.page.mouse.move(*desk.at(11))
    desk.page.mouse.up()
    assert desk.page.locator(".dragged").count() == 0
    assert [frame for frame in desk.sent if frame["t"] == "move"] == []
    assert desk.marked("target") == {15, 16}, "the piece is still in hand"


def test_a_move_by_two_taps(phone: Window) -> None:
    phone.new_game("dama64")
    phone.tap(22, 18)
    phone.until_ply(1)
    assert phone.moves() == ["22-18"]


def test_a_move_by_a_finger_drag_scrolls_nothing(phone: Window) -> None:
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
    held = phone.page.locator(".dragged .face").bounding_box()
    assert held is not None
    assert held["y"] + held["height"] / 2 < y1 - 8, "held above the finger, to be seen"
    send("touchEnd")
    phone.until_ply(1)
    assert phone.moves() == ["22-18"]
    assert phone.page.evaluate("scrollY") == 0


def test_a_cancelled_touch_is_no_move(phone: Window) -> None:
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


def test_a_move_by_keys_keeps_the_focus(desk: Window) -> None:
    desk.new_game("dama64")
    desk.page.focus('[data-square="32"]')
    focused = "document.activeElement.dataset.square"
    for key, square in [("ArrowUp", "27"), ("ArrowUp", "24"), ("ArrowLeft", "23")]:
        desk.press(key)
        assert desk.page.evaluate(focused) == square
    desk.press("Enter")
    label = desk.page.get_attribute('[data-square="18"]', "aria-label") or ""
    assert "can move here" in label
    desk.press("ArrowUp", " ")
    desk.until_ply(1)
    assert desk.page.evaluate(focused) == "18"
    assert desk.moves() == ["23-18"]
    tabbable = desk.page.locator('damka-board [tabindex="0"]')
    assert tabbable.count() == 1
    stops = """(() => {
      const drawing = document.querySelector("damka-board svg");
      drawing.focus();
      return document.activeElement === drawing;
    })()"""
    assert not desk.page.evaluate(stops)


def test_a_typed_move(desk: Window) -> None:
    desk.new_game("dama64")
    assert "22-17" in (desk.page.get_attribute("#typed-move", "placeholder") or "")
    desk.page.fill("#typed-move", "22-18")
    desk.press("Enter")
    desk.until_ply(1)
    assert desk.page.input_value("#typed-move") == ""
    desk.page.fill("#typed-move", "9-18")
    desk.press("Enter")
    desk.until_refused()
    assert desk.state["ply"] == 1


def spoken_since(window: Window, before: str) -> bool:
    return window.page.inner_text("#spoken") != before


# Captures that need more than two clicks


def test_the_last_square_is_not_enough_where_routes_differ(desk: Window) -> None:
    desk.load_game(game_file("american", FOUR_WAYS))
    desk.click(2, 4)
    assert desk.marked("branch") == {9, 11}
    assert "more than one route" in desk.status_text
    desk.click(9)
    assert desk.sent == []
    desk.click(27)
    desk.until_ply(1)
    assert desk.state["history"][0]["move"]["captures"] == [6, 8, 14, 16, 23, 24]


def test_the_shortest_route(desk: Window) -> None:
    desk.load_game(game_file("american", FOUR_WAYS))
    desk.click(2, 11, 4)
    desk.until_ply(1)
    assert desk.state["history"][0]["move"]["captures"] == [7, 8]


def test_a_drag_dropped_on_a_landing_waits_for_the_next_click(desk: Window) -> None:
    desk.load_game(game_file("american", FOUR_WAYS))
    desk.drag(2, 9)
    assert desk.sent == []
    faded = desk.page.locator(".captured")
    assert faded.count() == 1
    king = desk.page.locator(".king .face").first.bounding_box()
    assert king is not None
    x, _ = desk.at(9)
    desk.until(lambda: desk.page.evaluate("document.getAnimations().length") == 0)
    king = desk.page.locator(".king .face").first.bounding_box()
    assert king is not None
    assert abs(king["x"] + king["width"] / 2 - x) < 3
    desk.drag(9, 18)
    assert desk.sent == []
    desk.drag(18, 27)
    assert desk.sent == [], "from 27 it may end on 4 or come home"
    desk.drag(27, 4)
    desk.until_ply(1)
    assert desk.state["history"][0]["move"]["captures"] == [6, 8, 14, 16, 23, 24]


def test_escape_undoes_one_click(desk: Window) -> None:
    desk.load_game(game_file("american", FOUR_WAYS))
    desk.click(2)
    first = desk.marked("branch")
    desk.click(9)
    assert desk.marked("branch") != first
    desk.press("Escape")
    assert desk.marked("branch") == first
    desk.press("Escape")
    assert desk.marked("branch") == desk.marked("target") == set()
    assert desk.sent == []


def test_a_circular_capture_ends_where_it_began(desk: Window) -> None:
    desk.load_game(game_file("international", CIRCLE))
    desk.click(43, 43)
    desk.until_ply(1)
    assert desk.state["history"][0]["move"]["captures"] == [28, 29, 38, 39]
    assert desk.pieces[42] == "w"


def test_a_second_click_puts_the_piece_back(desk: Window) -> None:
    desk.new_game("dama64")
    desk.click(22, 22)
    assert desk.marked("target") == set()
    desk.click(22, 23)
    assert desk.marked("target") == {18, 19}, "another piece is taken in hand"


def test_two_routes_of_a_king_on_ten_by_ten(desk: Window) -> None:
    desk.load_game(game_file("international", "W:WK4:B13,32,37,20"))
    assert len(desk.state["legal"]) > 1
    target = desk.state["legal"][1]
    desk.click(4, target["route"][1])
    desk.until_ply(1)
    assert desk.state["history"][0]["move"]["hub"] == target["hub"]


def test_captured_men_fade_and_are_removed_at_the_end(desk: Window) -> None:
    desk.load_game(game_file("international", "W:W32:B28,19,9,1"))
    desk.page.evaluate(
        """() => {
          const board = document.querySelector("damka-board");
          const count = (names) => board.querySelectorAll(names).length;
          window.counts = [];
          new MutationObserver(() => counts.push([count(".captured"), count(".piece.b")]))
            .observe(board, { subtree: true, childList: true, attributes: true });
        }"""
    )
    desk.click(32, 3)
    desk.until(lambda: desk.page.locator("damka-board .piece.b").count() == 1, "the man on 1")
    counts = desk.page.evaluate("counts")
    assert max(faded for faded, _ in counts) >= 2
    assert any(faded and men >= 4 for faded, men in counts), "they stay until the move ends"


def test_with_quick_moves_one_click_plays_an_only_move(desk: Window) -> None:
    desk.load_game(game_file("dama64", "W:W25,32:B1,2"))
    desk.click(25)
    assert desk.marked("target") == {21, 22}
    desk.load_game(game_file("dama64", "W:W29,32:B1,2"))
    desk.click(29)
    assert desk.sent == []
    desk.page.click("#open-settings")
    desk.page.get_by_label("Play an only move").click()
    desk.press("Escape")
    desk.click(29, 29)
    desk.until_ply(1)
    assert desk.moves() == ["29-25"]


# Refusals

REFUSED = {
    "en": re.compile(r"must capture"),
    "bg": re.compile(r"[Тт]рябва да вземе"),
    "it": re.compile(r"[Dd]evi (mangiare|prendere|catturare)"),
    "sk": re.compile(r"[Mm]usí(te|š)? brať"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_move_is_explained_with_its_rule(
    browser: Browser, server: Server, language: str
) -> None:
    with window(browser, server.url, **locale(language)) as desk:
        desk.load_game(game_file("american", "B:W18,30:B3,15"))
        assert desk.page.get_attribute("html", "lang") == language
        assert desk.marked("must") == {15}
        desk.drag(15, 19)
        desk.until_refused()
        assert REFUSED[language].search(desk.status_text), desk.status_text
        assert "18" in desk.status_text or "15" in desk.status_text
        assert desk.state["ply"] == 0
        assert desk.pieces == desk.state["pieces"]
        assert desk.page.inner_text("#spoken").strip() == desk.status_text
        desk.page.click("#rule")
        desk.page.wait_for_url("**/rules/american**")
        paragraph = desk.page.url.partition("#")[2]
        assert desk.page.locator(f"#{paragraph}").is_visible()


WHY = "You must capture: the man on 15 can take 18."


def test_a_piece_that_cannot_move_says_why_at_once(desk: Window) -> None:
    desk.load_game(game_file("american", "B:W18,30:B3,15"))
    desk.click(3)
    assert desk.page.locator(".refused").count() > 0
    desk.until(lambda: desk.status_text == WHY)
    assert desk.marked("target") == set()


@pytest.mark.own_page
def test_a_question_waits_for_the_first_connection(desk: Window) -> None:
    """A page is usable before it is connected."""
    held: list[WebSocketRoute] = []
    desk.page.route_web_socket("**/live/**", lambda route: held_back(desk, route, held))
    desk.load_game(game_file("american", "B:W18,30:B3,15"))
    before = desk.status_text
    desk.click(3)
    desk.until(lambda: held)
    desk.page.wait_for_timeout(100)
    assert desk.status_text == before
    held.clear()
    desk.until(lambda: desk.status_text == WHY)


@pytest.mark.own_page
def test_a_question_outlasts_a_first_connection_that_fails(desk: Window) -> None:
    held: list[WebSocketRoute] = []
    desk.page.route_web_socket("**/live/**", lambda route: held_back(desk, route, held))
    desk.load_game(game_file("american", "B:W18,30:B3,15"))
    desk.click(3)
    desk.until(lambda: held)
    held.pop().close()
    desk.page.wait_for_selector("body.offline")
    desk.until(lambda: held, "the page connects anew")
    held.clear()
    desk.until(lambda: desk.status_text == WHY)


@pytest.mark.own_page
def test_the_notice_of_a_lost_connection_disappears(desk: Window) -> None:
    opened: list[WebSocketRoute] = []
    held: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        if opened:
            held_back(desk, route, held)
        else:
            route.connect_to_server()
        opened.append(route)

    desk.page.route_web_socket("**/live/**", connect)
    desk.load_game(game_file("american", "B:W18,30:B3,15"))
    desk.click(3)
    desk.until(lambda: desk.status_text == WHY, "the page is connected")
    opened[0].close()
    desk.page.wait_for_selector("body.offline")
    desk.click(3)
    desk.until(lambda: "You’re offline" in desk.status_text)
    desk.until(lambda: held)
    held.clear()
    desk.until(lambda: "You’re offline" not in desk.status_text)


def held_back(desk: Window, route: WebSocketRoute, held: list[WebSocketRoute]) -> None:
    """Connect a page to its server once `held` is cleared."""
    held.append(route)
    while held:
        desk.page.wait_for_timeout(10)
    route.connect_to_server()


def test_three_taps_in_vain_show_the_rule(desk: Window) -> None:
    desk.load_game(game_file("american", "B:W18,30:B3,4,15"))
    for square in (3, 4, 3):
        before = desk.page.inner_text("#spoken")
        desk.click(square)
        desk.until(partial(spoken_since, desk, before))
    assert "Nothing is stuck" in desk.status_text
    assert "15" in desk.status_text
    assert desk.page.locator("#rule").is_visible()


@pytest.mark.own_page
def test_after_a_minute_the_compulsory_capture_is_explained(desk: Window) -> None:
    desk.page.clock.install()
    desk.load_game(game_file("american", "B:W18,30:B3,15"))
    desk.run_clock(45)  # in addition to the real time
    assert "Nothing is stuck" not in desk.status_text
    desk.run_clock(16)
    desk.until(lambda: "Nothing is stuck" in desk.status_text)


@pytest.mark.own_page
def test_a_move_that_the_server_refuses_is_taken_back(desk: Window) -> None:
    """The server refuses a move that the page considers legal: the piece returns."""

    def misdirect(page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        page.on_message(lambda text: server.send(str(text).replace('"22-18"', '"22-9"')))

    desk.page.route_web_socket(re.compile(r"/live/"), misdirect)
    desk.new_game("dama64")
    desk.click(22, 18)
    desk.until_refused()
    desk.settled()
    assert desk.state["ply"] == 0
    desk.click(23, 19)
    desk.until_ply(1)


def test_a_piece_that_cannot_move_returns_after_a_drag(desk: Window) -> None:
    desk.load_game(game_file("american", "B:W18,30:B3,15"))
    desk.drag(3, 8)
    desk.until(lambda: desk.status_text == WHY)
    desk.until(lambda: desk.page.evaluate("document.getAnimations().length") == 0)
    places = desk.page.evaluate(
        "[...document.querySelectorAll('.piece.b')].map((man) => man.style.transform)"
    )
    assert "translate(550px, 50px)" in places, "the man on 3 stands on 3"

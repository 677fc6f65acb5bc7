"""A guided game in Chromium: notices, takebacks, reloads, and the end."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from damka import rules
from damka.live.lesson_links import lesson_path
from damka.study.lessons import fingerprint
from tests.browser.support import Window, game_file
from tests.server.guided import best_move, due

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

COURSE = fingerprint(rules.load("dama64"))


def open_guided(window: Window, rules: str = "dama64") -> Window:
    window.page.goto(f"{window.url}/learn/{rules}/game")
    window.page.wait_for_url("**/game/*")
    window.ready()
    return window


def until_our_turn(window: Window) -> None:
    window.until(lambda: window.state["result"] or window.state["turn"] == "W", "our turn")
    window.settled()


def play_until(window: Window, stage: str) -> bool:
    """Play until a notice of this kind is due, or to the end; return whether it is."""
    while not window.state["result"]:
        until_our_turn(window)
        if any(stage in each["sentence"] for each in due(window.state)):
            return True
        if not window.state["result"]:
            window.play(best_move(window.state))
    return False


def marked(window: Window) -> int:
    """Return the number of squares that a notice marks."""
    return window.page.locator(".over .noted:not(.edge)").count()


def test_a_whole_game_is_explained_and_leads_to_level_1(desktop: Window) -> None:
    page = open_guided(desktop).page
    assert desktop.status_text == (
        "This board is smaller for your first game: 6×6, not 8×8."
        " It’s your move. A man moves one square forwards, diagonally."
    )
    assert marked(desktop) == len(desktop.state["guide"]["notices"][0]["squares"])
    show = page.get_by_role("link", name="Show me")
    expect(show).to_have_attribute("href", "/learn/dama64/move_lines.diagonal")
    expect(show).to_have_attribute("target", "_blank")
    expect(page.locator("#top")).to_contain_text("Guide")

    assert play_until(desktop, "Now you can capture")
    notices = due(desktop.state)
    for notice in notices:
        expect(page.locator("#say")).to_have_text(notice["sentence"])
        assert marked(desktop) == len({*notice["squares"]} - {*desktop.state["must"]})
        desktop.answer("Got it")
    assert "Your turn." in desktop.status_text
    assert not marked(desktop)
    desktop.answer("Explain again")
    assert desktop.status_text == notices[0]["sentence"]

    while not desktop.state["result"]:
        until_our_turn(desktop)
        if not desktop.state["result"]:
            desktop.play(best_move(desktop.state))
    expect(page.locator("#end-guide")).to_contain_text("These rules came up: moving, ")
    page.wait_for_function("'damka.lessons' in localStorage")
    stored = json.loads(page.evaluate("localStorage['damka.lessons']"))
    assert stored == {COURSE: {"game": 3}}
    guided = page.url
    page.get_by_role("button", name="Play at level 1").click()
    page.wait_for_url(lambda url: url != guided)
    desktop.ready()
    assert desktop.state["guide"] is None
    assert len(desktop.state["pieces"]) == 32
    assert desktop.state["players"]["B"]["level"] == 1


def test_takebacks_and_reloads_keep_the_notices(desktop: Window) -> None:
    page = open_guided(desktop).page
    first = desktop.status_text
    desktop.answer("Got it")
    page.reload()
    desktop.ready()
    assert desktop.status_text.startswith("Your turn.")
    for _ in range(3):
        desktop.play(best_move(desktop.state))
        until_our_turn(desktop)
        page.locator("#undo").click()
        desktop.until(lambda: desktop.state["ply"] == 0, "the takeback")
        desktop.settled()
        assert [each["sentence"] for each in desktop.state["guide"]["notices"]] == [first]
    game = page.url
    open_guided(desktop)
    assert page.url == game


def test_past_notices_can_be_read_again(desktop: Window) -> None:
    page = open_guided(desktop).page
    first = desktop.status_text
    desktop.play(best_move(desktop.state))
    until_our_turn(desktop)
    page.locator("#steps [data-go=first]").click()
    expect(page.locator("#say")).to_contain_text(first)
    assert marked(desktop)


def test_a_notice_is_spoken_and_confirmed_by_keyboard(desktop: Window) -> None:
    page = open_guided(desktop).page
    expect(page.locator("#spoken")).to_contain_text("It’s your move. A man moves one square")
    page.locator("#answers button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_have_text(re.compile("^Your turn"))
    expect(page.get_by_role("button", name="Explain again")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_have_text(re.compile("^This board is smaller"))
    expect(page.get_by_role("button", name="Got it")).to_be_focused()


@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_a_notice_fits_under_the_board_of_a_phone(phone: Window, size: tuple[int, int]) -> None:
    phone.page.set_viewport_size({"width": size[0], "height": size[1]})
    page = open_guided(phone).page
    assert play_until(phone, "Now you must")
    for notice in due(phone.state):
        expect(page.locator("#say")).to_have_text(notice["sentence"])
        board, status = (page.locator(each).bounding_box() for each in ("damka-board", "#status"))
        assert board
        assert status
        assert status["y"] >= board["y"] + board["height"] - 1
        text = page.locator("#status p").evaluate("(p) => p.scrollHeight - p.clientHeight")
        assert text <= 1
        page.get_by_role("button", name="Got it").tap()


def test_house_rules_have_a_guided_game(desktop: Window) -> None:
    of = rules.load("dama64").replace(name="house", man_capture="all")
    page = desktop.page
    page.goto(desktop.url + lesson_path(of, "game"))
    page.wait_for_url("**/game/*")
    desktop.ready()
    assert desktop.status_text.startswith("This board is smaller")


def test_a_refusal_shows_the_way_to_its_lesson(desktop: Window) -> None:
    desktop.load_game(game_file("dama64", "W:W22,27:B18,5", "forced"))
    page = desktop.page
    desktop.click(27)
    desktop.until_refused()
    link = page.locator("#lesson")
    expect(link).to_have_text("Show me")
    assert "/learn/" in (link.get_attribute("href") or "")
    assert "about=obligation" in (link.get_attribute("href") or "")
    expect(link).to_have_attribute("target", "_blank")


@pytest.mark.own_page
def test_the_page_that_starts_the_game_says_what_went_wrong(desktop: Window) -> None:
    page = desktop.page
    problem = {"error": "too_many", "message": "Too many games."}
    page.route("**/api/games", lambda route: route.fulfill(status=429, json=problem))
    page.goto(f"{desktop.url}/learn/dama64/game")
    expect(page.locator("#problem")).to_have_text("Too many games.")
    page.unroute("**/api/games")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    desktop.ready()
    desktop.errors.clear()

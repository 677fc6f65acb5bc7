"""The review of a game on the page Analyse: by the server, and on this device."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from damka import Board
from tests.browser.slow import Slow
from tests.browser.support import open_window
from tests.browser.test_analysis import moves, play, says, until_current
from tests.chromium import PHONE, TOUCH
from tests.server.support import LIMITS, Server, serving

MOVES: Final = (
    *("22-18", "11-15", "18x11x15", "8x15x11", "25-22", "4-8", "29-25", "9-13", "23-18"),
    *("13-17", "18x4x8x15", "10-14"),
)
"""Black's 13-17 loses five men; 8-11 was the best move."""
PATH: Final = f"/analyse/dama64?moves={','.join(MOVES)}"
SENTENCE: Final = "13-17 was the losing move; 8-11 kept the balance."


@pytest.fixture(scope="module")
def searching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that reviews games because there is no kernel for browsers."""
    folder = tmp_path_factory.mktemp("review")
    limits = dataclasses.replace(LIMITS, review_nodes=5_000)
    with serving(folder, kernel=folder / "none", limits=limits) as server:
        yield server


def reviewed(page: Page) -> None:
    """Wait for the finished review, and check what it shows."""
    expect(page.locator("#review.final")).to_be_visible()
    expect(page.locator(".moment")).to_have_count(1)
    expect(page.locator(".moment")).to_contain_text("5… 13-17")
    expect(page.locator(".moment")).to_contain_text(SENTENCE)
    cells = page.locator(".numbers tbody tr").first.locator("td")
    expect(cells.first).to_have_text("100%")
    expect(page.locator(".numbers tbody tr").nth(2).locator("td")).to_have_text(["0", "1"])


def test_the_line_of_a_moment_is_dropped_for_another_position(
    browser: Browser, searching: Server
) -> None:
    with open_window(browser, searching.url, own=True) as window:
        page = window.open(f"{PATH}&review=1").page
        reviewed(page)
        played = moves(window)
        slow = Slow(page, "**/api/line*")
        page.locator(".moment").click()
        window.until(lambda: slow.held, "the request")
        until_current(window, "23-18")
        page.keyboard.press("ArrowLeft")
        until_current(window, "9-13")
        slow.answer()
        page.keyboard.press("ArrowLeft")
        until_current(window, "29-25")
        says(window, "Black to move")
        assert moves(window) == played


def test_a_game_is_reviewed_and_its_mistake_tried_again(
    browser: Browser, searching: Server
) -> None:
    with open_window(browser, searching.url, own=True) as window:
        page = window.open(PATH).page
        until_current(window, "10-14")
        page.get_by_role("button", name="Review", exact=True).click()
        expect(page.get_by_role("heading", name="Review")).to_be_focused()
        reviewed(page)
        expect(page.locator("#lines")).to_be_hidden()

        # A moment plays its line, which stays in the tree.
        page.locator(".moment").click()
        until_current(window, "8-11")
        graph = page.get_by_role("slider", name="Winning chance: White")
        expect(graph).to_have_attribute("aria-valuenow", "9")

        page.get_by_role("button", name="Show what follows").click()
        until_current(window, "18x4")
        page.keyboard.press("ArrowLeft")

        # The graph is a slider through the game, and from moment to moment.
        graph.focus()
        page.keyboard.press("End")
        until_current(window, "10-14")
        page.keyboard.press("PageUp")
        until_current(window, "13-17")
        assert SENTENCE in (graph.get_attribute("aria-valuetext") or "")
        expect(page.locator(".moment")).to_have_attribute("aria-current", "true")

        # The mistake again: the game's move is wrong, the best one right, and so is an equal one.
        page.get_by_role("button", name="Retry: Black").click()
        expect(page.locator(".retry h3")).to_have_text(
            "Black to move. Find a better move than 5… 13-17."
        )
        before = Board("dama64")
        for key in MOVES[:9]:
            before.push(next(move for move in before.legal_moves if move.hub() == key))
        window.until(lambda: window.pieces == before.pieces, "the position before the mistake")
        verdict = page.locator(".verdict")
        play(window, 13, 17)
        expect(verdict).to_contain_text("That is the move of the game")
        page.get_by_role("button", name="Try again").click()
        play(window, 12, 16)
        expect(verdict).to_contain_text("12-16 loses")
        page.keyboard.press("ArrowLeft")
        expect(verdict).to_be_empty()
        play(window, 8, 11)
        expect(verdict).to_have_text("Right! 8-11 is the best move.")
        page.get_by_role("button", name="Back to the review").click()
        expect(page.get_by_role("button", name="Retry: Black")).to_be_focused()

        # On paper: the graph, the numbers and the moments.
        page.emulate_media(media="print")
        expect(page.locator(".moment")).to_be_visible()
        expect(page.locator("#board")).to_be_hidden()
        page.emulate_media(media="screen")
        expect(page.locator("#open-load")).to_be_hidden()
        page.get_by_role("button", name="Moves").click()
        expect(page.locator("#open-load")).to_be_visible()
        expect(page.get_by_role("button", name="Review", exact=True)).to_be_focused()

        # The next time it opens at once, from this browser or from the server.
        page.route("**/api/review*", lambda route: route.abort())
        page.goto(f"{searching.url}{PATH}&review=1")
        reviewed(page)
    with open_window(browser, searching.url, **TOUCH) as window:
        page = window.page
        with page.expect_request("**/api/review?*") as sent:
            window.open(f"{PATH}&review=1")
        reviewed(page)
        assert page.evaluate("innerWidth") == PHONE["width"], "the phone need not zoom out"
        headers = {"content-type": "application/json", "origin": searching.url}
        body = sent.value.post_data or ""
        answer = page.request.post(sent.value.url, data=body, headers=headers)
        assert answer.text().splitlines()[0] == '{"t":"start","plies":12,"stored":true}'

"""The arbiter's page by mouse, touch and keyboard: no event gets stuck, and byes are shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.support import Window, open_window
from tests.chromium import TOUCH
from tests.server.events.support import act, create_event, event_data, form, join, wait_for
from tests.server.support import Browser as Client
from tests.server.support import Server

NAMES = ("Ana", "Ben", "Cvetan", "Dina")


def press_by(window: Window, method: str) -> Callable[[Locator], None]:
    """Return a function that presses a button by mouse, touch or keyboard."""

    def press(button: Locator) -> None:
        if method == "touch":
            button.tap()
        elif method == "keyboard":
            button.focus()
            window.page.keyboard.press("Enter")
        else:
            button.click()

    return press


def choose(window: Window, method: str, label: str, name: str) -> None:
    select = window.page.get_by_label(label, exact=True)
    if method == "keyboard":
        select.focus()
        # Typing selects the option with this prefix.
        window.page.keyboard.type(name)
        expect(select.locator("option:checked")).to_have_text(name)
    else:
        select.select_option(label=name)


@pytest.mark.parametrize("method", ["mouse", "touch", "keyboard"])
def test_the_arbiter_can_pair_an_unpairable_round_by_hand(
    browser: Browser, server: Server, method: str
) -> None:
    with (
        Client(server.url) as arbiter,
        open_window(browser, server.url, **(TOUCH if method == "touch" else {})) as window,
    ):
        path = create_event(arbiter, server, play="hand", rounds=5)
        for name in NAMES:
            act(arbiter, path, "add", name=name)
        page, press = window.become(arbiter).open(f"{path}/arbiter").page, press_by(window, method)
        warning = "4 players can’t play 5 rounds without rematches. The limit is 3."
        expect(page.locator("#warning")).to_contain_text(warning)
        press(page.get_by_role("button", name="Start", exact=True))
        expect(page.get_by_role("button", name="Pair round 1")).to_be_visible()
        for _ in range(3):
            act(arbiter, path, "pair")
            act(arbiter, path, "begin")
            for each in event_data(arbiter, path)["round"]["boards"]:
                number = event_data(arbiter, path)["event"]["round"]
                settled = {"round": number, "board": each["board"], "before": "", "after": "1-0"}
                act(arbiter, path, "settle", **settled)
        page.reload()
        press(page.get_by_role("button", name="Pair round 4"))
        expect(page.get_by_role("alert").first).to_contain_text("Pair it by hand")
        # The form is already open, with the players in order.
        choose(window, method, "Board 1, White", "Ana")
        choose(window, method, "Board 1, Black", "Ben")
        choose(window, method, "Board 2, White", "Cvetan")
        choose(window, method, "Board 2, Black", "Dina")
        press(page.get_by_role("button", name="Use these pairings"))
        expect(page.get_by_text(re.compile("Ana and Ben already met in round"))).to_be_visible()
        boards = event_data(arbiter, path)["round"]["boards"]
        assert [(each["white"], each["black"]) for each in boards] == [NAMES[:2], NAMES[2:]]
        press(page.get_by_role("button", name="Start round 4"))
        expect(page.get_by_role("heading", name="Round 4")).to_be_visible()
        wait_for(lambda: event_data(arbiter, path)["event"]["begun"], lambda begun: begun == 4)
        for board in (1, 2):
            settled = {"round": 4, "board": board, "before": "", "after": "="}
            act(arbiter, path, "settle", **settled)
        page.reload()
        rounds = page.get_by_label("Rounds", exact=True)
        rounds.fill("4")
        press(page.locator(".rounds").get_by_role("button", name="Change"))
        wait_for(
            lambda: event_data(arbiter, path)["event"]["status"], lambda status: status == "over"
        )
        expect(page.locator(".state")).to_have_text("The tournament is over.")
        window.open(path)
        expect(page.locator(".standings tbody tr")).to_have_count(4)


def test_many_players_are_paired_by_typing_names(browser: Browser, server: Server) -> None:
    with Client(server.url) as arbiter, open_window(browser, server.url) as window:
        path = create_event(arbiter, server, play="hand", rounds=3)
        names = [f"Nina {n}" for n in range(1, 43)]
        for name in names:
            act(arbiter, path, "add", name=name)
        act(arbiter, path, "start")
        page = window.become(arbiter).open(f"{path}/arbiter").page
        page.get_by_text("Pair round 1 by hand").click()
        expect(page.get_by_label("Board 21, Black")).to_be_visible()
        values = page.locator(".hand input[list]").evaluate_all("all => all.map((e) => e.value)")
        assert sorted(values) == sorted(names)
        first, second = page.get_by_label("Board 1, White"), page.get_by_label("Board 1, Black")
        white, black = first.input_value(), second.input_value()
        first.fill(black.upper())
        second.fill(white)
        page.get_by_role("button", name="Use these pairings").click()
        expect(page.get_by_role("button", name="Start round 1")).to_be_visible()
        board = event_data(arbiter, path)["round"]["boards"][0]
        assert (board["white"], board["black"]) == (black, white)


@pytest.mark.parametrize("options", [{}, TOUCH], ids=["desktop", "phone"])
def test_a_bye_is_shown_on_the_page_of_the_finished_game(
    browser: Browser, server: Server, options: dict[str, Any]
) -> None:
    with Client(server.url) as arbiter, Client(server.url) as ana, Client(server.url) as ben:
        path = create_event(arbiter, server, rounds=2)
        join(ana, path, "Ana")
        join(ben, path, "Ben")
        for action in ("start", "pair", "begin"):
            act(arbiter, path, action)
        game = wait_for(lambda: event_data(ana, path)["me"]["game"], bool)
        with open_window(browser, server.url, **options) as window:
            window.become(ana).open(game)
            live = ben.live(game.rpartition("/")[2])
            live.state()
            live.send("resign")
            message = window.page.locator("#event-score")
            expect(message).to_contain_text("in the tournament.")
            act(arbiter, path, "add", name="Cvetan")
            ids = {each["name"]: each["id"] for each in event_data(arbiter, path)["standings"]}
            board = {"white1": ids["Cvetan"], "black1": ids["Ben"]}
            act(arbiter, path, "hand", **board)
            expect(message).to_contain_text(
                "Round 2. No opponent this round: bye, counts as a win."
            )
            act(arbiter, path, "begin")
            expect(message).to_contain_text("No opponent")
            live.close()
        assert form(ana, f"{path}/bye").status_code == 409, "there is no third round"

"""A small tournament: created on a desktop, joined by phones with the QR code's address."""

from __future__ import annotations

import re
from contextlib import ExitStack, suppress

from playwright.sync_api import Browser, Error, expect

from tests.browser.support import Window, open_window
from tests.chromium import PHONE, TOUCH
from tests.server.events.support import act, event_data, join, operator_code, wait_for
from tests.server.events.support import create_event as make_event
from tests.server.support import Browser as Client
from tests.server.support import Server


def create_event(window: Window, server: Server, name: str) -> str:
    """Fill in the form of a new tournament; return its address."""
    page = window.open("/events").page
    page.get_by_role("link", name="New tournament").click()
    page.get_by_label("Tournament name").fill(name)
    page.get_by_label("Your name").fill("Rossi")
    page.get_by_label("Operator’s code").fill(operator_code(server).lower())
    page.get_by_label("Rules", exact=True).select_option("american")
    page.get_by_label("Rounds", exact=True).fill("2")
    page.get_by_role("button", name="Create tournament").click()
    page.wait_for_url(re.compile("/arbiter$"))
    return page.url.removesuffix("/arbiter")


def test_an_event_from_creation_to_standings(
    browser: Browser, server: Server, desktop: Window
) -> None:
    address = create_event(desktop, server, "Club evening")
    code = re.search(r"Code: ([A-Z]{4})", desktop.page.locator("main").inner_text())
    assert code
    with ExitStack() as stack:
        wall = stack.enter_context(open_window(browser, server.url)).page
        wall.goto(f"{address}/projector")
        expect(wall.locator(".address")).to_have_text(
            f"{server.url.removeprefix('http://')}/e/{code[1]}"
        )
        phones = [stack.enter_context(open_window(browser, server.url, **TOUCH)) for _ in range(2)]
        for phone, name in zip(phones, ("Ana", "Bruno"), strict=True):
            phone.page.goto(f"{server.url}/e/{code[1]}")
            phone.page.get_by_label("Your name").fill(name)
            phone.page.get_by_role("button", name="Join").tap()
            expect(phone.page.get_by_text(f"You are playing as {name}.")).to_be_visible()
            assert phone.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        # Waiting players see new ones.
        expect(phones[0].page.locator(".names li")).to_have_count(2)
        expect(wall.locator(".crowd")).to_have_text("Ana · Bruno")
        desktop.page.get_by_role("button", name="Start").click()
        # A late visitor still sees the QR code, then the address.
        expect(wall.locator(".state")).to_have_text("The first round starts soon.")
        expect(wall.locator(".slide.now .code img")).to_be_visible()
        desktop.page.get_by_role("button", name="Pair round 1").click()
        expect(wall.locator(".slide.now h2")).to_have_text("Round 1")
        expect(wall.locator("footer")).to_contain_text(f"/e/{code[1]}")
        desktop.page.get_by_role("button", name="Start round 1").click()
        # Both are redirected to their board.
        for phone in phones:
            phone.page.wait_for_url(re.compile("/game/"))
            phone.ready()
        first = next(phone for phone in phones if "B" in phone.state["you"])
        second = next(phone for phone in phones if phone is not first)
        # The projector view follows the moves.
        mini = wall.locator(".mini")
        expect(mini).to_have_count(1)
        expect(mini.locator("g.piece")).to_have_count(24)
        pieces = mini.get_attribute("data-pieces")
        first.play(first.state["legal"][0]["hub"])
        expect(mini).not_to_have_attribute("data-pieces", pieces or "")
        second.until_ply(1)
        # A phone dies: its player continues on another one, with the arbiter's code.
        second.page.goto("about:blank")
        desktop.page.reload()
        name = ("Ana", "Bruno")[phones.index(second)]
        seat = (
            desktop.page.locator(".people tr", has_text=name).first.locator(".codes").inner_text()
        )
        second = stack.enter_context(open_window(browser, server.url, **TOUCH))
        second.page.goto(address)
        second.page.get_by_text("I was playing on another device").tap()
        second.page.get_by_label("Seat code").fill(seat)
        second.page.locator(".seat").get_by_role("button", name="Go").tap()
        # The page may redirect to the board before the link is tapped.
        link = second.page.get_by_role("link", name="Go to your board")
        expect(link.or_(second.page.locator("damka-board"))).to_be_visible()
        with suppress(Error):
            link.tap(timeout=1000)
        second.page.wait_for_url(re.compile("/game/"))
        second.ready()
        second.play(second.state["legal"][0]["hub"])
        second.page.locator(".actions").get_by_text("Resign", exact=True).tap()
        second.answer("Resign")
        # The loser returns to the event from the result. The winner stays at the board, and is
        # redirected to the next one; a third player allows a second round.
        game = first.page.url
        second.page.get_by_role("link", name="Back to the tournament").tap()
        expect(second.page.get_by_text("Round 1 of 2")).to_be_visible()
        desktop.page.locator(".add [name=name]").fill("Cvetan")
        desktop.page.get_by_role("button", name="Add").click()
        # The arbiter's page is not redirected.
        with desktop.page.expect_popup() as popup:
            desktop.page.get_by_role("link", name="Projector").click()
        expect(popup.value.locator(".wall h1")).to_have_text("Club evening")
        popup.value.close()
        status = first.page.locator("#event-score")
        expect(status).to_have_text(re.compile(r"Counts as (2-0|0-2) in the tournament\."))
        desktop.page.get_by_role("button", name="Pair round 2").click()
        expect(status).to_contain_text("Round 2. Board 1: ")
        expect(status).to_contain_text("Your game starts soon.")
        desktop.page.get_by_role("button", name="Start round 2").click()
        first.page.wait_for_url(lambda url: url != game)
        first.ready()
        desktop.page.get_by_text("End the tournament").first.click()
        desktop.page.get_by_label("End it now").check()
        desktop.page.get_by_role("button", name="End the tournament").click()
        first.page.get_by_role("link", name="Club evening").tap()
        expect(first.page.get_by_text("The tournament is over.")).to_be_visible()
        rows = first.page.locator(".standings tbody tr")
        expect(rows).to_have_count(3)
        expect(rows.first).to_contain_text("2")
        expect(desktop.page.get_by_role("cell", name="ended the tournament")).to_be_visible()
    # The form remembers the last choices.
    desktop.open("/events/new")
    expect(desktop.page.get_by_label("Your name")).to_have_value("Rossi")
    expect(desktop.page.get_by_label("Rules", exact=True)).to_have_value("american")
    expect(desktop.page.get_by_label("Tournament name")).to_have_value("")


def test_pages_keep_the_language_of_their_link(
    browser: Browser, server: Server, desktop: Window
) -> None:
    with Client(server.url) as arbiter, Client(server.url) as ana, Client(server.url) as bruno:
        path = make_event(arbiter, server, rounds=1)
        desktop.open(f"{path}?lang=it")
        join(ana, path, "Ana")
        join(bruno, path, "Bruno")
        expect(desktop.page.locator(".names li")).to_have_count(2)
        expect(desktop.page.get_by_role("button", name="Iscriviti")).to_be_visible()
        act(arbiter, path, "start")
        act(arbiter, path, "pair")
        act(arbiter, path, "begin")
        game = wait_for(lambda: event_data(ana, path)["me"]["game"], bool)
        expect(desktop.page.get_by_text("Turno 1 di 1")).to_be_visible()
        desktop.become(ana).open(f"{game}?lang=it")
        live = bruno.live(game.rpartition("/")[2])
        live.state()
        live.send("resign")
        expect(desktop.page.locator("#event-score")).to_have_text(
            re.compile(r"Nel torneo vale (2-0|0-2)\.")
        )
        live.close()

"""Two people on two devices: invitations, clocks, premoves, a spectator."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Final

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from damka.server.timekeeper import Timekeeper
from tests.browser.support import FITTED, Window, locale, open_window
from tests.browser.two_devices import accept, invite, pair, play, windows
from tests.chromium import DESKTOP, PHONE, TOUCH
from tests.server.proxy import Delay
from tests.server.support import Server


def test_an_invitation_as_seen_by_both_players(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, TOUCH) as (first, second):
        first.open("/")
        first.page.get_by_text("Online", exact=True).click()
        first.page.select_option("#clock", label="5+3")
        first.page.fill("[name=name1]", "Ana")
        first.page.get_by_text("First (", exact=False).click()
        first.page.get_by_role("button", name="Invite").click()
        first.page.wait_for_url("**/game/*")
        first.ready()
        panel = first.page.locator("#invite")
        code = panel.locator("b").inner_text()
        assert first.page.inner_text("#invite-link") == f"{server.url}/join/{code}"
        assert "Waiting" in panel.inner_text()
        second.open("/join")
        second.page.fill("#code", code.lower())
        second.page.get_by_role("button", name="Open invitation").tap()
        second.page.wait_for_url(f"**/join/{code}")
        assert "Ana invites you" in second.page.inner_text("h1")
        assert "5 min plus 3 s per move" in second.page.inner_text(".what")
        accept(second, code, "Petra")
        first.until(lambda: not panel.count(), "the board is shown without a reload")
        first.until(lambda: "Petra" in first.page.inner_text("#top"), "and the opponent's name")
        assert "Ana" in second.page.inner_text("#top")
        second.until(lambda: second.page.inner_text("#top time") == "5:00", "the clock is shown")
        assert second.page.locator("#hint").is_hidden()
        # The name is restored the next time.
        second.open("/")
        second.page.get_by_text("Online", exact=True).tap()
        assert second.page.input_value("[name=name1]") == "Petra"


def test_a_seat_cannot_be_taken_twice(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {}, {"ignore_errors": True}) as (first, second, third):
        code = invite(first)
        third.open(f"/join/{code}")
        accept(second, code)
        third.page.get_by_role("button", name="Join and play").click()
        third.until(lambda: third.page.inner_text("#problem"), "the error is shown")
        assert "Someone else has joined already" in third.page.inner_text("#problem")
        third.page.get_by_role("link", name="Watch the game").click()
        third.ready()
        assert third.status_text.startswith("You’re watching.")
        assert third.state["you"] == []


def test_an_open_invitation_can_be_cancelled_or_given_to_the_computer(desktop: Window) -> None:
    invite(desktop)
    desktop.page.evaluate("window.isInvitation = true")
    desktop.page.get_by_role("button", name="Play the computer").click()
    # The page shows the new game before it loads it again.
    desktop.page.wait_for_function("() => !window.isInvitation")
    desktop.ready()
    expect(desktop.page.locator("#hint")).to_be_visible()
    assert desktop.page.locator("#bottom time").is_hidden()
    desktop.play("22-18")
    desktop.until_ply(2)
    invite(desktop)
    game = desktop.page.url
    desktop.page.locator("#invite").get_by_role("button", name="Cancel").click()
    desktop.page.wait_for_url(f"{desktop.url}/")
    desktop.page.goto(game)
    expect(desktop.page.locator("#end h2")).to_have_text("The game was aborted.")


def test_the_page_warns_when_time_is_short(
    browser: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with windows(browser, server, {"own": True}, {}) as (first, second):
        first.page.clock.install()
        pair(first, second, clock={"kind": "sudden", "seconds": 12})
        play(first, second, "22-18", "11-15")
        clock = first.page.locator("#bottom time")
        expect(clock).to_have_class(re.compile("runs"))
        expect(second.page.locator("#bottom time")).not_to_have_class(re.compile("runs"))
        first.run_clock(4)
        first.until(lambda: "low" in (clock.get_attribute("class") or ""), "little time is left")
        assert len(clock.inner_text().split(".")) == 2, "tenths"
        first.until(
            lambda: first.page.inner_text("#spoken") == "10 seconds left.", "one announcement"
        )
        shape = clock.evaluate("node => getComputedStyle(node).borderRadius")
        assert shape == "0px", "a shape, not only a colour"
        # The server's clock runs out too.
        now = Timekeeper.now
        monkeypatch.setattr(Timekeeper, "now", staticmethod(lambda: now() + 12))
        first.run_clock(8)
        first.until(lambda: first.state["result"], "the flag falls")
        monkeypatch.undo()
        lost, won = "You lost: you ran out of time.", "You won: your opponent ran out of time."
        expect(first.page.locator("#end h2")).to_have_text(lost)
        expect(second.page.locator("#end h2")).to_have_text(won)
        assert clock.inner_text() == "0:00.0"
        times = second.page.locator("#end [data-row=time] td")
        expect(times).to_have_text(["0:00", re.compile("0:1[2-9]|0:2")])


def test_a_player_leaves_and_returns(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {"ignore_errors": True}) as (first, second):
        pair(first, second)
        play(first, second, "22-18", "11-15")
        second.page.goto("about:blank")
        first.until(
            lambda: "way – 0:" in first.page.inner_text("#top small"), "the countdown is shown"
        )
        first.play("18x11x15")
        second.page.go_back()
        second.ready()
        second.until_ply(3)
        first.until(lambda: "online" in first.page.inner_text("#top small"), "the opponent is back")
        play(first, second, second.state["legal"][0]["hub"])


def test_a_game_continues_after_a_network_failure(browser: Browser, server: Server) -> None:
    with (
        closing(Delay(server.host)) as network,
        open_window(browser, server.url) as first,
        open_window(browser, f"http://{network.host}", ignore_errors=True) as second,
    ):
        pair(first, second)
        play(first, second, "22-18", "11-15")
        began = time.monotonic()
        play(first, second, "18x11x15")
        moved = time.monotonic()
        left = first.state["clock"]["left"]["B"]
        pieces = second.pieces
        second.page.context.set_offline(True)
        network.cut = True
        second.until(
            lambda: second.page.locator("body.offline").count(), "the page shows that it is offline"
        )
        assert "Connection lost" in second.page.inner_text(".lost")
        first.until(
            lambda: "way – " in first.page.inner_text("#top small"),
            "the opponent's page counts down",
        )
        text = first.page.inner_text("#top small")
        first.until(lambda: first.page.inner_text("#top small") != text, "the countdown runs")
        assert second.pieces == pieces
        offline_ms = 1000 * (time.monotonic() - moved)
        network.cut = False
        second.page.context.set_offline(False)
        second.until(lambda: not second.page.locator("body.offline").count(), "reconnected")
        first.until(
            lambda: "online" in first.page.inner_text("#top small"), "the opponent's page shows it"
        )
        assert second.pieces == pieces == first.pieces
        both = "#top time", "#bottom time"
        second.until(
            lambda: (
                [first.page.inner_text(each) for each in both]
                == [second.page.inner_text(each) for each in reversed(both)]
            ),
            "same clocks",
        )

        # The clock ran meanwhile, without any other change.
        def spent() -> float:
            return float(left - second.state["clock"]["left"]["B"])

        second.until(lambda: spent() > offline_ms - 50, "the state after the failure")
        assert spent() < 1000 * (time.monotonic() - began)
        assert second.state["clock"]["running"] == "B"
        play(first, second, second.state["legal"][0]["hub"])


def test_a_page_detects_a_silent_network_failure(browser: Browser, server: Server) -> None:
    with (
        closing(Delay(server.host)) as network,
        open_window(browser, server.url) as first,
        open_window(browser, f"http://{network.host}", ignore_errors=True, own=True) as second,
    ):
        second.page.clock.install()
        pair(first, second)
        network.black_hole = True
        second.page.get_by_role("button", name="Abort").click()
        second.answer("Abort")
        second.page.clock.run_for(8_000)
        second.until(
            lambda: second.page.locator("body.offline").count(), "after two unanswered pings"
        )
        network.black_hole = False
        second.until(lambda: not second.page.locator("body.offline").count(), "a new connection")
        first.play("22-18")
        second.until_ply(1)


def test_an_absent_opponents_game_can_be_claimed(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {"ignore_errors": True}) as (first, second):
        pair(first, second)
        play(first, second, "22-18", "11-15")
        second.page.goto("about:blank")
        first.until(lambda: "way" in first.page.inner_text("#top small"), "the opponent is away")
        game = first.state["id"]
        session = server.app.state.damka.sessions._open[game].session.result()
        session._presence._players["B"].left_at -= 11
        first.page.reload()
        first.ready()
        first.until(lambda: "Petra has been away" in first.status_text, "the claim is offered")
        first.answer("Claim victory")
        first.until(lambda: first.state["result"], "the game is won")
        expect(first.page.locator("#end h2")).to_contain_text("your opponent left the game")


def test_a_spectator_sees_moves_and_clocks(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {}, {}) as (first, second, spectator):
        pair(first, second)
        spectator.open(f"/game/{first.state['id']}")
        first.until(
            lambda: "spectators: 1" in first.page.inner_text("#beside"), "the spectator is counted"
        )
        play(first, second, "22-18", "11-15")
        spectator.until_ply(2)
        expect(spectator.page.locator("#bottom time")).to_have_class(re.compile("runs"))
        spectator.click(18)
        spectator.click(14)
        play(first, second, "18x11x15")
        spectator.until_ply(3)
        assert spectator.moves() == ["22-18", "11-15", "18x11"]
        assert {m["t"] for m in spectator.sent} <= {"ping", "flag"}


# Premoves


PREMOVES: Final = ((6, 9, "26-22"), (2, 6, "24-19"), (10, 14, "28-24"))
"""Black's premoves after 22-18 9-13, and White's moves before them."""


@pytest.mark.parametrize("methods", [("mouse", "drag", "keyboard"), ("touch",)])
def test_a_premove_is_played_at_once(
    browser: Browser, server: Server, methods: tuple[str, ...]
) -> None:
    with windows(browser, server, {}, TOUCH if "touch" in methods else {}) as (first, second):
        pair(first, second)
        play(first, second, "22-18", "9-13")
        for method, (start, end, reply) in zip(methods, PREMOVES, strict=False):
            ply = second.state["ply"]
            assert second.state["turn"] == "W"
            if method == "mouse":
                second.click(start, end)
            elif method == "drag":
                second.drag(start, end)
            elif method == "touch":
                second.tap(start, end)
            else:
                for square in (start, end):
                    second.page.evaluate(
                        "square => document.querySelector(`[data-square='${square}']`).focus()",
                        square,
                    )
                    second.press("Enter")
            expect(second.page.locator("#say")).to_contain_text(f"Premove: {start} to {end}.")
            assert second.page.locator("path.planned:not(.edge)").count() == 2
            label = second.page.get_attribute(f"[data-square='{end}']", "aria-label") or ""
            assert "premove" in label
            first.play(reply)
            for each in (first, second):
                each.until_ply(ply + 2)
            assert second.state["history"][ply + 1]["move"]["hub"] == f"{start}-{end}"
            assert not second.page.locator(".planned").count()


def test_a_premove_is_cancelled_by_a_click_or_when_impossible(
    browser: Browser, server: Server
) -> None:
    with windows(browser, server, {}, {}) as (first, second):
        pair(first, second)
        play(first, second, "22-18", "9-13")
        second.click(6, 9)
        second.until(lambda: second.status_text.startswith("Premove"), "premove set")
        second.click(9)
        second.until(lambda: second.status_text == "Premove cancelled.", "premove cancelled")
        # No premoves with empty squares or the opponent's pieces.
        second.click(20, 21)
        assert not second.page.locator(".planned").count()
        second.click(11, 16)
        second.until(lambda: second.status_text.startswith("Premove: 11 to 16."), "premove set")
        first.play("18-14")
        second.until_ply(3)
        second.until(
            lambda: "premove is no longer possible" in second.status_text, "a capture comes first"
        )
        assert second.state["ply"] == 3


DELAYS: Final = (0, 200, 450)
"""Milliseconds between the opponent's move and the second tap."""


@pytest.mark.parametrize("method", ["mouse", "drag", "touch", "keyboard"])
def test_a_late_premove_becomes_a_move(browser: Browser, server: Server, method: str) -> None:
    options = TOUCH if method == "touch" else {}
    with windows(browser, server, {}, {"paced": True, **options}) as (first, second):

        def act(square: int) -> None:
            if method == "mouse":
                second.click(square)
            elif method == "touch":
                second.tap(square)
            else:
                focus = "square => document.querySelector(`[data-square='${square}']`).focus()"
                second.page.evaluate(focus, square)
                second.press("Enter")

        def after(ply: int) -> bool:
            return bool(second.state["ply"] > ply)

        pair(first, second)
        play(first, second, "22-18", "9-13")
        for (start, end, reply), delay in zip(PREMOVES, DELAYS, strict=True):
            ply = second.state["ply"]
            if method == "drag":
                second.page.mouse.move(*second.at(start))
                second.page.mouse.down()
                second.page.mouse.move(*second.at(end), steps=3)
            else:
                act(start)
                expect(second.page.locator("path.planned:not(.edge)")).to_have_count(1)
            first.play(reply)
            second.until(partial(after, ply), "the opponent has moved")
            second.page.wait_for_timeout(delay)
            if method == "drag":
                second.page.mouse.up()
            else:
                act(end)
            second.until_ply(ply + 2)
            assert second.state["history"][ply + 1]["move"]["hub"] == f"{start}-{end}", delay
            first.until_ply(ply + 2)


def test_a_premove_with_a_piece_that_cannot_move_is_explained(
    browser: Browser, server: Server
) -> None:
    with windows(browser, server, {}, {}) as (first, second):
        pair(first, second)
        play(first, second, "22-18", "9-13")
        second.click(11)
        first.play("18-14")
        second.until_ply(3)
        second.until_refused()
        assert "must capture" in second.status_text
        assert not second.page.locator(".planned").count()


# Announcements and offers


def test_the_status_never_names_the_computer_in_online_games(
    browser: Browser, server: Server
) -> None:
    record = """() => {
      window.announced = [];
      const lines = ["say", "spoken"].map((id) => document.getElementById(id));
      const note = () => announced.push(...lines.map(({ textContent }) => textContent));
      const all = { childList: true, characterData: true, subtree: true };
      new MutationObserver(note).observe(document.body, all);
      note();
    }"""
    with windows(browser, server, {"paced": True}, {"paced": True}, {"paced": True}) as all_windows:
        first, second, spectator = all_windows
        pair(first, second)
        spectator.open(f"/game/{first.state['id']}")
        for each in all_windows:
            each.page.evaluate(record)
        for ply, move in enumerate(("22-18", "11-15", "18x11x15", "8x15x11"), 1):
            play(first, second, move)
            spectator.until_ply(ply)
        for each in all_windows:
            texts = each.page.evaluate("announced")
            assert not [text for text in texts if "omputer" in text]
        assert "You’re watching. Petra to move." in spectator.page.evaluate("announced")
        assert "Petra to move." in first.page.evaluate("announced")
        assert "Ana to move." in second.page.evaluate("announced")
        first.page.locator("#open-settings").click()
        expect(first.page.locator("#settings [data-pref=sound]")).to_be_visible()
        assert "computer" not in first.page.inner_text("body").lower()


@pytest.mark.parametrize("method", ["mouse", "touch", "keyboard"])
def test_an_offer_needs_confirmation_and_can_be_withdrawn(
    browser: Browser, server: Server, method: str
) -> None:
    with windows(browser, server, TOUCH if method == "touch" else {}, {}) as (first, second):

        def press(label: str) -> None:
            button = first.page.locator(".actions, #answers").get_by_role(
                "button", name=label, exact=True
            )
            if method == "touch":
                button.tap()
            elif method == "keyboard":
                button.focus()
                first.page.keyboard.press("Enter")
            else:
                button.click()

        pair(first, second)
        play(first, second, "22-18", "9-13")
        sent = len(first.sent)
        press("Offer draw")
        first.until(lambda: first.status_text == "Offer a draw?", "confirmation is requested")
        press("Keep playing")
        first.until(lambda: "Offer a draw" not in first.status_text, "the question disappears")
        press("Offer draw")
        press("Offer a draw")
        first.until(
            lambda: first.status_text.startswith("Draw offered. Petra hasn’t"), "the offer is shown"
        )
        first.until(lambda: "You offered a draw." in first.page.inner_text("#spoken"))
        second.until(
            lambda: second.status_text == "White offers a draw. Do you accept?", "the offer arrives"
        )
        assert len([each for each in first.sent[sent:] if each["t"] == "draw"]) == 1
        press("Withdraw")
        second.until(
            lambda: "White withdrew the draw offer." in second.status_text, "the offer is withdrawn"
        )
        assert not second.page.locator("#answers button").count()
        press("Take back")
        first.until(
            lambda: first.status_text.startswith("You asked to take back a move. Petra hasn’t"),
            "the request is shown",
        )
        press("Withdraw")
        second.until(
            lambda: "withdrew the takeback request" in second.status_text, "withdrawn as well"
        )
        press("Resign")
        first.until(lambda: first.status_text == "Resign this game?", "confirmation is requested")
        press("Keep playing")
        play(first, second, first.state["legal"][0]["hub"])
        assert first.state["result"] is None


def test_an_invitation_is_not_covered_by_the_drawing_of_colours(
    browser: Browser, server: Server
) -> None:
    with windows(browser, server, {}, {}) as (first, second):
        game = first.post("/api/games", {"rules": "dama64", "opponent": "invite", "colour": "lot"})
        first.open(f"{game['url']}#lot")
        code = first.page.locator("#invite b")
        expect(code).to_be_visible()
        assert not first.page.locator("body.drawing").count()
        accept(second, code.inner_text())
        expect(first.page.locator("#say")).to_contain_text("You play ")


@pytest.mark.own_page
def test_confirmations_can_be_turned_off(browser: Browser, server: Server) -> None:
    with windows(browser, server, {"own": True}, {}) as (first, second):
        pair(first, second)
        play(first, second, "22-18", "11-15")
        first.page.locator("#open-settings").click()
        first.page.get_by_label("Confirm draw offers and resigning").uncheck()
        first.page.keyboard.press("Escape")
        first.page.get_by_role("button", name="Offer draw", exact=True).click()
        second.until(
            lambda: second.status_text.startswith("White offers a draw."), "offered at once"
        )
        second.answer("Decline")
        first.page.get_by_role("button", name="Resign", exact=True).click()
        second.until(lambda: second.state["result"], "resigned at once")


# Layout


SIZES: Final[tuple[ViewportSize, ...]] = (DESKTOP, PHONE, {"width": 320, "height": 568})
IS_TOO_WIDE: Final = "document.documentElement.scrollWidth > innerWidth"
INVITATION_FITS: Final = """() => {
  const panel = document.getElementById("invite");
  const wide = panel.scrollWidth > panel.clientWidth + 1;
  return !wide && panel.scrollHeight <= panel.clientHeight + 1;
}"""


@pytest.mark.parametrize("language", FITTED)
def test_online_pages_fit_every_screen(browser: Browser, server: Server, language: str) -> None:
    with windows(browser, server, locale(language), {}) as (first, second):
        page = first.page

        def sizes() -> Iterator[ViewportSize]:
            for size in SIZES:
                page.set_viewport_size(size)
                assert not page.evaluate(IS_TOO_WIDE), size
                yield size

        code = invite(first, names=["Anastazija Konstantinova", ""], rules="international")
        for size in sizes():
            assert page.evaluate(INVITATION_FITS), (size, "the whole invitation is visible")
        accept(second, code, "Wolfeschlegelsteinhausen B.")
        first.until(lambda: not page.locator("#invite").count())
        first.until(lambda: first.state["presence"]["B"]["here"])
        for size in sizes():
            for strip in ("#top", "#bottom"):
                box, clock = (
                    page.locator(each).bounding_box() for each in (strip, f"{strip} time")
                )
                assert box is not None
                assert clock is not None
                assert clock["x"] + clock["width"] <= box["x"] + box["width"], size
                assert clock["height"] <= box["height"], size
        first.open("/join")
        assert len(list(sizes())) == len(SIZES)

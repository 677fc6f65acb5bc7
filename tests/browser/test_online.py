"""Two people on two devices: invitations, clocks, premoves, a spectator."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Final

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from damka.locales import LANGUAGES
from damka.server.timekeeper import Timekeeper
from tests.browser.support import Window, locale, window
from tests.browser.two_devices import invite, pair, play, sit, windows
from tests.chromium import DESKTOP, PHONE, TOUCH
from tests.server.proxy import Delay
from tests.server.support import Server


def test_an_invitation_as_seen_by_both_players(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, TOUCH) as (one, two):
        one.open("/")
        one.page.get_by_text("Online", exact=True).click()
        one.page.select_option("#clock", label="5+3")
        one.page.fill("[name=name1]", "Ana")
        one.page.get_by_text("First (", exact=False).click()
        one.page.get_by_role("button", name="Invite").click()
        one.page.wait_for_url("**/game/*")
        one.ready()
        panel = one.page.locator("#invite")
        code = panel.locator("b").inner_text()
        link = one.page.input_value("#invite-link")
        assert link == f"{server.url}/join/{code}"
        picture = panel.locator("img")
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 20
        assert "Waiting" in panel.inner_text()
        two.open("/join")
        two.page.fill("#code", code.lower())
        two.page.get_by_role("button", name="Open invitation").tap()
        two.page.wait_for_url(f"**/join/{code}")
        assert "Ana invites you" in two.page.inner_text("h1")
        assert "5 min plus 3 s per move" in two.page.inner_text(".what")
        sit(two, code, "Petra")
        one.until(lambda: not panel.count(), "the board is shown without a reload")
        one.until(lambda: "Petra" in one.page.inner_text("#top"), "and who has come")
        assert "Ana" in two.page.inner_text("#top")
        two.until(lambda: two.page.inner_text("#top time") == "5:00", "the clock is there")
        assert two.page.locator("#hint").is_hidden()
        # The name is restored the next time.
        two.open("/")
        two.page.get_by_text("Online", exact=True).tap()
        assert two.page.input_value("[name=name1]") == "Petra"


def test_a_seat_cannot_be_taken_twice(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {}, {"ignore_errors": True}) as (one, two, thief):
        code = invite(one)
        thief.open(f"/join/{code}")
        sit(two, code)
        thief.page.get_by_role("button", name="Join and play").click()
        thief.until(lambda: thief.page.inner_text("#problem"), "it is told")
        assert "Someone else has joined already" in thief.page.inner_text("#problem")
        thief.page.get_by_role("link", name="Watch the game").click()
        thief.ready()
        assert thief.status_text.startswith("You’re watching.")
        assert thief.state["you"] == []


def test_waiting_is_cancelled_and_the_computer_takes_the_seat(desk: Window) -> None:
    invite(desk)
    desk.page.get_by_role("button", name="Play the computer").click()
    desk.until(lambda: desk.page.locator("#hint").is_visible(), "a game against the computer")
    desk.ready()
    assert desk.page.locator("#bottom time").is_hidden()
    desk.play("22-18")
    desk.until_ply(2)
    invite(desk)
    desk.page.locator("#invite").get_by_role("button", name="Cancel").click()
    desk.until(lambda: desk.page.locator("#end").is_visible(), "it is over")
    expect(desk.page.locator("#end h2")).to_have_text("No result.")


def test_the_page_counts_down_and_says_so(
    browser: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with windows(browser, server, {"own": True}, {}) as (one, two):
        one.page.clock.install()
        pair(one, two, clock={"kind": "sudden", "seconds": 12})
        play(one, two, "22-18", "11-15")
        clock = one.page.locator("#bottom time")
        assert clock.get_attribute("class", timeout=1000) == "runs "
        assert "runs" not in (two.page.locator("#bottom time").get_attribute("class") or "")
        one.page.clock.run_for(4_000)
        one.until(lambda: "low" in (clock.get_attribute("class") or ""), "little time is left")
        assert len(clock.inner_text().split(".")) == 2, "tenths"
        one.until(lambda: one.page.inner_text("#spoken") == "10 seconds left.", "it is said once")
        shape = clock.evaluate("node => getComputedStyle(node).borderRadius")
        assert shape == "0px", "a shape, not only a colour"
        # The server's clock runs out too.
        now = Timekeeper.now
        monkeypatch.setattr(Timekeeper, "now", staticmethod(lambda: now() + 12))
        one.page.clock.run_for(8_000)
        one.until(lambda: one.state["result"], "the flag falls")
        monkeypatch.undo()
        expect(one.page.locator("#end p")).to_contain_text("White ran out of time.")
        expect(two.page.locator("#end h2")).to_have_text("You win.")
        assert clock.inner_text() == "0:00.0"


def test_a_player_leaves_and_returns(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {"ignore_errors": True}) as (one, two):
        pair(one, two)
        play(one, two, "22-18", "11-15")
        two.page.goto("about:blank")
        one.until(lambda: "way – 0:" in one.page.inner_text("#top small"), "it says how long")
        one.play("18x11x15")
        two.page.go_back()
        two.ready()
        two.until_ply(3)
        one.until(lambda: "online" in one.page.inner_text("#top small"), "she is back")
        play(one, two, two.state["legal"][0]["hub"])


def test_the_network_is_cut_and_comes_back(browser: Browser, server: Server) -> None:
    with (
        closing(Delay(server.host)) as network,
        window(browser, server.url) as one,
        window(browser, f"http://{network.host}", ignore_errors=True) as two,
    ):
        pair(one, two)
        play(one, two, "22-18", "11-15")
        began = time.monotonic()
        play(one, two, "18x11x15")
        moved = time.monotonic()
        left = one.state["clock"]["left"]["B"]
        shown = two.pieces
        two.page.context.set_offline(True)
        network.cut = True
        two.until(lambda: two.page.locator("body.offline").count(), "her page says so")
        assert "Connection lost" in two.page.inner_text(".lost")
        one.until(lambda: "way – " in one.page.inner_text("#top small"), "his counts down")
        text = one.page.inner_text("#top small")
        one.until(lambda: one.page.inner_text("#top small") != text, "it does")
        assert two.pieces == shown
        gone = 1000 * (time.monotonic() - moved)
        network.cut = False
        two.page.context.set_offline(False)
        two.until(lambda: not two.page.locator("body.offline").count(), "she is back by herself")
        one.until(lambda: "online" in one.page.inner_text("#top small"), "and he sees it")
        assert two.pieces == shown == one.pieces
        both = "#top time", "#bottom time"
        two.until(
            lambda: (
                [one.page.inner_text(each) for each in both]
                == [two.page.inner_text(each) for each in reversed(both)]
            ),
            "same clocks",
        )
        # Her clock ran meanwhile, without any other change.
        spent = left - two.state["clock"]["left"]["B"]
        assert gone - 50 < spent < 1000 * (time.monotonic() - began)
        assert two.state["clock"]["running"] == "B"
        play(one, two, two.state["legal"][0]["hub"])


def test_a_page_notices_that_nothing_gets_through(browser: Browser, server: Server) -> None:
    with (
        closing(Delay(server.host)) as network,
        window(browser, server.url) as one,
        window(browser, f"http://{network.host}", ignore_errors=True, own=True) as two,
    ):
        two.page.clock.install()
        pair(one, two)
        network.hole = True
        two.page.get_by_role("button", name="Abort").click()
        two.answer("Abort")
        two.page.clock.run_for(8_000)
        two.until(lambda: two.page.locator("body.offline").count(), "after two questions")
        network.hole = False
        two.until(lambda: not two.page.locator("body.offline").count(), "a new connection")
        one.play("22-18")
        two.until_ply(1)


def test_claiming_the_win(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {"ignore_errors": True}) as (one, two):
        pair(one, two)
        play(one, two, "22-18", "11-15")
        two.page.goto("about:blank")
        one.until(lambda: "way" in one.page.inner_text("#top small"), "she is away")
        game = one.state["id"]
        session = server.app.state.damka.sessions._open[game].session.result()
        session._presence._players["B"].left_at -= 11
        one.page.reload()
        one.ready()
        one.until(lambda: "Petra has been away" in one.status_text, "the question is put")
        one.answer("Claim victory")
        one.until(lambda: one.state["result"], "it is won")
        expect(one.page.locator("#end p")).to_contain_text("Black left the game.")


def test_a_spectator_watches(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {}, {}) as (one, two, watcher):
        pair(one, two)
        watcher.open(f"/game/{one.state['id']}")
        one.until(lambda: "spectators: 1" in one.page.inner_text("#beside"), "it is counted")
        play(one, two, "22-18", "11-15")
        watcher.until_ply(2)
        assert "runs" in (watcher.page.locator("#bottom time").get_attribute("class") or "")
        watcher.click(18)
        watcher.click(14)
        assert watcher.state["ply"] == 2
        assert not watcher.sent or {m["t"] for m in watcher.sent} <= {"ping", "flag"}


# Premoves


PLANS: Final = ((6, 9, "26-22"), (2, 6, "24-19"), (10, 14, "28-24"))
"""Black's premoves after 22-18 9-13, and White's moves before them."""


@pytest.mark.parametrize("ways", [("mouse", "drag", "keyboard"), ("touch",)])
def test_a_planned_move_is_played_at_once(
    browser: Browser, server: Server, ways: tuple[str, ...]
) -> None:
    with windows(browser, server, {}, TOUCH if "touch" in ways else {}) as (one, two):
        pair(one, two)
        play(one, two, "22-18", "9-13")
        for way, (start, end, reply) in zip(ways, PLANS, strict=False):
            ply = two.state["ply"]
            assert two.state["turn"] == "W"
            if way == "mouse":
                two.click(start, end)
            elif way == "drag":
                two.drag(start, end)
            elif way == "touch":
                two.tap(start, end)
            else:
                for square in (start, end):
                    two.page.evaluate(
                        "square => document.querySelector(`[data-square='${square}']`).focus()",
                        square,
                    )
                    two.press("Enter")
            expect(two.page.locator("#say")).to_contain_text(f"Premove: {start} to {end}.")
            assert two.page.locator("path.planned:not(.edge)").count() == 2
            label = two.page.get_attribute(f"[data-square='{end}']", "aria-label") or ""
            assert "premove" in label
            one.play(reply)
            for each in (one, two):
                each.until_ply(ply + 2)
            assert two.state["history"][ply + 1]["move"]["hub"] == f"{start}-{end}"
            assert not two.page.locator(".planned").count()


def test_a_plan_is_taken_back_by_a_tap_or_dropped(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {}) as (one, two):
        pair(one, two)
        play(one, two, "22-18", "9-13")
        two.click(6, 9)
        two.until(lambda: two.status_text.startswith("Premove"), "planned")
        two.click(9)
        two.until(lambda: two.status_text == "Premove cancelled.", "taken back")
        # No premoves with empty squares or the opponent's pieces.
        two.click(20, 21)
        assert not two.page.locator(".planned").count()
        two.click(11, 16)
        two.until(lambda: two.status_text.startswith("Premove: 11 to 16."), "planned")
        one.play("18-14")
        two.until_ply(3)
        two.until(
            lambda: "premove is no longer possible" in two.status_text, "a capture comes first"
        )
        assert two.state["ply"] == 3


LATE: Final = (0, 200, 450)
"""Milliseconds between the opponent's move and the second tap."""


@pytest.mark.parametrize("way", ["mouse", "drag", "touch", "keyboard"])
def test_a_plan_begun_too_late_chooses_the_piece(
    browser: Browser, server: Server, way: str
) -> None:
    options = TOUCH if way == "touch" else {}
    with windows(browser, server, {}, {"paced": True, **options}) as (one, two):

        def act(square: int) -> None:
            if way == "mouse":
                two.click(square)
            elif way == "touch":
                two.tap(square)
            else:
                focus = "square => document.querySelector(`[data-square='${square}']`).focus()"
                two.page.evaluate(focus, square)
                two.press("Enter")

        def after(ply: int) -> bool:
            return bool(two.state["ply"] > ply)

        pair(one, two)
        play(one, two, "22-18", "9-13")
        for (start, end, reply), late in zip(PLANS, LATE, strict=True):
            ply = two.state["ply"]
            if way == "drag":
                two.page.mouse.move(*two.at(start))
                two.page.mouse.down()
                two.page.mouse.move(*two.at(end), steps=3)
            else:
                act(start)
                expect(two.page.locator("path.planned:not(.edge)")).to_have_count(1)
            one.play(reply)
            two.until(partial(after, ply), "the other has moved")
            two.page.wait_for_timeout(late)
            if way == "drag":
                two.page.mouse.up()
            else:
                act(end)
            two.until_ply(ply + 2)
            assert two.state["history"][ply + 1]["move"]["hub"] == f"{start}-{end}", late
            one.until_ply(ply + 2)


def test_a_plan_begun_with_a_piece_that_may_not_move_is_explained(
    browser: Browser, server: Server
) -> None:
    with windows(browser, server, {}, {}) as (one, two):
        pair(one, two)
        play(one, two, "22-18", "9-13")
        two.click(11)
        one.play("18-14")
        two.until_ply(3)
        two.until_refused()
        assert "must capture" in two.status_text
        assert not two.page.locator(".planned").count()


# Announcements and offers


def test_the_status_names_the_player_and_never_the_computer(
    browser: Browser, server: Server
) -> None:
    record = """() => {
      window.heard = [];
      const lines = ["say", "spoken"].map((id) => document.getElementById(id));
      const note = () => heard.push(...lines.map(({ textContent }) => textContent));
      const all = { childList: true, characterData: true, subtree: true };
      new MutationObserver(note).observe(document.body, all);
      note();
    }"""
    with windows(browser, server, {"paced": True}, {"paced": True}, {"paced": True}) as all_three:
        one, two, watcher = all_three
        pair(one, two)
        watcher.open(f"/game/{one.state['id']}")
        for each in all_three:
            each.page.evaluate(record)
        play(one, two, "22-18", "11-15", "18x11x15", "8x15x11")
        watcher.until_ply(4)
        for each in all_three:
            heard = each.page.evaluate("heard")
            assert not [said for said in heard if "omputer" in said]
        assert "You’re watching. Petra to move." in watcher.page.evaluate("heard")
        assert "Petra to move." in one.page.evaluate("heard")
        assert "Ana to move." in two.page.evaluate("heard")
        one.page.locator("#open-settings").click()
        expect(one.page.locator("#settings [data-pref=sound]")).to_be_visible()
        assert "computer" not in one.page.inner_text("body").lower()


@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
def test_an_offer_is_made_with_a_second_tap_and_can_be_withdrawn(
    browser: Browser, server: Server, way: str
) -> None:
    with windows(browser, server, TOUCH if way == "touch" else {}, {}) as (one, two):

        def press(label: str) -> None:
            button = one.page.locator(".actions, #answers").get_by_role(
                "button", name=label, exact=True
            )
            if way == "touch":
                button.tap()
            elif way == "keyboard":
                button.focus()
                one.page.keyboard.press("Enter")
            else:
                button.click()

        pair(one, two)
        play(one, two, "22-18", "9-13")
        sent = len(one.sent)
        press("Offer draw")
        one.until(lambda: one.status_text == "Offer a draw?", "it is asked first")
        press("Keep playing")
        one.until(lambda: "Offer a draw" not in one.status_text, "nothing is offered")
        assert not [each for each in one.sent[sent:] if each["t"] == "draw"]
        press("Offer draw")
        press("Offer a draw")
        one.until(lambda: one.status_text.startswith("Draw offered. Petra hasn’t"), "it is said")
        one.until(lambda: "You offered a draw." in one.page.inner_text("#spoken"))
        two.until(lambda: two.status_text == "White offers a draw. Do you accept?", "it has come")
        press("Withdraw")
        two.until(lambda: "White withdrew the draw offer." in two.status_text, "it is withdrawn")
        assert not two.page.locator("#answers button").count()
        press("Take back")
        one.until(
            lambda: one.status_text.startswith("You asked to take back a move. Petra hasn’t"),
            "it is said",
        )
        press("Withdraw")
        two.until(lambda: "withdrew the takeback request" in two.status_text, "withdrawn as well")
        press("Resign")
        one.until(lambda: one.status_text == "Resign this game?", "it is asked first")
        press("Keep playing")
        assert one.state["result"] is None


def test_an_invitation_is_not_covered_by_the_lot(browser: Browser, server: Server) -> None:
    with windows(browser, server, {}, {}) as (one, two):
        made = one.post("/api/games", {"rules": "dama64", "opponent": "invite", "colour": "lot"})
        one.open(f"{made['url']}#lot")
        code = one.page.locator("#invite b")
        expect(code).to_be_visible()
        assert not one.page.locator(".lot").count()
        sit(two, code.inner_text())
        expect(one.page.locator(".lot")).to_have_count(1)


@pytest.mark.own_page
def test_the_second_tap_can_be_switched_off(browser: Browser, server: Server) -> None:
    with windows(browser, server, {"own": True}, {}) as (one, two):
        pair(one, two)
        play(one, two, "22-18", "11-15")
        one.page.locator("#open-settings").click()
        one.page.get_by_label("Confirm draw offers and resigning").uncheck()
        one.page.keyboard.press("Escape")
        one.page.get_by_role("button", name="Offer draw", exact=True).click()
        two.until(lambda: two.status_text.startswith("White offers a draw."), "offered at once")
        two.answer("Decline")
        one.page.get_by_role("button", name="Resign", exact=True).click()
        two.until(lambda: two.state["result"], "resigned at once")


# Layout


SIZES: Final[tuple[ViewportSize, ...]] = (DESKTOP, PHONE, {"width": 320, "height": 568})
WIDE: Final = "document.documentElement.scrollWidth > innerWidth"
INSIDE: Final = """() => {
  const panel = document.getElementById("invite");
  const wide = panel.scrollWidth > panel.clientWidth + 1;
  return !wide && panel.scrollHeight <= panel.clientHeight + 1;
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits(browser: Browser, server: Server, language: str) -> None:
    with windows(browser, server, locale(language), {}) as (one, two):
        page = one.page

        def sizes() -> Iterator[ViewportSize]:
            for size in SIZES:
                page.set_viewport_size(size)
                assert not page.evaluate(WIDE), size
                yield size

        code = invite(one, names=["Anastazija Konstantinova", ""], rules="international")
        for size in sizes():
            assert page.evaluate(INSIDE), (size, "the whole invitation is seen")
        sit(two, code, "Wolfeschlegelsteinhausen B.")
        one.until(lambda: not page.locator("#invite").count())
        one.until(lambda: one.state["presence"]["B"]["here"])
        for size in sizes():
            for strip in ("#top", "#bottom"):
                box, clock = (
                    page.locator(each).bounding_box() for each in (strip, f"{strip} time")
                )
                assert box is not None
                assert clock is not None
                assert clock["x"] + clock["width"] <= box["x"] + box["width"], size
                assert clock["height"] <= box["height"], size
        one.open("/join")
        assert len(list(sizes())) == len(SIZES)

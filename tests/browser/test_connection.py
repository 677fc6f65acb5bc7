"""A connection that is lost, with or without notice, and the low traffic of an idle page."""

from __future__ import annotations

from contextlib import closing

import pytest
from playwright.sync_api import Browser, FloatRect, ViewportSize, expect

from tests.browser.support import Window, open_window
from tests.browser.two_devices import pair, play
from tests.chromium import DESKTOP, PHONE
from tests.server.proxy import Delay
from tests.server.support import Server

SMALL: ViewportSize = {"width": 320, "height": 568}
SOCKETS = """{
  window.sockets = [];
  const Socket = WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...args) { super(...args); window.sockets.push(this); }
  };
}"""
"""Script that remembers the page's connections."""

IS_CONNECTED = "sockets.at(-1)?.readyState === WebSocket.OPEN"
PONG = """sockets.at(-1).dispatchEvent(new MessageEvent("message", { data: '{"t":"pong"}' }))"""


@pytest.mark.parametrize("pending", [False, True], ids=["nothing sent", "a move sent"])
def test_a_lost_connection_is_detected_in_a_game_with_a_clock(
    browser: Browser, server: Server, pending: bool
) -> None:
    with (
        closing(Delay(server.host)) as network,
        open_window(browser, server.url) as first,
        open_window(browser, f"http://{network.host}", ignore_errors=True, own=True) as second,
    ):
        second.page.clock.install()
        pair(first, second)
        play(first, second, "22-18", "11-15", "18x11x15")
        clock = second.page.locator("#bottom time")
        assert "unsure" not in (clock.get_attribute("class") or "")
        network.black_hole = True
        if pending:
            second.click(8, 15)
        second.page.clock.run_for(6_000)
        assert second.page.locator("body.offline").count(), "after six seconds"
        assert "unsure" in (clock.get_attribute("class") or "")
        assert clock.inner_text().startswith("≈ 4:")
        assert "not confirmed" in (clock.get_attribute("aria-label") or "")
        network.black_hole = False
        second.page.clock.run_for(2_000)
        second.until(lambda: not second.page.locator("body.offline").count(), "reconnected")
        assert "≈" not in clock.inner_text()
        assert clock.get_attribute("aria-label") is None
        if not pending:
            second.play(second.state["legal"][0]["hub"])
        first.until_ply(4)


def test_a_page_without_a_clock_sends_few_messages(browser: Browser, server: Server) -> None:
    with open_window(browser, server.url, own=True) as window:
        window.page.clock.install()
        window.new_game("dama64")
        window.until(lambda: window.page.locator("body:not(.offline)").count(), "connected")
        before = len(window.sent)
        window.run_clock(120)
        assert not window.page.locator("body.offline").count()
        assert len(window.sent) - before <= 6, "one ping in twenty seconds"


def test_the_page_says_within_a_second_that_it_is_offline(browser: Browser, server: Server) -> None:
    with (
        closing(Delay(server.host)) as network,
        open_window(browser, f"http://{network.host}", ignore_errors=True, own=True) as window,
    ):
        page = window.page
        page.clock.install()
        page.add_init_script(SOCKETS)
        window.new_game("dama64", opponent="person")
        page.wait_for_function(IS_CONNECTED)
        network.black_hole = True
        page.evaluate("() => addEventListener('offline', () => (window.offline = true))")
        page.context.set_offline(True)
        window.until(lambda: page.evaluate("window.offline"), "the browser is offline")
        page.clock.run_for(900)
        assert page.locator(".lost").is_visible()
        # On a phone it covers neither the opponent nor the way out.
        for size in (SMALL, PHONE, DESKTOP):
            page.set_viewport_size(size)
            lost = page.locator(".lost").bounding_box()
            assert lost is not None
            for other in ("#top", "#bottom", ".leave", "#status", ".actions"):
                box = page.locator(other).bounding_box()
                assert not (box and overlap(lost, box)), (size, other)
        assert window.status_text.startswith("You’re offline. You can move now")
        # A move is shown, and sent when the network is back.
        window.click(22, 18)
        saved = "Your move is saved on this page and will be sent"
        expect(page.locator("#say")).to_contain_text(saved)
        assert "Don’t close the page." in page.inner_text("#spoken")
        window.until(lambda: window.pieces[17] == "w", "the move is shown")
        network.black_hole = False
        page.context.set_offline(False)
        page.clock.run_for(500)
        expect(page.locator(".lost")).to_have_text("Back online")
        window.until(lambda: window.state["ply"] == 1, "the move is sent")
        page.clock.run_for(5_000)
        expect(page.locator(".lost")).to_be_hidden()
        expect(page.locator("#say")).not_to_contain_text("offline")


def overlap(one: FloatRect, two: FloatRect) -> bool:
    return (
        one["x"] < two["x"] + two["width"]
        and two["x"] < one["x"] + one["width"]
        and one["y"] < two["y"] + two["height"]
        and two["y"] < one["y"] + one["height"]
    )


def test_the_page_says_that_a_move_has_no_answer(browser: Browser, server: Server) -> None:
    with (
        closing(Delay(server.host)) as network,
        open_window(browser, f"http://{network.host}", ignore_errors=True, own=True) as window,
    ):
        window.page.clock.install()
        window.page.add_init_script(SOCKETS)
        window.new_game("dama64", opponent="person")
        window.page.wait_for_function(IS_CONNECTED)
        network.black_hole = True
        window.click(22, 18)
        # Another message is no answer to the move.
        window.page.evaluate(PONG)
        window.page.clock.run_for(950)
        expect(window.page.locator("#say")).to_contain_text("hasn’t reached the server yet")
        assert not window.page.locator("body.offline").count()


@pytest.mark.parametrize(
    "breakage",
    [
        "window.AudioContext = class { constructor() { throw new Error('no audio') } }",
        "AudioContext.prototype.createBuffer = () => { throw new Error('no memory') }",
        "AudioContext.prototype.resume = () => Promise.reject(new Error('not allowed'))",
        "",
    ],
    ids=["no device", "no memory", "suspended", "not loaded"],
)
def test_failing_sounds_do_not_disturb_the_game(
    desktop: Window, breakage: str, request: pytest.FixtureRequest
) -> None:
    page = desktop.page
    desktop.new_game("dama64")
    if breakage:
        page.evaluate(f"() => {{ {breakage} }}")
    else:
        page.route("**/sound.js*", lambda route: route.abort())
        request.addfinalizer(lambda: page.unroute("**/sound.js*"))
    page.evaluate(
        "() => addEventListener('unhandledrejection', (event) => (window.unhandled = event.reason))"
    )
    for _ in range(4):
        desktop.play(desktop.state["legal"][0]["hub"])
    assert page.evaluate("String(window.unhandled)") == "undefined"
    desktop.errors[:] = [each for each in desktop.errors if "ERR_FAILED" not in each]

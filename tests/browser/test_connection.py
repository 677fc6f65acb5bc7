"""A connection that is lost silently, and the low traffic of an idle page."""

from __future__ import annotations

from contextlib import closing

import pytest
from playwright.sync_api import Browser

from tests.browser.support import open_window
from tests.browser.two_devices import pair, play
from tests.server.proxy import Delay
from tests.server.support import Server


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
        window.sent.clear()
        for _ in range(6):
            window.page.clock.run_for(20_000)
            window.page.wait_for_timeout(100)
        assert not window.page.locator("body.offline").count()
        assert len(window.sent) <= 6, "one ping in twenty seconds"

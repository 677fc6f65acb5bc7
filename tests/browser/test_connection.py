"""A connection that dies silently, and the low traffic of an idle page."""

from __future__ import annotations

from contextlib import closing

import pytest
from playwright.sync_api import Browser

from tests.browser.support import window
from tests.browser.two_devices import pair, play
from tests.server.proxy import Delay
from tests.server.support import Server


@pytest.mark.parametrize("pending", [False, True], ids=["nothing sent", "a move sent"])
def test_a_dead_connection_is_noticed_in_a_game_with_a_clock(
    browser: Browser, server: Server, pending: bool
) -> None:
    with (
        closing(Delay(server.host)) as network,
        window(browser, server.url) as one,
        window(browser, f"http://{network.host}", ignore_errors=True, own=True) as two,
    ):
        two.page.clock.install()
        pair(one, two)
        play(one, two, "22-18", "11-15", "18x11x15")
        clock = two.page.locator("#bottom time")
        assert "unsure" not in (clock.get_attribute("class") or "")
        network.hole = True
        if pending:
            two.click(8, 15)
        two.page.clock.run_for(6_000)
        assert two.page.locator("body.offline").count(), "after six seconds"
        assert "unsure" in (clock.get_attribute("class") or "")
        assert clock.inner_text().startswith("≈ 4:")
        assert "not confirmed" in (clock.get_attribute("aria-label") or "")
        network.hole = False
        two.page.clock.run_for(2_000)
        two.until(lambda: not two.page.locator("body.offline").count(), "two seconds later")
        assert "≈" not in clock.inner_text()
        assert clock.get_attribute("aria-label") is None
        if not pending:
            two.play(two.state["legal"][0]["hub"])
        one.until_ply(4)


def test_a_page_without_a_clock_sends_next_to_nothing(browser: Browser, server: Server) -> None:
    with window(browser, server.url, own=True) as desk:
        desk.page.clock.install()
        desk.new_game("dama64")
        desk.until(lambda: desk.page.locator("body:not(.offline)").count(), "it is connected")
        desk.sent.clear()
        for _ in range(6):
            desk.page.clock.run_for(20_000)
            desk.page.wait_for_timeout(100)
        assert not desk.page.locator("body.offline").count()
        assert len(desk.sent) <= 6, "one ping in twenty seconds"

"""The static site in Chromium: the start page offers a new version."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.chromium import Host
from tests.static_site.support import context, window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]


def test_a_new_version_is_offered_and_keeps_the_games(browser: Browser, host: Host) -> None:
    try:
        with context(browser) as made:
            desk = window(made, host).new_game("american")
            desk.play(desk.state["legal"][0])
            desk.open("en/index.html").kept()
            desk.newer()
            desk.page.reload()
            assert desk.page.title() == "Damka", "the version that is kept"
            desk.until(lambda: desk.notice, "the offer")
            desk.page.click(".site-notice button")
            desk.until(lambda: desk.page.title() == "Newer", "the new version")
            desk.page.locator(".running a").wait_for()
            kept = desk.page.evaluate("caches.keys()")
            assert len(kept) == 1
            assert desk.errors == []
    finally:
        host.replaced.clear()

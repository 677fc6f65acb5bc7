"""The static site in Chromium: the start page offers a new version."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.chromium import Host
from tests.static_site.support import open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]


def test_a_new_version_is_offered_and_keeps_the_games(browser: Browser, host: Host) -> None:
    try:
        with open_context(browser) as context:
            window = open_window(context, host).new_game("american")
            window.play(window.state["legal"][0])
            window.open("en/index.html").wait_until_cached()
            window.publish_newer_version()
            window.page.reload()
            expect(window.page).to_have_title("Damka")  # the cached version
            window.until(lambda: window.notice, "the offer")
            window.page.click(".site-notice button")
            expect(window.page).to_have_title("Newer")
            window.page.locator(".running a").wait_for()
            caches = window.page.evaluate("caches.keys()")
            assert len(caches) == 1
            assert window.errors == []
    finally:
        host.replaced.clear()

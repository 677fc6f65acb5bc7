"""The screenshot in README. `make screenshots` updates it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.browser.support import Window, played

MOVES = """12-16 24-19 8-12 28-24 9-14 22-17 5-9 26-22 11-15 22-18 15x22 25x18 4-8 24-20 8-11 18-15
    11x18"""


@pytest.mark.own_page
def test_refusal(desktop: Window) -> None:
    """A refused move is explained at the board."""
    desktop.page.clock.install()
    desktop.load_game(played("american", MOVES), "?opponent=computer&level=4&side=W")
    # The squares of a refused move are marked only briefly: stop the clock for the screenshot.
    desktop.page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=2))
    desktop.drag(19, 15)
    desktop.until_refused()
    assert desktop.page.locator(".refused").count()
    assert "must capture" in desktop.status_text

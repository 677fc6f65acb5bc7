"""The picture in README. `make screenshots` takes it anew."""

from __future__ import annotations

from tests.browser.support import Window, played

MOVES = """12-16 24-19 8-12 28-24 9-14 22-17 5-9 26-22 11-15 22-18 15x22 25x18 4-8 24-20 8-11 18-15
    11x18"""


def test_refusal(desk: Window) -> None:
    """A refused move is explained at the board."""
    desk.load_game(played("american", MOVES), "?opponent=computer&level=4&side=W")
    desk.drag(19, 15)
    desk.until_refused()
    assert "must capture" in desk.said

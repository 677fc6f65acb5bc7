"""The static site in Chromium by keyboard only and by touch: from the start page to the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.chromium import TOUCH, Host
from tests.static_site.support import Window, context, window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

FOCUS = """() => {
  const at = document.activeElement;
  const seen = (each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 1;
  };
  const label = at.closest("label");
  const places = [at, label, label?.querySelector("span")].filter(Boolean);
  const name = at.getAttribute("name");
  return { id: at.id, name, value: at.value ?? "", seen: places.some(seen) };
}"""
"""Return the focused element, and whether it has an outline."""


def reach(keys: Window, holds: str, key: str = "Tab", most: int = 120) -> None:
    """Press a key until an element has the focus, which is always visible."""
    for _ in range(most):
        keys.page.keyboard.press(key)
        at = keys.page.evaluate(FOCUS)
        assert at["seen"] or at["id"] in {"", "board"}, at
        if holds in {at["id"], at["value"], at["name"]}:
            return
    raise AssertionError(f"{holds} cannot be reached")


def test_a_game_by_keyboard_only(browser: Browser, host: Host) -> None:
    with context(browser) as made:
        keys = window(made, host).open("en/index.html")
        reach(keys, "dama64")
        reach(keys, "american", "ArrowDown", 3)
        reach(keys, "opponent")
        reach(keys, "person", "ArrowRight", 2)
        reach(keys, "play")
        keys.page.keyboard.press("Enter")
        keys.page.wait_for_url("**/game.html?game=*")
        keys.ready()
        keys.up()
        reach(keys, "typed-move")
        keys.page.keyboard.type("11-15")
        keys.page.keyboard.press("Enter")
        keys.until(lambda: keys.state["ply"] == 1, "the move")
        keys.settled()
        assert keys.page.evaluate(FOCUS)["id"] == "typed-move"
        keys.page.keyboard.type("22-18")
        keys.page.keyboard.press("Enter")
        keys.until(lambda: keys.state["ply"] == 2, "the move")
        keys.settled()
        keys.page.keyboard.type("8-11")
        keys.page.keyboard.press("Enter")
        keys.page.wait_for_selector("#status.no")
        assert "must" in keys.status_text.lower()
        assert keys.state["ply"] == 2
        reach(keys, "resign")
        keys.page.keyboard.press("Enter")
        keys.until(lambda: keys.page.locator("#answers button").count() == 2, "a question")
        # The safe answer has the focus.
        last = "document.activeElement === document.querySelector('#answers button:last-child')"
        keys.until(lambda: keys.page.evaluate(last), "the focus")
        keys.page.keyboard.press("Shift+Tab")
        assert keys.page.evaluate(FOCUS)["seen"]
        keys.page.keyboard.press("Enter")
        keys.until(lambda: keys.state["result"], "the end")
        assert keys.page.locator("#end").is_visible()
        assert keys.errors == []


def test_a_game_by_touch(browser: Browser, host: Host) -> None:
    """Taps and drags of a finger, to the last capture."""
    with context(browser, **TOUCH) as made:
        hand = window(made, host)
        hand.open("en/index.html")
        hand.page.locator("label.card", has_text="American").tap()
        hand.page.locator("[name=opponent][value=person] + span").tap()
        hand.page.locator("#play").tap()
        hand.page.wait_for_url("**/game.html?game=*")
        hand.ready()
        hand.up()
        for n in range(4):
            move = hand.state["legal"][0]
            hand.settled()
            (hand.tap if n % 2 else hand.swipe)(move["from"], move["to"])
            hand.until(lambda: hand.state["ply"] == n + 1, "the move")  # noqa: B023
        hand.page.locator("#resign").tap()
        hand.page.locator("#answers button").first.tap()
        hand.until(lambda: hand.state["result"], "the end")
        assert hand.page.locator("#end").is_visible()
        assert hand.errors == []

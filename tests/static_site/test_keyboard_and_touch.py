"""The static site in Chromium by keyboard only and by touch, from the start page to the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.chromium import TOUCH, Host
from tests.static_site.support import Window, open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

FOCUS = """() => {
  const at = document.activeElement;
  const isOutlined = (each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 1;
  };
  const label = at.closest("label");
  const candidates = [at, label, label?.querySelector("span")].filter(Boolean);
  const name = at.getAttribute("name");
  return { id: at.id, name, value: at.value ?? "", outlined: candidates.some(isOutlined) };
}"""
"""Return the focused element, and whether it has an outline."""


def reach(window: Window, target: str, key: str = "Tab", limit: int = 120) -> None:
    """Press a key until the target has the focus; check that the focus is always visible."""
    for _ in range(limit):
        window.page.keyboard.press(key)
        focused = window.page.evaluate(FOCUS)
        assert focused["outlined"] or focused["id"] in {"", "board"}, focused
        if target in {focused["id"], focused["value"], focused["name"]}:
            return
    raise AssertionError(f"cannot reach {target}")


def test_a_game_by_keyboard_only(browser: Browser, host: Host) -> None:
    with open_context(browser) as context:
        window = open_window(context, host).open("en/index.html")
        reach(window, "dama64")
        reach(window, "american", "ArrowDown", 3)
        reach(window, "opponent")
        reach(window, "person", "ArrowRight", 2)
        reach(window, "play")
        window.page.keyboard.press("Enter")
        window.page.wait_for_url("**/game.html?game=*")
        window.ready()
        window.wait_until_joined()
        reach(window, "typed-move")
        window.page.keyboard.type("11-15")
        window.page.keyboard.press("Enter")
        window.until(lambda: window.state["ply"] == 1, "the move")
        window.settled()
        assert window.page.evaluate(FOCUS)["id"] == "typed-move"
        window.page.keyboard.type("22-18")
        window.page.keyboard.press("Enter")
        window.until(lambda: window.state["ply"] == 2, "the move")
        window.settled()
        window.page.keyboard.type("8-11")
        window.page.keyboard.press("Enter")
        window.page.wait_for_selector("#status.no")
        assert "must" in window.status_text.lower()
        assert window.state["ply"] == 2
        reach(window, "resign")
        window.page.keyboard.press("Enter")
        window.until(lambda: window.page.locator("#answers button").count() == 2, "a question")
        # The safe answer has the focus.
        last = "document.activeElement === document.querySelector('#answers button:last-child')"
        window.until(lambda: window.page.evaluate(last), "the focus")
        window.page.keyboard.press("Shift+Tab")
        assert window.page.evaluate(FOCUS)["outlined"]
        window.page.keyboard.press("Enter")
        window.until(lambda: window.state["result"], "the end")
        expect(window.page.locator("#end")).to_be_visible()
        assert window.errors == []


def test_a_game_by_touch(browser: Browser, host: Host) -> None:
    """Alternate taps and drags, then resign."""
    with open_context(browser, **TOUCH) as context:
        window = open_window(context, host)
        window.open("en/index.html")
        window.page.locator("label.card", has_text="American").tap()
        window.page.locator("[name=opponent][value=person] + span").tap()
        window.page.locator("#play").tap()
        window.page.wait_for_url("**/game.html?game=*")
        window.ready()
        window.wait_until_joined()
        for n in range(4):
            move = window.state["legal"][0]
            window.settled()
            (window.tap if n % 2 else window.swipe)(move["from"], move["to"])
            window.until(lambda: window.state["ply"] == n + 1, "the move")  # noqa: B023
        window.page.locator("#resign").tap()
        window.page.locator("#answers button").first.tap()
        window.until(lambda: window.state["result"], "the end")
        expect(window.page.locator("#end")).to_be_visible()
        assert window.errors == []

"""Every kind of page: size of a first visit, layout shift, and accessibility in both themes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, CDPSession, Page
from tools.screenshots.scene import Scene
from tools.screenshots.states import STATES, NotThereError

from tests.browser.pacing import SLOW, Pacing
from tests.browser.support import FAST, Window
from tests.chromium import DESKTOP, TOUCH

BUDGET: Final = 60_000
"""Limit in bytes of a first visit as they are sent: HTML, styles, scripts and pictures."""
PAGES: Final = (
    *(
        "home-computer",
        "home-here-running",
        "home-online",
        "game-start",
        "game-waiting",
        "end-won",
        "guided-page",
        "guided-notice",
        "guided-end",
    ),
    *(
        "analysis",
        "editor",
        "lesson",
        "lesson-number",
        "lesson-wrong",
        "lesson-done",
        "study",
        "studies",
        "studies-empty",
        "rules",
        "learn",
        "course-begun",
        "box",
        "join",
        "lobby",
        "lobby-empty",
        "events",
        "events-empty",
        "event",
    ),
    *("event-new", "profile", "profile-empty", "account", "account-member", "404"),
)
"""A state of every kind of page."""
MOST_SHIFT: Final = 0.02
"""Limit of the layout shift score."""
AXE: Final = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE: Final = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120))}`);
}"""
ENGINE_OFF: Final = """if (origin !== "null") localStorage["damka.lines"] = '{"on":false}';"""
"""The page Analyse becomes idle, and does not load the kernel."""
RECORD_SHIFTS: Final = """
window.shift = 0;
window.shifted = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    window.shift += entry.value;
    const elements = entry.sources.map(({ node }) => (node?.parentElement ?? node)?.outerHTML);
    window.shifted.push(...elements.map((html) => html?.slice(0, 80)));
  }
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    with Scene(Pacing) as scene:
        yield scene


class Meter:
    """Counts the bytes that the last page receives as they are sent, except sounds.

    Of a document, Chromium reports the size at its end only, with the headers.
    """

    def __init__(self, devtools: CDPSession) -> None:
        self.sizes: Final[dict[str, int]] = {}
        self._names: Final[dict[str, str]] = {}
        self._headers: Final[dict[str, int]] = {}
        devtools.on("Network.responseReceived", self._begin)
        devtools.on("Network.dataReceived", self._receive)
        devtools.on("Network.loadingFinished", self._finish)
        devtools.send("Network.enable")
        devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _begin(self, event: dict[str, Any]) -> None:
        path: str = event["response"]["url"].partition("?")[0]
        self._names[event["requestId"]] = path.rpartition("/")[2]
        if event["type"] == "Document":
            self.sizes.clear()
            self._headers[event["requestId"]] = event["response"]["encodedDataLength"]

    def _receive(self, event: dict[str, Any]) -> None:
        name = self._names.get(event["requestId"], "")
        if name != "sound.js":
            self.sizes[name] = self.sizes.get(name, 0) + event["encodedDataLength"]

    def _finish(self, event: dict[str, Any]) -> None:
        headers = self._headers.get(event["requestId"])
        if headers is not None:
            self.sizes["the page"] = int(event["encodedDataLength"]) - headers


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_small_still_and_accessible(browser: Browser, scene: Scene, name: str) -> None:
    """The page opens as on a first visit, on a desktop and on a phone with a slow connection."""
    [state] = [each for each in STATES if each.name == name]
    phone = {**TOUCH, "extra_http_headers": SLOW}
    for is_phone, options in enumerate(({"viewport": DESKTOP}, phone)):
        with browser.new_context(locale="en-GB", bypass_csp=True, **options) as context:
            context.add_init_script(FAST + ENGINE_OFF + RECORD_SHIFTS)
            page = context.new_page()
            meter = Meter(context.new_cdp_session(page))
            window = Window(page, scene.club.url)
            try:
                state.open(scene, window)
                page.wait_for_load_state("networkidle", timeout=90_000)
            except NotThereError as error:
                pytest.skip(str(error))
            finally:
                window.close()
            assert page.evaluate("shift") < MOST_SHIFT, page.evaluate("shifted")
            if not is_phone:
                assert sum(meter.sizes.values()) <= BUDGET, meter.sizes
                assert violations(page, "light") == []
                assert violations(page, "dark") == []


def violations(page: Page, theme: str) -> list[str]:
    """Return the faults that axe finds on a page."""
    assert AXE.exists(), "run `npm ci`"
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    found: list[str] = page.evaluate(RUN_AXE)
    return found

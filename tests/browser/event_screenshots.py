"""Take pictures of events: `python -m tests.browser.event_screenshots FOLDER`.

A Swiss tournament and an arena in which bots play: list, new event, event, arbiter, projector and
print; light and dark, on a desktop and on phones. They are looked at, not kept.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.browser.support import Window, window
from tests.chromium import DESKTOP, FLAGS, PHONE, executable
from tests.server.accounts.support import ROOMY
from tests.server.events.support import act, bots, make, told, wait_for
from tests.server.support import Browser as Client
from tests.server.support import Server, serving

NARROW: ViewportSize = {"width": 320, "height": 640}
SIZES = {"desktop": DESKTOP, "phone": PHONE, "narrow": NARROW}


def shots(browser: Browser, arbiter: Client, paths: dict[str, str], folder: Path) -> None:
    """Take the pictures."""
    for size, viewport in SIZES.items():
        for theme, lang in (("light", "en"), ("dark", "bg"), ("light", "it")):
            options: dict[str, Any] = {"viewport": viewport, "color_scheme": theme}
            name = f"{size}-{theme}-{lang}"
            with window(browser, arbiter.url, **options) as desk:
                take(desk, "list", "/events", folder, name, lang)
                desk.become(arbiter)
                take(desk, "new", "/events/new", folder, name, lang)
                for kind, path in paths.items():
                    take(desk, kind, path, folder, name, lang)
                    take(desk, f"{kind}-arbiter", f"{path}/arbiter", folder, name, lang)
                swiss = paths["swiss"]
                take(desk, "projector", f"{swiss}/projector", folder, name, lang)
                if size == "desktop" and lang == "en":
                    for what in ("pairings", "standings", "cross", "sheets"):
                        take(desk, f"print-{what}", f"{swiss}/print/{what}", folder, name, lang)


def take(desk: Window, what: str, path: str, folder: Path, name: str, lang: str) -> None:
    """Take a picture of one page."""
    desk.open(f"{path}?lang={lang}")
    desk.page.wait_for_timeout(300)
    desk.page.screenshot(path=folder / f"{what}-{name}.png", full_page=True)


def main() -> None:
    """Take all pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), limits=ROOMY) as server,
        sync_playwright() as playwright,
        Client(server.url) as arbiter,
    ):
        browser = playwright.chromium.launch(executable_path=executable(), args=[*FLAGS])
        play(server, arbiter, browser, folder)
        browser.close()


def play(server: Server, arbiter: Client, browser: Browser, folder: Path) -> None:
    """Let an arena and two rounds of a Swiss be played, and take the pictures in the third."""
    arena = make(arbiter, server, name="Friday arena", kind="arena", clock="3+2")
    swiss = make(arbiter, server, name="Winter Open", rounds=5, clock="10+0")
    with bots(server, arena):
        act(arbiter, arena, "start")
        wait_for(lambda: told(arbiter, arena), lambda data: len(data["games"]) > 8)
    with bots(server, swiss):
        act(arbiter, swiss, "start")
        for number in (1, 2):
            act(arbiter, swiss, "pair")
            act(arbiter, swiss, "begin")
            wait_for(
                lambda: told(arbiter, swiss),
                lambda data, n=number: (
                    data["round"]["number"] == n  # type: ignore[misc]
                    and all(board["result"] for board in data["round"]["boards"])
                ),
            )
    act(arbiter, swiss, "pair")
    act(arbiter, swiss, "begin")
    shots(browser, arbiter, {"arena": arena, "swiss": swiss}, folder)


if __name__ == "__main__":
    main()

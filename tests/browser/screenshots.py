"""Take the pictures of docs/screenshots/ anew: `python -m tests.browser.screenshots [FOLDER]`.

Ten screens, light and dark, on a desktop and on a phone, of the page as it is now.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from damka import Game
from tests.browser.support import Window, played, window
from tests.chromium import DESKTOP, FLAGS, PHONE, executable
from tests.server.support import serving

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
STILL = "document.getAnimations().every((animation) => animation.playState !== 'running')"
LARGEST = 180_000
"""Bytes that a picture may take."""

GAMES = {
    "capture": """34-29 16-21 31-27 21-26 29-24 20x29 33x24 19x30 35x24 14-19 40-35 19x30 35x24
        10-14 45-40 14-19 40-35 19x30 35x24 13-19 24x22 17x28 32x23 12-17 36-31 8-13 38-33 2-8
        42-38 7-12 27-22 17x19 44-40 13-18 37-32 26x28""",
    "refusal": """12-16 24-19 8-12 28-24 9-14 22-17 5-9 26-22 11-15 22-18 15x22 25x18 4-8 24-20
        8-11 18-15 11x18""",
    "huff": """34-29 20-24 29x20 15x24 31-27 19-23 36-31 14-19 33-29 24x33 38x29 23x34 40x29
        16-21 27x16 17-21 16x27 18-22 27x18""",
    "end": """22-18 9-14 18x9 5x14 25-22 12-16 23-18 14x23 26x12 11-15 27-23 6-9 24-19 15x24 28x19
        9-14 31-26 2-6 22-18 6-9 29-25 8-11 25-22 1-6 22-17 11-16 19-15 10x19 17x1 7-10 1x24 9-13
        23-19 16x23 26x19 13-17 21x14 3-8 12x3 4-8""",
    "canadian": """48-41 29-36 41-35 28x41 53-48 24-29 48x24 18x29 47-40 17-24 45-39 25-32 54-48
        27-34 39x17 12x23 60-53 21-27 44-37 27-33 48-41 36x34 53-47 33-39 46x33 26x39 37x26
        20x33 47-41 29-36 52-47 22-27 66-60 15-22""",
}
"""The moves that lead to each picture."""

AGAINST_COMPUTER = "?opponent=computer&level=4&side=W"


def choose(window: Window) -> None:
    window.new_game("american")
    for hub in ("11-15", "23-19", "8-11"):
        window.play(hub)
    window.open("/")
    window.page.locator(".card", has_text="Italian box").click()


def start(window: Window) -> None:
    window.new_game("dama64", opponent="computer", level=4)


def capture(window: Window) -> None:
    """A chain of three after two landings; the third jump has two ways."""
    window.load_game(played("dama100", GAMES["capture"]), AGAINST_COMPUTER)
    window.drag(33, 22)
    window.drag(22, 13)


def refusal(window: Window) -> None:
    window.load_game(played("american", GAMES["refusal"]), AGAINST_COMPUTER)
    window.drag(19, 15)
    window.until_refused()


def huff(window: Window) -> None:
    window.load_game(played("dama100", GAMES["huff"]))
    window.click(10, 14)
    window.answer("Play anyway")
    window.until_ply(20)


def end(window: Window) -> None:
    window.load_game(played("dama64", GAMES["end"]), AGAINST_COMPUTER)
    window.play(window.state["legal"][0]["hub"])
    window.page.locator("#end").wait_for()


def turkish(window: Window) -> None:
    """Orthogonal lines on squares of one colour, letters and digits around them."""
    game = Game("turkish", "W:Wa2,a4,a6,d1,d3,e3,g4,Kh1:Bb7,d5,d7,f6,h6,h7")
    for move in ("d1-d2", "h6-g6"):
        game.play(move)
    window.load_game(game.to_json())
    window.click(64)


def canadian(window: Window) -> None:
    """Twelve squares across, with a chosen piece."""
    window.load_game(played("canadian", GAMES["canadian"]))
    window.click(window.state["legal"][0]["from"])


def rules(window: Window) -> None:
    window.open("/rules/dama64#p-king_landing")


def box(window: Window) -> None:
    """A house box: Russian losing draughts on six by six squares."""
    window.open("/box?base=russian")
    page = window.page
    page.locator("#q-title").fill("Kitchen table")
    page.locator("#q-board").select_option("dark-6-6")
    page.locator("#q-rows").fill("2")
    page.locator("#q-objective").select_option("losing")
    page.locator(".differs dt").nth(2).wait_for()
    page.locator("h1").click()


SCREENS: dict[str, Callable[[Window], None]] = {
    screen.__name__: screen
    for screen in (choose, start, capture, refusal, huff, end, turkish, canadian, rules, box)
}


def take(browser: Browser, url: str, folder: Path) -> None:
    """Take a picture of every screen."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, screen in SCREENS.items():
        for theme in ("light", "dark"):
            for device, viewport in (("desktop", DESKTOP), ("phone", PHONE)):
                path = folder / f"{name}-{theme}-{device}.png"
                with window(browser, url, color_scheme=theme, viewport=viewport) as opened:
                    screen(opened)
                    opened.page.mouse.move(0, 0)
                    opened.until(partial(opened.page.evaluate, STILL))
                    opened.page.screenshot(path=path)
                size = path.stat().st_size
                print(f"{path.name:28} {size:7}")
                if size > LARGEST:
                    raise SystemExit(f"{path.name} is larger than {LARGEST} bytes")


def main() -> None:
    """Serve, take the pictures, stop."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=[*FLAGS])
        with serving(Path(data)) as server:
            take(browser, server.url, folder)
        browser.close()


if __name__ == "__main__":
    main()

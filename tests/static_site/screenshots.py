"""Take pictures of the static site: `python -m tests.static_site.screenshots [FOLDER [NAME…]]`.

What a visitor sees of it that a server's page has not, light and dark, on a desktop and on a phone.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from playwright.sync_api import Route
from tools.static_site import build

from tests.browser.screenshots import AGAINST_COMPUTER, GAMES, STILL
from tests.browser.support import played
from tests.chromium import DESKTOP, PHONE, Host, chromium
from tests.static_site.support import DAMAGE, Window, context, no_storage, window

FOLDER: Final = Path(__file__).parents[2] / "build" / "site-screenshots"
LANGUAGES: Final = {"light": "en", "dark": "bg"}
"""The longest texts have to fit as well."""

Screen = Callable[[Window, str], object]


def choose(window: Window, language: str) -> None:
    window.load(played("american", "11-15 23-19"), language)
    window.play(window.state["legal"][0])
    window.open(f"{language}/index.html").page.locator(".running a").wait_for()


def two_people(window: Window, language: str) -> None:
    window.open(f"{language}/index.html")
    window.page.locator("[name=opponent][value=person] + span").click()
    window.page.locator("#names-row").scroll_into_view_if_needed()


def about(window: Window, language: str) -> None:
    window.open(f"{language}/index.html").page.locator(".site-about").scroll_into_view_if_needed()


def game(window: Window, language: str) -> None:
    window.load(played("dama100", GAMES["capture"]), language, AGAINST_COMPUTER)


def refusal(window: Window, language: str) -> None:
    window.load(played("american", GAMES["refusal"]), language, AGAINST_COMPUTER)
    window.type("24-20") if window.page.locator("#typed").is_visible() else window.attempt(27, 24)
    window.page.wait_for_selector("#status.no")


def settings(window: Window, language: str) -> None:
    window.new_game("dama64", language).page.click("#open-settings")
    window.page.locator("#settings .means").scroll_into_view_if_needed()


def starting(window: Window, language: str) -> None:
    """A house box while Python starts."""
    window.open(f"{language}/box.html")
    window.page.evaluate("document.body.classList.add('starting')")


def box(window: Window, language: str) -> None:
    window.open(f"{language}/box.html?base=russian&title=Kitchen&board=dark-6-6&rows=2")
    window.page.locator(".differs dt").nth(1).wait_for()


def rules(window: Window, language: str) -> None:
    window.open(f"{language}/rules/dama64.html#p-king_landing")


def update(window: Window, language: str) -> None:
    window.new_game("dama64", language).kept()
    window.newer()
    window.page.evaluate("navigator.serviceWorker.getRegistration().then((r) => r.update())")
    window.until(lambda: window.notice, "the offer")
    window.host.replaced.clear()


def second_window(window: Window, language: str) -> Window:
    window.new_game("dama64", language)
    other = Window(window.page.context.new_page(), window.host)
    other.page.goto(window.page.url)
    other.until(lambda: other.notice, "a word")
    return other


def offline_welcome(window: Window, language: str) -> None:
    window.open(f"{language}/index.html").kept()
    window.page.context.set_offline(True)
    window.open(f"{language}/index.html")


def damaged_game(window: Window, language: str) -> None:
    window.new_game("dama64", language)
    window.page.evaluate(DAMAGE, ["record", "{"])
    window.page.evaluate(DAMAGE, ["shown", None])
    window.page.reload()
    window.page.locator(".site-trouble h1").wait_for()


def offered_damaged_game(window: Window, language: str) -> None:
    damaged_game(window, language)
    window.open(f"{language}/index.html").page.locator(".running a").wait_for()


def no_such_game(window: Window, language: str) -> None:
    window.open(f"{language}/game.html?game=nobody").page.locator(".site-trouble h1").wait_for()


def bad_link(window: Window, language: str) -> None:
    window.open(f"{language}/box.html?r=hostile").page.locator(".site-trouble h1").wait_for()


def _damaged(route: Route) -> None:
    route.fulfill(body=b"\0asm", content_type="application/wasm")


def damaged_file(window: Window, language: str) -> None:
    window.page.route("**/pyodide.asm.wasm", _damaged)
    window.open(f"{language}/game.html?rules=dama64&opponent=person")
    window.until(lambda: window.notice, "a word")


def missing_script(window: Window, language: str) -> None:
    window.page.route("**/game.js", lambda route: route.abort())
    window.open(f"{language}/game.html?rules=dama64&opponent=person")


def not_kept(window: Window, language: str) -> None:
    window.new_game("dama64", language)
    window.until(lambda: window.notice, "a word")


def search_failed(window: Window, language: str) -> None:
    [path] = window.host.folder.glob("static/*/searcher.js")
    window.host.replaced[path.relative_to(window.host.folder).as_posix()] = b"throw 0;"
    window.new_game("dama64", language, opponent="computer", colour="second")
    window.until(lambda: "reload" in window.said or "презареди" in window.said, "a word")


def no_room(window: Window, language: str) -> None:
    window.new_game("dama64", language)
    window.no_room()
    window.attempt(*[window.state["legal"][0][end] for end in ("from", "to")])
    window.page.wait_for_selector("#status.no")


SCREENS: Final[dict[str, Screen]] = {
    screen.__name__: screen
    for screen in (
        *(choose, two_people, about, game, refusal, settings, starting, box, rules, update),
        *(second_window, offline_welcome, damaged_game, offered_damaged_game, no_such_game),
        *(bad_link, damaged_file, missing_script, not_kept, search_failed, no_room),
    )
}
ONLINE: Final = {update, offline_welcome}
"""Screens that need the service worker."""


def main() -> None:
    """Build the site, take the pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    names = sys.argv[2:] or list(SCREENS)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made, chromium() as browser:
        site = Path(made) / "site"
        build.write(site)
        with Host(site) as host:
            for name in names:
                screen = SCREENS[name]
                workers = "allow" if screen in ONLINE else "block"
                instead = no_storage(site) if screen is not_kept else {}
                host.replaced.update(instead)
                for theme, language in LANGUAGES.items():
                    for device, viewport in (("desktop", DESKTOP), ("phone", PHONE)):
                        with context(
                            browser, viewport=viewport, color_scheme=theme, service_workers=workers
                        ) as opened:
                            shown = window(opened, host)
                            other = screen(shown, language)
                            shown = other if isinstance(other, Window) else shown
                            shown.page.mouse.move(0, 0)
                            shown.until(partial(shown.page.evaluate, STILL), "stillness")
                            shown.page.screenshot(path=folder / f"{name}-{theme}-{device}.png")
                    print(name, theme, flush=True)
                host.replaced.clear()


if __name__ == "__main__":
    main()

"""Take pictures of the lobby: `python -m tests.browser.lobby_screenshots FOLDER`.

Light and dark, on a desktop and on phones; they are looked at, not kept.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.browser.support import Window, window
from tests.chromium import DESKTOP, FLAGS, PHONE, executable
from tests.server.accounts.support import ROOMY, register
from tests.server.lobby.support import Guests
from tests.server.online import play
from tests.server.support import Browser as Client
from tests.server.support import Server, serving

NARROW: ViewportSize = {"width": 320, "height": 640}
BLITZ = {"kind": "fischer", "seconds": 300, "increment": 3}
DAYS = {"kind": "days", "seconds": 259200, "increment": 0}
CHALLENGES = (
    ("Petra", {"rules": "dama64", "clock": BLITZ, "rated": True}),
    ("Bruno", {"rules": "international", "clock": DAYS}),
    ("", {"rules": "mini-international", "clock": None, "colour": "second"}),
    ("Konstantinopolska-M", {"rules": "american-3move", "clock": BLITZ, "colour": "first"}),
)


def fill(server: Server, stack: ExitStack) -> None:
    """Make members with challenges, whose pages stay open."""
    guests = Guests(server, stack)
    for name, asked in CHALLENGES:
        [client] = guests(1)
        if name:
            register(client, name)
        assert client.post("/api/lobby", asked).is_success
        guests.watch(client)


def shots(browser: Browser, server: Server, folder: Path) -> None:
    """Take the pictures."""
    sizes = {"desktop": DESKTOP, "phone": PHONE, "narrow": NARROW}
    member = Client(server.url)
    register(member, "Zora")
    cookie = member.http.cookies["damka_session"]
    for size, viewport in sizes.items():
        for theme in ("light", "dark"):
            for lang in ("en", "bg") if theme == "light" else ("sk",):
                fill_name = f"{size}-{theme}-{lang}"
                options: dict[str, Any] = {"viewport": viewport, "color_scheme": theme}
                with window(browser, server.url, **options) as desk:
                    if theme == "light":
                        desk.page.context.add_cookies(
                            [{"name": "damka_session", "value": cookie, "url": server.url}]
                        )
                    take(desk, folder, fill_name, lang)


def rated(browser: Browser, server: Server, folder: Path) -> None:
    """Take pictures of a rated game of two members, and of the invitation to one."""
    one, two = Client(server.url), Client(server.url)
    names = ("Konstantinopolska", "Petra-M")
    for client, name in ((one, names[0]), (two, names[1])):
        register(client, name)
    sizes = {"desktop": DESKTOP, "phone": PHONE, "narrow": NARROW}
    for size, viewport in sizes.items():
        with window(browser, server.url, viewport=viewport) as desk:
            cookie = one.http.cookies["damka_session"]
            asked = {"rules": "dama64", "opponent": "invite", "clock": BLITZ, "rated": True}
            asked |= {"colour": "first"}
            game = one.new_game(**asked)
            live = one.live(game)
            code = live.state()["invitation"]["code"]
            desk.open(f"/join/{code}")
            desk.page.screenshot(path=folder / f"join-{size}.png")
            desk.page.context.add_cookies(
                [{"name": "damka_session", "value": cookie, "url": server.url}]
            )
            assert two.post(f"/api/games/{game}/join", {}).is_success
            desk.open(f"/game/{game}")
            other = two.live(game)
            other.state()
            live.state(lambda state: state["invitation"] is None)
            play(live, other, "22-18 11-15")
            desk.until_ply(2)
            desk.page.wait_for_timeout(400)
            desk.page.screenshot(path=folder / f"rated-{size}.png")
            other.send("resign")
            desk.until(lambda: desk.state["result"])
            desk.page.wait_for_timeout(400)
            desk.page.screenshot(path=folder / f"rated-end-{size}.png")


def take(desk: Window, folder: Path, name: str, lang: str) -> None:
    """Take the pictures of one window."""
    page = desk.page
    desk.open(f"/lobby?lang={lang}")
    page.wait_for_timeout(200)
    page.screenshot(path=folder / f"lobby-{name}.png", full_page=True)
    page.locator("button[value=pool]").click()
    page.wait_for_selector("#seeking[open]")
    page.wait_for_timeout(500)
    page.screenshot(path=folder / f"seeking-{name}.png")
    page.locator("#seeking-cancel").click()
    page.wait_for_selector("#seeking", state="hidden")
    desk.open(f"/?lang={lang}")
    page.locator("[value=invite] + span").click()
    page.screenshot(path=folder / f"home-{name}.png", full_page=True)


def main() -> None:
    """Take all pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), limits=ROOMY) as server,
        sync_playwright() as playwright,
        ExitStack() as stack,
    ):
        browser = playwright.chromium.launch(executable_path=executable(), args=[*FLAGS])
        fill(server, stack)
        rated(browser, server, folder)
        shots(browser, server, folder)
        browser.close()


if __name__ == "__main__":
    main()

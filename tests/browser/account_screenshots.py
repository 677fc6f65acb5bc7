"""Take pictures of the pages of accounts: `python -m tests.browser.account_screenshots FOLDER`.

Light and dark, on a desktop and on a phone; they are looked at, not kept.
"""

from __future__ import annotations

import math
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from damka import rules
from damka.live import events
from damka.live.setup import new_id
from damka.live.stored_game import Seat
from damka.server.accounts import Strength, members, moderation, record
from tests.browser.support import window
from tests.chromium import DESKTOP, FLAGS, PHONE, executable
from tests.server.accounts.support import PASSWORD, ROOMY, form, store_of
from tests.server.support import Server, serving

NAMES = ("Petra", "Bruno", "Žofia", "Стоян")
SCREENS = {
    "account": ("/account", False),
    "account-sk": ("/account?lang=sk", False),
    "refused": ("/account?register", False),
    "home": ("/account", True),
    "profile": ("/@/Petra", True),
    "profile-bg": ("/@/Petra?lang=bg", False),
    "empty": ("/@/Bruno", True),
    "preferences": ("/account/preferences", True),
    "preferences-it": ("/account/preferences?lang=it", True),
    "security": ("/account/security", True),
    "close": ("/account/close", True),
    "report": ("/game/{game}/report", True),
    "reports": ("/reports", True),
    "choose": ("/", True),
}


def rate(
    first: Strength, second: Strength, score: float, days: tuple[float, float]
) -> tuple[Strength, Strength]:
    """Some rating or other: the pictures show how it is drawn."""
    step = 16 * (score - 0.5) + 9 * math.sin(first.rating)
    deviation = max(60.0, first.deviation - 24)
    return (
        Strength(first.rating + step, deviation, 0.06),
        Strength(second.rating - step, deviation, 0.06),
    )


def fill(server: Server) -> tuple[str, str]:
    """Make members, games, ratings and reports; return the first member's cookie and a game."""
    cookies = {}
    for name in NAMES:
        with server.browser() as browser:
            browser.http.headers["user-agent"] = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
            form(browser, "/account/register", name=name, password=PASSWORD)
            cookies[name] = browser.http.cookies["damka_session"]
    store = store_of(server)
    with store.transaction() as connection:
        found = {name: members.find(connection, name) for name in NAMES}
        accounts = {name: account for name, account in found.items() if account is not None}
        members.set_right(connection, accounts["Petra"].id, "arbiter")
    begin = datetime.now(UTC) - timedelta(days=80)
    played = []
    for number in range(26):
        game, other = new_id(), NAMES[1 + number % 3]
        name = ("dama64", "american", "dama100")[number % 4 % 3]
        seats = (
            Seat("W", "person", 1, holder=accounts["Petra"].holder),
            Seat("B", "person", 2, holder=accounts[other].holder),
        )
        store.create(game, rules.load(name).to_dict(), seats)
        winner = ("W", "B", None)[number % 5 % 3]
        reason = "resignation" if winner else "agreement"
        store.append(game, 0, events.Resigned("B"), result=(winner, reason))  # type: ignore[arg-type]
        score = {"W": 1.0, "B": 0.0, None: 0.5}[winner]
        players = accounts["Petra"].id, accounts[other].id
        with store.transaction() as connection:
            at = begin + timedelta(days=3 * number)
            record(connection, rate, (game, name, at), players, score)
        played.append(game)
    with store.transaction() as connection:
        text = "He always answers at once, and always with the best move.\nPlease look at move 14."
        reporter, accused = accounts["Žofia"].id, accounts["Bruno"].id
        moderation.report(connection, played[0], reporter, accused, "cheating", text)
        moderation.report(connection, played[1], accounts["Стоян"].id, None, "insult", "")
        until = datetime.now(UTC) + timedelta(days=7)
        moderation.ban(connection, network="203.0.113.0/24", until=until)
        moderation.log(
            connection,
            "warning",
            "/game/x Told twice.",
            actor_id=accounts["Petra"].id,
            account_id=accused,
        )
    return cookies["Petra"], played[-1]


def take(browser: Browser, server: Server, folder: Path, only: tuple[str, ...]) -> None:
    """Take a picture of every screen."""
    cookie, game = fill(server)
    # Passkeys are offered there.
    url = server.url.replace("127.0.0.1", "localhost")
    for name, (path, is_member) in SCREENS.items():
        for scheme in ("light", "dark"):
            for device, viewport in (("desktop", DESKTOP), ("phone", PHONE)):
                if only and name not in only:
                    continue
                with window(
                    browser, url, color_scheme=scheme, viewport=viewport, ignore_errors=True
                ) as opened:
                    if is_member:
                        given = {"name": "damka_session", "value": cookie, "url": url}
                        opened.page.context.add_cookies([given])  # type: ignore[list-item]
                    opened.page.goto(url + path.format(game=game))
                    if name == "refused":
                        opened.page.locator("#new-name").fill("Petra")
                        opened.page.locator("#new-password").fill(PASSWORD)
                        opened.page.get_by_role("button", name="Take it with a password").click()
                    opened.page.mouse.move(0, 0)
                    path_ = folder / f"{name}-{scheme}-{device}.png"
                    opened.page.screenshot(path=path_, full_page=name != "choose")
                    print(path_.name)


def main() -> None:
    """Serve, take the pictures, stop."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=[*FLAGS])
        with serving(Path(data), limits=ROOMY) as server:
            take(browser, server, folder, tuple(sys.argv[2:]))
        browser.close()


if __name__ == "__main__":
    main()

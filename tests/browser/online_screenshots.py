"""Take pictures of games on two devices: `python -m tests.browser.online_screenshots FOLDER`.

Every state in which a page of it can be, light and dark, on a desktop and on phones. They are
looked at, not kept. After the folder, states may be named; `test_narrow` measures the same states.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.browser.support import Window, locale, window
from tests.chromium import DESKTOP, FLAGS, PHONE, executable
from tests.server.accounts.support import ROOMY, new_name, register
from tests.server.online import code_of, play
from tests.server.support import Browser as Client
from tests.server.support import Json, Live, Server, serving

NARROW: Final[ViewportSize] = {"width": 320, "height": 568}
BLITZ: Final = {"kind": "fischer", "seconds": 300, "increment": 3}
LONG: Final = ("Konstantina Aleksandrova-Nikol", "Wolfeschlegelsteinhausenberger")
"""Names of as many letters as may be."""
STILL: Final = "document.getAnimations().every(a => a.playState !== 'running')"


class Table:
    """A page at a game, and who plays against it without a page."""

    def __init__(self, server: Server, desk: Window) -> None:
        self.server = server
        self.desk = desk
        self.mine, self.theirs = Client(server.url), Client(server.url)
        self.watcher = Client(server.url)
        self.names = LONG
        self.me: Live
        self.other: Live

    def close(self) -> None:
        """End all connections."""
        for each in (self.mine, self.theirs, self.watcher):
            each.__exit__(None, None, None)

    def members(self) -> None:
        """Let both be members, whose games can be rated."""
        register(self.mine, f"{new_name()}Konstantina"[:20])
        register(self.theirs, f"{new_name()}Wolfeschlegel"[:20])

    def invite(self, **options: Any) -> str:
        """Make a game with an open seat; return its id."""
        asked = {"rules": "dama64", "colour": "first", "clock": BLITZ, "names": [self.names[0], ""]}
        return self.mine.new_game(opponent="invite", **{**asked, **options})

    def sit(self, game: str, moves: str = "22-18 11-15") -> None:
        """Let the other sit down, both play, and open the page."""
        answer = self.theirs.post(f"/api/games/{game}/join", {"name": self.names[1]})
        assert answer.is_success, answer.text
        self.me, self.other = self.mine.live(game), self.theirs.live(game)
        self.me.state()
        self.other.state()
        play(self.me, self.other, moves)
        self.show(game)
        self.desk.until_ply(len(moves.split()))

    def show(self, game: str) -> None:
        """Open the page of the game."""
        self.desk.become(self.mine).open(f"/game/{game}")

    def until(self, script: str) -> None:
        """Wait until something holds in the page."""
        self.desk.until(partial(self.desk.page.evaluate, script), script)

    def asked(self) -> None:
        """Wait for the answers to a question."""
        self.desk.page.locator("#answers button").first.wait_for()


def invitation(table: Table) -> None:
    table.show(table.invite())


def joining(table: Table) -> None:
    """The page that the link of an invitation opens."""
    live = table.mine.live(table.invite())
    live.state()
    table.desk.open(f"/join/{code_of(live)}")


def code(table: Table) -> None:
    table.desk.open("/join")


def first_move(table: Table) -> None:
    """Who begins has not moved yet, and the game may be broken off."""
    table.sit(table.invite(), "")


def mine_to_move(table: Table) -> None:
    table.sit(table.invite())


def theirs_to_move(table: Table) -> None:
    table.sit(table.invite(rules="international", colour="second"), "32-28 19-23")


def rated(table: Table) -> None:
    table.members()
    table.sit(table.invite(rated=True))


def days(table: Table) -> None:
    clock = {"kind": "days", "seconds": 259200, "increment": 0}
    table.sit(table.invite(rules="american-3move", clock=clock, no_draw_before=40), "")


def low(table: Table) -> None:
    table.sit(table.invite(clock={"kind": "sudden", "seconds": 12}))
    table.until("document.querySelector('#bottom time.low')")


def away(table: Table) -> None:
    table.sit(table.invite())
    table.other.close()
    table.until("document.querySelector('#top.gone')")


def claim(table: Table) -> None:
    """The other has been away for so long that the win may be claimed."""
    away(table)
    game = table.desk.state["id"]
    session = table.server.app.state.damka.sessions._open[game].session.result()
    session._presence._players["B"].gone -= 200
    table.desk.page.reload()
    table.desk.ready()
    table.asked()


def draw_offer(table: Table) -> None:
    table.sit(table.invite(), "22-18 11-15 18x11x15 7x16x11 23-18 3-7")
    table.other.send("draw")
    table.asked()


def takeback_offer(table: Table) -> None:
    table.sit(table.invite(), "22-18 9-13")
    table.other.send("undo")
    table.asked()


def plan(table: Table) -> None:
    table.sit(table.invite(colour="second"), "")
    table.desk.click(11)
    table.desk.click(15)
    table.until("document.querySelector('.planned')")


def resigning(table: Table) -> None:
    """The page's own question."""
    table.sit(table.invite())
    table.desk.page.locator("#resign").click()
    table.asked()


def ended(table: Table) -> None:
    rated(table)
    table.other.send("resign")
    table.desk.page.locator("#end").wait_for()


def looked_at(table: Table) -> None:
    """After the end, with the sheet put away."""
    ended(table)
    table.desk.page.locator("#look").click()


def rematch_offer(table: Table) -> None:
    table.sit(table.invite())
    table.other.send("resign")
    table.desk.page.locator("#end").wait_for()
    table.other.send("rematch")
    table.asked()


def chat(table: Table) -> None:
    table.sit(table.invite())
    path = f"/api/games/{table.desk.state['id']}/chat"
    for client, said in (
        (table.theirs, {"preset": "hello"}),
        (table.mine, {"preset": "luck"}),
        (table.theirs, {"text": "This box was my grandfather's; he opened with 22-18. " * 2}),
    ):
        answer = client.post(path, {"room": "players", **said})
        assert answer.is_success, answer.text
    table.desk.page.locator("#chat").click()
    table.desk.page.locator("#lines li").nth(2).wait_for()


def watchers(table: Table) -> None:
    register(table.watcher, new_name())
    table.sit(table.invite(no_draw_before=40))
    table.watcher.live(table.desk.state["id"]).state()
    button = table.desk.page.locator("#beside button")
    button.wait_for()
    button.click()
    table.desk.page.locator("#watchers li").wait_for()


def settings(table: Table) -> None:
    table.sit(table.invite())
    table.desk.page.locator("#open-settings").click()


STATES: Final[dict[str, Callable[[Table], None]]] = {
    state.__name__: state
    for state in (
        invitation,
        joining,
        code,
        first_move,
        mine_to_move,
        theirs_to_move,
        rated,
        days,
        low,
        away,
        claim,
        draw_offer,
        takeback_offer,
        plan,
        resigning,
        ended,
        looked_at,
        rematch_offer,
        chat,
        watchers,
        settings,
    )
}


@contextmanager
def at_table(browser: Browser, server: Server, language: str, **options: Any) -> Iterator[Table]:
    """Open a window in which a game can be shown."""
    asked: Json = {**locale(language), **options}
    with window(browser, server.url, ignore_errors=True, **asked) as desk:
        table = Table(server, desk)
        try:
            yield table
        finally:
            table.close()


def main() -> None:
    """Serve, take the pictures, stop."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    touch: Json = {"has_touch": True, "is_mobile": True}
    looks: tuple[tuple[str, str, Json], ...] = (
        ("desktop-light-en", "en", {"viewport": DESKTOP}),
        ("desktop-dark-bg", "bg", {"viewport": DESKTOP, "color_scheme": "dark"}),
        ("phone-light-sk", "sk", {"viewport": PHONE, **touch}),
        ("phone-dark-it", "it", {"viewport": PHONE, "color_scheme": "dark", **touch}),
        ("narrow-light-bg", "bg", {"viewport": NARROW, **touch}),
    )
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), limits=ROOMY) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=executable(), args=[*FLAGS])
        for name, state in STATES.items():
            if sys.argv[2:] and name not in sys.argv[2:]:
                continue
            for look, language, options in looks:
                with at_table(browser, server, language, **options) as table:
                    state(table)
                    table.desk.page.mouse.move(0, 0)
                    table.desk.until(partial(table.desk.page.evaluate, STILL))
                    table.desk.page.screenshot(path=folder / f"{name}-{look}.png")
                print(name, look, flush=True)
        browser.close()


if __name__ == "__main__":
    main()

"""No horizontal scrolling at 320 pixels: every page of online play, in every language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, ViewportSize

from damka.locales import LANGUAGES
from tests.browser.support import Window, locale, window
from tests.browser.two_devices import BLITZ
from tests.server.accounts.support import ROOMY, new_name, register
from tests.server.events.support import act, join, make
from tests.server.lobby.support import Guests
from tests.server.online import play
from tests.server.support import Browser as Client
from tests.server.support import Live, Server, serving

NARROW: Final[ViewportSize] = {"width": 320, "height": 568}
TOUCH: Final[dict[str, Any]] = {"viewport": NARROW, "has_touch": True, "is_mobile": True}
LONG: Final = "Championship of the Konstantinopolska Club, Spring and Summer"
NAMES: Final = ("Konstantina Aleksandrova-Nikol", "Wolfeschlegelsteinhausenberger")
"""Names of maximum length."""

WIDTH: Final = "document.documentElement.scrollWidth"
SMALL: Final = """[...document.querySelectorAll("button, select, input:not([type=hidden])")]
  .filter((e) => e.checkVisibility() && !e.closest(".unseen, .choice"))
  .filter((e) => !(e.matches("[type=checkbox], [type=radio], [type=file]") && e.closest("label")))
  .map((e) => [e, e.getBoundingClientRect()])
  .filter(([e, { width, height }]) => width > 1 && Math.min(width, height) < 24)
  .map(([e]) => e.outerHTML.slice(0, 120))"""
"""Script that lists touch targets that are too small."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("narrow"), limits=ROOMY) as server:
        yield server


@pytest.fixture(scope="module")
def club(server: Server) -> Iterator[tuple[Client, list[str]]]:
    """An arbiter's account, and the addresses of the pages."""
    with ExitStack() as stack:
        arbiter = stack.enter_context(Client(server.url))
        member = register(arbiter, f"{new_name()}Konstantina"[:20])
        [challenger] = Guests(server, stack)(1)
        register(challenger, f"{new_name()}Wolfeschlegel"[:20])
        rules = {"rules": "american-3move", "clock": None, "colour": "first"}
        assert challenger.post("/api/lobby", rules).is_success
        paths = ["/", "/lobby", "/join", "/account", f"/@/{member}", "/events", "/events/new"]
        paths += [f"/account/{each}" for each in ("preferences", "security", "close", "tokens")]
        for kind in ("swiss", "arena"):
            event = make(arbiter, server, name=LONG, kind=kind, clock="3+2")
            for name in ("Wolfeschlegelsteinhausenberger", "Konstantina Aleksandrova-Nikol"):
                with Client(server.url) as guest:
                    join(guest, event, name)
            act(arbiter, event, "start")
            if kind == "swiss":
                act(arbiter, event, "pair")
                act(arbiter, event, "begin")
                paths += [
                    f"{event}/print/{each}" for each in ("pairings", "standings", "cross", "sheets")
                ]
            paths += [event, f"{event}/arbiter", f"{event}/projector"]
        # An event that cannot be paired any more: the form of manual pairings is open.
        stuck = make(arbiter, server, name=LONG, play="hand", rounds=2)
        for name in NAMES:
            act(arbiter, stuck, "add", name=name)
        for action in ("start", "pair", "begin"):
            act(arbiter, stuck, action)
        act(arbiter, stuck, "settle", round=1, board=1, before="", after="1-0")
        act(arbiter, stuck, "pair")
        paths += [stuck, f"{stuck}/arbiter"]
        yield arbiter, paths


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_a_small_phone(
    browser: Browser, server: Server, club: tuple[Client, list[str]], language: str
) -> None:
    arbiter, paths = club
    with window(browser, server.url, **locale(language), **TOUCH) as phone:
        cookies = [
            {"name": each.name, "value": str(each.value), "url": server.url}
            for each in arbiter.http.cookies.jar
        ]
        found = {}
        for is_member in (False, True):
            if is_member:
                phone.page.context.add_cookies(cookies)  # type: ignore[arg-type]
            for path in paths:
                if not is_member and (path.endswith("/arbiter") or "/account/" in path):
                    continue
                answer = phone.page.goto(f"{server.url}{path}?lang={language}")
                assert answer is not None
                assert answer.ok, path
                width, small = phone.page.evaluate(WIDTH), phone.page.evaluate(SMALL)
                if width > NARROW["width"] or small:
                    found[path, is_member] = width, small
        assert found == {}


class GamePlayers:
    """A page at a game, and its players and spectators without a page."""

    def __init__(self, server: Server, desk: Window, stack: ExitStack) -> None:
        self.desk = desk
        self.mine, self.theirs = (stack.enter_context(Client(server.url)) for _ in range(2))
        self.game = ""
        self.me: Live
        self.other: Live

    def members(self) -> None:
        """Register both players: their games can be rated."""
        register(self.mine, f"{new_name()}Konstantina"[:20])
        register(self.theirs, f"{new_name()}Wolfeschlegel"[:20])

    def sit(self, moves: str = "22-18 11-15", **options: Any) -> None:
        """Start a game and play moves."""
        names = [NAMES[0], ""]
        self.game = self.mine.new_game(opponent="invite", clock=BLITZ, names=names, **options)
        answer = self.theirs.post(f"/api/games/{self.game}/join", {"name": NAMES[1]})
        assert answer.is_success, answer.text
        self.me, self.other = self.mine.live(self.game), self.theirs.live(self.game)
        self.me.state()
        self.other.state()
        play(self.me, self.other, moves)
        self.desk.become(self.mine)

    def show(self, language: str, expected: str = "body.ready") -> None:
        """Open the page of the game; wait for an element."""
        self.desk.open(f"/game/{self.game}?lang={language}")
        self.desk.page.locator(expected).first.wait_for()


@contextmanager
def game_page(browser: Browser, server: Server) -> Iterator[GamePlayers]:
    with (
        window(browser, server.url, ignore_errors=True, **TOUCH) as desk,
        ExitStack() as stack,
    ):
        yield GamePlayers(server, desk, stack)


ANSWER: Final = "#answers button"
GONE: Final = "#top.gone"


def rated(players: GamePlayers, language: str) -> None:
    if not players.game:
        players.members()
        players.sit(rated=True)
    players.show(language)


def away(players: GamePlayers, language: str) -> None:
    if not players.game:
        players.sit()
        players.other.close()
    players.show(language, GONE)


def takeback_offer(players: GamePlayers, language: str) -> None:
    if not players.game:
        players.sit("22-18 9-13")
        players.other.send("undo")
    players.show(language, ANSWER)


def chat(players: GamePlayers, language: str) -> None:
    if not players.game:
        players.sit()
        path = f"/api/games/{players.game}/chat"
        for client, message in (
            (players.theirs, {"preset": "hello"}),
            (players.mine, {"preset": "luck"}),
            (players.theirs, {"text": "This box was my grandfather's; he opened with 22-18. " * 2}),
        ):
            answer = client.post(path, {"room": "players", **message})
            assert answer.is_success, answer.text
    players.show(language)
    players.desk.page.locator("#chat").click()
    players.desk.page.locator("#lines li").nth(2).wait_for()


@pytest.mark.parametrize("state", [rated, away, takeback_offer, chat])
def test_no_game_is_wider_than_a_small_phone(
    browser: Browser, server: Server, state: Callable[[GamePlayers, str], None]
) -> None:
    """The fullest states of the page."""
    with game_page(browser, server) as players:
        for language in LANGUAGES:
            state(players, language)
            page = players.desk.page
            assert page.get_attribute("html", "lang") == language
            assert page.evaluate(WIDTH) <= NARROW["width"], language
            assert page.evaluate(SMALL) == [], language
            assert beside(players) == [], language


def beside(players: GamePlayers) -> list[str]:
    """Return the actions, answers and clocks that are truncated or overlap."""
    found: list[str] = players.desk.page.evaluate(
        """() => [...document.querySelectorAll(".actions > *, #answers button, .strip time")]
          .filter((e) => e.checkVisibility())
          .filter((e) => {
            const range = document.createRange();
            range.selectNodeContents(e);
            const [box, words] = [e, range].map((each) => each.getBoundingClientRect());
            return box.left < 0 || box.right > innerWidth || words.width > box.width + 0.5;
          })
          .map((e) => e.textContent)"""
    )
    return found


def test_how_long_an_opponent_may_be_away_is_seen(browser: Browser, server: Server) -> None:
    with game_page(browser, server) as players:
        away(players, "bg")
        about = players.desk.page.locator("#top small")
        assert "0:" in about.inner_text()
        assert about.evaluate("text => text.scrollWidth <= text.clientWidth")


def test_an_offer_of_a_rematch_can_be_declined(browser: Browser, server: Server) -> None:
    """On a phone the result sheet would cover the answers."""
    with game_page(browser, server) as players:
        players.sit()
        players.show("en")
        players.other.send("resign")
        players.desk.page.locator("#end").wait_for()
        players.other.send("rematch")
        players.desk.page.locator(ANSWER).last.tap()
        players.desk.page.locator("#end").wait_for()


def test_the_chat_opens_at_its_end(browser: Browser, server: Server) -> None:
    with game_page(browser, server) as players:
        chat(players, "bg")
        at_the_end = """(lines => lines.scrollHeight > lines.clientHeight
          && lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 1)
          (document.getElementById("lines"))"""
        players.desk.until(partial(players.desk.page.evaluate, at_the_end), at_the_end)

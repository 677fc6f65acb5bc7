"""No horizontal scrolling at 320 pixels: every page of online play, in every language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, ViewportSize

from damka.locales import LANGUAGES
from tests.browser.support import FITTED, Window, locale, open_window
from tests.browser.two_devices import BLITZ
from tests.server.accounts.support import ROOMY, new_name, register
from tests.server.events.support import act, create_event, join
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
SMALL_TARGETS: Final = """[...document.querySelectorAll("button, select, input:not([type=hidden])")]
  .filter((e) => e.checkVisibility() && !e.closest(".unseen, .choice"))
  .filter((e) => !(e.matches("[type=checkbox], [type=radio], [type=file]") && e.closest("label")))
  .map((e) => [e, e.getBoundingClientRect()])
  .filter(([e, { width, height }]) => width > 1 && Math.min(width, height) < 24)
  .map(([e]) => e.outerHTML.slice(0, 120))"""
"""Script that lists touch targets that are too small."""
CROWDED_LABELS: Final = """[...document.querySelectorAll(".button, .choice span")]
  .filter((e) => e.checkVisibility())
  .filter((e) => {
    const range = document.createRange();
    range.selectNodeContents(e);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    const form = e.closest("fieldset, form, section, dialog, main").getBoundingClientRect();
    return lines.size > 2 || e.getBoundingClientRect().right > form.right + 0.5;
  })
  .map((e) => e.textContent)"""
"""Script that lists labels of more than two lines, and those that stick out of their form."""


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
        paths = [
            "/",
            "/analyse/dama100",
            "/learn",
            "/learn/dama100",
            "/learn/dama100/chain.whole.2",
            "/learn/dama64/game",
            "/lobby",
            "/join",
            "/account",
            f"/@/{member}",
            "/events",
            "/events/new",
        ]
        paths += [f"/account/{each}" for each in ("preferences", "security", "close", "tokens")]
        paths.append("/box")
        for kind in ("swiss", "arena"):
            event = create_event(arbiter, server, name=LONG, kind=kind, clock="3+2")
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
        unpairable = create_event(arbiter, server, name=LONG, play="hand", rounds=2)
        for name in NAMES:
            act(arbiter, unpairable, "add", name=name)
        for action in ("start", "pair", "begin"):
            act(arbiter, unpairable, action)
        act(arbiter, unpairable, "settle", round=1, board=1, before="", after="1-0")
        act(arbiter, unpairable, "pair")
        paths += [unpairable, f"{unpairable}/arbiter"]
        yield arbiter, paths


@pytest.mark.parametrize("language", FITTED)
def test_no_page_is_wider_than_a_small_phone(
    browser: Browser, server: Server, club: tuple[Client, list[str]], language: str
) -> None:
    arbiter, paths = club
    with open_window(browser, server.url, **locale(language), **TOUCH) as phone:
        cookies = [
            {"name": each.name, "value": str(each.value), "url": server.url}
            for each in arbiter.http.cookies.jar
        ]
        too_wide = {}
        # The page of a guided game starts it.
        phone.page.route("**/api/games", lambda route: route.fulfill(json={"url": "#"}))
        for is_member in (False, True):
            if is_member:
                phone.page.context.add_cookies(cookies)  # type: ignore[arg-type]
            for path in paths:
                if not is_member and (path.endswith("/arbiter") or "/account/" in path):
                    continue
                answer = phone.page.goto(f"{server.url}{path}?lang={language}")
                assert answer is not None
                assert answer.ok, path
                width, small = phone.page.evaluate(WIDTH), phone.page.evaluate(SMALL_TARGETS)
                crowded = phone.page.evaluate(CROWDED_LABELS)
                if width > NARROW["width"] or small or crowded:
                    too_wide[path, is_member] = width, small, crowded
        assert too_wide == {}


def test_the_settings_fit_a_small_phone(browser: Browser, server: Server) -> None:
    with open_window(browser, server.url, **TOUCH) as phone:
        phone.new_game("dama64")
        game = phone.page.url.removeprefix(server.url)
        for language in LANGUAGES:
            phone.open(f"{game}?lang={language}")
            phone.page.locator("#open-settings").tap()
            phone.page.locator("#settings footer").wait_for()
            assert phone.page.evaluate(CROWDED_LABELS) == [], language


class GamePlayers:
    """A game with a page for one player; the opponent has no page."""

    def __init__(self, server: Server, window: Window, stack: ExitStack) -> None:
        self.window = window
        self.player, self.opponent = (stack.enter_context(Client(server.url)) for _ in range(2))
        self.game = ""
        self.player_live: Live
        self.opponent_live: Live

    def register_members(self) -> None:
        """Register both players: their games can be rated."""
        register(self.player, f"{new_name()}Konstantina"[:20])
        register(self.opponent, f"{new_name()}Wolfeschlegel"[:20])

    def start(self, moves: str = "22-18 11-15", **options: Any) -> None:
        """Start a game and play the moves."""
        names = [NAMES[0], ""]
        self.game = self.player.new_game(opponent="invite", clock=BLITZ, names=names, **options)
        answer = self.opponent.post(f"/api/games/{self.game}/join", {"name": NAMES[1]})
        assert answer.is_success, answer.text
        self.player_live, self.opponent_live = (
            self.player.live(self.game),
            self.opponent.live(self.game),
        )
        self.player_live.state()
        self.opponent_live.state()
        play(self.player_live, self.opponent_live, moves)
        self.window.become(self.player)

    def show(self, language: str, expected: str = "body.ready") -> None:
        """Open the page of the game; wait for an element."""
        self.window.open(f"/game/{self.game}?lang={language}")
        self.window.page.locator(expected).first.wait_for()


@contextmanager
def game_page(browser: Browser, server: Server) -> Iterator[GamePlayers]:
    with (
        open_window(browser, server.url, ignore_errors=True, **TOUCH) as window,
        ExitStack() as stack,
    ):
        yield GamePlayers(server, window, stack)


ANSWER_BUTTONS: Final = "#answers button"
OPPONENT_AWAY: Final = "#top.gone"


def rated(players: GamePlayers, language: str) -> None:
    if not players.game:
        players.register_members()
        players.start(rated=True)
    players.show(language)


def away(players: GamePlayers, language: str) -> None:
    if not players.game:
        players.start()
        players.opponent_live.close()
    players.show(language, OPPONENT_AWAY)


def takeback_offer(players: GamePlayers, language: str) -> None:
    if not players.game:
        players.start("22-18 9-13")
        players.opponent_live.send("undo")
    players.show(language, ANSWER_BUTTONS)


def chat(players: GamePlayers, language: str) -> None:
    if not players.game:
        players.start()
        path = f"/api/games/{players.game}/chat"
        for client, message in (
            (players.opponent, {"preset": "hello"}),
            (players.player, {"preset": "luck"}),
            (
                players.opponent,
                {"text": "This box was my grandfather's; he opened with 22-18. " * 2},
            ),
        ):
            answer = client.post(path, {"room": "players", **message})
            assert answer.is_success, answer.text
    players.show(language)
    players.window.page.locator("#chat").click()
    players.window.page.locator("#lines li").nth(2).wait_for()


@pytest.mark.parametrize("state", [rated, away, takeback_offer, chat])
def test_no_game_is_wider_than_a_small_phone(
    browser: Browser, server: Server, state: Callable[[GamePlayers, str], None]
) -> None:
    """The states of the page with the most text."""
    with game_page(browser, server) as players:
        for language in LANGUAGES:
            state(players, language)
            page = players.window.page
            assert page.get_attribute("html", "lang") == language
            assert page.evaluate(WIDTH) <= NARROW["width"], language
            assert page.evaluate(SMALL_TARGETS) == [], language
            assert truncated(players) == [], language


def truncated(players: GamePlayers) -> list[str]:
    """Return the actions, answers and clocks that are truncated or overlap."""
    texts: list[str] = players.window.page.evaluate(
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
    return texts


def test_the_countdown_of_an_absent_opponent_is_visible(browser: Browser, server: Server) -> None:
    with game_page(browser, server) as players:
        away(players, "bg")
        about = players.window.page.locator("#top small")
        assert "0:" in about.inner_text()
        assert about.evaluate("text => text.scrollWidth <= text.clientWidth")


def test_an_offer_of_a_rematch_can_be_declined(browser: Browser, server: Server) -> None:
    """On a phone the result sheet would cover the answers."""
    with game_page(browser, server) as players:
        players.start()
        players.show("en")
        players.opponent_live.send("resign")
        players.window.page.locator("#end").wait_for()
        players.opponent_live.send("rematch")
        players.window.page.locator(ANSWER_BUTTONS).last.tap()
        players.window.page.locator("#end").wait_for()


def test_the_chat_opens_at_the_last_message(browser: Browser, server: Server) -> None:
    with game_page(browser, server) as players:
        chat(players, "bg")
        at_the_end = """(lines => lines.scrollHeight > lines.clientHeight
          && lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 1)
          (document.getElementById("lines"))"""
        players.window.until(partial(players.window.page.evaluate, at_the_end), at_the_end)

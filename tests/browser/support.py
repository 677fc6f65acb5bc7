"""A browser window on a page of the server, with its game state and user input."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal, Self

import pytest
from playwright.sync_api import Browser, Error, Page, WebSocket

from damka import Game
from damka.locales import LANGUAGES
from tests import chromium
from tests.server.support import Browser as Client

Json = dict[str, Any]

LONGEST: Final = ("bg", "it")
"""The languages with the longest texts: two of three are longest in one of them."""
FITTED: Final = [
    each if each in LONGEST else pytest.param(each, marks=pytest.mark.release) for each in LANGUAGES
]
"""Parameters of tests whose texts must fit: the other languages are for a release."""


RECORD_HANDLED: Final = """{
  window.handled = new Set();
  const { prototype } = WebSocket;
  const { set } = Object.getOwnPropertyDescriptor(prototype, "onmessage");
  Object.defineProperty(prototype, "onmessage", {
    configurable: true,
    set(handle) {
      set.call(this, (event) => {
        try {
          handle.call(this, event);
        } finally {
          handled.add(event.data);
        }
      });
    },
  });
}
"""
"""Init script that records the messages which the page has handled.

A message reaches Playwright and the page's script in any order.
"""
COUNT_HANDLED: Final = """(texts) =>
  1 + texts.map((text) => !globalThis.handled || handled.has(text)).lastIndexOf(true)"""


class Window(chromium.Window):
    """A page of the server, with the state of its game and its sent messages."""

    def __init__(self, page: Page, url: str) -> None:
        super().__init__(page, url)
        self._sent: list[Json] = []
        self._pongs = 0
        self._state: Json = {}
        self._frames: list[str] = []
        self._loaded = True
        self.listen("domcontentloaded", lambda _: self._load())
        self.listen("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self._sent.append(json.loads(frame)))
        socket.on("framereceived", lambda frame: self._received(str(frame)))

    def _load(self) -> None:
        self._loaded, self._frames = True, []

    def _received(self, text: str) -> None:
        kind = json.loads(text)["t"]
        if kind == "pong":
            self._pongs += 1
        if kind in ("state", "delta"):
            self._frames.append(text)

    def _handled(self) -> list[Json]:
        """Remove and return the states and changes that the page has handled."""
        frames = self._frames
        if not frames:
            return []
        try:
            count: int = self.page.evaluate(COUNT_HANDLED, frames)
        except Error:
            return []  # The page is navigating.
        if frames is not self._frames:
            return []
        handled, self._frames = frames[:count], frames[count:]
        return list(map(json.loads, handled))

    @property
    def sent(self) -> list[Json]:
        """Return the messages that the page has sent until now."""
        # Chromium reports them before it answers.
        self.page.evaluate("0")
        return self._sent

    def run_clock(self, seconds: int) -> None:
        """Advance the page's clock, in steps that leave the server time to answer each ping."""
        for _ in range(seconds):
            self.page.clock.run_for(1000)
            self.until(self._is_answered, "the server answers the pings")

    def _is_answered(self) -> bool:
        return self._pongs >= len([each for each in self._sent if each["t"] == "ping"])

    @property
    def state(self) -> Json:
        """Return the last state of the game that the page has handled."""
        for frame in self._handled():
            if frame["t"] == "state":
                self._state = frame
            else:
                if self._loaded:
                    text = self.page.locator("#state").text_content()
                    self._state = json.loads(text or "")
                known = self._state["history"]
                history = [*known[: frame["keep"]], *frame["add"]]
                self._state = {**self._state, **frame["changes"], "history": history}
            self._loaded = False
        return self._state

    # Opening games

    def post(self, path: str, body: str | Json) -> Json:
        """Send a request like the page's scripts."""
        data = body if isinstance(body, str) else json.dumps(body)
        answer = self.page.request.post(
            self.url + path,
            data=data,
            headers={"content-type": "application/json", "origin": self.url},
        )
        result: Json = answer.json()
        assert answer.ok, result
        return result

    def new_game(self, rules: str, **options: Any) -> Self:
        """Start a game and open it; by default with two people at this screen."""
        options = {"rules": rules, "opponent": "person", "colour": "first", **options}
        return self.open(self.post("/api/games", options)["url"])

    def load_game(self, text: str, query: str = "") -> Self:
        """Load a game file and open the game."""
        return self.open(self.post(f"/api/games/load{query}", text)["url"])

    def open(self, path: str) -> Self:
        """Open a page of the server; wait until a game's page is ready."""
        self.page.goto(self.url + path)
        if path.startswith("/game/"):
            self.ready()
        return self

    def become(self, client: Client) -> Self:
        """Copy the cookies of `client`, a visitor without a page."""
        self.page.context.add_cookies(
            [
                {"name": each.name, "value": str(each.value), "url": self.url}
                for each in client.http.cookies.jar
            ]
        )
        return self

    def ready(self) -> None:
        """Wait until the game's page is connected and shows the game."""
        self.page.wait_for_selector("body.ready")
        first = json.loads(self.page.locator("#state").text_content() or "{}")
        # The live connection may have been faster.
        if self.state.get("id") != first["id"] or self.state["version"] < first["version"]:
            self._state = first
        self.settled()

    # Reading the page

    @property
    def pieces(self) -> str:
        """Return the pieces on the displayed board."""
        pieces: str = self.page.evaluate(
            "document.querySelector('damka-board, damka-editor').pieces"
        )
        return pieces

    @property
    def status_text(self) -> str:
        """Return the sentence in the status line."""
        return self.page.inner_text("#say")

    def marked(self, name: str) -> set[int]:
        """Return the squares with a mark."""
        return set(
            self.page.evaluate(
                "name => [...document.querySelectorAll(`.over .${name}:not(.edge)`)]"
                ".map(mark => Number(mark.dataset.to))",
                name,
            )
        )

    def settled(self) -> None:
        """Wait until the page shows the server's state.

        The player's own move is on the board before the server's answer.
        """
        self.until(
            lambda: (
                self.pieces == self.state["pieces"]
                and len(self.moves()) == len(self.state["history"])
            ),
            "the page shows the state",
        )

    def until_ply(self, ply: int) -> None:
        """Wait until `ply` moves are played and shown."""
        self.until(lambda: self.state["ply"] >= ply or self.state["result"], f"ply {ply}")
        self.settled()

    def until_refused(self) -> None:
        """Wait until the status line shows a refusal with its reason."""
        self.page.wait_for_selector("#status.no")

    def moves(self) -> list[str]:
        """Return the moves in the move list."""
        return self.page.locator("#moves button").all_text_contents()

    # Acting

    def play(self, hub: str) -> None:
        """Play a legal move by clicks, and wait until it is played."""
        [move] = [m for m in self.state["legal"] if m["hub"] == hub]
        ply = self.state["ply"]
        self.click(move["from"], move["to"])
        for square in move["route"][1:]:
            if not self.page.locator(".chosen").count():
                break
            self.click(square)
        self.until_ply(ply + 1)
        assert self.state["history"][ply]["move"]["hub"] == hub

    def answer(self, label: str) -> None:
        """Press a button in the status line."""
        self.page.locator("#answers").get_by_role("button", name=label, exact=True).click()


FAST: Final = """
if (origin !== "null") localStorage["damka.prefs"] ??= '{"pace":false}';
const animate = Element.prototype.animate;
Element.prototype.animate = function (...all) {
  const animation = animate.apply(this, all);
  animation.playbackRate = 8;
  return animation;
};
"""


@contextmanager
def open_window(
    browser: Browser,
    url: str,
    *,
    ignore_errors: bool = False,
    paced: bool = False,
    own: bool = False,
    **options: Any,
) -> Iterator[Window]:
    """Open a window; errors in its console fail the test, unless `ignore_errors` is set.

    Unless it is `paced`, the computer replies at once, and animations run eight times as fast.
    `own` is documented at `blank_page`.
    """
    options = {"locale": "en-GB", **options}
    script = RECORD_HANDLED if paced else RECORD_HANDLED + FAST
    with chromium.blank_page(browser, own=own, script=script, **options) as page:
        window = Window(page, url)
        yield window
        window.close()
        assert ignore_errors or not window.errors, window.errors


def locale(language: str) -> Json:
    """Return the context options of a browser with this preferred language."""
    return {"locale": language}


def game_file(rules: str, fen: str, obligation: Literal["forced", "huff"] | None = None) -> str:
    """Return a saved game that starts from a position."""
    return Game(rules, fen=fen, obligation=obligation).to_json()


def played(rules: str, moves: str) -> str:
    """Return a saved game with these moves."""
    game = Game(rules)
    for move in moves.split():
        game.play(move)
    return game.to_json()

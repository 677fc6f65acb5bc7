"""A browser window that plays as a person does: it looks, clicks, drags, taps and types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal, Self

from playwright.sync_api import Browser, Page, WebSocket

from damka import Game
from tests import chromium
from tests.server.support import Browser as Client

Json = dict[str, Any]


class Window(chromium.Window):
    """A page of the server, with the state of its game and what it has sent."""

    def __init__(self, page: Page, url: str) -> None:
        super().__init__(page, url)
        self.sent: list[Json] = []
        self._state: Json = {}
        self._frames: list[Json] = []
        self._loaded = True
        self.listen("domcontentloaded", lambda _: self._load())
        self.listen("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))
        socket.on("framereceived", lambda frame: self._received(json.loads(frame)))

    def _load(self) -> None:
        self._loaded, self._frames = True, []

    def _received(self, frame: Json) -> None:
        if frame["t"] in ("state", "delta"):
            self._frames.append(frame)

    @property
    def state(self) -> Json:
        """What the page has been told of the game: a state, or changes of the one before."""
        while self._frames:
            frame = self._frames.pop(0)
            if frame["t"] == "state":
                self._state = frame
            else:
                if self._loaded:
                    text = self.page.locator("#state").text_content()
                    self._state = json.loads(text or "")
                past = self._state["history"]
                history = [*past[: frame["keep"]], *frame["add"]]
                self._state = {**self._state, **frame["changes"], "history": history}
            self._loaded = False
        return self._state

    # Getting to a game

    def post(self, path: str, body: str | Json) -> Json:
        """Send a request as the page's scripts do."""
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
        """Start a game and open it; two people at this screen unless told otherwise."""
        options = {"rules": rules, "opponent": "person", "colour": "first", **options}
        return self.open(self.post("/api/games", options)["url"])

    def load_game(self, text: str, query: str = "") -> Self:
        """Load a game file and open the game."""
        return self.open(self.post(f"/api/games/load{query}", text)["url"])

    def open(self, path: str) -> Self:
        """Go to a page of the server; wait until a game's page is ready."""
        self.page.goto(self.url + path)
        if path.startswith("/game/"):
            self.ready()
        return self

    def become(self, client: Client) -> Self:
        """Be the visitor that `client`, who has no page, is: have its cookies."""
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

    # Looking

    @property
    def pieces(self) -> str:
        """The pieces on the board that is shown."""
        shown: str = self.page.evaluate("document.querySelector('damka-board').pieces")
        return shown

    @property
    def said(self) -> str:
        """The sentence in the status line."""
        return self.page.inner_text("#say")

    def marked(self, name: str) -> set[int]:
        """The squares that have a mark."""
        return set(
            self.page.evaluate(
                "name => [...document.querySelectorAll(`.over .${name}:not(.edge)`)]"
                ".map(mark => Number(mark.dataset.to))",
                name,
            )
        )

    def settled(self) -> None:
        """Wait until the board shows the game as the server has it."""
        self.until(lambda: self.pieces == self.state["pieces"], "the board shows the state")

    def until_ply(self, ply: int) -> None:
        """Wait until `ply` moves have been played and are shown."""
        self.until(lambda: self.state["ply"] >= ply or self.state["result"], f"ply {ply}")
        self.settled()

    def until_refused(self) -> None:
        """Wait until the status line says that something was refused, and why."""
        self.page.wait_for_selector("#status.no")

    def moves(self) -> list[str]:
        """The move list, as it is written."""
        return self.page.locator("#moves button").all_inner_texts()

    # Acting

    def play(self, hub: str) -> None:
        """Play a legal move by clicks, as many as it takes, and wait until it is played."""
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
        """Press one of the buttons in the status line."""
        self.page.locator("#answers").get_by_role("button", name=label, exact=True).click()


QUICK: Final = """
if (origin !== "null") localStorage["damka.prefs"] ??= '{"pace":false}';
const animate = Element.prototype.animate;
Element.prototype.animate = function (...all) {
  const animation = animate.apply(this, all);
  animation.playbackRate = 8;
  return animation;
};
"""


@contextmanager
def window(
    browser: Browser,
    url: str,
    *,
    ignore_errors: bool = False,
    paced: bool = False,
    own: bool = False,
    **options: Any,
) -> Iterator[Window]:
    """Open a window; an error in its console fails the test, unless `ignore_errors` is set.

    Unless it is `paced`, the computer answers at once there, and animations run eight times as
    fast. `own` is explained at `blank_page`.
    """
    options = {"locale": "en-GB", **options}
    script = "" if paced else QUICK
    with chromium.blank_page(browser, own=own, script=script, **options) as page:
        opened = Window(page, url)
        yield opened
        opened.close()
        assert ignore_errors or not opened.errors, opened.errors


def locale(language: str) -> Json:
    """Context options of a browser with this preferred language."""
    return {"locale": language}


def game_file(rules: str, fen: str, obligation: Literal["forced", "huff"] | None = None) -> str:
    """A saved game that starts from a position."""
    return Game(rules, fen=fen, obligation=obligation).to_json()


def played(rules: str, moves: str) -> str:
    """A saved game with these moves."""
    game = Game(rules)
    for move in moves.split():
        game.play(move)
    return game.to_json()

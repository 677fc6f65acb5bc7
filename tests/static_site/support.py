"""A host of static files, and a window of a browser that plays on them."""

from __future__ import annotations

import functools
import http.server
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from playwright.sync_api import Browser, BrowserContext, Page, Worker

from damka import Game

Json = dict[str, Any]

ALL: Final = os.environ.get("DAMKA_SITE") == "all"
"""Whether everything is tried, as in `make check-site`, or a sample."""
PATIENCE: Final = 40.0
"""Seconds to wait for what must happen: Python starts within some."""

# What the worker tells the page, for the test to look at.
LISTEN: Final = """
window.told = [];
window.Worker = class extends Worker {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", ({ data }) => data.frame && told.push(JSON.parse(data.frame)));
  }
};
const prefs = { pace: false, warn: false, sound: false };
localStorage.setItem("damka.prefs", JSON.stringify(prefs));
"""
PLAY: Final = """([move, route]) => document.querySelector("damka-board")
  .dispatchEvent(new CustomEvent("play", { detail: { move, route, legs: 0 } }))"""
PLAY_ON: Final = """async ([seed, most, side]) => {
  const board = document.querySelector("damka-board");
  const state = () => told.filter(({ t }) => t === "state").at(-1);
  const until = async (holds) => {
    for (const late = Date.now() + 60000; !holds(); ) {
      if (Date.now() > late) throw new Error(`the game stands still after ${state().ply} plies`);
      for (const animation of document.getAnimations()) animation.finish();
      await new Promise((done) => setTimeout(done, 4));
    }
  };
  const ours = () => state().result || (!side || state().turn === side);
  const still = () => board.pieces === state().pieces;
  for (let played = 0; played < most; played++) {
    await until(() => ours() && still());
    await new Promise((done) => setTimeout(done, 20));
    const { legal, ply, result } = state();
    if (result) return;
    seed = (1103515245 * seed + 12345) % 2147483648;
    const move = legal[Math.floor((seed / 2147483648) * legal.length)];
    board.dispatchEvent(new CustomEvent("play", { detail: { move, route: move.route, legs: 0 } }));
    await until(() => state().ply > ply || state().result);
  }
  await until(() => ours() && still());
}"""
"""Play moves drawn by lot, at most so many: for one side, or for both."""
SETTLED: Final = """document.querySelector("damka-board").pieces
  === told.filter(({ t }) => t === "state").at(-1).pieces
  && !document.getAnimations().length"""
STATE: Final = "told.filter(({ t }) => t === 'state').at(-1) ?? null"

DAMAGE: Final = """([what, value]) => new Promise((done, failed) => {
  const id = new URLSearchParams(location.search).get("game");
  const opening = indexedDB.open("damka");
  opening.onsuccess = () => {
    const change = opening.result.transaction(["games", "events", "shown"], "readwrite");
    const [games, events, shown] =
      ["games", "events", "shown"].map((name) => change.objectStore(name));
    const changed = (record) =>
      typeof value === "string" ? value : JSON.stringify({ ...JSON.parse(record), ...value });
    if (what === "record") games.get(id).onsuccess = ({ target }) =>
      games.put({ ...target.result, record: changed(target.result.record) });
    else if (what === "shown" && value === null) shown.delete(id);
    else if (what === "shown") shown.put({ id, shown: value });
    else if (value === null) events.delete([id, what]);
    else events.put({ game: id, seq: what, event: value });
    change.oncomplete = () => done(opening.result.close());
    change.onabort = () => failed(change.error);
  };
})"""
"""Change what is stored of the page's game: its record, what was shown, or an entry of its log."""

FULL: Final = """(full) => {
  self.full = full;
  for (const name of self.filled ? [] : ["add", "put"]) {
    const usual = IDBObjectStore.prototype[name];
    IDBObjectStore.prototype[name] = function (...all) {
      if (self.full) throw new DOMException("no room", "QuotaExceededError");
      return usual.apply(this, all);
    };
  }
  self.filled = true;
}"""
"""In the game's worker: whether its store has no room."""


def no_storage(folder: Path) -> dict[str, bytes]:
    """Files of the site for a browser that keeps nothing: `Host.instead`."""
    [path] = folder.glob("static/*/store.js")
    text = path.read_text("utf-8")
    place = (
        "indexedDB.open(NAME,VERSION)"
        if "indexedDB.open(NAME,VERSION)" in text
        else "indexedDB.open(NAME, VERSION)"
    )
    assert place in text
    refused = '(() => { throw new DOMException("denied", "SecurityError"); })()'
    return {path.relative_to(folder).as_posix(): text.replace(place, refused).encode()}


class Host:
    """A server of static files below /sub/, with other files in place of some."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self.instead: dict[str, bytes] = {}
        self.cut_off: list[str] = []
        """How files end that are broken off half-way, each once."""
        self.asked: list[str] = []
        host = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {  # noqa: RUF012  as in its base
                **http.server.SimpleHTTPRequestHandler.extensions_map,
                ".mjs": "text/javascript",
                ".js": "text/javascript",
                ".wasm": "application/wasm",
            }

            def log_message(self, *_: object) -> None:
                pass

            def translate_path(self, path: str) -> str:
                return super().translate_path(path.removeprefix("/sub"))

            def do_GET(self) -> None:
                host.asked.append(self.path)
                path = self.path.partition("?")[0]
                data = host.instead.get(path.removeprefix("/sub/"))
                cut = next((each for each in host.cut_off if path.endswith(each)), None)
                if data is None and cut is None:
                    super().do_GET()
                    return
                if data is None:
                    data = Path(self.translate_path(path)).read_bytes()
                self.send_response(200)
                self.send_header("content-type", self.guess_type(path))
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if cut is not None:
                    host.cut_off.remove(cut)
                    data = data[: len(data) // 2]
                self.wfile.write(data)

        serving = functools.partial(Handler, directory=str(folder))
        self._server: Final = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serving)
        self.url: Final = f"http://127.0.0.1:{self._server.server_port}/sub/"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class Window:
    """One window on the site."""

    def __init__(self, page: Page, host: Host, complaints: list[str]) -> None:
        self.page: Final = page
        self.host: Final = host
        self.url: Final = host.url
        self.complaints: Final = complaints
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                complaints.append(message.text) if message.type in {"error", "warning"} else None
            ),
        )

    def open(self, address: str) -> Self:
        self.page.goto(self.url + address)
        return self

    def kept(self) -> Self:
        """Wait until the site is kept for times without a network."""
        self.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        return self

    def newer(self) -> None:
        """Have the host offer another version of the site: with another title of the start page."""
        folder = self.host.folder
        page = (folder / "en" / "index.html").read_text("utf-8")
        worker = (folder / "sw.js").read_text("utf-8")
        self.host.instead["en/index.html"] = page.replace("<title>Damka", "<title>Newer").encode()
        self.host.instead["sw.js"] = worker.replace('VERSION = "', 'VERSION = "2', 1).encode()

    def new_game(self, rules: str, language: str = "en", **options: object) -> Self:
        chosen = {"opponent": "person", "colour": "first", **options}
        query = "&".join(f"{key}={value}" for key, value in chosen.items())
        self.open(f"{language}/game.html?rules={rules}&{query}")
        self.ready()
        return self.up()

    def ready(self) -> Self:
        """Wait until the page shows its game."""
        self.until(self.page.locator("body.ready").count, "the game's page")
        return self

    def up(self) -> Self:
        """Wait until the worker plays with the page."""
        self.until(lambda: self.page.evaluate(STATE), "the worker")
        return self

    @property
    def state(self) -> Json:
        state: Json = self.page.evaluate(STATE)
        return state

    @property
    def pieces(self) -> str:
        pieces: str = self.page.evaluate("document.querySelector('damka-board').pieces")
        return pieces

    @property
    def drawn(self) -> list[str]:
        """Where the board has drawn its pieces."""
        places: list[str] = self.page.evaluate(
            """[...document.querySelectorAll("damka-board [style*=translate]")]
              .map((piece) => piece.style.transform).sort()"""
        )
        return places

    @property
    def said(self) -> str:
        return self.page.inner_text("#say")

    @property
    def notice(self) -> str:
        """What the site says besides the page."""
        text: str = self.page.evaluate(
            "document.querySelector('.site-notice p')?.textContent ?? ''",
        )
        return text

    @property
    def worker(self) -> Worker:
        """The worker that plays with the page."""
        [worker] = [each for each in self.page.workers if each.url.endswith("/worker.js")]
        return worker

    @property
    def trouble(self) -> str:
        """What stands in the place of a page that cannot be shown."""
        text: str = self.page.evaluate(
            "document.querySelector('.site-trouble h1')?.textContent ?? ''"
        )
        return text

    def attempt(self, *squares: int) -> None:
        """Click on squares, whatever comes of it."""
        for square in squares:
            self.page.locator(f'[data-square="{square}"] .play').click(force=True)

    def at(self, square: int) -> tuple[float, float]:
        """The middle of a square on the screen."""
        box = self.page.locator(f'[data-square="{square}"] .play').bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def tap(self, *squares: int) -> None:
        """Tap on squares, one after the other."""
        for square in squares:
            self.page.touchscreen.tap(*self.at(square))

    def drag(self, *squares: int) -> None:
        """Drag a finger over squares."""
        devtools = self.page.context.new_cdp_session(self.page)
        points = [{"x": x, "y": y} for x, y in map(self.at, squares)]
        devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[:1]})
        for point in points[1:]:
            devtools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def no_room(self, *, full: bool = True) -> None:
        """Let the store have no room for more, or have it again.

        Chromium's own order for that, Storage.overrideQuotaForOrigin, has no effect on IndexedDB.
        """
        self.worker.evaluate(FULL, full)

    def crash(self) -> None:
        """End the page's process."""
        browser = self.page.context.browser
        assert browser is not None
        root = browser.new_browser_cdp_session()
        mine = self.page.context.new_cdp_session(self.page).send("Target.getTargetInfo")
        target = {"targetId": mine["targetInfo"]["targetId"]}
        # It never answers: the order goes to it in a letter.
        order = {
            "sessionId": root.send("Target.attachToTarget", target)["sessionId"],
            "message": '{"id": 1, "method": "Page.crash"}',
        }
        with self.page.expect_event("crash"):
            root.send("Target.sendMessageToTarget", order)

    def until(self, holds: Any, what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, f"never came: {what}; {self._told()}"
            self.page.wait_for_timeout(15)

    def _told(self) -> str:
        """What the page says of itself, where something has gone wrong."""
        return f"{self.page.url}: {self.page.inner_text('body')[:300]!r}; {self.complaints}"

    def play(self, move: Json) -> None:
        """Play one of the moves in the state; wait until it is kept and shown."""
        ply = self.state["ply"]
        self.settled()
        self.page.evaluate(PLAY, [move, move["route"]])
        self.until(lambda: self.state["ply"] > ply or self.state["result"], f"ply {ply + 1}")

    def play_on(self, seed: int, most: int, side: str = "") -> None:
        """Play moves drawn by lot to the end of the game, or so many."""
        self.page.evaluate(PLAY_ON, [seed, most, side])

    def settled(self) -> None:
        """Wait until the board shows the game."""
        self.until(lambda: self.page.evaluate(SETTLED), "the board shows the game")

    def type(self, text: str) -> None:
        self.page.fill("#typed-move", text)
        self.page.press("#typed-move", "Enter")

    def game(self) -> Game:
        """Save the game as a file, and read it here."""
        with self.page.expect_download() as saved:
            self.page.evaluate("document.querySelector('a[download][href$=\"/file\"]').click()")
        return Game.from_json(Path(saved.value.path()).read_bytes())

    def load(self, text: str, language: str = "en", query: str = "") -> Self:
        """Load a game, as the page does, and open it."""
        if "/index.html" not in self.page.url:
            self.open(f"{language}/index.html")
        told = self.page.evaluate(
            """async ([path, body]) => {
              const script = document.querySelector("script[type=module]").src;
              const { request } = await import(new URL("transport.js", script));
              return request(path, { body, type: "application/json" });
            }""",
            [f"/api/games/load{query}", text],
        )
        assert told["ok"], told
        self.open(f"{language}/game.html?game={told['told']['id']}")
        self.ready()
        return self.up()


@contextmanager
def context(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    options = {"locale": "en-US", "reduced_motion": "reduce", "accept_downloads": True, **options}
    made = browser.new_context(**options)
    made.add_init_script(LISTEN)
    yield made
    made.close()


def window(context: BrowserContext, host: Host) -> Window:
    return Window(context.new_page(), host, [])

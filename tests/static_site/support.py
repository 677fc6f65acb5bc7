"""Browser windows on the static site."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from playwright.sync_api import Browser, BrowserContext, Page, Worker

from damka import Game
from tests import chromium
from tests.chromium import Host

Json = dict[str, Any]

ALL: Final = os.environ.get("DAMKA_SITE") == "all"
"""Whether to run all tests, as in `make check-site`, or a sample."""

# Records the worker's messages to the page.
LISTEN: Final = """
window.received = [];
window.Worker = class extends Worker {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", ({ data }) => {
      if (data.frame) received.push(JSON.parse(data.frame));
    });
  }
};
const prefs = { pace: false, warn: false, sound: false };
localStorage.setItem("damka.prefs", JSON.stringify(prefs));
"""
PLAY_ON: Final = """async ([seed, most, side]) => {
  const board = document.querySelector("damka-board");
  const [form, text] = ["#typed", "#typed-move"].map((id) => document.querySelector(id));
  const state = () => received.filter(({ t }) => t === "state").at(-1);
  const until = async (condition) => {
    for (const deadline = Date.now() + 60000; !condition(); ) {
      if (Date.now() > deadline) throw new Error(`no progress after ${state().ply} plies`);
      for (const animation of document.getAnimations()) animation.finish();
      await new Promise((done) => setTimeout(done, 4));
    }
  };
  const ours = () => state().result || (!side || state().turn === side);
  const listed = () => document.querySelectorAll("#moves button").length;
  const still = () => board.pieces === state().pieces && listed() === state().history.length;
  for (let played = 0; played < most; played++) {
    await until(() => ours() && still());
    await new Promise((done) => setTimeout(done, 20));
    const { legal, ply, result } = state();
    if (result) return;
    seed = (1103515245 * seed + 12345) % 2147483648;
    const move = legal[Math.floor((seed / 2147483648) * legal.length)];
    text.value = move.text;
    form.requestSubmit();
    if (text.value) throw new Error(`${move.text} cannot be played`);
    await until(() => state().ply > ply || state().result);
  }
  await until(() => ours() && still());
}"""
"""Type up to `most` random moves, for one side or both."""
SETTLED: Final = """(({ pieces, history }) =>
  document.querySelector("damka-board").pieces === pieces
  && document.querySelectorAll("#moves button").length === history.length
  && !document.getAnimations().length)(received.filter(({ t }) => t === "state").at(-1))"""
KEPT_PLY: Final = """new Promise((done) => {
  const id = new URLSearchParams(location.search).get("game");
  const opening = indexedDB.open("damka");
  opening.onsuccess = () => {
    const reading = opening.result.transaction("shown").objectStore("shown").get(id);
    reading.onsuccess = () => {
      opening.result.close();
      done(reading.result ? JSON.parse(reading.result.shown).state.ply : null);
    };
  };
})"""
"""Return the ply of the stored state of the page's game, null without one."""
STATE: Final = "received.filter(({ t }) => t === 'state').at(-1) ?? null"

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
"""Change the stored data of the page's game: record, last state, or an entry of the log."""

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
"""In the game's worker: make the storage full or not."""


def squares(move: Json, playable: list[Json]) -> list[int]:
    """Return the clicks for a move: its ends, or the whole route if these are ambiguous."""
    ends = [(each["from"], each["to"]) for each in playable]
    is_unique = ends.count((move["from"], move["to"])) == 1
    return [move["from"], move["to"]] if is_unique else move["route"]


def files_without_storage(folder: Path) -> dict[str, bytes]:
    """Return replacements for `Host.replaced` with which the site cannot store anything."""
    [path] = folder.glob("static/*/store.js")
    text = path.read_text("utf-8")
    call = (
        "indexedDB.open(NAME,VERSION)"
        if "indexedDB.open(NAME,VERSION)" in text
        else "indexedDB.open(NAME, VERSION)"
    )
    assert call in text
    throw = '(() => { throw new DOMException("denied", "SecurityError"); })()'
    return {path.relative_to(folder).as_posix(): text.replace(call, throw).encode()}


class Window(chromium.Window):
    """One window on the site."""

    def __init__(self, page: Page, host: Host) -> None:
        super().__init__(page, host.url)
        self.host: Final = host

    def open(self, address: str) -> Self:
        self.page.goto(self.url + address)
        return self

    def wait_until_cached(self) -> Self:
        """Wait until the site is cached for offline use."""
        self.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        return self

    def publish_newer_version(self) -> None:
        """Serve a newer version of the site, with another title on the start page."""
        folder = self.host.folder
        page = (folder / "en" / "index.html").read_text("utf-8")
        worker = (folder / "sw.js").read_text("utf-8")
        self.host.replaced["en/index.html"] = page.replace("<title>Damka", "<title>Newer").encode()
        self.host.replaced["sw.js"] = worker.replace('VERSION = "', 'VERSION = "2', 1).encode()

    def new_game(self, rules: str, language: str = "en", **options: object) -> Self:
        parameters = {"opponent": "person", "colour": "first", **options}
        query = "&".join(f"{key}={value}" for key, value in parameters.items())
        self.open(f"{language}/game.html?rules={rules}&{query}")
        self.ready()
        return self.wait_until_joined()

    def ready(self) -> Self:
        """Wait until the page shows its game."""
        self.until(self.page.locator("body.ready").count, "the game's page")
        return self

    def wait_until_joined(self) -> Self:
        """Wait until the worker has joined the game."""
        self.until(lambda: self.page.evaluate(STATE), "the worker")
        return self

    @property
    def state(self) -> Json:
        state: Json = self.page.evaluate(STATE)
        return state

    @property
    def pieces(self) -> str:
        """Return the position on the board, or on that of the editor; "" before it is shown."""
        pieces: str = self.page.evaluate(
            "document.querySelector('damka-board, damka-editor')?.pieces ?? ''"
        )
        return pieces

    @property
    def piece_positions(self) -> list[str]:
        """Return the CSS positions of the pieces on the board, sorted."""
        places: list[str] = self.page.evaluate(
            """[...document.querySelectorAll("damka-board [style*=translate]")]
              .map((piece) => piece.style.transform).sort()"""
        )
        return places

    @property
    def status_text(self) -> str:
        return self.page.inner_text("#say")

    @property
    def notice(self) -> str:
        """Return the text of the site's notice."""
        text: str = self.page.evaluate(
            "document.querySelector('.site-notice p')?.textContent ?? ''",
        )
        return text

    @property
    def worker(self) -> Worker:
        """Return the game's worker."""
        [worker] = [each for each in self.page.workers if each.url.endswith("/worker.js")]
        return worker

    @property
    def error_text(self) -> str:
        """Return the error page's text."""
        text: str = self.page.evaluate(
            "document.querySelector('.site-error h1')?.textContent ?? ''"
        )
        return text

    def attempt(self, *squares: int) -> None:
        """Click on squares without waiting for a result."""
        for square in squares:
            self.page.locator(f'[data-square="{square}"] .play').click(force=True)

    def until_kept(self, ply: int) -> None:
        """Wait until the browser has stored the state that a reload shows at once."""
        self.until(lambda: self.page.evaluate(KEPT_PLY) == ply, "the stored state")

    def fill_storage(self, *, full: bool = True) -> None:
        """Make the game's storage full, or free it again.

        Chromium's own command, Storage.overrideQuotaForOrigin, has no effect on IndexedDB.
        """
        self.worker.evaluate(FULL, full)

    def crash(self) -> None:
        """Crash the page's process."""
        browser = self.page.context.browser
        assert browser is not None
        root = browser.new_browser_cdp_session()
        info = self.page.context.new_cdp_session(self.page).send("Target.getTargetInfo")
        target = {"targetId": info["targetInfo"]["targetId"]}
        # The command never returns, so send it without waiting.
        command = {
            "sessionId": root.send("Target.attachToTarget", target)["sessionId"],
            "message": '{"id": 1, "method": "Page.crash"}',
        }
        with self.page.expect_event("crash"):
            root.send("Target.sendMessageToTarget", command)

    def play(self, move: Json) -> None:
        """Click one of the legal moves; wait until it is stored and shown."""
        state = self.state
        ply = state["ply"]
        self.settled()
        self.click(*squares(move, [*state["legal"], *state["offences"]]))
        self.until(lambda: self.state["ply"] > ply or self.state["result"], f"ply {ply + 1}")

    def play_on(self, seed: int, most: int, side: str = "") -> None:
        """Play random moves to the end of the game, or at most `most`."""
        self.page.evaluate(PLAY_ON, [seed, most, side])

    def settled(self) -> None:
        """Wait until the board shows the game."""
        self.until(lambda: self.page.evaluate(SETTLED), "the board shows the game")

    def type(self, text: str) -> None:
        self.page.fill("#typed-move", text)
        self.page.press("#typed-move", "Enter")

    def game(self) -> Game:
        """Save the game as a file, and return its content."""
        with self.page.expect_download() as saved:
            self.page.evaluate("document.querySelector('a[download][href$=\"/file\"]').click()")
        return Game.from_json(Path(saved.value.path()).read_bytes())

    def load(self, text: str, language: str = "en", query: str = "") -> Self:
        """Load and open a game as the start page does, from any page of the site."""
        if not self.page.url.startswith(self.url):
            self.open(f"{language}/index.html")
        reply = self.page.evaluate(
            """async ([path, body]) => {
              const script = document.querySelector("script[type=module]").src;
              const { request } = await import(new URL("transport.js", script));
              return request(path, { body, type: "application/json" });
            }""",
            [f"/api/games/load{query}", text],
        )
        assert reply["ok"], reply
        self.open(f"{language}/game.html?game={reply['data']['id']}")
        self.ready()
        return self.wait_until_joined()


@contextmanager
def open_context(browser: Browser, **options: Any) -> Iterator[BrowserContext]:
    options = {"locale": "en-US", "reduced_motion": "reduce", "accept_downloads": True, **options}
    context = browser.new_context(**options)
    context.add_init_script(LISTEN)
    yield context
    context.close()


def open_window(context: BrowserContext, host: Host) -> Window:
    return Window(context.new_page(), host)

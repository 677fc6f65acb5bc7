"""The static site in Chromium: `make site site-tests`, then `python -m bench browser`.

Sizes are those of files compressed with gzip, as hosts send them. A first visit opens the page of a
new game of international draughts against the computer in an empty browser, and makes a move as
soon as there is a board; the next visit has what the first has kept. Both are measured as this
machine is, and as a phone of the middle range is taken to be: a quarter of the processor, 10
Mbit/s. Times count from the page's opening and are the page's own; medians of some visits.

A move is on the board before Python runs. It is carried out, stored and answered once it does.
"""

from __future__ import annotations

import functools
import gzip
import json
import os
import shutil
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, sync_playwright
from tools.prerequisites import CHROMIUM_NAMES
from tools.static_site import sizes

from bench import browser_kernel
from bench.browser_host import Host
from bench.browser_processes import proportional_bytes, renderers, slowed
from bench.figures import Figure
from bench.peers import PeerError

__all__ = ["run"]

ROOT: Final = Path(__file__).parents[1]
SITE: Final = ROOT / "dist" / "site"
FLAGS: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")
RULES: Final = "international"
PAGE: Final = f"en/game.html?rules={RULES}&opponent=computer&colour=first&level="
SLOWER: Final = 4.0
BITS: Final = 10e6
BOARD_SECONDS: Final = 1.0
MOVE_SECONDS: Final = {"first": 8.0, "next": 3.0}
MEMORY: Final = 160_000_000
LEVEL: Final = 3
STRONG: Final = 9
REPLIES: Final = 8

# Notes when the page shows what, and plays for White: MOST moves, the first as soon as there is a
# board.
_PLAY: Final = """
localStorage.setItem("damka.prefs", JSON.stringify({ pace: false, warn: false, sound: false }));
window.at = {};
const note = (what) => void (at[what] ??= performance.now() / 1000);
let left = MOST;
let last = 0;
const play = (move) => {
  if (left-- > 0)
    document.querySelector("damka-board")
      .dispatchEvent(new CustomEvent("play", { detail: { move, route: move.route, legs: 0 } }));
};
window.Worker = class extends Worker {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", ({ data }) => {
      const told = data.frame && JSON.parse(data.frame);
      if (told?.t !== "state") return;
      note(`ply ${told.ply}`);
      if (told.ply <= last || told.turn !== "W") return;
      last = told.ply;
      const soon = () => {
        const { pieces } = document.querySelector("damka-board");
        if (pieces === told.pieces) setTimeout(() => play(told.legal[0]), 50);
        else setTimeout(soon, 10);
      };
      soon();
    });
  }
};
const look = () => {
  const board = document.querySelector("damka-board");
  const shown = document.body?.classList.contains("ready") && board?.pieces;
  if (!shown) return void requestAnimationFrame(look);
  note("board");
  const { pieces } = board;
  play(FIRST);
  const moved = () => (board.pieces === pieces ? requestAnimationFrame(moved) : note("move"));
  moved();
};
requestAnimationFrame(look);
"""
_UNTIL: Final = """(what) => new Promise((done) => {
  const look = () => (what in at ? done(at) : setTimeout(look, 10));
  look();
})"""


class Visit(NamedTuple):
    """What happened when, in seconds from the page's opening."""

    board: float
    move: float
    stored: float
    answered: float


def run(repeats: int = 3) -> list[Figure]:
    """Return the figures. Raises PeerError where the site is not built or there is no Chromium."""
    if not SITE.exists():
        raise PeerError("there is no site: run `make site site-tests`")
    found = os.environ.get("DAMKA_CHROMIUM") or next(
        filter(None, map(shutil.which, CHROMIUM_NAMES)), None
    )
    if found is None:
        raise PeerError("no Chromium: run `python3 tools/prerequisites.py chromium`")
    with sync_playwright() as playwright:
        launched = functools.partial(
            playwright.chromium.launch, executable_path=found, args=[*FLAGS]
        )
        with Host(SITE) as host:
            here = _measured(launched, host, 1, repeats, "")
            memory = _memory(launched, host)
        with Host(SITE, BITS) as host:
            phone = _measured(
                launched, host, SLOWER, repeats, f", {BITS / 1e6:g} Mbit/s, 1/{SLOWER:g} processor"
            )
        with launched() as browser:
            kernel = browser_kernel.run(browser, repeats)
    return [*_sizes(), *here, *phone, memory, *kernel]


def _measured(
    launched: Callable[[], Browser], host: Host, slower: float, repeats: int, where: str
) -> list[Figure]:
    visits: dict[str, list[Visit]] = {kind: [] for kind in MOVE_SECONDS}
    sent: dict[str, int] = {}
    for _ in range(repeats):
        with launched() as browser:
            for kind, visit, size in _visits(browser, host, slower):
                visits[kind].append(visit)
                sent[kind] = max(sent.get(kind, 0), size)
    figures: list[Figure] = []
    for kind, each in visits.items():
        figures += _times(kind, each, where, goals=slower > 1)
        if slower == 1:
            figures.append(
                Figure(f"{kind} visit: sent until the answer", f"{sent[kind] / 1e6:.2f} MB")
            )
    return figures


def _sizes() -> Iterator[Figure]:
    whole = sizes.compressed(SITE)
    yield Figure(
        "the whole site",
        f"{whole / 1e6:.2f} MB",
        goal=f"under {sizes.MOST / 1e6:g} MB",
        met=whole < sizes.MOST,
    )
    for variant, path in browser_kernel.WASM.items():
        packed = len(gzip.compress(path.read_bytes(), 9))
        yield Figure(f"kernel {variant}", f"{packed / 1e6:.2f} MB")


def _script(most: int) -> str:
    start = json.loads((SITE / "en" / "start" / f"{RULES}.json").read_text("utf-8"))
    first = json.dumps(start["state"]["legal"][0])
    return _PLAY.replace("MOST", str(most)).replace("FIRST", first)


def _context(browser: Browser, most: int) -> BrowserContext:
    context = browser.new_context(reduced_motion="reduce", locale="en-US")
    context.add_init_script(_script(most))
    return context


def _visits(browser: Browser, host: Host, slower: float) -> Iterator[tuple[str, Visit, int]]:
    """Yield what happened at a first visit and at the next one, and the bytes sent."""
    context = _context(browser, 1)
    for kind in MOVE_SECONDS:
        page, before = context.new_page(), host.sent
        with slowed(browser, slower):
            page.goto(f"{host.url}{PAGE}{LEVEL}")
            at: dict[str, Any] = page.evaluate(_UNTIL, "ply 2")
        yield kind, Visit(at["board"], at["move"], at["ply 1"], at["ply 2"]), host.sent - before
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.close()
    context.close()


def _times(kind: str, visits: list[Visit], where: str, *, goals: bool) -> Iterator[Figure]:
    limits = (BOARD_SECONDS, MOVE_SECONDS[kind], MOVE_SECONDS[kind], None)
    names = ("a board", "a move on it", "the move carried out", "the answer to it")
    for name, limit, seconds in zip(names, limits, zip(*visits, strict=True), strict=True):
        median = statistics.median(seconds)
        goal = limit if goals else None
        yield Figure(
            f"{kind} visit: {name}{where}",
            f"{median:.2f} s",
            goal="" if goal is None else f"{goal:g} s",
            met=None if goal is None else median <= goal,
        )


def _memory(launched: Callable[[], Browser], host: Host) -> Figure:
    """Return what the site adds to the memory of an empty page."""
    browser = launched()
    browser.new_page().goto("about:blank")
    empty = min(map(proportional_bytes, renderers(browser)))
    browser.close()
    browser = launched()
    page = _context(browser, REPLIES).new_page()
    page.goto(f"{host.url}{PAGE}{STRONG}")
    page.evaluate(_UNTIL, f"ply {2 * REPLIES}")
    site = max(map(proportional_bytes, renderers(browser)))
    browser.close()
    return Figure(
        f"memory after {REPLIES} moves against level {STRONG} with learned weights",
        f"{(site - empty) / 1e6:.0f} MB",
        f"an empty page {empty / 1e6:.0f} MB",
        goal=f"{MEMORY / 1e6:g} MB",
        met=site - empty <= MEMORY,
    )

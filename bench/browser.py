"""The static site and the kernel in Chromium, after `make site js`.

A first visit opens the page of a new game of international draughts against the computer with empty
caches, and taps a move as soon as the board appears; the next visit reuses the caches. Both are
measured at full speed and as on a mid-range phone: a quarter of the CPU speed, 10 Mbit/s. The page
measures the times, from when it opens. The board shows a move before Python runs; Python then
validates it, stores it and replies.

The kernel is the JavaScript package's. Runs alternate with the native kernel, and CPU times are
compared.
"""

from __future__ import annotations

import gzip
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from tests.chromium import FLAGS, TOUCH, executable
from tools.static_site import sizes

from bench.browser_machine import (
    Host,
    processor_seconds,
    proportional_bytes,
    renderers,
    slowed,
)
from bench.figures import Figure, Say
from bench.peers import ROOT, PeerError
from damka import Board
from damka.engine import Engine

__all__ = ["run"]

SITE: Final = ROOT / "dist" / "site"
PACKAGE: Final = ROOT / "dist" / "damka-js"
WASM: Final = {"with SIMD": "damka-simd.wasm", "plain": "damka.wasm"}
RULES: Final = "international"
PAGE: Final = f"en/game.html?rules={RULES}&opponent=computer&colour=first&level="
SLOWER: Final = 4.0
BITS: Final = 10e6
EVENTS: Final = {
    "board": "the board",
    "move": "a move on the board",
    "ply 1": "the move accepted",
    "ply 2": "the computer's reply",
}
GOALS: Final = {"first": (1.0, 8.0, 8.0, None), "next": (1.0, 3.0, 3.0, None)}
"""Seconds until each event on a phone, by visit."""
MEMORY: Final = 160_000_000
REPLIES: Final = 8
TIMEOUT: Final = 180.0
"""Timeout of each step, in seconds, for the slow phone."""

# Records when the page shows each event. Moves come from taps only.
_WATCH: Final = """
localStorage.setItem("damka.prefs", JSON.stringify({ pace: false, warn: false, sound: false }));
window.at = {};
const note = (what) => void (at[what] ??= performance.now() / 1000);
const element = () => document.querySelector("damka-board");
window.Worker = class extends Worker {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", ({ data }) => {
      const state = data.frame && JSON.parse(data.frame);
      if (state?.t !== "state") return;
      window.state = state;
      note(`ply ${state.ply}`);
    });
  }
};
const look = () => {
  const pieces = document.body?.classList.contains("ready") && element()?.pieces;
  if (!pieces) return void requestAnimationFrame(look);
  note("board");
  const moved = () =>
    (element().pieces === pieces ? requestAnimationFrame(moved) : note("move"));
  moved();
};
requestAnimationFrame(look);
"""
_PLACES: Final = """([from, to]) => [from, to].map((square) => {
  const place = document.querySelector(`damka-board [data-square="${square}"] .play`);
  const { x, y, width, height } = place.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})"""
_NEXT_MOVE: Final = """(ply) => new Promise((done) => {
  const look = () => {
    const { legal, pieces } = window.state ?? {};
    const shown = state?.ply === ply && element().pieces === pieces;
    if (!shown || document.getAnimations().length) return void setTimeout(look, 20);
    const ends = legal.map(({ from, to }) => `${from} ${to}`);
    const [only] = legal.filter((_, i) => ends.indexOf(ends[i]) === ends.lastIndexOf(ends[i]));
    setTimeout(() => done([only.from, only.to]), 50);
  };
  look();
})"""
"""The squares of a move that two taps define uniquely, once the board shows this many plies."""
_UNTIL: Final = """(what) => new Promise((done) => {
  const look = () => (what in at ? done(at) : setTimeout(look, 10));
  look();
})"""


def run(*, quick: bool, say: Say) -> list[Figure]:
    """Return the figures. Raises PeerError without the built site, or without Chromium."""
    if not (SITE.exists() and PACKAGE.exists()):
        raise PeerError("the site or the package has not been built: run `make site js`")
    runs = 1 if quick else 3
    figures = list(_sizes())
    with sync_playwright() as playwright:

        def launch() -> Browser:
            return playwright.chromium.launch(executable_path=_chromium(), args=[*FLAGS])

        for bits, slower in ((None, 1.0), (BITS, SLOWER)):
            visits: dict[tuple[str, str], list[float]] = {}
            with Host(SITE, bits) as host:
                for n in range(1, runs + 1):
                    say(f"visits at 1/{slower:g} CPU speed, run {n} of {runs}")
                    with launch() as browser:
                        for visit, seconds in _visits(browser, host, slower):
                            visits.setdefault(visit, []).append(seconds)
                figures += _times(visits, phone=slower > 1)
                if slower == 1:
                    say("memory")
                    figures.append(_memory(launch, host))
        say("the kernel")
        with launch() as browser:
            figures += _kernel(browser, runs, quick=quick)
    return figures


def _chromium() -> str:
    try:
        return executable()
    except AssertionError as error:
        raise PeerError(str(error)) from error


def _sizes() -> Iterator[Figure]:
    whole = sizes.compressed(SITE)
    yield Figure(
        "the whole site, compressed",
        f"{whole / 1e6:.2f} MB",
        goal=f"under {sizes.MOST / 1e6:g} MB",
        met=whole < sizes.MOST,
    )
    for variant, name in WASM.items():
        packed = len(gzip.compress((PACKAGE / name).read_bytes(), 9))
        yield Figure(f"kernel {variant}", f"{packed / 1e6:.2f} MB")


def _context(browser: Browser) -> BrowserContext:
    context = browser.new_context(reduced_motion="reduce", locale="en-US", **TOUCH)
    context.set_default_timeout(TIMEOUT * 1000)
    context.add_init_script(_WATCH)
    return context


def _first_move() -> tuple[int, int]:
    """Return the squares of the first legal move."""
    move = Board(RULES).legal_moves[0]
    return move.start, move.end


def _tap(page: Page, squares: tuple[int, int]) -> None:
    """Make a move by taps."""
    for x, y in page.evaluate(_PLACES, squares):
        page.touchscreen.tap(x, y)


def _visits(browser: Browser, host: Host, slower: float) -> Iterator[tuple[tuple[str, str], float]]:
    """Yield the seconds until each event, and the megabytes sent, for the first two visits."""
    context = _context(browser)
    for kind in GOALS:
        page, before = context.new_page(), host.sent
        with slowed(browser, slower):
            page.goto(f"{host.url}{PAGE}3", wait_until="commit")
            page.evaluate(_UNTIL, "board")
            _tap(page, _first_move())
            at: dict[str, Any] = page.evaluate(_UNTIL, "ply 2")
        for event in EVENTS:
            yield (kind, event), at[event]
        yield (kind, "sent"), (host.sent - before) / 1e6
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.close()
    context.close()


def _times(visits: dict[tuple[str, str], list[float]], *, phone: bool) -> Iterator[Figure]:
    where = f", {BITS / 1e6:g} Mbit/s, 1/{SLOWER:g} CPU" if phone else ""
    for kind, goals in GOALS.items():
        for (event, name), goal in zip(EVENTS.items(), goals, strict=True):
            median = statistics.median(visits[kind, event])
            met = None if goal is None or not phone else median <= goal
            shown = "" if met is None else f"{goal:g} s"
            yield Figure(f"{kind} visit: {name}{where}", f"{median:.2f} s", goal=shown, met=met)
        sent = max(visits[kind, "sent"])
        yield Figure(f"{kind} visit: sent before the reply{where}", f"{sent:.2f} MB")


def _memory(launch: Callable[[], Browser], host: Host) -> Figure:
    """Return the memory that the site uses beyond that of an empty page."""
    # One after the other: concurrent browsers share memory.
    with launch() as browser:
        browser.new_page().goto("about:blank")
        before = min(map(proportional_bytes, renderers(browser)))
    with launch() as browser:
        page = _context(browser).new_page()
        page.goto(f"{host.url}{PAGE}9")
        for ply in range(0, 2 * REPLIES, 2):
            _tap(page, page.evaluate(_NEXT_MOVE, ply))
        page.evaluate(_UNTIL, f"ply {2 * REPLIES}")
        after = max(map(proportional_bytes, renderers(browser)))
    return Figure(
        f"memory after {REPLIES} moves against level 9 with learned weights",
        f"{(after - before) / 1e6:.0f} MB",
        f"an empty page {before / 1e6:.0f} MB",
        goal=f"{MEMORY / 1e6:g} MB",
        met=after - before <= MEMORY,
    )


# The kernel

NODES: Final = 1_000_000
HASH_MB: Final = 32
_PAGE: Final = """<!doctype html><script type="module">
import { Board, SearchTable, init, loadRules, loadWeights } from "./index.js";
window.ready = async (wasm) => {
  await init({ wasm });
  const rules = await loadRules("RULES");
  const board = new Board(rules);
  const limits = { nodes: NODES, weights: await loadWeights(rules) };
  window.perft = () => void board.perft(DEPTH);
  window.search = () => void board.search({ ...limits, table: new SearchTable({ mb: HASH_MB }) });
};
</script>"""


def _kernel(browser: Browser, runs: int, *, quick: bool) -> Iterator[Figure]:
    """Yield the figures of perft and search for both variants: medians of the runs."""
    depth = 7 if quick else 9
    amounts = {"perft": Board(RULES).perft(depth), "search": NODES}
    seconds: dict[tuple[str, str], list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = shutil.copytree(PACKAGE, Path(name, "package"))
        page = _PAGE.replace("RULES", RULES).replace("DEPTH", str(depth))
        page = page.replace("NODES", str(NODES)).replace("HASH_MB", str(HASH_MB))
        (folder / "bench.html").write_text(page, "utf-8")
        with Host(folder) as host:
            for _ in range(runs):
                times = {"native": _native(depth)}
                times |= {each: _in_browser(browser, host, WASM[each]) for each in WASM}
                for variant, both in times.items():
                    for what, spent in zip(amounts, both, strict=True):
                        seconds.setdefault((what, variant), []).append(spent)
    names = {"perft": f"perft {depth}, leaves/s", "search": "search, positions/s"}
    for what, amount in amounts.items():
        rates = {each: amount / statistics.median(seconds[what, each]) / 1e6 for each in times}
        for variant in WASM:
            yield Figure(
                f"{RULES}, {names[what]}, kernel {variant}",
                f"{rates[variant]:.2f} M",
                f"native {rates['native']:.2f} M",
                rates[variant] / rates["native"],
            )


def _native(depth: int) -> tuple[float, float]:
    """Return the CPU seconds of perft and of a search."""
    board, engine = Board(RULES), Engine(hash_mb=HASH_MB)
    engine.search(board, depth=1)  # reads the weights
    started = time.process_time()
    board.perft(depth)
    between = time.process_time()
    engine.search(board, nodes=NODES)
    return between - started, time.process_time() - between


def _in_browser(browser: Browser, host: Host, wasm: str) -> tuple[float, float]:
    with browser.new_page() as page:
        page.goto(f"{host.url}bench.html")
        page.evaluate("(wasm) => ready(wasm)", wasm)
        times = []
        for what in ("perft", "search"):
            # A warm-up: later runs use better compiled code.
            page.evaluate(f"{what}()")
            process = max(renderers(browser), key=processor_seconds)
            started = processor_seconds(process)
            page.evaluate(f"{what}()")
            times.append(processor_seconds(process) - started)
    return times[0], times[1]

"""The kernel in Chromium beside the native one: perft and search of international draughts.

The calls are written down natively, over the flat library that `make site-tests` builds, and made
again in a page. Both are measured in processor seconds and in turn.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page
from tools import bridge

from bench.browser_host import Host
from bench.browser_processes import processor_seconds, renderers
from bench.figures import Figure
from bench.peers import PeerError
from damka import Board, rules
from damka.engine import Engine
from damka.engine.weights import read
from damka.engine.weights.shipped import shipped_file

__all__ = ["run"]

ROOT: Final = Path(__file__).parents[1]
LIBRARY: Final = ROOT / "build" / "site" / "libdamka_flat.so"
WASM: Final = {
    "with SIMD": ROOT / "build" / "wasm" / "damka-simd.wasm",
    "plain": ROOT / "build" / "wasm" / "damka.wasm",
}
RULES: Final = "international"
DEPTH: Final = 9
NODES: Final = 1_000_000
HASH_MB: Final = 32
EVER: Final = float("inf")
_CORE: Final = "damka_bench_core"
_PAGE: Final = """<!doctype html><script type="module">
import { Kernel } from "./kernel.js";
const bytes = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
let calls, kernel;
const again = ([name, data, numbers]) => {
  const n = kernel.call(name, bytes(data), ...numbers);
  if (n < 0) throw new Error(`${name}: ${n}`);
};
window.prepared = async (file) => {
  calls ??= await (await fetch("calls.json")).json();
  kernel = await Kernel.open(await WebAssembly.compileStreaming(fetch(file)));
  for (const call of calls.slice(0, -2)) again(call);
};
window.perft = () => again(calls.at(-2));
window.search = () => again(calls.at(-1));
</script>"""


def run(browser: Browser, repeats: int = 3) -> list[Figure]:
    """Return the figures of both variants: medians of `repeats` turns."""
    for path in (LIBRARY, *WASM.values()):
        if not path.exists():
            raise PeerError(f"{path.name} is not built: run `make site site-tests`")
    times: dict[tuple[str, str], list[float]] = {}
    with _served() as url:
        page = browser.new_page()
        page.goto(url)
        for _ in range(repeats):
            for what, seconds in _native():
                times.setdefault((what, "native"), []).append(seconds)
            for variant, path in WASM.items():
                for what, seconds in _in_browser(browser, page, path.name):
                    times.setdefault((what, variant), []).append(seconds)
        page.close()
    return [_figure(what, variant, times) for what in ("perft", "search") for variant in WASM]


def _figure(what: str, variant: str, times: dict[tuple[str, str], list[float]]) -> Figure:
    amount = Board(RULES).perft(DEPTH) if what == "perft" else NODES
    mine, native = (
        statistics.median(amount / seconds for seconds in times[what, how])
        for how in (variant, "native")
    )
    name = (
        f"perft {RULES} {DEPTH}, leaves/s" if what == "perft" else f"search, {RULES}, positions/s"
    )
    return Figure(
        f"{name}, kernel {variant}",
        f"{mine / 1e6:.2f} M",
        f"native {native / 1e6:.2f} M",
        mine / native,
    )


def _native() -> Iterator[tuple[str, float]]:
    board, engine = Board(RULES), Engine(hash_mb=HASH_MB)
    engine.search(board, depth=1)  # reads the weights
    started = time.process_time()
    board.perft(DEPTH)
    between = time.process_time()
    yield "perft", between - started
    started = time.process_time()
    engine.search(board, nodes=NODES)
    yield "search", time.process_time() - started


def _in_browser(browser: Browser, page: Page, file: str) -> Iterator[tuple[str, float]]:
    for what in ("perft", "search"):
        page.evaluate("(file) => prepared(file)", file)
        # Once before it counts: until then the browser compiles better code.
        page.evaluate(f"{what}()")
        process = max(renderers(browser), key=processor_seconds)
        started = processor_seconds(process)
        page.evaluate(f"{what}()")
        yield what, processor_seconds(process) - started


@contextmanager
def _served() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "index.html").write_text(_PAGE, "utf-8")
        (folder / "calls.json").write_text(json.dumps(_calls()), "utf-8")
        shutil.copy(ROOT / "js" / "kernel.js", folder)
        for path in WASM.values():
            shutil.copy(path, folder)
        with Host(folder) as host:
            yield f"{host.url}index.html"


def _calls() -> list[tuple[str, str, tuple[int, ...]]]:
    """Return calls that end with perft and a search: (name, input in base64, numbers)."""
    os.environ["DAMKA_LIBRARY"] = str(LIBRARY)
    core: Any = bridge.load(_CORE)
    kernel: Any = sys.modules[f"{_CORE}.kernel"]
    calls: list[tuple[str, str, tuple[int, ...]]] = []
    behind = kernel._call

    def written(name: str, data: bytes, numbers: tuple[int, ...]) -> int:
        calls.append((name, base64.b64encode(data).decode(), numbers))
        n: int = behind(name, data, numbers)
        return n

    kernel._call = written
    played = rules.load(RULES)
    board, engine = core.Board(played, None, None), core.Engine(HASH_MB << 20)
    path = shipped_file(played)
    assert path is not None, f"no weights for {RULES}"
    file = read(path)
    weights = core.Weights(played, file.numbers, file.step, file.full_board, file.margins)
    board.perft(DEPTH)
    engine.search(
        board,
        choices=None,
        depth=100,
        nodes=NODES,
        seconds=EVER,
        target=EVER,
        lines=1,
        handicap=None,
        tables=None,
        stop=None,
        on_depth=None,
        weights=weights,
    )
    kernel._call = behind
    return calls

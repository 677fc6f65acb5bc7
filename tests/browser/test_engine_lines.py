"""The engine's lines on the page Analyse: on this device, with the kernel for browsers."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from damka import Board, box, rules
from damka.tablebase import build
from tests.browser.slow import Slow
from tests.browser.support import Window, open_window
from tests.javascript.support import built
from tests.server.support import LIMITS, Server, serving
from tests.slowness import slowness

RECORD = """
const { Worker } = window;
window.received = [];
window.Worker = class extends Worker {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", ({ data }) => received.push(data));
  }
};
"""
"""Record the messages of workers."""
DEPTH = "() => Number(/\\d+/.exec(document.querySelector('.progress')?.textContent)?.[0] ?? 0)"
FINAL = "() => received.at(-1)?.final === true"


@pytest.fixture(scope="module")
def kernel_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    tables = tmp_path_factory.mktemp("tables")
    build(rules.load("american"), 3, tables)
    folder = tmp_path_factory.mktemp("kernel")
    with serving(folder, kernel=built(), tablebases=tables) as server:
        yield server


@pytest.fixture
def window(browser: Browser, kernel_server: Server) -> Iterator[Window]:
    with open_window(browser, kernel_server.url, own=True) as window:
        window.page.add_init_script(RECORD)
        yield window


def set_hidden(page: Page, hidden: bool) -> None:
    """Hide the tab, or show it: headless Chromium shows every tab at once."""
    page.evaluate(
        """hidden => {
          const state = hidden ? "hidden" : "visible";
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
        }""",
        hidden,
    )


def deepens(page: Page, least: int = 1) -> int:
    """Wait until the lines have a depth; return it."""
    page.wait_for_function(f"least => ({DEPTH})() >= least", arg=least)
    expect(page.locator(".engine-lines .line:not(.empty)").first).to_be_visible()
    return int(page.evaluate(DEPTH))


def test_lines_deepen_and_their_moves_can_be_played(window: Window) -> None:
    page = window.open("/analyse/russian").page
    board = Board("russian")
    depth = deepens(page)
    deepens(page, depth + 1)
    first, rest = page.locator(".line .first").first, page.locator(".line .rest").first
    assert first.inner_text() in {board.text(move, labels=True) for move in board.legal_moves}
    expect(page.locator("#evaluation")).to_have_attribute(
        "aria-label", re.compile("^White .*Draw", re.DOTALL)
    )
    expect(page.locator(".note-line")).to_contain_text("%")

    # A line plays on a small board while it has the focus or the mouse.
    rest.hover()
    expect(page.locator(".line-board svg")).to_be_visible()
    page.wait_for_selector(".line .rest .now")
    page.mouse.move(5, 5)
    expect(page.locator(".line-board")).to_be_hidden()
    first.focus()
    page.keyboard.press("Tab")
    expect(page.locator(".line-board")).to_be_visible()

    # A move is played by its button, and the best one by the space bar.
    first.click()
    window.until(lambda: window.pieces != board.pieces, "the move is played")
    deepens(page)
    pieces = window.pieces
    page.locator("#turn-board").focus()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    window.until(lambda: window.pieces != pieces, "the best move is played")
    expect(page.locator("#tree .move")).to_have_count(2)

    # Threat mode: lines of the opponent.
    deepens(page)
    page.keyboard.press("x")
    expect(page.locator(".note-line")).to_have_text("Black to move instead:")
    deepens(page)
    page.keyboard.press("x")


def test_the_engine_stops_and_remembers_its_settings(window: Window) -> None:
    page = window.open("/analyse/international").page
    deepens(page, 4)
    set_hidden(page, True)
    page.wait_for_function(FINAL)
    count = page.evaluate("received.length")
    set_hidden(page, False)
    page.wait_for_function("count => received.length > count", arg=count)
    deepens(page, 4)

    page.get_by_role("button", name="Line settings").click()
    page.locator(".lines-settings label", has_text="4").click()
    expect(page.locator(".engine-lines .line")).to_have_count(4)
    page.get_by_label("Hide scores").check()
    expect(page.locator("#evaluation")).not_to_be_visible()
    page.get_by_role("switch", name="Engine").click()
    expect(page.locator(".note-line")).to_have_text("The engine is off.")
    page.wait_for_function(FINAL)

    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.get_by_role("switch", name="Engine")).not_to_be_checked()
    assert page.evaluate("received.length") == 0
    page.keyboard.press("l")
    deepens(page)
    expect(page.locator(".engine-lines .line:not(.empty)")).to_have_count(4)


def test_a_new_position_is_searched_at_once(window: Window) -> None:
    page = window.open("/analyse/american").page
    deepens(page, 10)
    took = page.evaluate("""() => new Promise((done) => {
      const start = performance.now();
      const seen = received.length;
      document.querySelector(".line .first").click();
      const wait = () => received.slice(seen).some(({ evaluation, final }) => evaluation && !final)
        && !document.querySelector(".progress").textContent.includes("…")
        ? done(performance.now() - start) : setTimeout(wait, 1);
      wait();
    })""")
    assert took / slowness() < 1000
    # The worker stopped by its flag, and kept its table.
    assert page.evaluate("crossOriginIsolated")
    assert page.evaluate("received.filter(({ module }) => module).length") == 1


SCORES = """async (cases) => {
  const script = document.querySelector("script[src$='analyse.js']").src;
  const scores = await import(script.replace("analyse.js", "scores.js"));
  const { describeScore, isOnly, percentages } = scores;
  const t = (key, values) => `${key} ${JSON.stringify(values)}`;
  const curve = { pieces: [1, 24], a: [100, 100], b: [50, 50], c: [1e6, 1e6] };
  const how = { curve, names: { W: "White", B: "Red" }, language: "it", t };
  const texts = cases.map(([line, turn]) => {
    const { badge, sentence, white } = describeScore(line, { turn, pieces: "w.b" }, how);
    return [badge, sentence.split(" ")[0].replace("analysis.lines.", ""), Math.round(100 * white)];
  });
  const line = (score, mate = null, table = false) => ({ score, mate, table, moves: [] });
  return {
    texts,
    sums: percentages({ win: 1 / 3, draw: 1 / 3, loss: 1 / 3 }),
    only: [
      [line(29990, 10), line(40)],
      [line(29990, 10), line(0, null, true)],
      [line(20), line(-29990, -10)],
      [line(20)],
    ].map(isOnly),
  };
}"""


def test_scores_are_shown_from_the_first_players_view(desktop: Window) -> None:
    page = desktop.open("/analyse/american").page

    def line(score: int, mate: int | None = None, table: bool = False) -> dict[str, object]:
        return {"score": score, "mate": mate, "table": table, "moves": ["22-18"]}

    cases = [
        (line(145), "W"),
        (line(145), "B"),
        (line(0), "W"),
        (line(29_987, 13), "W"),
        (line(-29_998, -2), "W"),
        (line(-29_998, -2), "B"),
        (line(15_100, None, True), "B"),
        (line(0, None, True), "W"),
    ]
    found = page.evaluate(SCORES, cases)
    assert found["texts"] == [
        ["+1,45", "chances", 85],
        ["−1,45", "chances", 15],
        ["0,00", "chances", 50],
        ["+#7", "wins_in.other", 100],
        ["−#1", "wins_in.one", 0],
        ["+#1", "wins_in.one", 100],
        ["−∞", "wins_table", 0],
        ["=", "draw_table", 50],
    ]
    assert sum(found["sums"]) == 100
    assert found["only"] == [False, True, True, False]


def test_the_servers_tables_and_its_engine_on_request(window: Window) -> None:
    """The device searches; the tables decide at once what they have."""
    page = window.open("/analyse/american?fen=W:WK14,K15:BK1").page
    note = page.locator(".note-line")
    expect(note).to_have_text(re.compile(r"White wins in \d+ moves\."))
    expect(page.locator(".line .score").first).to_have_text(re.compile(r"\+#\d+"))
    expect(page.locator(".line .first").first).to_have_text(re.compile(r"1[45]-\d+"))
    window.open("/analyse/american?fen=W:WK32:BK1")
    expect(note).to_have_text("The position is a draw.")
    window.open("/analyse/american?fen=W:WK2,19:BK11")
    expect(page.locator(".line .first small").first).to_have_text("only move")

    window.open("/analyse/american")
    deepens(page)
    page.get_by_role("button", name="Line settings").click()
    with page.expect_response("**/api/analysis?*") as response:
        page.get_by_role("button", name="Analyse on the server").click()
    assert '"tables":false' in (response.value.request.post_data or "")
    count = page.evaluate("received.length")
    deepens(page, 5)
    assert page.evaluate("received.length") == count, "the device does not search"
    page.get_by_role("button", name="Analyse on this device").click()
    page.wait_for_function("count => received.length > count", arg=count)


def test_house_rules_are_analysed(window: Window) -> None:
    house = rules.load("dama64").replace(name="kitchen", title={"en": "Kitchen"}, rows=2)
    page = window.open(f"/analyse?r={box.encode(house)}").page
    deepens(page)
    page.locator(".line .first").first.click()
    window.until(lambda: window.pieces != Board(house).pieces, "the move is played")
    deepens(page)


def test_without_the_kernel_the_server_analyses(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, kernel=tmp_path / "none") as server,
        open_window(browser, server.url) as window,
    ):
        page = window.open("/analyse/american").page
        deepens(page, 5)
        page.locator(".line .first").first.click()
        window.until(lambda: window.pieces != Board("american").pieces, "the move is played")
        deepens(page)


def test_the_server_analyses_when_the_kernel_does_not_load(
    browser: Browser, kernel_server: Server
) -> None:
    moves = "11-15,23-19,8-11"
    with open_window(browser, kernel_server.url, ignore_errors=True) as window:
        window.page.route("**/*.wasm", lambda route: route.abort())
        page = window.open(f"/analyse/american?moves={moves}").page
        deepens(page, 5)
        page.get_by_role("button", name="Line settings").click()
        expect(page.get_by_role("button", name="Analyse on this device")).to_be_visible()
        page.get_by_role("button", name="Review", exact=True).click()
        expect(page.locator("#review.final")).to_be_visible(timeout=60_000)


def test_without_kernel_and_server_there_are_no_lines(browser: Browser, tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, analysis_nodes=0)
    with (
        serving(tmp_path, kernel=tmp_path / "none", limits=limits) as server,
        open_window(browser, server.url) as window,
    ):
        page = window.open("/analyse/american").page
        page.wait_for_selector("body.ready")
        assert not page.locator("#lines").is_visible()
        page.goto(f"{server.url}/analyse/american?moves=11-15&review=1")
        alert = page.locator("#review [role=alert]")
        expect(alert).to_contain_text("This device cannot run the engine")


CRASHES = {
    "trap": "throw new WebAssembly.RuntimeError('unreachable')",
    "death": "reportError(new Error('dead'))",
}
"""Failures of the kernel and of its worker."""


OFF = """if (origin !== "null") localStorage["damka.lines"] = '{"on":false}';"""
"""Leave the workers to the review."""
LIVES = """
const { Worker } = window;
window.lives = 0;
window.Worker = class extends Worker {
  constructor(address, options) {
    const url = new URL(address);
    if (url.pathname.endsWith("analysis_worker.js")) url.searchParams.set("life", ++lives);
    super(url, options);
  }
};
"""
"""Number the engine's workers."""


def let_crash(page: Page, crash: str, times: int) -> None:
    """Let the engine's first workers fail at depth 4."""

    def serve(route: Route) -> None:
        response = route.fetch()
        text = response.text()
        if int(route.request.url.rpartition("life=")[2]) <= times:
            sent = "postMessage({id,evaluation:best});"
            assert sent in text
            text = text.replace(sent, f"{sent} if (depth > 3) {{ {crash} }}")
        route.fulfill(response=response, body=text)

    page.add_init_script(LIVES)
    page.route("**/analysis_worker.js*life=*", serve)


@pytest.fixture
def alone(browser: Browser, tmp_path: Path) -> Iterator[Window]:
    """A page whose server does not analyse."""
    limits = dataclasses.replace(LIMITS, analysis_nodes=0)
    with (
        serving(tmp_path, kernel=built(), limits=limits) as server,
        open_window(browser, server.url, own=True, ignore_errors=True) as window,
    ):
        yield window


def test_a_worker_loads_once_while_positions_are_passed(alone: Window) -> None:
    page = alone.page
    page.add_init_script(LIVES)
    page.clock.install()
    slow = Slow(page, "**/*.wasm")
    alone.open("/analyse/american?moves=11-15,23-19")
    alone.until(lambda: slow.held, "the kernel")
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
        page.clock.run_for(500)
    slow.let_go()
    deepens(page, 8)
    assert page.evaluate("lives") == 1


@pytest.mark.parametrize("crash", CRASHES.values(), ids=CRASHES)
def test_lines_continue_after_a_failure_of_the_kernel(alone: Window, crash: str) -> None:
    let_crash(alone.page, crash, 1)
    page = alone.open("/analyse/american?moves=11-15").page
    deepens(page, 8)
    assert page.evaluate("lives") == 2


def test_a_kernel_that_fails_again_is_reported_and_can_be_started(alone: Window) -> None:
    let_crash(alone.page, CRASHES["trap"], 2)
    page = alone.open("/analyse/american?moves=11-15").page
    expect(page.locator(".note-line")).to_have_text(re.compile("The engine stopped"))
    assert page.evaluate("lives") == 2
    expect(page.locator(".line .first").first).to_be_enabled()
    switch = page.get_by_role("switch", name="Engine")
    switch.click()
    switch.click()
    deepens(page, 8)
    assert "stopped" not in page.locator(".note-line").inner_text()


def test_a_review_continues_after_failures_of_the_kernel(alone: Window) -> None:
    alone.page.add_init_script(OFF)
    let_crash(alone.page, CRASHES["trap"], 2)
    page = alone.open("/analyse/american?moves=11-15,23-19,8-11&review=1").page
    expect(page.locator("#review [role=alert]")).to_have_text(re.compile("The engine stopped"))
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#review.final")).to_be_visible(timeout=60_000)


def test_the_page_says_that_its_kernel_does_not_load(browser: Browser, tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, analysis_nodes=0)
    with (
        serving(tmp_path, kernel=built(), limits=limits) as server,
        open_window(browser, server.url, ignore_errors=True) as window,
    ):
        window.page.route("**/*.wasm", lambda route: route.abort())
        page = window.open("/analyse/american?moves=11-15").page
        expect(page.locator(".note-line")).to_have_text(re.compile("The engine didn.t start"))
        page.get_by_role("button", name="Review", exact=True).click()
        expect(page.locator("#review [role=alert]")).to_be_visible()

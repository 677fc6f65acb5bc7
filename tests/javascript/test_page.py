"""The example page (games by mouse, touch and keys) and the board element."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Self

import pytest
from playwright.sync_api import Browser, Page, Response

from damka import Board, Move
from tests import chromium
from tests.chromium import PATIENCE, TOUCH, Host
from tests.javascript.support import PACKAGE

pytestmark = pytest.mark.browser

BOARD: Final = "document.querySelector('damka-board').board"
PAGE_STATE: Final = f"""(() => {{
  const board = {BOARD};
  return {{
    rules: board.rules.name, fen: board.fen, over: board.isOver,
    moves: board.moves.map(({{ hub }}) => hub),
    ready: !document.getAnimations().length,
  }};
}})()"""
SETTLED: Final = """([moves, side]) => {
  const view = document.querySelector("damka-board");
  const { board } = view;
  const shown = view.shadowRoot.querySelector("damka-squares").pieces === board.pieces;
  return board.moveCount >= moves && (board.turn === side || board.isOver) && shown
    && !document.getAnimations().length;
}"""


class Window(chromium.Window):
    """The example in a browser; `board` is the native board with the same moves."""

    def __init__(self, page: Page, url: str) -> None:
        super().__init__(page, url)
        self.loaded: dict[str, int] = {}
        self.listen("response", self._measure)

    def log(self, kind: str, text: str) -> None:
        self.errors.append(f"{kind}: {text}")

    def _measure(self, response: Response) -> None:
        name = response.url.rpartition("/sub/")[2]
        if response.ok and not name.startswith(("example/", "weights/")):
            self.loaded[name] = len(gzip.compress(response.body(), 9))

    def open(self) -> None:
        self.page.goto(f"{self.url}example/")
        self.settled(0, "W")

    def easy(self) -> Self:
        """Select the computer's fast, easy strength."""
        self.page.select_option("[name=strength]", "easy")
        return self

    def settled(self, moves: int, side: str) -> None:
        """Wait until the board shows at least `moves` moves and it is this side's turn."""
        self.page.wait_for_function(f"window.customElements && {BOARD}")
        self.page.wait_for_function(SETTLED, arg=[moves, side], timeout=PATIENCE * 1000)

    @property
    def page_state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.page.evaluate(PAGE_STATE)
        return state

    def board(self) -> Board:
        """Return the native board after the page's moves, and check that the page shows it."""
        page_state = self.page_state
        board = Board(page_state["rules"])
        for hub in page_state["moves"]:
            choices = [*board.legal_moves, *board.quiet_moves]
            board.push_unchecked(next(move for move in choices if move.hub() == hub))
        assert board.fen == page_state["fen"]
        return board

    def keys(self, square: int) -> None:
        """Move the focus to a square with arrow keys and press Enter."""
        focused = "document.querySelector('damka-board').shadowRoot.activeElement?.dataset.square"
        width = Board(self.page_state["rules"]).rules.row_length
        for _ in range(40):
            here = int(self.page.evaluate(focused))
            if here == square:
                break
            down = (square - 1) // width - (here - 1) // width
            step = ("ArrowDown" if down > 0 else "ArrowUp") if down else ""
            step = step or ("ArrowRight" if square > here else "ArrowLeft")
            self.page.keyboard.press(step)
        assert int(self.page.evaluate(focused)) == square
        self.page.keyboard.press("Enter")


@contextmanager
def window(browser: Browser, host: Host, *, own: bool = False, **options: Any) -> Iterator[Window]:
    with chromium.blank_page(browser, own=own, **options) as page:
        opened = Window(page, host.url)
        opened.open()
        yield opened
        opened.close()
        assert opened.errors == []


@pytest.fixture
def desk(browser: Browser, host: Host) -> Iterator[Window]:
    with window(browser, host) as opened:
        yield opened.easy()


@pytest.fixture
def phone(browser: Browser, host: Host) -> Iterator[Window]:
    with window(browser, host, **TOUCH) as opened:
        yield opened.easy()


def plain_move(board: Board) -> Move:
    """Return a legal move that two clicks select."""
    legal = board.legal_moves
    return next(
        move
        for move in legal
        if sum((move.start, move.end) == (other.start, other.end) for other in legal) == 1
        and len(move.captures) < 3
    )


def play_moves(window: Window, enter: Any, moves: int = 3, side: str = "W") -> None:
    for n in range(moves):
        board = window.board()
        if board.is_over:
            return
        move = plain_move(board)
        enter(move)
        window.settled(board.move_count + 2 if n >= 0 else 0, side)
        after = window.board()
        assert after.stack[board.move_count] == move


def test_moves_by_mouse(desk: Window) -> None:
    def clicked(move: Move) -> None:
        desk.click(move.start)
        desk.click(move.end)

    def dragged(move: Move) -> None:
        desk.drag(*move.route)

    play_moves(desk, clicked)
    play_moves(desk, dragged, 2)
    items = desk.page.locator("#moves li")
    assert items.count() == 5
    assert desk.page.inner_text("#status").startswith("Your move")


def test_moves_by_touch(phone: Window) -> None:
    def tapped(move: Move) -> None:
        phone.tap(move.start)
        phone.tap(move.end)

    play_moves(phone, tapped, 4)
    wide = phone.page.evaluate("document.documentElement.scrollWidth")
    assert wide == 390


def test_moves_by_keys(desk: Window) -> None:
    def keyed(move: Move) -> None:
        desk.keys(move.start)
        desk.keys(move.end)

    desk.page.keyboard.press("Tab")
    play_moves(desk, keyed, 3)


def test_an_illegal_move_is_undone(desk: Window) -> None:
    desk.click(22)
    desk.click(1)
    assert desk.page.inner_text("#status") == "That is not a legal move."
    assert desk.board().move_count == 0
    desk.drag(22, 15)
    assert desk.board().move_count == 0
    desk.settled(0, "W")


def test_another_game_and_side_with_a_hint_and_a_takeback(desk: Window) -> None:
    page = desk.page
    page.select_option("[name=rules]", "american")
    page.select_option("[name=side]", "W")
    page.click("text=New game")
    desk.settled(1, "W")  # Red begins
    assert desk.page_state["rules"] == "american"
    page.click("#hint")
    arrow = page.locator("damka-board .arrow .shaft")
    arrow.first.wait_for(state="attached")
    board = desk.board()
    move = plain_move(board)
    desk.click(move.start)
    desk.click(move.end)
    desk.settled(3, "W")
    page.click("#undo")
    desk.settled(1, "W")
    assert desk.board().move_count == 1
    before = desk.at(1)
    page.click("#flip")
    assert desk.at(32) == pytest.approx(before, abs=1)


OFFEND: Final = """() => {
  const view = document.querySelector("damka-board");
  const { board } = view;
  const captures = board.legalMoves.some((move) => move.isCapture);
  const offence = captures && board.quietMoves[0];
  const { hub, crowns, path } = offence || board.legalMoves[0];
  const detail = { move: { hub, crowns }, route: [...path], legs: 0 };
  const squares = view.shadowRoot.querySelector("damka-squares");
  squares.dispatchEvent(new CustomEvent("play", { detail }));
  return Boolean(offence);
}"""
"""Play a move that misses a capture if possible."""


def test_offences_in_games_with_huffing(desk: Window) -> None:
    page = desk.page
    page.select_option("[name=rules]", "dama100")
    page.select_option("[name=strength]", "easy")
    page.click("text=New game")
    page.wait_for_function(f"{BOARD}.rules.name === 'dama100'")
    desk.settled(0, "W")
    offences = 0
    for _ in range(12):
        count = len(desk.page_state["moves"])
        if desk.page_state["over"]:
            break
        offences += page.evaluate(OFFEND)
        desk.settled(count + 2, "W")
        desk.board()
    assert offences


def test_a_page_loads_only_the_needed_files(browser: Browser, host: Host) -> None:
    with window(browser, host, own=True) as opened:
        move = plain_move(opened.board())
        opened.click(move.start)
        opened.click(move.end)
        opened.settled(2, "W")
        assert "damka-simd.wasm" in opened.loaded
        assert "damka.wasm" not in opened.loaded
        assert {"index.js", "element/element.js", "search_worker.js"} <= opened.loaded.keys()
        assert sum(opened.loaded.values()) <= 350_000
        served = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*")}
        assert set(opened.loaded) <= served


ENGINE: Final = """async () => {
  const { Board, Engine, loadRules } = await import("damka");
  const board = new Board(await loadRules("international"));
  const engine = new Engine({ weights: "bundled" });
  const results = {};
  const code = (promise) => promise.then(() => "", ({ code }) => code);
  const depths = [];
  const onDepth = ({ depth }) => depths.push(depth);
  const first = await engine.search(board, { nodes: 30000, onDepth });
  results.first = [first.depth, first.move.text, depths.at(-1)];
  const same = board.search({ nodes: 30000 });
  results.general = same.depth > 0;
  const started = performance.now();
  const long = engine.search(board, { ms: 60000 });
  const queued = engine.search(board, { depth: 3 });
  setTimeout(() => engine.stop(), 500);
  results.stopped = (await long).move.text;
  results.queued = (await queued).depth;
  const aborted = new AbortController();
  setTimeout(() => aborted.abort(), 300);
  results.aborted = (await engine.search(board, { ms: 60000, signal: aborted.signal })).depth > 0;
  results.fast = performance.now() - started < 20000;
  results.before = await code(engine.search(board, { ms: 100, signal: AbortSignal.abort() }));
  results.limits = await code(engine.search(board, {}));
  results.size = await code((async () => new Engine({ hashMb: 5000 }))());
  const throws = () => { throw Object.assign(new Error("mine"), { code: "mine" }); };
  results.thrown = await code(engine.search(board, { ms: 60000, onDepth: throws }));
  results.over = (await engine.search(new Board("russian", "B:WK1:B"), { depth: 3 })).move;
  const missing = new Engine({ weights: "/none.weights" });
  results.missing = await code(missing.search(board, { depth: 2 }));
  const broken = new Engine({ worker: () => new Worker("/none.js") });
  results.broken = await code(broken.search(board, { depth: 2 }));
  const script = performance.getEntriesByType("resource")
    .find(({ name }) => name.endsWith("search_worker.js")).name;
  const crashing = new Engine({
    worker: () => {
      const worker = new Worker(script, { type: "module" });
      const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
      worker.postMessage({ module: new WebAssembly.Module(empty) });
      return worker;
    },
  });
  results.crashed = await code(crashing.search(board, { depth: 2 }));
  const ending = engine.search(board, { ms: 60000 });
  setTimeout(() => engine.close(), 200);
  await ending.catch(() => {});
  results.closed = await code(engine.search(board, { depth: 1 }));
  return results;
}"""


def test_the_engine_in_its_worker(browser: Browser, host: Host) -> None:
    with window(browser, host) as opened:
        page_state = opened.page.evaluate(ENGINE)
        depth, move, last = page_state.pop("first")
        assert depth == last >= 4
        board = Board("international")
        texts = {board.text(each) for each in board.legal_moves}
        assert {move, page_state.pop("stopped")} <= texts
        assert page_state == {
            "general": True,
            "queued": 3,
            "aborted": True,
            "fast": True,
            "before": "stopped",
            "limits": "no_limit",
            "size": "limits",
            "thrown": "mine",
            "over": None,
            "missing": "weights",
            "broken": "worker",
            "crashed": "worker",
            "closed": "closed",
        }


def test_the_element_is_isolated(desk: Window) -> None:
    """Styles are isolated in both directions, and the labels use the given words."""
    labels = desk.page.evaluate(
        """async () => {
          const { Board, loadRules } = await import("damka");
          const style = document.createElement("style");
          style.textContent = ".piece, .play, svg { display: none !important }";
          document.head.append(style);
          const view = document.createElement("damka-board");
          view.id = "second";
          view.style.width = "300px";
          const colours = ["Weiß", "Rot"];
          view.words = { board: "Brett: {title}", cell_man: "Stein, {colour}", colours };
          document.body.append(view);
          await view.show(new Board(await loadRules("american")));
          const squares = view.shadowRoot;
          return [
            squares.querySelector("svg").getAttribute("aria-label"),
            squares.querySelector('[data-square="1"]').getAttribute("aria-label"),
            getComputedStyle(squares.querySelector(".piece")).display,
            document.querySelectorAll(".piece").length,
          ];
        }"""
    )
    assert labels[0].startswith("Brett: ")
    assert labels[1].endswith("Stein, Rot")
    assert labels[2:] == ["inline", 0]
    box = desk.page.locator("#second").bounding_box()
    assert box
    assert box["width"] == pytest.approx(box["height"], abs=2)
    # The first board still works.
    move = plain_move(desk.board())
    desk.page.evaluate("document.querySelector('#second').remove()")
    desk.click(move.start)
    desk.click(move.end)
    desk.settled(2, "W")


CSP: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "connect-src 'self'; img-src data:"
)
STRICT_PAGE: Final = f"""<!doctype html>
<meta http-equiv="Content-Security-Policy" content="{CSP}">
<link rel="icon" href="data:,">
<script type="module" src="page.js"></script>
<damka-board player="WB"></damka-board>
"""
STRICT_SCRIPT: Final = """
import { Board, Engine, loadRules } from "../index.js";
import "../element/element.js";
const view = document.querySelector("damka-board");
const board = new Board(await loadRules("international"));
await view.show(board);
const engine = new Engine({ weights: "bundled" });
board.push((await engine.search(board, { depth: 4 })).move);
await view.show(board);
document.documentElement.className = "done";
"""


def test_a_strict_content_security_policy_is_supported(browser: Browser, host: Host) -> None:
    """The policy forbids inline styles and scripts."""
    host.replaced["strict/index.html"] = STRICT_PAGE.encode()
    host.replaced["strict/page.js"] = STRICT_SCRIPT.encode()
    with chromium.blank_page(browser) as page:
        window = Window(page, host.url)
        page.goto(f"{host.url}strict/index.html")
        page.wait_for_selector("html.done")
        move_count = page.evaluate("document.querySelector('damka-board').board.moveCount")
        box = page.locator("damka-board svg").bounding_box()
        window.close()
    assert window.errors == []
    assert move_count == 1
    assert box
    assert box["width"] == pytest.approx(box["height"], abs=2)

"""Properties of the page: size, speed, stable layout, room for texts, labels, contrast."""

from __future__ import annotations

import gzip
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Response, ViewportSize

from damka import Game
from damka.locales import LANGUAGES
from damka.server.static import minify_script
from tests.browser.support import Json, Window, game_file, locale, window
from tests.chromium import DESKTOP, PHONE
from tests.server.support import Server

STATIC = Path(__file__).parents[2] / "src" / "damka" / "web" / "static"
BUDGET = 60_000
"""Limit in bytes of the game view's HTML, JavaScript, CSS and JSON, each compressed by gzip."""

SIZES: list[ViewportSize] = [
    DESKTOP,
    PHONE,
    {"width": 360, "height": 640},
    {"width": 320, "height": 568},
]

LATER = {"draw_lots.js", "settings.js"}
"""Modules of the game view loaded on demand; sounds do not count."""


@pytest.mark.parametrize("opponent", ["computer", "invite"])
def test_the_game_view_weighs_at_most_60_kb_compressed(
    browser: Browser, server: Server, opponent: str
) -> None:
    """Including everything loaded on demand, on the larger board."""
    responses: list[Response] = []

    def note(response: Response) -> None:
        responses.append(response)

    with (
        window(browser, server.url, own=True) as desk,
        window(browser, server.url) as guest,
    ):
        asked: Json = {"rules": "dama100", "opponent": opponent, "colour": "first"}
        if opponent == "invite":
            asked |= {"clock": {"kind": "fischer", "seconds": 300, "increment": 3}}
        game = desk.post("/api/games", asked)
        if opponent == "invite":
            guest.post(f"{game['url'].replace('/game/', '/api/games/')}/join", {})
        desk.page.on("response", note)
        for language in LANGUAGES:
            responses.clear()
            desk.open(f"{game['url']}?lang={language}")
            desk.page.wait_for_load_state("networkidle")
            weights = {
                each.url.split("?")[0].rpartition("/")[2]: len(gzip.compress(each.body()))
                for each in responses
            }
            assert {"game.js", "board.js", "game.css"} <= weights.keys()
            assert ("online.js" in weights) == (opponent == "invite")
            weights.pop("sound.js", None)
            for name in LATER - weights.keys():
                script = minify_script((STATIC / name).read_text("utf-8"))
                weights[name] = len(gzip.compress(script.encode()))
            assert sum(weights.values()) <= BUDGET, (language, weights)


def test_the_page_is_usable_within_a_second_of_the_click(desk: Window) -> None:
    desk.new_game("dama64", opponent="computer", level=1)  # warm-up
    desk.open("/")
    desk.page.get_by_text("First (").click()
    times = [float("inf")]
    while times[-1] >= 1 and len(times) < 10:
        start = time.perf_counter()
        desk.page.get_by_role("button", name="Play").click()
        desk.page.wait_for_url("**/game/**", wait_until="commit")
        desk.page.wait_for_selector("body.ready")
        desk.click(22)
        desk.page.wait_for_selector(".target")
        times.append(time.perf_counter() - start)
        desk.open("/")
    assert min(times) < 1, times


def test_reduced_motion_means_fades(browser: Browser, server: Server) -> None:
    with window(browser, server.url, reduced_motion="reduce") as desk:
        desk.load_game(game_file("international", "W:W32:B28,19,9,1"))
        desk.page.evaluate(
            """() => {
              window.frames = [];
              const animate = Element.prototype.animate;
              Element.prototype.animate = function (frames, options) {
                window.frames.push(...frames);
                return animate.call(this, frames, options);
              };
            }"""
        )
        desk.click(32, 3)
        desk.until_ply(1)
        frames = desk.page.evaluate("window.frames")
        assert frames
        assert all("transform" not in frame for frame in frames)
        assert any("opacity" in frame for frame in frames)


@pytest.mark.own_page
def test_the_layout_does_not_shift_when_a_sentence_changes(desk: Window) -> None:
    """Only the sentence itself may wrap differently; its surroundings stay in place."""
    desk.page.add_init_script(
        """
        window.shifts = [];
        const name = (node) => node.id || node.nodeName;
        const flowing = (node) => (node.parentElement ?? node).closest("#status p, #answers");
        new PerformanceObserver((list) => {
          const nodes = list.getEntries().flatMap((e) => e.sources.map((source) => source.node));
          window.shifts.push(...nodes.filter((node) => node && !flowing(node)).map(name));
        }).observe({ type: "layout-shift", buffered: true });
        """
    )
    desk.load_game(game_file("dama100", "W:W32,36,37,46:B3,4,28"))
    desk.page.evaluate("window.shifts.length = 0")
    desk.click(46)
    desk.click(36, 31)
    desk.until(lambda: desk.page.locator("#answers button").count() == 2)
    desk.answer("Play anyway")
    desk.until_ply(1)
    desk.answer("Huff 32")
    desk.until(lambda: desk.state["pieces"][31] == ".")
    desk.settled()
    desk.page.wait_for_timeout(100)
    assert desk.page.evaluate("window.shifts") == []


def test_nothing_is_painted_before_the_whole_table_is_there(
    browser: Browser, server: Server
) -> None:
    with window(browser, server.url) as desk:
        desk.new_game("dama64")
        path = desk.page.url.removeprefix(server.url)
    with halting(server, path) as url, window(browser, url, ignore_errors=True) as desk:
        desk.page.goto(url + path)
        desk.page.wait_for_selector("body.ready")
        painted = "performance.getEntriesByName('first-paint')[0]?.startTime"
        desk.until(lambda: desk.page.evaluate(painted))
        begun = desk.page.evaluate("performance.getEntriesByType('navigation')[0].responseStart")
        assert desk.page.evaluate(painted) > begun + 900 * HALT


HALT = 0.5
"""Seconds between the two parts of a page."""


@contextmanager
def halting(server: Server, path: str) -> Iterator[str]:
    """Proxy a server, and serve the page at `path` in two parts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = httpx.get(server.url + self.path)
            self.send_response(answer.status_code)
            self.send_header("content-type", answer.headers["content-type"])
            self.end_headers()
            content = answer.content
            if self.path == path:
                part = content.index(b'id="typed"')
                self.wfile.write(content[:part])
                self.wfile.flush()
                time.sleep(HALT)
                content = content[part:]
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}"
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


# Every screen, in every language, on a desktop and on a phone


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_fit(browser: Browser, server: Server, language: str) -> None:
    with window(browser, server.url, **locale(language)) as desk:
        page = desk.page
        status = page.locator("#status")

        def sizes() -> Iterator[str]:
            for size in SIZES:
                page.set_viewport_size(size)
                yield f"{size['width']}x{size['height']}"
            page.set_viewport_size(DESKTOP)

        desk.load_game(game_file("dama100", "W:W32,36,37,46:B3,4,28"))
        for size in sizes():
            board = page.locator("damka-board").bounding_box()
            assert board is not None
            if size == "1280x800":
                assert board["width"] >= 640
            elif size == "390x844":
                assert (board["x"], board["width"]) == (0, 390)
            heights = page.evaluate(
                "[...document.querySelectorAll('.actions svg')]"
                ".map((e) => e.getBoundingClientRect().y)"
            )
            assert len({round(y) for y in heights if y}) == 1, (size, "in one line")
        desk.click(36, 31)
        desk.until(lambda: page.locator("#answers button").count() == 2)
        reserved = {}
        for size in sizes():
            assert overflowing(desk) == cut_off(desk) == [], size
            reserved[size] = status.bounding_box()
        page.locator("#answers button").first.click()
        desk.until_ply(1)
        for size in sizes():
            assert status.bounding_box() == reserved[size], size
            assert overflowing(desk) == cut_off(desk) == [], size
        page.click("#resign")
        for size in sizes():
            assert overflowing(desk) == cut_off(desk) == [], size
        desk.answer(page.locator("#answers button").last.inner_text())
        page.click("#open-settings")
        for size in sizes():
            assert overflowing(desk) == [], size
        for path in ("/", "/rules/dama100"):
            desk.open(path)
            for size in sizes():
                assert overflowing(desk) == [], (path, size)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_result_leaves_board_and_players_in_sight(
    browser: Browser, server: Server, language: str
) -> None:
    with window(browser, server.url, viewport=PHONE, **locale(language)) as phone:
        phone.load_game(game_file("dama64", "W:W14:B10"), "?opponent=computer&level=1&side=W")
        phone.play("14x7x10")
        sheet = phone.page.locator("#end")
        sheet.wait_for()
        for size in SIZES[1:]:
            phone.page.set_viewport_size(size)
            strip = phone.page.locator("#bottom").bounding_box()
            top = sheet.evaluate("sheet => sheet.offsetTop")
            assert strip is not None
            assert top >= strip["y"] + strip["height"], size
            assert overflowing(phone) == [], size


def test_captured_pieces_leave_room_for_the_name(browser: Browser, server: Server) -> None:
    with window(browser, server.url, viewport=SIZES[3]) as phone:
        game = Game("canadian")
        for _ in range(130):
            game.play(game.legal_moves[0])
        phone.load_game(game.to_json())
        assert phone.page.locator("#top circle.face").count() > 20
        assert overflowing(phone) == cut_off(phone) == []
        for about in phone.page.locator(".strip small").all():
            assert about.evaluate("text => text.scrollWidth <= text.clientWidth")
        phone.page.set_viewport_size(PHONE)
        phone.press("ArrowLeft")
        tray = phone.page.locator("#top i svg").bounding_box()
        assert tray is not None
        assert tray["width"] > 80, "larger where there is room"


# In one call: the page removes the class once it is connected.
LOST = """() => {
  document.body.classList.add("offline");
  const lost = document.querySelector(".lost");
  const [box, bar] = [lost, document.querySelector(".top")].map((e) => e.getBoundingClientRect());
  return [box.toJSON(), bar.toJSON(), lost.scrollHeight <= lost.clientHeight];
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lost_connection_is_shown_prominently(
    browser: Browser, server: Server, language: str
) -> None:
    with window(browser, server.url, **locale(language), ignore_errors=True) as opened:
        opened.new_game("dama64")
        for viewport in SIZES:
            opened.page.set_viewport_size(viewport)
            box, bar, whole = opened.page.evaluate(LOST)
            assert box["height"] > 0
            assert box["y"] >= 0
            # Its bar has room for all of its lines.
            low = viewport["height"] if bar["y"] < 0 else bar["y"] + bar["height"]
            assert box["y"] + box["height"] <= low
            assert whole


def cut_off(window: Window) -> list[str]:
    """Return which of board, status line, answers and buttons are not fully visible."""
    found: list[str] = window.page.evaluate(
        """() => {
          scrollTo(0, 0);
          const bar = document.querySelector(".actions").getBoundingClientRect();
          const narrow = bar.width === innerWidth;
          const lowest = narrow ? bar.top : innerHeight;
          const seen = [...document.querySelectorAll(
            "damka-board, #say, #rule, #answers button, .log, .steps button, .actions > *")];
          const clipped = (e) => {
            const box = e.getBoundingClientRect();
            const low = e.closest(".actions") ? innerHeight : lowest;
            const beside = box.left < 0 || box.right > innerWidth + 1;
            return box.height && (beside || box.bottom > low + 1);
          };
          const line = document.querySelector("#status p");
          const worst = seen.filter(clipped);
          if (line.scrollHeight > line.clientHeight + 1) worst.push(line);
          return worst.map((e) => `${e.nodeName} ${e.id}: ${e.textContent.slice(0, 40)}`);
        }"""
    )
    return found


def overflowing(window: Window) -> list[str]:
    """Return texts wider than their container, and the page if it is too wide."""
    found: list[str] = window.page.evaluate(
        """() => {
          const wide = (e) =>
            e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "hidden";
          const texts = "button, a, label, span, p, small, b, h1, h2, legend";
          const places = ".running, .cards, .more, .how, dialog, dialog form";
          const worst = [...document.querySelectorAll(`${texts}, ${places}`)]
            .filter((e) => e.clientWidth && wide(e));
          const page = document.documentElement;
          if (page.scrollWidth > page.clientWidth) worst.push(page);
          return worst.map((e) => `${e.nodeName} ${e.id}: ${e.textContent.slice(0, 40)}`);
        }"""
    )
    return found


def test_a_rules_page_prints_on_three_sheets(desk: Window) -> None:
    for rules in ("dama64", "dama100", "frisian", "spantsiretti"):
        desk.open(f"/rules/{rules}")
        paper = desk.page.pdf(format="A4")
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) <= 3, rules


def test_the_board_uses_the_room_at_200_percent(browser: Browser, server: Server) -> None:
    """A desktop of 1280 by 800 pixels becomes 640 by 400."""
    with window(browser, server.url, viewport={"width": 640, "height": 400}) as desk:
        desk.new_game("dama64")
        board = desk.page.locator("damka-board").bounding_box()
        assert board is not None
        assert board["height"] >= 0.85 * 400
        assert overflowing(desk) == []


def test_the_example_of_a_typed_move_is_legal(desk: Window) -> None:
    desk.load_game(game_file("dama64", "W:W14,30:B10,1"))
    typed = desk.page.locator("#typed-move")
    assert typed.get_attribute("placeholder") == "Type a move: 14x7"
    desk.play("14x7x10")
    desk.until(lambda: "14x7" not in (typed.get_attribute("placeholder") or ""))
    example = (typed.get_attribute("placeholder") or "").removeprefix("Type a move: ")
    typed.fill(example)
    desk.press("Enter")
    desk.until_ply(2)


def test_every_control_has_a_name(desk: Window) -> None:
    desk.new_game("dama64")
    desk.play("22-18")
    for path in (None, "/", "/rules/dama64"):
        if path:
            desk.open(path)
        nameless = desk.page.evaluate(
            """() => {
              const controls = "button, a[href], input:not([type=hidden]), select, [role=gridcell]";
              const named = (e) =>
                e.ariaLabel || e.title || e.textContent.trim() || e.labels?.length;
              return [...document.querySelectorAll(controls)]
                .filter((e) => !named(e))
                .map((e) => e.outerHTML.slice(0, 80));
            }"""
        )
        assert nameless == []


def test_targets_on_a_phone_are_large_enough(phone: Window) -> None:
    phone.new_game("dama64")
    small = phone.page.evaluate(
        """() => [...document.querySelectorAll("button, .actions a, header a, select")]
          .filter((e) => e.offsetParent && !e.closest("dialog, #end"))
          .map((e) => [e.textContent.trim() || e.id, e.getBoundingClientRect()])
          .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
          .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
    )
    assert small == []


def test_the_board_is_a_grid_for_screen_readers(desk: Window) -> None:
    desk.load_game(game_file("american", "B:W18,30,K31:B3,15"))
    grid = desk.page.get_by_role("grid")
    assert "American" in (grid.get_attribute("aria-label") or "")
    cells = desk.page.get_by_role("gridcell")
    assert cells.count() == 32
    labels = [cell.get_attribute("aria-label") or "" for cell in cells.all()]
    assert "15, Red man, must capture" in labels
    assert "31, White king" in labels
    assert "10" in labels
    desk.play("15x22x18")
    desk.until(lambda: "takes 18" in desk.page.inner_text("#spoken"))


# Contrast, from the design tokens


def luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(c * 2 for c in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def tokens() -> list[dict[str, str]]:
    css = (STATIC / "base.css").read_text("utf-8")
    blocks = re.findall(r":root[^{]*\{([^}]*)\}", css)
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]+)", block)) for block in blocks]


def test_light_dark_and_auto_come_from_the_same_tokens() -> None:
    light, dark, auto = tokens()
    assert light.keys() == dark.keys()
    assert dark == auto


@pytest.mark.parametrize("theme", tokens()[:2], ids=["light", "dark"])
def test_contrast_is_enough(theme: dict[str, str]) -> None:
    for ground in ("bg", "panel", "soft"):
        for ink in ("ink", "muted", "accent", "warn"):
            assert contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)
    assert contrast(theme["accent-ink"], theme["accent"]) >= 4.5

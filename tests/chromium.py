"""Chromium for the tests: browser, window with user input, and static file server."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Literal, Self

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)
from tools.prerequisites import CHROMIUM_NAMES

FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--force-color-profile=srgb",
)
DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
TOUCH: Final[dict[str, Any]] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
"""Context options of a phone."""
DOUBLE_CLICK: Final = 400
"""A little more than the longest time between the clicks of a double-click, in milliseconds."""
PATIENCE: Final = 40.0
"""Timeout of every expected change, in seconds. Python in the browser starts slowly."""


def executable() -> str:
    """Return the path of the browser: DAMKA_CHROMIUM, or the first one on the path."""
    path = os.environ.get("DAMKA_CHROMIUM") or next(
        filter(None, map(shutil.which, CHROMIUM_NAMES)), None
    )
    assert path, "no Chromium: run `python3 tools/prerequisites.py chromium`"
    return path


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Run Chromium with additional flags."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=[*FLAGS, *flags])
        expect.set_options(timeout=PATIENCE * 1000)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium for all tests of a package, whose conftest imports this.

    While Playwright runs, no other code in this thread can run an event loop, so it must end
    before the tests of other packages begin.
    """
    with chromium() as browser:
        yield browser
        _idle.clear()


_idle: Final[dict[tuple[Browser, str], list[Page]]] = {}
"""Idle blank pages by context options; each page has its own context."""


@contextmanager
def blank_page(
    browser: Browser,
    *,
    own: bool = False,
    script: str = "",
    viewport: ViewportSize = DESKTOP,
    color_scheme: Literal["light", "dark"] = "light",
    reduced_motion: Literal["reduce", "no-preference"] = "no-preference",
    **options: Any,
) -> Iterator[Page]:
    """Lend a page without cookies, storage and history.

    Pages are reused, which saves starting a process and loading scripts. A test that makes changes
    it cannot undo needs its `own` page: init scripts, listeners, WebSocket routes, clocks, DevTools
    domains. `script` runs before the scripts of every document.
    """
    idle = _idle.setdefault((browser, repr((script, sorted(options.items())))), [])
    if idle and not own:
        page = idle.pop()
    else:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE * 1000)
        if script:
            context.add_init_script(script)
        page = context.new_page()
    try:
        page.set_viewport_size(viewport)
        page.emulate_media(media="null", color_scheme=color_scheme, reduced_motion=reduced_motion)
        yield page
        if own or page.is_closed() or not _blank(page):
            _close(page.context)
        else:
            idle.append(page)
    except BaseException:
        _close(page.context)
        raise


def _close(context: BrowserContext) -> None:
    """Close a context once none of its pages is navigating.

    Chromium ignores a request to close a page while it commits a navigation
    (https://github.com/microsoft/playwright/issues/42366).
    """
    for page in context.pages:
        for _ in range(3):
            with suppress(Error):
                page.goto("about:blank", wait_until="commit")
                break
    context.close()


def _blank(page: Page) -> bool:
    """Clear a page for the next test; return False if it cannot be reused.

    A test may end while its page is navigating, which interrupts the clearing.
    """
    try:
        _clear(page)
    except Error:
        return False
    return True


def _clear(page: Page) -> None:
    context = page.context
    for each in context.pages:
        if each is not page:
            each.close()
    context.set_offline(False)
    page.unroute_all()
    page.evaluate("try { sessionStorage.clear(); } catch {}")
    page.goto("about:blank")
    devtools = context.new_cdp_session(page)
    devtools.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    devtools.send("Page.resetNavigationHistory")
    devtools.detach()
    context.clear_cookies()


STILL: Final = "document.getAnimations().every(({ playState }) => playState !== 'running')"
"""Script: whether no animation is running."""


class Window:
    """A page and its console errors, driven by mouse, touch and keyboard."""

    def __init__(self, page: Page, url: str) -> None:
        self.page: Final = page
        self.url: Final = url
        self.errors: Final[list[str]] = []
        self._listeners: Final[list[tuple[Any, Any]]] = []
        self.listen("pageerror", lambda error: self.errors.append(str(error)))
        self.listen("console", lambda message: self.log(message.type, message.text))

    def listen(self, event: Any, listener: Callable[[Any], object]) -> None:
        """Call a function on each event of the page while the window is open."""
        page: Any = self.page
        page.on(event, listener)
        self._listeners.append((event, listener))

    def close(self) -> None:
        """Remove the listeners; the next window can use the page."""
        for event, listener in self._listeners:
            self.page.remove_listener(event, listener)
        self._listeners.clear()

    def log(self, kind: str, text: str) -> None:
        """Receive a console message."""
        if kind in {"error", "warning"}:
            self.errors.append(text)

    def at(self, square: int) -> tuple[float, float]:
        """Return the screen coordinates of a square's centre."""
        box = self.page.locator(
            f':is(damka-board, damka-editor) [data-square="{square}"] .play'
        ).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, *squares: int) -> None:
        for square in squares:
            self.page.mouse.click(*self.at(square))

    def tap(self, *squares: int) -> None:
        for square in squares:
            self.page.touchscreen.tap(*self.at(square))

    def drag(self, *squares: int) -> None:
        """Press on the first square, move over the others, release on the last."""
        mouse = self.page.mouse
        mouse.move(*self.at(squares[0]))
        mouse.down()
        for square in squares[1:]:
            mouse.move(*self.at(square), steps=4)
        mouse.up()

    def swipe(self, *squares: int) -> None:
        """Drag a finger over squares."""
        devtools = self.page.context.new_cdp_session(self.page)
        points = [{"x": x, "y": y} for x, y in map(self.at, squares)]
        devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[:1]})
        for point in points[1:]:
            devtools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def until(self, condition: Callable[[], object], description: str = "") -> None:
        """Wait until a condition is true."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, (
                f"timeout: {description or condition}; {self.report()}"
            )
            self.page.wait_for_timeout(15)

    def report(self) -> str:
        """Describe the page for an assertion message."""
        return f"{self.page.url}: {self.page.inner_text('body')[:300]!r}; {self.errors}"


class Host:
    """A static file server at /sub/; tests can replace and truncate files."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self.replaced: dict[str, bytes] = {}
        """File contents by path, which override the folder."""
        self.truncated: list[str] = []
        """Endings of paths; the first response for each is cut in half."""
        self.requests: list[str] = []
        """Requested paths, in order."""
        handler = functools.partial(_handler(self), directory=str(folder))
        self._server: Final = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url: Final = f"http://127.0.0.1:{self._server.server_port}/sub/"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(host: Host) -> type[http.server.SimpleHTTPRequestHandler]:
    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = {  # noqa: RUF012  as in the base class
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
            host.requests.append(self.path)
            path = self.path.partition("?")[0]
            data = host.replaced.get(path.removeprefix("/sub/"))
            ending = next(filter(path.endswith, host.truncated), None)
            if data is None and ending is None:
                super().do_GET()
                return
            if data is None:
                data = Path(self.translate_path(path)).read_bytes()
            self.send_response(200)
            self.send_header("content-type", self.guess_type(path))
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if ending is not None:
                host.truncated.remove(ending)
                data = data[: len(data) // 2]
            self.wfile.write(data)

    return Handler

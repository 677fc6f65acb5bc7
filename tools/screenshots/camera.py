"""Takes the pictures: opens each state in every look, checks it and saves a picture."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Error, Page
from tests.browser.support import FAST, Window
from tests.chromium import STILL, TOUCH

from tools.screenshots.checks import Fault, Finding, find_faults
from tools.screenshots.looks import Look, Looks, viewport
from tools.screenshots.scene import Scene
from tools.screenshots.states import ALLOWED_CUTS, LAYERS, NotThereError, State

Taken = Callable[[State, Look], object]

DEVICES: Final = ({"locale": "en-GB"}, {"locale": "en-GB", **TOUCH})
"""Context options of a desktop and of a phone."""
IS_SETTLED: Final = f"document.fonts.status === 'loaded' && {STILL}"


class Camera:
    """Takes pictures of states with a browser.

    A state is opened once for each language and device. Windows of the same device are resized,
    and themes are switched on the open page.
    """

    def __init__(self, browser: Browser, scene: Scene, folder: Path, looks: Looks) -> None:
        self._browser: Final = browser
        self._scene: Final = scene
        self._folder: Final = folder
        self._looks: Final = looks

    def take(
        self, states: Sequence[State], taken: Taken, missing: Callable[[State, str], object]
    ) -> Iterator[Finding]:
        """Take all pictures; yield their faults. A page that is not there is reported."""
        absent: dict[str, str] = {}
        for phone, options in enumerate(DEVICES):
            sizes = self._looks.of_device(phone=bool(phone))
            if not sizes:
                continue
            with self._page(options) as page:
                for state, language in itertools.product(states, self._looks.languages):
                    if state.name in absent:
                        continue
                    try:
                        if state.brief:
                            with self._page(options) as own_page:
                                yield from self._state(own_page, state, language, sizes, taken)
                        else:
                            yield from self._state(page, state, language, sizes, taken)
                    except NotThereError as error:
                        absent[state.name] = str(error)
                        missing(state, str(error))
                    except (AssertionError, Error, TimeoutError) as error:
                        # One state that cannot be reached does not stop the others.
                        fault = Fault("error", "the state cannot be reached", str(error))
                        yield Finding(state.name, Look(sizes[0], language, "light"), fault)

    @contextmanager
    def _page(self, options: dict[str, object]) -> Iterator[Page]:
        context = self._browser.new_context(**options)  # type: ignore[arg-type]
        try:
            context.add_init_script(FAST)
            yield context.new_page()
        finally:
            context.close()

    def _state(
        self, page: Page, state: State, language: str, sizes: Sequence[str], taken: Taken
    ) -> Iterator[Finding]:
        page.goto("about:blank")
        page.context.clear_cookies()
        for server in (self._scene.club, self._scene.empty):
            cookie = {"name": "damka_lang", "value": language, "url": server.url}
            page.context.add_cookies([cookie])  # type: ignore[list-item]
        page.set_viewport_size(viewport(sizes[0]))
        window = Window(page, self._scene.club.url)
        try:
            state.open(self._scene, window)
            for size in sizes:
                page.set_viewport_size(viewport(size))
                for theme in self._looks.themes:
                    look = Look(size, language, theme)
                    page.emulate_media(color_scheme=theme)
                    for fault in self._picture(window, state, look):
                        yield Finding(state.name, look, fault)
                    taken(state, look)
            for error in window.errors:
                if "404" not in error:
                    yield Finding(state.name, look, Fault("error", "console", error))
        finally:
            window.close()

    def _picture(self, window: Window, state: State, look: Look) -> list[Fault]:
        page = window.page
        page.mouse.move(0, 0)
        window.until(lambda: page.evaluate(IS_SETTLED), "the page is still")
        page.evaluate("scrollTo(0, 0)")
        faults = find_faults(page, in_view=state.in_view, may_be_cut=ALLOWED_CUTS, layers=LAYERS)
        page.screenshot(path=self._folder / state.name / f"{look}.png", animations="disabled")
        return faults

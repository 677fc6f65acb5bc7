"""A browser that watches one of the games, to see whether its page says what is going on."""

from __future__ import annotations

import shutil
from types import TracebackType
from typing import Any, Final, Self

from bench.load.report import Line, correct

__all__ = ["Page"]

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
)
_WAIT_MS: Final = 30_000


class Page:
    """A page in Chromium; without Chromium it sees nothing, and says so."""

    def __init__(self, *, wanted: bool = True) -> None:
        self._program: Final = next(filter(None, map(shutil.which, _NAMES)), None)
        self._wanted: Final = wanted and self._program is not None
        self._playwright: Any = None
        self._browser: Any = None
        self._page: Any = None
        self.heard = ""

    async def __aenter__(self) -> Self:
        if self._wanted:
            from playwright.async_api import async_playwright  # noqa: PLC0415  it is heavy

            self._playwright = await async_playwright().start()
            self._browser = await self._playwright.chromium.launch(
                executable_path=self._program, args=list(_FLAGS)
            )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._browser is not None:
            await self._browser.close()
            await self._playwright.stop()

    async def watch(self, url: str) -> None:
        """Open a game."""
        if self._browser is not None:
            self._page = await self._browser.new_page(locale="en")
            await self._page.goto(url)
            await self._page.wait_for_selector("body:not(.offline) #board", timeout=_WAIT_MS)

    async def says_offline(self) -> bool:
        """Wait until the page says that it has no connection."""
        return await self._sees("body.offline")

    async def is_back(self) -> bool:
        """Wait until it has one again."""
        return await self._sees("body:not(.offline)")

    async def says(self, text: str) -> bool:
        """Wait until the page shows a sentence."""
        return await self._sees(f"text={text}")

    async def _sees(self, what: str) -> bool:
        if self._page is None:
            return True
        from playwright.async_api import Error  # noqa: PLC0415

        try:
            await self._page.wait_for_selector(what, timeout=_WAIT_MS)
        except Error:
            return False
        return True

    def line(self, what: str, is_met: bool) -> Line:
        """Return what came of it."""
        if self._page is None:
            return Line(what, "no Chromium")
        return correct(what, is_met, "seen" if is_met else "not seen")

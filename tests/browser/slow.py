"""A slow connection: requests that wait for the test."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route


class Slow:
    """Requests that wait until they are let go."""

    def __init__(self, page: Page, path: str | re.Pattern[str]) -> None:
        self._page = page
        self.held: list[Route] = []
        self._holds = True
        page.route(path, self._handle)

    def _handle(self, route: Route) -> None:
        if self._holds:
            self.held.append(route)
        else:
            route.continue_()

    def let_last_go(self) -> None:
        """Let only the latest request through."""
        self.held.pop().continue_()

    def let_go(self) -> None:
        """Let all requests through, also later ones."""
        self._holds = False
        while self.held:
            self.held.pop(0).continue_()

    def answer(self) -> None:
        """Let all requests through, and wait until the page has handled the answers."""
        requests = [each.request for each in self.held]
        self.let_go()
        for request in requests:
            response = request.response()
            assert response is not None
            response.finished()
        # The page reads them before the answer to a later request.
        self._page.evaluate("fetch(location).then((response) => response.text())")

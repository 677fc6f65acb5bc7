"""Programs for tests: they send a token, no cookies and no origin."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.sync.client import connect

from tests.server.accounts.support import PASSWORD, form
from tests.server.support import NO_TLS, Browser, Json, Live, Server

ALL = ("read", "challenge", "play", "analysis", "bot")


def new_token(browser: Browser, *scopes: str, label: str = "test", password: str = PASSWORD) -> str:
    """Make a token on the page of a member, as a browser does."""
    fields = {"label": label, "scope": list(scopes or ALL), "old": password}
    answer = browser.http.post("/account/tokens", data=fields)
    assert answer.status_code == 200, answer.text
    found = re.search(r'id="token" value="([^"]+)"', answer.text)
    assert found is not None
    return html.unescape(found[1])


def become_bot(browser: Browser) -> None:
    """Make the account of a browser a bot."""
    answer = form(browser, "/account/bot", sure="yes", old=PASSWORD)
    assert answer.status_code == 303, answer.text


class Program:
    """A program with a token."""

    def __init__(self, server: Server, token: str | None, **headers: str) -> None:
        sent = {} if token is None else {"authorization": f"Bearer {token}"}
        self.headers = {**sent, **headers}
        self.url = server.url
        # No connection stays open, so there is nothing to close.
        self.http = httpx.Client(
            base_url=server.url,
            headers=self.headers,
            trust_env=False,
            verify=NO_TLS,
            timeout=30,
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.http.get(path, params=query or None)

    def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return self.http.post(path, json={} if body is None else body, **options)

    def game(self, **options: Any) -> str:
        """Begin a game; return its id."""
        answer = self.post("/api/games", {"rules": "dama64", "colour": "first", **options})
        assert answer.status_code == 201, answer.text
        game: str = answer.json()["id"]
        return game

    @contextmanager
    def live(self, game: str, query: str = "", **headers: str) -> Iterator[Live]:
        address = f"{self.url.replace('http', 'ws', 1)}/live/{game}{query}"
        with connect(
            address, additional_headers={**self.headers, **headers}, compression=None
        ) as connection:
            yield Live(connection)

    @contextmanager
    def stream(self, path: str, **query: Any) -> Iterator[Iterator[Json]]:
        """The lines of a stream, without those that only keep it open."""
        with self.http.stream("GET", path, params=query or None) as answer:
            assert answer.status_code == 200, answer.read()
            yield (json.loads(line) for line in answer.iter_lines() if line.strip())

"""API clients for tests: they send a token, no cookies and no origin."""

from __future__ import annotations

import html
import json
import queue
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import httpx
from websockets.sync.client import connect

from tests.server.accounts.support import PASSWORD, form, register
from tests.server.support import NO_TLS, PATIENCE, Browser, Json, Live


class Served(Protocol):
    """A server, in this process or a separate one."""

    @property
    def url(self) -> str: ...


ALL = ("read", "challenge", "play", "analysis", "bot")


def new_token(browser: Browser, *scopes: str, label: str = "test", password: str = PASSWORD) -> str:
    """Create a token on a member's page, as a browser does."""
    fields = {"label": label, "scope": list(scopes or ALL), "old": password}
    answer = browser.http.post("/account/tokens", data=fields)
    assert answer.status_code == 200, answer.text
    found = re.search(r'id="token" value="([^"]+)"', answer.text)
    assert found is not None
    return html.unescape(found[1])


def token_ids(browser: Browser) -> list[str]:
    """Return the form ids that revoke a member's tokens."""
    page = browser.http.get("/account/tokens").text
    return re.findall(r'name="token" value="([0-9a-f]{64})"', page)


def become_bot(browser: Browser) -> None:
    """Convert a browser's account to a bot."""
    answer = form(browser, "/account/bot", sure="yes", old=PASSWORD)
    assert answer.status_code == 303, answer.text


class Program:
    """A client with a token."""

    def __init__(self, server: Served, token: str | None, **headers: str) -> None:
        sent = {} if token is None else {"authorization": f"Bearer {token}"}
        self.headers = {**sent, **headers}
        self.url = server.url
        # Connections are not reused, so nothing needs closing.
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
        """Start a game; return its id."""
        answer = self.post("/api/games", {"rules": "dama64", "colour": "first", **options})
        assert answer.status_code == 201, answer.text
        game: str = answer.json()["id"]
        return game

    @contextmanager
    def live(self, game: str, query: str = "", **headers: str) -> Iterator[Live]:
        address = f"{self.url.replace('http', 'ws', 1)}/live/{game}{query}"
        with connect(
            address,
            additional_headers={**self.headers, **headers},
            compression=None,
            ping_interval=None,
        ) as connection:
            yield Live(connection)

    @contextmanager
    def stream(self, path: str, **query: Any) -> Iterator[Iterator[Json]]:
        """Yield the lines of a stream, without keep-alives."""
        with self.http.stream("GET", path, params=query or None) as answer:
            assert answer.status_code == 200, answer.read()
            yield (json.loads(line) for line in answer.iter_lines() if line.strip())


class Player:
    """A member with a client."""

    def __init__(self, server: Served, *scopes: str) -> None:
        self.browser = Browser(server.url)
        self.name = register(self.browser)
        self.token = new_token(self.browser, *scopes)
        self.program = Program(server, self.token)

    def act(self, game: str, what: str, **body: object) -> Json:
        answer = self.program.post(f"/api/games/{game}/{what}", body)
        assert answer.status_code == 200, answer.text
        told: Json = answer.json()
        return told

    def refused(self, game: str, what: str, **body: object) -> tuple[int, str]:
        answer = self.program.post(f"/api/games/{game}/{what}", body)
        return answer.status_code, answer.json()["error"]


class StreamReader:
    """Lines of a stream, read in a separate thread."""

    def __init__(self, lines: Iterator[Json]) -> None:
        self._queue: queue.Queue[Json | None] = queue.Queue()
        self._thread = threading.Thread(target=self._read, args=[lines], daemon=True)
        self._thread.start()

    def _read(self, lines: Iterator[Json]) -> None:
        # The test may close the stream during a read.
        with suppress(httpx.StreamError, httpx.TransportError, OSError):
            for line in lines:
                self._queue.put(line)
        self._queue.put(None)

    def next(self, kind: str) -> Json:
        """Return the next line of a kind."""
        while True:
            line = self._queue.get(timeout=PATIENCE)
            assert line is not None, "the stream has ended"
            if line["t"] == kind:
                return line

    def ended(self) -> bool:
        """Wait for the end of the stream."""
        while self._queue.get(timeout=PATIENCE) is not None:
            pass
        self._thread.join()
        return True


@contextmanager
def open_stream(program: Program, path: str) -> Iterator[StreamReader]:
    with program.http.stream("GET", path) as answer:
        assert answer.status_code == 200, answer.read()
        yield StreamReader(json.loads(line) for line in answer.iter_lines() if line.strip())
        # Otherwise the reading thread keeps the connection open.
        with suppress(OSError):
            connection = answer.extensions["network_stream"].get_extra_info("socket")
            connection.shutdown(socket.SHUT_RDWR)

"""API clients for tests, which send a token but no cookies or origin."""

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


class HasUrl(Protocol):
    """A server, in this process or a separate one."""

    @property
    def url(self) -> str: ...


ALL_SCOPES = ("read", "challenge", "play", "analysis", "bot")


def new_token(browser: Browser, *scopes: str, label: str = "test", password: str = PASSWORD) -> str:
    """Create a token on the member's token page."""
    fields = {"label": label, "scope": list(scopes or ALL_SCOPES), "old": password}
    response = browser.http.post("/account/tokens", data=fields)
    assert response.status_code == 200, response.text
    match = re.search(r'id="token" value="([^"]+)"', response.text)
    assert match is not None
    return html.unescape(match[1])


def token_ids(browser: Browser) -> list[str]:
    """Return the ids with which a member's tokens are revoked."""
    page = browser.http.get("/account/tokens").text
    return re.findall(r'name="token" value="([0-9a-f]{64})"', page)


def become_bot(browser: Browser) -> None:
    """Convert a browser's account to a bot."""
    response = form(browser, "/account/bot", sure="yes", old=PASSWORD)
    assert response.status_code == 303, response.text


class Program:
    """A client with a token."""

    def __init__(self, server: HasUrl, token: str | None, **headers: str) -> None:
        authorization = {} if token is None else {"authorization": f"Bearer {token}"}
        self.headers = {**authorization, **headers}
        self.url = server.url
        # Connections are not reused, so the client need not be closed.
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
        response = self.post("/api/games", {"rules": "dama64", "colour": "first", **options})
        assert response.status_code == 201, response.text
        game: str = response.json()["id"]
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
        with self.http.stream("GET", path, params=query or None) as response:
            assert response.status_code == 200, response.read()
            yield (json.loads(line) for line in response.iter_lines() if line.strip())


class Player:
    """A member with a browser and an API client."""

    def __init__(self, server: HasUrl, *scopes: str) -> None:
        self.browser = Browser(server.url)
        self.name = register(self.browser)
        self.token = new_token(self.browser, *scopes)
        self.program = Program(server, self.token)

    def act(self, game: str, action: str, **body: object) -> Json:
        response = self.program.post(f"/api/games/{game}/{action}", body)
        assert response.status_code == 200, response.text
        data: Json = response.json()
        return data

    def refused(self, game: str, action: str, **body: object) -> tuple[int, str]:
        response = self.program.post(f"/api/games/{game}/{action}", body)
        return response.status_code, response.json()["error"]


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
    with program.http.stream("GET", path) as response:
        assert response.status_code == 200, response.read()
        yield StreamReader(json.loads(line) for line in response.iter_lines() if line.strip())
        # Otherwise the reading thread keeps the connection open.
        with suppress(OSError):
            connection = response.extensions["network_stream"].get_extra_info("socket")
            connection.shutdown(socket.SHUT_RDWR)

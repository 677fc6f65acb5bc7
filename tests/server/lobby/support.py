"""Browsers of guests and members, with live connections to the lobby."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.server.accounts.support import register
from tests.server.support import PATIENCE, Browser, Json, Server

BLITZ = {"kind": "fischer", "seconds": 300, "increment": 3}
RAPID = {"kind": "sudden", "seconds": 900, "increment": 0}


class Guests:
    """Factory of browsers that are closed after the test."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.server = server
        self._stack = stack

    def __call__(self, number: int) -> list[Browser]:
        return [self._stack.enter_context(self.server.browser()) for _ in range(number)]

    def members(self, number: int) -> list[Browser]:
        """Return logged-in browsers; `name_of` gives their names."""
        browsers = self(number)
        for each in browsers:
            each.http.headers["x-name"] = register(each)
        return browsers

    def watch(self, browser: Browser, lang: str = "en") -> LobbyLive:
        """Open a browser's live connection to the lobby."""
        cookies = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
        connection = connect(
            f"{browser.url.replace('http', 'ws', 1)}/lobby/live?lang={lang}",
            additional_headers={"Cookie": cookies, "Origin": browser.url},
            compression=None,
        )
        return LobbyLive(self._stack.enter_context(connection))


class LobbyLive:
    """A live connection to the lobby, with the last state."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.current: Json = {}

    def receive(self, kind: str) -> Json:
        """Return the next frame of a kind."""
        while True:
            frame: Json = json.loads(self.connection.recv(timeout=PATIENCE))
            if frame["t"] == "lobby":
                self.current = frame
            if frame["t"] == kind:
                return frame

    def until(self, condition: Callable[[Json], object]) -> Json:
        """Return the first state for which a condition is true."""
        while not self.current or not condition(self.current):
            self.receive("lobby")
        return self.current

    def game(self) -> str:
        """Return the id of the game that this page redirects to."""
        url: str = self.receive("game")["url"]
        return url.removeprefix("/game/")


def name_of(browser: Browser) -> str:
    """Return the name of a member's browser."""
    return browser.http.headers["x-name"]


def challenge(browser: Browser, **options: Any) -> str:
    """Create a challenge; return its id."""
    response = browser.post("/api/lobby", {"rules": "dama64", "clock": BLITZ, **options})
    assert response.status_code == 201, response.text
    challenge_id: str = response.json()["id"]
    return challenge_id


def seek(browser: Browser, **options: Any) -> str:
    """Seek an opponent; return the seek's id."""
    response = browser.post("/api/lobby/pool", {"rules": "dama64", "clock": BLITZ, **options})
    assert response.status_code == 201, response.text
    seek_id: str = response.json()["id"]
    return seek_id


def accept(browser: Browser, challenge_id: str) -> httpx.Response:
    """Accept a challenge."""
    return browser.post(f"/api/lobby/{challenge_id}/accept", {})


def ids(state: Json) -> list[str]:
    """Return the ids of the displayed challenges."""
    return [each["id"] for each in state["challenges"]]

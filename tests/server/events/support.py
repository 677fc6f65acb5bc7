"""Tournaments for tests: arbiters, and bots that play over HTTP and WebSocket."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpx
from websockets.exceptions import ConnectionClosed

from damka.server.events import admin
from tests.server.accounts.support import store_of
from tests.server.support import Browser, Json, Server
from tests.services import ServerProcess

PATIENCE: Final = 30.0
NAMES: Final = ("Ana", "Ben", "Цветан", "Dina", "Emil", "Žofia", "Gino", "Hana")


def operator_code(server: Server) -> str:
    """Return a new code that allows the creation of events."""
    return admin.new_code(store_of(server)._engine)


def form(browser: Browser, path: str, **fields: Any) -> httpx.Response:
    """Submit a form."""
    return browser.http.post(path, data={name: str(value) for name, value in fields.items()})


def create_event(browser: Browser, server: Server, **fields: Any) -> str:
    """Create an event; return its path."""
    fields = {
        "name": "Club evening",
        "arbiter": "Rossi",
        "code": operator_code(server),
        "rules": "dama64",
        "kind": "swiss",
        "rounds": 3,
        "late": 1,
        **fields,
    }
    response = form(browser, "/events", **fields)
    assert response.status_code == 303, response.text
    match = re.fullmatch(r"(/events/[a-z2-9]{8})/arbiter", response.headers["location"])
    assert match
    return match[1]


def act(browser: Browser, path: str, action: str, **fields: Any) -> httpx.Response:
    """Perform an arbiter's action successfully."""
    response = form(browser, f"{path}/arbiter/{action}", **fields)
    assert response.status_code == 303, response.text
    return response


def join(browser: Browser, path: str, name: str) -> None:
    response = form(browser, f"{path}/join", name=name)
    assert response.status_code == 303, response.text


def event_data(browser: Browser, path: str) -> Json:
    """Return the state of an event for one of its players."""
    data: Json = browser.http.get(f"/api{path}").json()
    return data


def wait_for(
    read: Callable[[], Any], condition: Callable[[Any], object], seconds: float = PATIENCE
) -> Any:
    """Poll until the condition is true; return the last value."""
    deadline = time.monotonic() + seconds
    while not condition(value := read()):
        assert time.monotonic() < deadline, value
        time.sleep(0.05)
    return value


@dataclass
class Bot:
    """A bot that plays a few random moves and then resigns or agrees to a draw."""

    browser: Browser
    path: str
    name: str
    plies: int = 6
    played: int = 0

    def run(self, stopped: Callable[[], bool]) -> None:
        """Play this player's games until `stopped()`."""
        rng = random.Random(self.name)
        finished: set[str] = set()
        while not stopped():
            game = event_data(self.browser, self.path)["me"]["game"]
            if game is None or game in finished:
                time.sleep(0.05)
                continue
            try:
                self.play(game.rpartition("/")[2], rng)
                finished.add(game)
            except ConnectionClosed:
                # Another process has taken over the game.
                time.sleep(0.1)

    def play(self, game: str, rng: random.Random) -> None:
        live = self.browser.live(game)
        try:
            state = live.state()
            while state["result"] is None:
                if state["turn"] in state["you"]:
                    if state["ply"] >= self.plies:
                        live.send("resign")
                    else:
                        live.send("move", ply=state["ply"], move=rng.choice(state["legal"])["hub"])
                state = live.state()
            self.played += 1
        finally:
            live.close()


@contextmanager
def bots(
    server: Server | ServerProcess, path: str, names: tuple[str, ...] = NAMES
) -> Iterator[list[Bot]]:
    """Let players join, and play their games until the block ends."""
    with ExitStack() as stack:
        players = []
        for name in names:
            browser = stack.enter_context(Browser(server.url))
            join(browser, path, name)
            players.append(Bot(browser, path, name))
        stop = threading.Event()
        errors: list[BaseException] = []

        def run(bot: Bot) -> None:
            try:
                bot.run(stop.is_set)
            except BaseException as error:
                if not stop.is_set():
                    errors.append(error)

        threads = [threading.Thread(target=run, args=(bot,)) for bot in players]
        for thread in threads:
            thread.start()
        try:
            yield players
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert not errors, errors

"""Two processes of `damka serve` on one database, and browsers that connect to either."""

from __future__ import annotations

import time

import psycopg

from damka.server.store import Store
from tests.server.support import Browser, Json, Live
from tests.services import Broker, PostgreSql, ServerProcess

TAKEOVER = 20.0
"""Timeout in seconds for taking over the games of an ended process; two on an idle machine, as
measured by `python -m bench.faults`."""


class Fleet:
    """Two processes; an ended one is restarted on access."""

    def __init__(self, postgresql: PostgreSql, broker: Broker) -> None:
        self.database = postgresql.new_database()
        self.processes = [ServerProcess(self.database, broker.url) for _ in range(2)]

    def node(self, number: int) -> ServerProcess:
        process = self.processes[number]
        if not process.is_running:
            process.start()
        assert process.url
        return process

    def nodes(self) -> list[ServerProcess]:
        return [self.node(number) for number in range(2)]

    def browser(self, number: int) -> Browser:
        return Browser(self.node(number).url)

    def store(self) -> Store:
        return Store(self.database)

    def owner_of(self, game: str) -> str:
        with psycopg.connect(self.database) as connection:
            found = connection.execute("SELECT owner FROM games WHERE id = %s", [game]).fetchone()
        assert found is not None
        return str(found[0])

    def end(self) -> None:
        for process in self.processes:
            process.close()


def at_node(browser: Browser, node: ServerProcess) -> Browser:
    """Return the same browser, with its cookies, at another process."""
    there = Browser(node.url)
    there.http.cookies.update(browser.http.cookies)
    return there


def reconnect(browser: Browser, game: str, until: float) -> tuple[Live, Json]:
    """Reconnect, as a page does, until the game is shown; before `until`."""
    while True:
        assert time.monotonic() < until, "the game is not shown again in time"
        try:
            live = browser.live(game)
            return live, live.state()
        except Exception:
            time.sleep(0.1)

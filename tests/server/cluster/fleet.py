"""Two processes of `damka serve` on one database, and browsers that connect to either."""

from __future__ import annotations

import time

import psycopg

from damka.server.store import Store
from tests.server.support import Browser, Json, Live
from tests.services import Broker, PostgreSql, ServerProcess

TAKEOVER = 20.0
"""Timeout in seconds for taking over the games of an ended process. On an idle machine it takes two
seconds, as measured by `python -m bench.faults`."""


class Fleet:
    """Two processes. An ended one is restarted on access."""

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
            row = connection.execute("SELECT owner FROM games WHERE id = %s", [game]).fetchone()
        assert row is not None
        return str(row[0])

    def end(self) -> None:
        for process in self.processes:
            process.close()


def at_node(browser: Browser, node: ServerProcess) -> Browser:
    """Return a browser with the same cookies that connects to another process."""
    browser_at_node = Browser(node.url)
    browser_at_node.http.cookies.update(browser.http.cookies)
    return browser_at_node


def reconnect(browser: Browser, game: str, deadline: float) -> tuple[Live, Json]:
    """Reconnect, as a page does, until the state arrives; fail after `deadline`."""
    while True:
        assert time.monotonic() < deadline, "no state within the time limit"
        try:
            live = browser.live(game)
            return live, live.state()
        except Exception:
            time.sleep(0.1)

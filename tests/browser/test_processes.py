"""A page whose game is played in another process comes back by itself when that one is killed."""

from __future__ import annotations

import signal
import time
from contextlib import closing

from playwright.sync_api import Browser

from tests.browser.support import window
from tests.server.cluster.databases import Broker, PostgreSql
from tests.server.cluster.fleet import Node


def test_the_process_of_a_game_is_killed(browser: Browser) -> None:
    with closing(PostgreSql()) as postgresql, closing(Broker()) as broker:
        database = postgresql.new_database()
        nodes = [Node(database, broker.url) for _ in range(2)]
        try:
            # The browser itself logs the broken connection to the console.
            with window(browser, nodes[0].url, ignore_errors=True) as desk:
                desk.new_game("dama64")
                desk.play("22-18")
                game = desk.page.url.removeprefix(nodes[0].url)
                desk.page.goto(nodes[1].url + game)
                desk.ready()
                desk.play("9-13")
                killed = time.monotonic()
                nodes[0].process.send_signal(signal.SIGKILL)
                desk.page.wait_for_selector("body.offline")
                # A move chosen meanwhile is sent when the game goes on.
                desk.click(18, 15)
                desk.page.wait_for_selector("body:not(.offline)")
                assert time.monotonic() - killed < 2.0
                desk.until_ply(3)
                assert desk.moves() == ["22-18", "9-13", "18-15"]
        finally:
            for node in nodes:
                node.end()

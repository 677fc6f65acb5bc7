"""A page reconnects automatically when the process of its game is killed."""

from __future__ import annotations

import signal
import time

from playwright.sync_api import Browser

from tests.browser.support import open_window
from tests.services import Broker, PostgreSql, fleet
from tests.slowness import slowness


def test_the_process_of_a_game_is_killed(browser: Browser) -> None:
    with (
        PostgreSql() as postgresql,
        Broker() as broker,
        fleet(postgresql.new_database(), broker.url, count=2) as nodes,
        # The browser logs the broken connection to the console.
        open_window(browser, nodes[0].url, ignore_errors=True) as window,
    ):
        window.new_game("dama64")
        window.play("22-18")
        game = window.page.url.removeprefix(nodes[0].url)
        window.page.goto(nodes[1].url + game)
        window.ready()
        window.play("9-13")
        killed = time.monotonic()
        nodes[0].process.send_signal(signal.SIGKILL)
        window.page.wait_for_selector("body.offline")
        # A move made meanwhile is sent when the game resumes.
        window.click(18, 15)
        window.page.wait_for_selector("body:not(.offline)")
        assert (time.monotonic() - killed) / slowness() < 2.0
        window.until_ply(3)
        assert window.moves() == ["22-18", "9-13", "18-15"]

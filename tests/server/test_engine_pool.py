"""The engine pool and the games queued for it, on a running server."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import pytest

from damka.server.engine_pool import EnginePool
from tests.server.support import PATIENCE, Browser, Server
from tests.slowness import slowness


def pool_of(server: Server) -> EnginePool:
    pool: EnginePool = server.app.state.damka.engine_pool
    return pool


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def searches(server: Server) -> int:
    return sum(place.job is not None for place in pool_of(server)._pool._slots)


def test_a_worker_starts_when_a_game_is_opened(server: Server, browser: Browser) -> None:
    assert not pool_of(server)._pool.workers, "no game, no process"
    browser.live(browser.new_game(opponent="computer", level=3)).state()
    wait_until(lambda: len(pool_of(server)._pool.workers) == 1)


def test_a_search_stops_when_the_last_page_closes(server: Server, browser: Browser) -> None:
    live = browser.live(browser.new_game(opponent="computer", level=10))
    live.state()
    assert live.play("22-18")["thinking"]
    wait_until(lambda: searches(server))
    live.close()
    # Well before the thinking time of three seconds.
    wait_until(lambda: not searches(server), 2 * slowness())
    reconnected = browser.live(live.current["id"])
    reconnected.state(lambda state: state["ply"] == 2)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_worker_that_crashes_twice_is_reported(server: Server, browser: Browser) -> None:
    live = browser.live(browser.new_game(opponent="computer", level=10))
    live.state()
    live.send("move", ply=0, move="22-18")
    killed: set[int] = set()
    for count in (1, 2):

        def kill() -> bool:
            for place in pool_of(server)._pool._slots:
                if place.worker is not None and place.job is not None and place.duty == "games":
                    pid = getattr(place.worker, "pid", 0)
                    if pid not in killed:
                        os.kill(pid, signal.SIGKILL)
                        killed.add(pid)
            return len(killed) >= count  # noqa: B023

        wait_until(kill)
    state = live.state(lambda state: not state["thinking"] and state["ply"] == 1)
    assert "failed to find a move" in state["status"]["sentence"]
    reconnected = browser.live(state["id"])
    assert reconnected.state(lambda state: state["ply"] == 2)["turn"] == "W"

"""The engine threads are shared fairly between addresses."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from damka import Game
from damka.engine import Stop, levels
from damka.live.search_request import SearchRequest
from damka.server.engine_pool import EnginePool
from damka.server.external_engines import ExternalEngines
from damka.server.fair_queue import FairQueue
from tests.server.support import Browser, serving


def taken(queue: FairQueue[str], count: int) -> str:
    """Take `count` items, each finished at once."""
    items = []
    for _ in range(count):
        one = queue.take()
        assert one is not None
        items.append(one[1])
        queue.done(one[0])
    return " ".join(items)


def test_addresses_take_turns() -> None:
    queue: FairQueue[str] = FairQueue(1)
    for item in ("a1", "a2", "a3", "a4", "b1", "b2"):
        queue.put(item[0], 10, item)
    assert taken(queue, 6) == "a1 b1 a2 b2 a3 a4"


def test_cheap_jobs_go_first_and_expensive_ones_do_not_starve() -> None:
    queue: FairQueue[str] = FairQueue(1)
    queue.put("expensive", 4, "D")
    for n in range(8):
        queue.put("cheap", 1, f"c{n}")
    order = taken(queue, 9)
    assert order.startswith("c0 c1 c2 ")
    assert order.index("D") <= order.index("c4")


def test_a_late_address_does_not_wait_for_the_whole_queue() -> None:
    queue: FairQueue[str] = FairQueue(1)
    for n in range(100):
        queue.put("a", 10, f"a{n}")
    taken(queue, 10)
    queue.put("b", 10, "b")
    assert "b" in taken(queue, 2).split()


def test_running_jobs_per_address_are_limited() -> None:
    queue: FairQueue[str] = FairQueue(2)
    for item in ("a1", "a2", "a3", "b1"):
        queue.put(item[0], 1, item)
    out = [queue.take() for _ in range(3)]
    assert [one[1] for one in out if one] == ["a1", "b1", "a2"]
    waiting: list[str] = []
    thread = threading.Thread(target=lambda: waiting.append((queue.take() or ("", ""))[1]))
    thread.start()
    time.sleep(0.05)
    assert waiting == []
    queue.done("a")
    thread.join(5)
    assert waiting == ["a3"]


def test_a_discarded_job_is_not_taken_and_closing_wakes_all_waiters() -> None:
    queue: FairQueue[str] = FairQueue(1)
    queue.put("a", 1, "one")
    queue.put("a", 1, "two")
    queue.discard("one")
    assert (len(queue), taken(queue, 1)) == (1, "two")
    thread = threading.Thread(target=queue.take)
    thread.start()
    queue.close()
    thread.join(5)
    assert not thread.is_alive()


def question(level: int) -> SearchRequest:
    return SearchRequest(Game("dama64"), "W", level, about_draw=False, may_offer_draw=False)


def test_a_hundred_games_of_one_address_do_not_delay_another() -> None:
    opponents = EnginePool(1, 1, 1, ExternalEngines((), 1, 1))
    try:
        greedy = [opponents.decide(question(10), "greedy") for _ in range(100)]
        modest = opponents.decide(question(1), "modest")
        answered = threading.Event()
        modest.when_done(answered.set)
        # One search of level 10, at most 3 s by its limit, is under way already.
        assert answered.wait(30)
        assert sum(reply.done for reply in greedy) <= 1
    finally:
        opponents.close()


def test_a_search_stops_when_its_last_watcher_leaves(tmp_path: Path) -> None:
    began, stopped = threading.Event(), threading.Event()

    def lasting(engine: object, thinking: object, stop: Stop) -> object:
        began.set()
        while not stop.is_set:
            time.sleep(0.01)
        stopped.set()
        raise RuntimeError("stopped")

    with serving(tmp_path) as server, server.browser() as browser:
        answered, levels.answered = levels.answered, lasting  # type: ignore[assignment]
        try:
            live = browser.live(browser.new_game(opponent="computer", level=10))
            live.state()
            assert live.play("22-18")["thinking"]
            assert began.wait(10)
            live.close()
            assert stopped.wait(10)
        finally:
            levels.answered = answered
        again(browser, live.now["id"])


def again(browser: Browser, game: str) -> None:
    """Connect again: the computer starts a new search and moves."""
    live = browser.live(game)
    live.state(lambda state: state["ply"] == 2)

"""No clock runs while the store fails, not even for a move that waits for the store."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from damka.live.clock import ClockSettings
from damka.live.stored_game import EntryTime
from damka.server.outage import Outage
from damka.server.session_clock import ClockBefore, SessionClock
from damka.server.store import Store, StoreError
from damka.server.timekeeper import Timekeeper
from tests.live.live_games import live_game
from tests.server.online import play, ply_reached, start_online_game
from tests.server.support import Server, serving

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame

TEN_MINUTES = ClockSettings(kind="sudden", seconds=600)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("outage")) as server:
        yield server


def raise_store_error(*_: Any, **__: Any) -> None:
    raise StoreError("the database failed: disk full")


def test_a_move_that_waits_for_the_end_of_an_outage_costs_no_time(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    store: Store = server.app.state.damka.store
    check, check_started, recovered = store.check, threading.Event(), threading.Event()

    def slow_check() -> None:
        check_started.set()
        assert recovered.wait(10)
        check()

    with server.browser() as ana, server.browser() as petra:
        first, second = start_online_game(ana, petra, clock={"kind": "sudden", "seconds": 600})
        play(first, second, "22-18")
        start = time.monotonic()
        play(first, second, "11-15")
        monkeypatch.setattr(store, "append", raise_store_error)
        monkeypatch.setattr(store, "check", raise_store_error)
        assert first.request("move", ply=2, move="18x11x15")["code"] == "store_fails"
        refused_ms = (time.monotonic() - start) * 1000
        time.sleep(0.3)
        monkeypatch.setattr(store, "check", slow_check)
        first.send("move", ply=2, move="18x11x15")
        assert check_started.wait(10)
        time.sleep(0.6)
        monkeypatch.undo()
        end = time.monotonic()
        recovered.set()
        second.state(ply_reached(3))
        shown_ms = (time.monotonic() - end) * 1000
        before = second.current["clock"]["left"]
        assert before["B"] >= 600_000 - 1 - shown_ms, "the move counts from the end of the outage"
        assert before["W"] >= 600_000 - 1 - refused_ms, "and costs the time before the outage"


# The end of an outage


def create_outage(check: Any) -> tuple[Outage, list[float]]:
    ends: list[float] = []
    return Outage(check, lambda: None, ends.append), ends


def test_waiting_callers_share_one_check() -> None:
    async def run() -> None:
        count, results = 0, [False, True]

        async def check() -> None:
            nonlocal count
            count += 1
            await asyncio.sleep(0.01)
            if not results.pop(0):
                raise_store_error()

        outage, ends = create_outage(check)
        start = Timekeeper.now()
        outage.begin(start)
        waiting = [outage.require_available() for _ in range(50)]
        responses = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(each, StoreError) for each in responses)
        assert (count, ends) == (1, [])
        cancelled = asyncio.create_task(outage.require_available())
        await asyncio.sleep(0)
        cancelled.cancel()
        assert await outage.is_over(), "a cancelled caller does not cancel the check"
        assert (count, ends, outage.since) == (2, [start], None)

    asyncio.run(run())


def test_an_outage_begins_with_the_first_failed_write() -> None:
    async def run() -> None:
        async def check() -> None:
            pass

        outage, ends = create_outage(check)
        outage.begin(20.0)
        outage.begin(10.0)
        outage.begin(30.0)
        before = Timekeeper.now()
        assert await outage.is_over()
        end = Timekeeper.now()
        # A write that was requested before the end, and failed only now.
        outage.begin(15.0)
        assert await outage.is_over()
        assert ends[0] == 10.0
        assert before <= ends[1] <= end, "no time is skipped twice"

    asyncio.run(run())


# Clock of one game


class ManualClock(Timekeeper):
    """A manually set clock."""

    time = 0.0

    @staticmethod
    def now() -> float:
        return ManualClock.time


@pytest.fixture
def running() -> tuple[LiveGame, SessionClock]:
    """Return a game with a move of each side, and a clock of 10 minutes that starts at 1000 s."""
    ManualClock.time = 1000.0
    live = live_game("dama64", clock=TEN_MINUTES)
    clock = SessionClock(live, ManualClock())
    for key in ("22-18", "11-15"):
        play_move(live, clock, key, 1000.0)
        clock.mark_stored()
    return live, clock


def play_move(live: LiveGame, clock: SessionClock, key: str, now: float) -> None:
    """Play a move received at `now`, without storing it."""
    before, event = ClockBefore(live), live.move(("W", "B"), live.ply, key)
    live.apply(event)
    clock.entry(live, event, before, now, {})


def reloaded(clock: SessionClock, at: float) -> LiveGame:
    """Return the game as loaded, with its last entry written `at` that time."""
    time = EntryTime(clock._keeper.wall(at), 600_000, 600_000, 0)
    return live_game("dama64", clock=TEN_MINUTES, times=(time,))


def remaining(live: LiveGame) -> tuple[int, int]:
    assert live.clock is not None
    return live.clock.white, live.clock.black


@pytest.mark.parametrize(
    ("received", "used"),
    [
        (1003.0, 3000),  # received before the store began to fail
        (1007.0, 5000),  # received during the outage
        (1012.0, 7000),  # received afterwards
    ],
)
def test_the_time_of_a_move_stored_after_an_outage(
    running: tuple[LiveGame, SessionClock], received: float, used: int
) -> None:
    live, clock = running
    ManualClock.time = 1010.0
    clock.skip(1005.0)
    ManualClock.time = 1012.0
    play_move(live, clock, "18x11x15", received)
    clock.mark_stored()
    assert remaining(live) == (600_000 - used, 600_000)
    assert clock.used(1013.0) == 1000 * (1013 - max(1010, received)), "the opponent's turn"


def test_an_entry_that_is_being_stored_at_the_end_of_an_outage(
    running: tuple[LiveGame, SessionClock],
) -> None:
    live, clock = running
    ManualClock.time = 1004.0
    play_move(live, clock, "18x11x15", 1004.0)
    ManualClock.time = 1010.0
    clock.skip(1005.0)
    clock.mark_stored()
    assert clock.used(1012.0) == 3000, "one second before the outage and two after it"
    clock.read(reloaded(clock, 1004.0))
    assert clock.used(1012.0) == pytest.approx(3000, abs=1), "also after a reload"


def test_an_entry_that_is_lost_in_an_outage(running: tuple[LiveGame, SessionClock]) -> None:
    live, clock = running
    ManualClock.time = 1004.0
    play_move(live, clock, "18x11x15", 1004.0)
    ManualClock.time = 1010.0
    clock.skip(1004.0)
    clock.read(reloaded(clock, 1000.0))
    assert clock.used(1012.0) == pytest.approx(6000, abs=1), "the turn continues"

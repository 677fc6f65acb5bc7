"""A server is killed during the start of a round: the next one starts each game once."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from damka.server import games
from damka.server.events import Conductor, Events
from damka.server.store.event_models import TournamentGameRow
from damka.server.store.models import GameRow
from tests.server.accounts.support import store_of
from tests.server.events.support import act, event_data, make, wait_for
from tests.server.support import Server, serving

PLAYERS = 12


def count_games(server: Server) -> tuple[int, int, int]:
    """Return the number of games that are stored, recorded in an event, and both."""
    with store_of(server).transaction() as connection:
        rows = connection.execute(select(TournamentGameRow.game_id)).scalars().all()
        stored = connection.execute(select(func.count()).select_from(GameRow)).scalar_one()
        both = connection.execute(
            select(func.count()).select_from(GameRow).where(GameRow.id.in_(rows))
        ).scalar_one()
    assert max(Counter(rows).values(), default=1) == 1
    return stored, len(rows), both


@pytest.mark.parametrize("written", [-1, 0, 1, 4])
def test_a_crash_in_the_middle_of_beginning_a_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    """The server stops before the games are recorded (-1), or after this many were created."""
    reached = threading.Event()
    made = 0
    real_store, real_write = games.store, Events.write

    async def stop() -> None:
        reached.set()
        await asyncio.Event().wait()

    async def store(*arguments: Any, **more: Any) -> None:
        nonlocal made
        if made == written:
            await stop()
        made += 1
        await real_store(*arguments, **more)

    async def write(events: Events, change: Any) -> Any:
        if "write_games" in change.__code__.co_names and written < 0:
            await stop()
        return await real_write(events, change)

    with serving(tmp_path) as first, first.browser() as browser:
        path = make(browser, first, rules="american")
        for number in range(PLAYERS):
            act(browser, path, "add", name=f"P{number}")
        act(browser, path, "start")
        act(browser, path, "pair")
        with monkeypatch.context() as patch:
            patch.setattr(games, "store", store)
            patch.setattr(Events, "write", write)
            act(browser, path, "begin")
            assert reached.wait(10)
        before = count_games(first)
        assert before[0] == before[2] == max(0, written)
        cookies = dict(browser.http.cookies)
    with serving(tmp_path) as second, second.browser() as browser:
        browser.http.cookies.update(cookies)
        boards = wait_for(
            lambda: event_data(browser, path)["round"]["boards"],
            lambda found: all(each["url"] for each in found),
        )
        assert count_games(second) == (6, 6, 6)
        assert len({each["url"] for each in boards}) == 6


def test_two_processes_that_both_think_they_lead_begin_each_game_once(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.browser() as browser:
        app = server.app.state.damka
        path = make(browser, server)
        for number in range(PLAYERS):
            act(browser, path, "add", name=f"P{number}")
        act(browser, path, "start")
        act(browser, path, "pair")
        loop = app.conductor._task.get_loop()
        others = [Conductor(app.events, app.sessions, app.accounts, app.cluster) for _ in range(3)]
        act(browser, path, "begin")
        asked = [
            asyncio.run_coroutine_threadsafe(each._poll(), loop)
            for each in others
            for _ in range(2)
        ]
        for each in asked:
            each.result(10)
        wait_for(
            lambda: event_data(browser, path)["round"]["boards"],
            lambda found: all(each["url"] for each in found),
        )
        assert count_games(server) == (6, 6, 6)

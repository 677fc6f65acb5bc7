"""A server is killed while a round starts: the next server starts each game once."""

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
from tests.server.events.support import act, create_event, event_data, wait_for
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


@pytest.mark.parametrize("games_before_crash", [-1, 0, 1, 4])
def test_a_crash_during_the_start_of_a_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, games_before_crash: int
) -> None:
    """The server stops before the games are recorded (-1), or after this many were created."""
    stopped = threading.Event()
    created = 0
    real_store, real_write = games.store, Events.write

    async def stop() -> None:
        stopped.set()
        await asyncio.Event().wait()

    async def store(*arguments: Any, **options: Any) -> None:
        nonlocal created
        if created == games_before_crash:
            await stop()
        created += 1
        await real_store(*arguments, **options)

    async def write(events: Events, change: Any) -> Any:
        if "write_games" in change.__code__.co_names and games_before_crash < 0:
            await stop()
        return await real_write(events, change)

    with serving(tmp_path) as first, first.browser() as browser:
        path = create_event(browser, first, rules="american")
        for number in range(PLAYERS):
            act(browser, path, "add", name=f"P{number}")
        act(browser, path, "start")
        act(browser, path, "pair")
        with monkeypatch.context() as patch:
            patch.setattr(games, "store", store)
            patch.setattr(Events, "write", write)
            act(browser, path, "begin")
            assert stopped.wait(10)
        before = count_games(first)
        assert before[0] == before[2] == max(0, games_before_crash)
        cookies = dict(browser.http.cookies)
    with serving(tmp_path) as second, second.browser() as browser:
        browser.http.cookies.update(cookies)
        boards = wait_for(
            lambda: event_data(browser, path)["round"]["boards"],
            lambda boards: all(each["url"] for each in boards),
        )
        assert count_games(second) == (6, 6, 6)
        assert len({each["url"] for each in boards}) == 6


def test_two_leading_processes_start_each_game_once(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.browser() as browser:
        app = server.app.state.damka
        path = create_event(browser, server)
        for number in range(PLAYERS):
            act(browser, path, "add", name=f"P{number}")
        act(browser, path, "start")
        act(browser, path, "pair")
        loop = app.conductor._task.get_loop()
        others = [Conductor(app.events, app.sessions, app.accounts, app.cluster) for _ in range(3)]
        act(browser, path, "begin")
        futures = [
            asyncio.run_coroutine_threadsafe(each._poll(), loop)
            for each in others
            for _ in range(2)
        ]
        for each in futures:
            each.result(10)
        wait_for(
            lambda: event_data(browser, path)["round"]["boards"],
            lambda boards: all(each["url"] for each in boards),
        )
        assert count_games(server) == (6, 6, 6)

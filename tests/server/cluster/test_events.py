"""An event that two processes serve, of which one is killed in its middle."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine

from damka.server.events import desk
from tests.server.events.support import act, bots, form, told, wait_for
from tests.server.support import Browser
from tests.services import Broker, ServerProcess, fleet


@pytest.fixture
def nodes(url: str, broker: Broker) -> Iterator[list[ServerProcess]]:
    with fleet(url, broker.url, count=2) as running:
        yield running


def test_a_swiss_goes_on_when_a_process_is_killed(nodes: list[ServerProcess], url: str) -> None:
    first, second = nodes
    with Browser(first.url) as arbiter:
        engine = create_engine(url)
        code = desk.new_code(engine)
        engine.dispose()
        answer = form(
            arbiter, "/events", name="Two", arbiter="Rossi", code=code, rules="dama64", rounds=2,
            pace="auto", **{"break": 0},
        )  # fmt: skip
        assert answer.status_code == 303, answer.text
        path = answer.headers["location"].removesuffix("/arbiter")
        with bots(second, path, ("Ana", "Ben", "Cvetan", "Dina")), Browser(second.url) as watcher:
            # Whoever watches at one process is told of what is done at the other.
            feed = watcher.live(path.replace("/events/", "event/"))
            feed.receive("event")
            act(arbiter, path, "start")
            started = time.monotonic()
            feed.receive("event")
            assert time.monotonic() - started < 1
            wait_for(lambda: told(watcher, path)["event"]["begun"], bool)
            first.end(signal.SIGKILL)
            data = wait_for(
                lambda: told(watcher, path), lambda data: data["event"]["status"] == "over", 60
            )
            assert data["event"]["round"] == 2
            assert sum(int(row["points"]) for row in data["standings"]) == 8

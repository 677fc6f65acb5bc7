"""Messages between processes through a real broker, which is killed meanwhile."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from damka.server.app_state import AppState
from damka.server.broker import MAX_BYTES, BrokerCluster, BrokerError
from damka.server.settings import Settings
from damka.server.store import StoreError
from tests.services import Broker


async def own_nothing(_: str) -> bool:
    return False


@asynccontextmanager
async def connected_clusters(
    broker: Broker, installation: str = "games"
) -> AsyncIterator[list[BrokerCluster]]:
    clusters = [BrokerCluster(broker.url, installation, own_nothing) for _ in range(2)]
    for each in clusters:
        await each.start()
    async with asyncio.timeout(10):
        for each in clusters:
            await each.wait_subscribed()
    yield clusters
    for each in clusters:
        await each.close()


def run(conversation: Callable[[], Awaitable[None]]) -> None:
    async def run_with_timeout() -> None:
        async with asyncio.timeout(20):
            await conversation()

    asyncio.run(run_with_timeout())


async def wait_until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


def test_a_message_reaches_both_processes_once(broker: Broker) -> None:
    received: list[tuple[str, bytes]] = []

    async def exchange() -> None:
        async with (
            connected_clusters(broker) as (first, other),
            connected_clusters(broker, "others") as (stranger, _),
        ):
            for name, each in (("one", first), ("other", other), ("stranger", stranger)):
                each.subscribe("lobby", lambda m, name=name: received.append((name, m)))  # type: ignore[misc]
            end = other.subscribe("event:ä", lambda m: received.append(("event", m)))
            await first.publish("lobby", b"\x00\xff")
            await first.publish("event:ä", b"1")
            await wait_until(lambda: len(received) >= 3)
            end()
            await first.publish("event:ä", b"2")
            await first.publish("lobby", b"")
            await wait_until(lambda: len(received) >= 5)
            with pytest.raises(ValueError, match="at most"):
                await first.publish("lobby", b"x" * (MAX_BYTES + 1))
            await first.publish("lobby", b"x" * MAX_BYTES)
            await wait_until(lambda: len(received) >= 7)

    run(exchange)
    assert [m for name, m in received if name == "one"] == [
        b"\x00\xff",
        b"",
        b"x" * MAX_BYTES,
    ]
    assert [m for name, m in received if name == "other"] == [
        b"\x00\xff",
        b"",
        b"x" * MAX_BYTES,
    ]
    assert [m for name, m in received if name in {"event", "stranger"}] == [b"1"]


def test_processes_wait_for_a_killed_broker(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    received: list[bytes] = []

    async def exchange() -> None:
        async with connected_clusters(broker) as (first, other):
            other.subscribe("lobby", received.append)
            await first.publish("lobby", b"before")
            await wait_until(lambda: received)
            broker.end(signal.SIGKILL)
            await wait_until(lambda: "the broker is unreachable" in caplog.text)
            await first.publish("lobby", b"meanwhile")
            await asyncio.to_thread(broker.start)
            await asyncio.gather(first.wait_subscribed(), other.wait_subscribed())
            await wait_until(lambda: "meanwhile" in str(received) or len(received) > 1)
            await first.publish("lobby", b"after")
            await wait_until(lambda: b"after" in received)

    run(exchange)
    assert caplog.text.count("the broker is unreachable") == 2, "each process logs it once"


@pytest.mark.parametrize("url", ["", "nonsense", "http://127.0.0.1:1", "redis://127.0.0.1:port"])
def test_an_invalid_broker_url_is_an_error(url: str) -> None:
    with pytest.raises(BrokerError, match="invalid broker address"):
        BrokerCluster(url, "games", own_nothing)


def test_a_missing_client_is_reported_with_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(BrokerError, match=r'pip install "damka\[cluster\]"'):
        BrokerCluster("redis://127.0.0.1:1", "games", own_nothing)


def test_several_processes_need_postgresql(tmp_path: Path) -> None:
    settings = Settings(
        database_url=f"sqlite:///{tmp_path / 'games.sqlite3'}", broker_url="redis://127.0.0.1:1"
    )
    with pytest.raises(StoreError, match="several processes need PostgreSQL"):
        AppState(settings)

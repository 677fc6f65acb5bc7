"""Messages of processes through a real broker, which is killed in between."""

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


async def nobody(_: str) -> bool:
    return False


@asynccontextmanager
async def two(broker: Broker, installation: str = "games") -> AsyncIterator[list[BrokerCluster]]:
    both = [BrokerCluster(broker.url, installation, nobody) for _ in range(2)]
    for each in both:
        await each.start()
    async with asyncio.timeout(10):
        for each in both:
            await each.wait_subscribed()
    yield both
    for each in both:
        await each.close()


def run(talk: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(20):
            await talk()

    asyncio.run(bounded())


async def until(is_true: Callable[[], object]) -> None:
    while not is_true():
        await asyncio.sleep(0.01)


def test_a_message_reaches_both_processes_once(broker: Broker) -> None:
    wait_subscribed: list[tuple[str, bytes]] = []

    async def talk() -> None:
        async with two(broker) as (one, other), two(broker, "others") as (stranger, _):
            for name, each in (("one", one), ("other", other), ("stranger", stranger)):
                each.subscribe("lobby", lambda m, name=name: wait_subscribed.append((name, m)))  # type: ignore[misc]
            end = other.subscribe("event:ä", lambda m: wait_subscribed.append(("event", m)))
            await one.publish("lobby", b"\x00\xff")
            await one.publish("event:ä", b"1")
            await until(lambda: len(wait_subscribed) >= 3)
            end()
            await one.publish("event:ä", b"2")
            await one.publish("lobby", b"")
            await until(lambda: len(wait_subscribed) >= 5)
            with pytest.raises(ValueError, match="at most"):
                await one.publish("lobby", b"x" * (MAX_BYTES + 1))
            await one.publish("lobby", b"x" * MAX_BYTES)
            await until(lambda: len(wait_subscribed) >= 7)

    run(talk)
    assert [m for name, m in wait_subscribed if name == "one"] == [
        b"\x00\xff",
        b"",
        b"x" * MAX_BYTES,
    ]
    assert [m for name, m in wait_subscribed if name == "other"] == [
        b"\x00\xff",
        b"",
        b"x" * MAX_BYTES,
    ]
    assert [m for name, m in wait_subscribed if name in {"event", "stranger"}] == [b"1"]


def test_a_broker_that_is_killed_is_waited_for(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    wait_subscribed: list[bytes] = []

    async def talk() -> None:
        async with two(broker) as (one, other):
            other.subscribe("lobby", wait_subscribed.append)
            await one.publish("lobby", b"before")
            await until(lambda: wait_subscribed)
            broker.end(signal.SIGKILL)
            await until(lambda: "the broker is unreachable" in caplog.text)
            await one.publish("lobby", b"meanwhile")
            await asyncio.to_thread(broker.start)
            await asyncio.gather(one.wait_subscribed(), other.wait_subscribed())
            await until(lambda: "meanwhile" in str(wait_subscribed) or len(wait_subscribed) > 1)
            await one.publish("lobby", b"after")
            await until(lambda: b"after" in wait_subscribed)

    run(talk)
    assert caplog.text.count("the broker is unreachable") == 2, "each says so once"


@pytest.mark.parametrize("url", ["", "nonsense", "http://127.0.0.1:1", "redis://127.0.0.1:port"])
def test_an_address_without_a_broker_is_an_error(url: str) -> None:
    with pytest.raises(BrokerError, match="invalid broker address"):
        BrokerCluster(url, "games", nobody)


def test_a_missing_client_is_reported_with_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(BrokerError, match=r'pip install "damka\[cluster\]"'):
        BrokerCluster("redis://127.0.0.1:1", "games", nobody)


def test_several_processes_need_postgresql(tmp_path: Path) -> None:
    settings = Settings(
        database_url=f"sqlite:///{tmp_path / 'games.sqlite3'}", broker_url="redis://127.0.0.1:1"
    )
    with pytest.raises(StoreError, match="several processes need PostgreSQL"):
        AppState(settings)

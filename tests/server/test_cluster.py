"""Messages between the parts of one process."""

from __future__ import annotations

import asyncio

import pytest

from damka.server.cluster import SingleProcess


def test_a_message_reaches_all_subscribers_until_they_unsubscribe() -> None:
    cluster = SingleProcess()
    received: list[tuple[str, bytes]] = []

    async def publish() -> None:
        end = cluster.subscribe("lobby", lambda message: received.append(("first", message)))
        cluster.subscribe("lobby", lambda message: received.append(("second", message)))
        cluster.subscribe("event:1", lambda message: received.append(("other", message)))
        await cluster.publish("lobby", b"a")
        end()
        end()
        await cluster.publish("lobby", b"b")

    asyncio.run(publish())
    assert sorted(received) == [("first", b"a"), ("second", b"a"), ("second", b"b")]


def test_a_failing_subscriber_does_not_block_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    cluster = SingleProcess()
    received: list[bytes] = []

    def fail(_: bytes) -> None:
        raise ValueError("failure")

    async def publish() -> None:
        cluster.subscribe("lobby", fail)
        cluster.subscribe("lobby", received.append)
        await cluster.publish("lobby", b"a")

    asyncio.run(publish())
    assert received == [b"a"]
    assert "a subscriber of 'lobby' failed" in caplog.text


def test_a_single_process_leads_every_task() -> None:
    assert asyncio.run(SingleProcess().leads("lobby"))

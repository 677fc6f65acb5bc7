"""Connections between processes: authentication, slow readers and failures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import msgspec
import pytest
from starlette.types import Receive, Scope, Send

from damka.server.peers import END, HELLO, MESSAGE, NOT_OWNER, OPEN, WINDOW, LostError, Peers
from damka.server.store.processes import ProcessRecord

SECRET = "s" * 43
SCOPE: Scope = {
    "type": "http",
    "http_version": "1.1",
    "method": "GET",
    "scheme": "https",
    "path": "/game/x",
    "query_string": b"a=b",
    "headers": [(b"cookie", b"\xff")],
    "client": ("192.0.2.7", 5),
    "server": ("127.0.0.1", 8077),
    "app": object(),
}


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer each part of the body, a number, with that many messages."""
    while (message := await receive())["type"] == "http.request":
        for count in range(int(message["body"])):
            body = f"{count} {scope['client']} {scope['headers']}".encode()
            await send({"type": "http.response.body", "body": body})
    if scope["path"] == "/game/fails":
        raise ValueError("failure")


@asynccontextmanager
async def linked_peers() -> AsyncIterator[tuple[Peers, ProcessRecord, Peers]]:
    async def owns(scope: Scope) -> bool:
        return bool(scope["path"] != "/game/other")

    async def release(_: str) -> float:
        return 17.5

    front, owner = (Peers("127.0.0.1", lambda: SECRET, owns, release) for _ in range(2))
    address = await owner.listen(echo)
    yield front, ProcessRecord("id", 1, address, SECRET, datetime.now(UTC), False), owner
    await front.close()
    await owner.close()


def run(exchange: Callable[[], Awaitable[None]]) -> None:
    async def run_with_timeout() -> None:
        async with asyncio.timeout(10):
            await exchange()

    asyncio.run(run_with_timeout())


def test_a_request_is_forwarded_unchanged() -> None:
    async def exchange() -> None:
        async with linked_peers() as (front, owner_record, _):
            stream = await front.open(owner_record, SCOPE)
            await stream.send({"type": "http.request", "body": b"1", "more_body": False})
            kind, body = await stream.next()
            assert kind == MESSAGE
            assert body["body"] == b"0 ('192.0.2.7', 5) [(b'cookie', b'\\xff')]"
            await stream.send({"type": "http.disconnect"})
            assert (await stream.next())[0] == END
            stream.close()
            other = await front.open(owner_record, {**SCOPE, "path": "/game/other"})
            assert (await other.next())[0] == NOT_OWNER
            assert await front.request_game(owner_record, "x") == 17.5

    run(exchange)


def test_a_slow_reader_does_not_delay_other_streams() -> None:
    async def exchange() -> None:
        async with linked_peers() as (front, owner_record, _):
            slow, fast = [await front.open(owner_record, SCOPE) for _ in range(2)]
            await slow.send({"type": "http.request", "body": b"1000"})
            await fast.send({"type": "http.request", "body": b"100"})
            for _ in range(100):
                await fast.next()
            assert slow._inbox.qsize() <= WINDOW
            for _ in range(1000):
                await slow.next()

    run(exchange)


def test_a_lost_connection_ends_its_streams(caplog: pytest.LogCaptureFixture) -> None:
    async def exchange() -> None:
        async with linked_peers() as (front, owner_record, owner):
            failing = await front.open(owner_record, {**SCOPE, "path": "/game/fails"})
            await failing.send({"type": "http.disconnect"})
            assert (await failing.next())[0] == END
            stream = await front.open(owner_record, SCOPE)
            await owner.close()
            with pytest.raises(LostError):
                await stream.next()
            with pytest.raises(LostError):
                await stream.send({"type": "http.request", "body": b"1"})
            with pytest.raises(LostError):
                await front.open(owner_record, SCOPE)

    run(exchange)
    assert "a forwarded connection failed" in caplog.text


def encode_frame(frame: tuple[int, int, object]) -> bytes:
    data = msgspec.msgpack.encode(frame)
    return len(data).to_bytes(4, "big") + data


@pytest.mark.parametrize(
    "frames",
    [
        [(OPEN, 1, dict.fromkeys(("type", "path"), "http"))],
        [(HELLO, 0, "wrong"), (OPEN, 1, {})],
        [(HELLO, 0, None)],
        [(HELLO, 0, "x" * 1000)],
        [b"\xff\xff\xff\xff"],
        [(HELLO, 0, SECRET), b"\xff\xff\xff\xff"],
        [(HELLO, 0, SECRET), b"\x00\x00\x00\x02\xc1\xc1"],
    ],
)
def test_invalid_connections_are_closed(frames: list[bytes | tuple[int, int, object]]) -> None:
    async def exchange() -> None:
        async with linked_peers() as (_, owner_record, _):
            host, _, port = owner_record.address.rpartition(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            for frame in frames:
                writer.write(frame if isinstance(frame, bytes) else encode_frame(frame))
            assert await reader.read() == b""
            writer.close()

    run(exchange)

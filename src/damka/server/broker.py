"""Messages between processes, through Valkey or Redis.

Every process receives all topics of its installation. While the broker is unreachable, messages
wait in a bounded queue and the connection is retried; subscribers in the same process still
receive them. The broker may be restarted at any time.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from damka.errors import DamkaError
from damka.server.cluster import Receiver, SingleProcess

if TYPE_CHECKING:
    from redis.asyncio import Redis

__all__ = ["BrokerCluster", "BrokerError"]

log: Final = logging.getLogger(__name__)

MAX_BYTES: Final = 64 * 1024
"""Maximum message size: a message is a change notification, not storage."""
MAX_WAITING: Final = 1000
"""Maximum number of messages that wait for an unreachable broker; the oldest are dropped."""
_TIMEOUT_SECONDS: Final = 3.0
_RETRY_SECONDS: Final = 0.2
_LOG_EVERY: Final = 50
"""Failed attempts between two log lines."""
_ID_BYTES: Final = 8
_SCHEMES: Final = {"valkey": "redis", "valkeys": "rediss"}


class BrokerError(DamkaError):
    """The broker's address is invalid, or a package for it is missing."""


class BrokerCluster:
    """The processes that use one broker and one database, named by `installation`.

    `lead` looks up in the database whether this process is the leader for a task. Raises
    BrokerError.
    """

    def __init__(self, url: str, installation: str, lead: Callable[[str], Awaitable[bool]]) -> None:
        self._redis: Final = _client(url)
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", installation)
        self._prefix: Final = f"damka:{name}:"
        self._lead: Final = lead
        self._process_id: Final = secrets.token_bytes(_ID_BYTES)
        self._local: Final = SingleProcess()
        self._outgoing: Final[asyncio.Queue[tuple[str, bytes]]] = asyncio.Queue(MAX_WAITING)
        self._tasks: Final[list[asyncio.Task[None]]] = []
        self._is_subscribed: Final = asyncio.Event()
        self._is_connected = True

    async def start(self) -> None:
        """Start connecting in the background, with retries until the broker is reachable."""
        self._tasks.append(asyncio.create_task(self._send()))
        self._tasks.append(asyncio.create_task(self._listen()))

    async def close(self) -> None:
        """Disconnect."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(Exception):
            await self._redis.aclose()  # type: ignore[no-untyped-call,unused-ignore]

    async def wait_subscribed(self) -> None:
        """Wait until this process is subscribed to the messages of others."""
        await self._is_subscribed.wait()

    async def publish(self, topic: str, message: bytes) -> None:
        """Publish a message to a topic's subscribers. Raises ValueError if it is too long."""
        if len(message) > MAX_BYTES:
            raise ValueError(f"message too long: {len(message)} bytes (at most {MAX_BYTES})")
        await self._local.publish(topic, message)
        if self._outgoing.full():
            self._outgoing.get_nowait()
        self._outgoing.put_nowait((topic, message))

    def subscribe(self, topic: str, receive: Receiver) -> Callable[[], None]:
        """Subscribe `receive` to the topic; return a function that unsubscribes."""
        return self._local.subscribe(topic, receive)

    async def leads(self, task: str) -> bool:
        """Return whether this process is the leader for a task."""
        return await self._lead(task)

    async def _send(self) -> None:
        while True:
            topic, message = await self._outgoing.get()
            for tries in count(1):
                # After an interruption the other processes, like this one, must subscribe again.
                await self._is_subscribed.wait()
                try:
                    await self._redis.publish(self._prefix + topic, self._process_id + message)
                    break
                except Exception as error:
                    # The first failure may only be a stale connection, so it is not logged.
                    if tries % _LOG_EVERY == 0:
                        log.error("cannot publish to the broker: %s", error)
                    await asyncio.sleep(_RETRY_SECONDS)

    async def _listen(self) -> None:
        while True:
            pubsub = self._redis.pubsub(ignore_subscribe_messages=True)
            try:
                await pubsub.psubscribe(f"{self._prefix}*")
                # The first message confirms the subscription and is ignored.
                await pubsub.get_message(timeout=_TIMEOUT_SECONDS)
                self._log_state(None)
                self._is_subscribed.set()
                while True:
                    message = await pubsub.get_message(timeout=_TIMEOUT_SECONDS)
                    if message is None:
                        await pubsub.ping()
                    elif message["type"] == "pmessage":
                        await self._on_message(message["channel"], message["data"])
            except Exception as error:
                self._log_state(error)
            finally:
                self._is_subscribed.clear()
                with suppress(Exception):
                    await pubsub.aclose()  # type: ignore[no-untyped-call,unused-ignore]
            await asyncio.sleep(_RETRY_SECONDS)

    async def _on_message(self, channel: bytes, data: bytes) -> None:
        is_own = data[:_ID_BYTES] == self._process_id
        if is_own or not _ID_BYTES <= len(data) <= _ID_BYTES + MAX_BYTES:
            return
        topic = channel.decode("utf-8", "replace").removeprefix(self._prefix)
        await self._local.publish(topic, data[_ID_BYTES:])

    def _log_state(self, error: Exception | None) -> None:
        """Log once that the broker is unreachable, and once that it is back."""
        if error is not None and self._is_connected:
            log.error("the broker is unreachable: %s", error)
        elif error is None and not self._is_connected:
            log.warning("the broker is reachable again")
        self._is_connected = error is None


def _client(url: str) -> Redis:
    try:
        from redis.asyncio import Redis  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError as error:
        raise BrokerError(
            'a broker requires the redis package: pip install "damka[cluster]"'
        ) from error
    scheme, _, rest = url.partition("://")
    options: dict[str, Any] = {
        "socket_timeout": _TIMEOUT_SECONDS,
        "socket_connect_timeout": _TIMEOUT_SECONDS,
        "socket_keepalive": True,
        "retry": None,
    }
    if scheme == "unix":
        options = {"retry": None}
    try:
        return Redis.from_url(f"{_SCHEMES.get(scheme, scheme)}://{rest}", **options)
    except ValueError as error:
        # The address may contain a password.
        raise BrokerError(
            "invalid broker address: expected one such as redis://127.0.0.1:6379"
        ) from error

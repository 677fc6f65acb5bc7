"""Streaming responses: lines sent as they are produced, until the client disconnects."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from damka.errors import DamkaError
from damka.server.fault_log import log_fault

__all__ = ["JSON_LINES", "Guard", "Lines", "Streams"]

log: Final = logging.getLogger(__name__)

Guard = Callable[[Callable[[], Awaitable[object]]], AbstractAsyncContextManager[None]]
"""Receives the function that ends a response, and may call it until the context exits."""

JSON_LINES: Final = "application/x-ndjson"
BEAT_SECONDS: Final = 7.0
"""Interval of the heartbeat, an empty line: proxies close idle connections, and a failed write
detects a client that has disconnected."""


class Streams:
    """The streaming responses of a server; they end when the server stops."""

    def __init__(self, per_account: int) -> None:
        self._per_account: Final = per_account
        self._open: Final[dict[str, int]] = {}
        self._stopped: Final = asyncio.Event()

    @property
    def count(self) -> int:
        """Number of open streams."""
        return sum(self._open.values())

    @property
    def is_stopped(self) -> bool:
        """Whether the server is shutting down."""
        return self._stopped.is_set()

    def enter(self, key: str) -> bool:
        """Register a stream of an account; False when the account has too many."""
        if self._open.get(key, 0) >= self._per_account or self._stopped.is_set():
            return False
        self._open[key] = self._open.get(key, 0) + 1
        return True

    def leave(self, key: str) -> None:
        """Unregister a stream."""
        self._open[key] -= 1
        if self._open[key] <= 0:
            del self._open[key]

    def stop(self) -> None:
        """End all streams."""
        self._stopped.set()

    async def stopped(self) -> None:
        """Wait for the shutdown."""
        await self._stopped.wait()


class Lines(Response):
    """A response body whose lines come from `lines`, with one line in memory at a time.

    It ends with the lines, when the client disconnects, at shutdown, when a line cannot be sent
    within `send_seconds`, or by `end`.
    """

    def __init__(
        self,
        lines: AsyncGenerator[bytes, None],
        streams: Streams,
        key: str,
        *,
        send_seconds: float,
        media_type: str = JSON_LINES,
        headers: dict[str, str] | None = None,
        heartbeat: bool = True,
        guard: Guard | None = None,
    ) -> None:
        # Lines arrive when they are sent only if proxies do not buffer them.
        more = {"cache-control": "no-store", "x-accel-buffering": "no", **(headers or {})}
        super().__init__(media_type=media_type, headers=more)
        del self.headers["content-length"]
        self._lines: Final = lines
        self._streams: Final = streams
        self._key: Final = key
        self._send_seconds: Final = send_seconds
        self._heartbeat: Final = BEAT_SECONDS if heartbeat else None
        self._guard: Final = guard
        self._ended: Final = asyncio.Event()
        self._has_left = False

    async def end(self) -> None:
        """End the response."""
        self._ended.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines."""
        try:
            async with nullcontext() if self._guard is None else self._guard(self.end):
                await self._send_lines(receive, send)
        finally:
            self._leave()

    def _leave(self) -> None:
        """Unregister the stream, once."""
        if not self._has_left:
            self._has_left = True
            self._streams.leave(self._key)

    async def _send_lines(self, receive: Receive, send: Send) -> None:
        end_tasks = [
            asyncio.ensure_future(each)
            for each in (_disconnected(receive), self._streams.stopped(), self._ended.wait())
        ]
        next_line: asyncio.Task[bytes] | None = None
        try:
            start = {"status": self.status_code, "headers": self.raw_headers}
            await self._send(send, {"type": "http.response.start", **start})
            while True:
                next_line = next_line or asyncio.ensure_future(_next(self._lines))
                await asyncio.wait(
                    {next_line, *end_tasks},
                    timeout=self._heartbeat,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if any(each.done() for each in end_tasks):
                    break
                line = b"\n"
                if next_line.done():
                    finished, next_line = next_line, None
                    try:
                        line = finished.result()
                    except StopAsyncIteration:
                        break
                await self._send(
                    send, {"type": "http.response.body", "body": line, "more_body": True}
                )
            # A client that has read the end may open the next stream at once.
            self._leave()
            await self._send(send, {"type": "http.response.body", "body": b""})
        except TimeoutError:
            pass  # the client does not read, so its buffer is full
        except DamkaError as error:
            # Leave it unterminated, so that the client can detect the truncation.
            log_fault(log, error, "a stream was interrupted", expected=True)
        finally:
            for task in (next_line, *end_tasks):
                if task is not None:
                    task.cancel()
                    with suppress(BaseException):
                        await task
            with suppress(RuntimeError):
                await self._lines.aclose()

    async def _send(self, send: Send, message: dict[str, Any]) -> None:
        async with asyncio.timeout(self._send_seconds):
            await send(message)


async def _next(lines: AsyncGenerator[bytes, None]) -> bytes:
    return await anext(lines)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass

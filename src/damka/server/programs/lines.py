"""An answer that goes on: lines, sent as they come, for as long as somebody reads them."""

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
"""Gets what ends an answer, and may call it while the context lasts."""

JSON_LINES: Final = "application/x-ndjson"
BEAT_SECONDS: Final = 7.0
"""After so long without a line an empty one is sent: proxies close what is silent, and a reader
that has gone is noticed."""


class Streams:
    """The answers of a server that go on; they end when it does."""

    def __init__(self, per_account: int) -> None:
        self._per_account: Final = per_account
        self._open: Final[dict[str, int]] = {}
        self._stopped: Final = asyncio.Event()

    @property
    def count(self) -> int:
        """How many are open."""
        return sum(self._open.values())

    @property
    def are_stopped(self) -> bool:
        """Whether the server is shutting down."""
        return self._stopped.is_set()

    def enter(self, key: str) -> bool:
        """Count one more of an account; False, and nothing counted, when it has enough."""
        if self._open.get(key, 0) >= self._per_account or self._stopped.is_set():
            return False
        self._open[key] = self._open.get(key, 0) + 1
        return True

    def leave(self, key: str) -> None:
        """Count one less."""
        self._open[key] -= 1
        if self._open[key] <= 0:
            del self._open[key]

    def stop(self) -> None:
        """End them all."""
        self._stopped.set()

    async def stopped(self) -> None:
        """Wait until they are to end."""
        await self._stopped.wait()


class Lines(Response):
    """A body whose lines come from `lines`; the memory it takes is that of one line.

    It ends with the lines, with its reader, with the server, when one line does not leave within
    `send_seconds`, or by `end`.
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
        beat: bool = True,
        guard: Guard | None = None,
    ) -> None:
        # Without a proxy's buffer in between a line arrives when it is sent.
        more = {"cache-control": "no-store", "x-accel-buffering": "no", **(headers or {})}
        super().__init__(media_type=media_type, headers=more)
        del self.headers["content-length"]
        self._lines: Final = lines
        self._streams: Final = streams
        self._key: Final = key
        self._send_seconds: Final = send_seconds
        self._beat: Final = BEAT_SECONDS if beat else None
        self._guard: Final = guard
        self._ended: Final = asyncio.Event()
        self._has_left = False

    async def end(self) -> None:
        """End it."""
        self._ended.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send line after line."""
        try:
            async with nullcontext() if self._guard is None else self._guard(self.end):
                await self._tell(receive, send)
        finally:
            self._leave()

    def _leave(self) -> None:
        """Count it no more, once."""
        if not self._has_left:
            self._has_left = True
            self._streams.leave(self._key)

    async def _tell(self, receive: Receive, send: Send) -> None:
        over = [
            asyncio.ensure_future(each)
            for each in (_gone(receive), self._streams.stopped(), self._ended.wait())
        ]
        coming: asyncio.Task[bytes] | None = None
        try:
            start = {"status": self.status_code, "headers": self.raw_headers}
            await self._send(send, {"type": "http.response.start", **start})
            while True:
                coming = coming or asyncio.ensure_future(_next(self._lines))
                await asyncio.wait(
                    {coming, *over}, timeout=self._beat, return_when=asyncio.FIRST_COMPLETED
                )
                if any(each.done() for each in over):
                    break
                line = b"\n"
                if coming.done():
                    done, coming = coming, None
                    try:
                        line = done.result()
                    except StopAsyncIteration:
                        break
                await self._send(
                    send, {"type": "http.response.body", "body": line, "more_body": True}
                )
            # Whoever has read the end may ask for the next one at once.
            self._leave()
            await self._send(send, {"type": "http.response.body", "body": b""})
        except TimeoutError:
            pass  # The reader does not read: nothing more fits in, not even the end.
        except DamkaError as error:
            # Without its end, so that nobody takes it for whole.
            log_fault(log, error, "a stream is broken off", expected=True)
        finally:
            for task in (coming, *over):
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


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass

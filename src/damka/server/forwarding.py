"""ASGI middleware that forwards each game's connections to the process that owns the game.

The process that accepts a connection forwards it, with the client's address, and measures the lag
on behalf of the owner. The rest of the server is unaware of it. If the owner exits before its
response has started, the next owner, possibly this process, is tried; an established live
connection is closed so that the page reconnects.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from damka.live.problems import Problem
from damka.server.fault_log import log_fault
from damka.server.peers import END, FORWARDED, MEASURE, MESSAGE, NOT_OWNER, ROUND, LostError
from damka.server.protocols import ROUND_TRIP
from damka.server.store import StoreError

if TYPE_CHECKING:
    from damka.server.ownership import Ownership
    from damka.server.peers import Peers, Stream
    from damka.server.store.processes import ProcessRecord

__all__ = ["Forwarding", "game_of"]

log: Final = logging.getLogger(__name__)

_GAME: Final = re.compile(r"/(?:api/games|game|live)/([A-Za-z0-9_-]{22})(?:/.*)?")

OWNER_TIMEOUT_SECONDS: Final = 4.0
"""Time that a connection waits for an owner of its game."""
_RETRY_SECONDS: Final = 0.05
_RESTART: Final = 1012
_TRY_LATER: Final = 1013
_SAFE_METHODS: Final = {"GET", "HEAD"}

Refuse = Callable[[Problem, Scope, Receive, Send], Awaitable[None]]


def game_of(scope: Scope) -> str | None:
    """Return the id of the game that a connection is for, if any."""
    if scope["type"] not in {"http", "websocket"}:
        return None
    match = _GAME.fullmatch(scope["path"])
    return None if match is None else match[1]


class _NoResponseError(LostError):
    """Another process exited before its response started, so the next owner may be tried."""


class Forwarding:
    """Forwards connections to the owners of their games."""

    def __init__(self, app: ASGIApp, ownership: Ownership, peers: Peers, refuse: Refuse) -> None:
        self._app: Final = app
        self._ownership: Final = ownership
        self._peers: Final = peers
        self._refuse: Final = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        game_id = None if scope.get(FORWARDED) else game_of(scope)
        if game_id is None:
            await self._app(scope, receive, send)
            return
        connection = _ForwardedConnection(scope, receive, send)
        try:
            if not await self._forward(game_id, connection):
                await self._app(scope, connection.replayed, send)
        except (LostError, TimeoutError, StoreError) as error:
            if not isinstance(error, LostError):
                log_fault(log, error, "game %s: cannot reach its owner", game_id)
            await self._fail(connection)
        except Problem as problem:
            if not connection.response_started:
                await self._refuse(problem, scope, receive, send)

    async def _forward(self, game_id: str, connection: _ForwardedConnection) -> bool:
        """Forward to the owner; return False if this is the owner, or there is no such game."""
        refresh = False
        async with asyncio.timeout(OWNER_TIMEOUT_SECONDS) as timeout:
            while True:
                record = await self._ownership.take(game_id, refresh=refresh)
                if record.owner in {None, self._ownership.id}:
                    return False
                refresh = False
                owner = self._ownership.live_process(record.owner or "")
                if owner is not None:
                    timeout.reschedule(None)
                    with suppress(_NoResponseError):
                        if await self._forward_to(owner, connection):
                            return True
                        refresh = True
                    timeout.reschedule(asyncio.get_running_loop().time() + OWNER_TIMEOUT_SECONDS)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _forward_to(self, owner: ProcessRecord, connection: _ForwardedConnection) -> bool:
        """Forward to another process; return False when it does not own the game.

        Raises LostError when it exits before the response is complete.
        """
        try:
            stream = await self._peers.open(owner, connection.scope)
        except LostError as error:
            raise _NoResponseError(str(error)) from error
        try:
            return await connection.relay(stream)
        except LostError as error:
            if connection.may_retry:
                raise _NoResponseError(str(error)) from error
            raise
        finally:
            stream.close()

    async def _fail(self, connection: _ForwardedConnection) -> None:
        """Report that the owner exited during the connection, or that there is none."""
        scope, send = connection.scope, connection.send
        if scope["type"] == "http":
            if not connection.response_started:
                await self._refuse(Problem(503, "busy"), scope, connection.receive, send)
            return
        with suppress(OSError, RuntimeError):
            if not connection.response_started:
                await send({"type": "websocket.accept", "headers": []})
            code = _RESTART if connection.response_started else _TRY_LATER
            await send(
                {
                    "type": "websocket.close",
                    "code": code,
                    "reason": "the game moved to another process",
                }
            )


class _ForwardedConnection:
    """One forwarded connection; the client's messages are buffered until the first response."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope: Final = scope
        self.send: Final = send
        self.receive: Final = receive
        self.response_started = False
        self._buffered: Final[list[Message]] = []

    @property
    def may_retry(self) -> bool:
        """Whether another process may be tried: no response has started and a retry is safe."""
        is_safe = self.scope["type"] == "websocket" or self.scope["method"] in _SAFE_METHODS
        return is_safe and not self.response_started

    async def replayed(self) -> Message:
        """Return the client's next message, buffered ones first, for this process's application."""
        return self._buffered.pop(0) if self._buffered else await self.receive()

    async def _messages(self) -> AsyncIterator[Message]:
        for message in tuple(self._buffered):
            yield message
        while True:
            message = await self.receive()
            if not self.response_started:
                self._buffered.append(message)
            yield message

    async def relay(self, stream: Stream) -> bool:
        """Relay messages both ways until the end; return False if the peer is not the owner."""
        upstream = asyncio.create_task(self._send_upstream(stream))
        try:
            while True:
                incoming = asyncio.ensure_future(stream.next())
                await asyncio.wait({incoming, upstream}, return_when=asyncio.FIRST_COMPLETED)
                if not incoming.done():
                    error = upstream.exception()
                    if error is not None:
                        incoming.cancel()
                        raise error
                kind, body = await incoming
                if kind == NOT_OWNER:
                    return False
                if kind == END:
                    return True
                if kind == MESSAGE:
                    self.response_started = True
                    self._buffered.clear()
                    await self.send(_message(body))
                elif kind == MEASURE:
                    self._measure(stream)
        finally:
            upstream.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await upstream

    async def _send_upstream(self, stream: Stream) -> None:
        async with aclosing(self._messages()) as messages:  # type: ignore[type-var]
            async for message in messages:
                await stream.send(message)
                if message["type"] in {"http.disconnect", "websocket.disconnect"}:
                    return

    def _measure(self, stream: Stream) -> None:
        measure: Any = self.scope.get("extensions", {}).get(ROUND_TRIP, {}).get("measure")
        if measure is None:
            return

        def report(milliseconds: float) -> None:
            asyncio.get_running_loop().create_task(_send_round_trip(stream, milliseconds))

        measure(report)


def _message(body: dict[str, Any]) -> Message:
    """Restore a message's tuples, which MessagePack turns into lists."""
    if "headers" in body:
        body["headers"] = [tuple(pair) for pair in body["headers"]]
    return body


async def _send_round_trip(stream: Stream, milliseconds: float) -> None:
    with suppress(LostError):
        await stream.send_frame(ROUND, milliseconds)

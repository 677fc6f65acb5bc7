"""ASGI middleware: connections that ask for a game are served by the process that owns it.

The process that a connection reaches passes it on, with the address of the client, and measures
the lag for the other one. Nothing else in the server knows of it. When the owner ends, the next one
is asked, which may be this process, if nothing was answered yet; a page whose live connection was
served there is told to connect again.
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
    from damka.server.store.processes import Known

__all__ = ["Forwarding", "game_of"]

log: Final = logging.getLogger(__name__)

_GAME: Final = re.compile(r"/(?:api/games|game|live)/([A-Za-z0-9_-]{22})(?:/.*)?")

PATIENCE: Final = 4.0
"""Seconds for which a connection waits for an owner of its game."""
_AGAIN_SECONDS: Final = 0.05
_RESTART: Final = 1012
_TRY_LATER: Final = 1013
_SAFE: Final = {"GET", "HEAD"}

Refuse = Callable[[Problem, Scope, Receive, Send], Awaitable[None]]


def game_of(scope: Scope) -> str | None:
    """Return the id of the game that a connection asks for, if it does."""
    if scope["type"] not in {"http", "websocket"}:
        return None
    found = _GAME.fullmatch(scope["path"])
    return None if found is None else found[1]


class _NotAnsweredError(LostError):
    """Another process has ended, and has answered nothing: the next owner may be asked."""


class Forwarding:
    """Passes connections on to the owners of their games."""

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
        passing = _Passing(scope, receive, send)
        try:
            if not await self._pass_on(game_id, passing):
                await self._app(scope, passing.replayed, send)
        except (LostError, TimeoutError, StoreError) as error:
            if not isinstance(error, LostError):
                log_fault(log, error, "game %s: nobody can be reached who owns it", game_id)
            await self._fail(passing)
        except Problem as problem:
            if not passing.is_answered:
                await self._refuse(problem, scope, receive, send)

    async def _pass_on(self, game_id: str, passing: _Passing) -> bool:
        """Let the owner serve; False when that is this process, or there is no such game."""
        anew = False
        async with asyncio.timeout(PATIENCE) as patience:
            while True:
                taken = await self._ownership.take(game_id, anew=anew)
                if taken.owner in {None, self._ownership.id}:
                    return False
                anew = False
                owner = self._ownership.other(taken.owner or "")
                if owner is not None:
                    patience.reschedule(None)
                    with suppress(_NotAnsweredError):
                        if await self._ask(owner, passing):
                            return True
                        anew = True
                    patience.reschedule(asyncio.get_running_loop().time() + PATIENCE)
                await asyncio.sleep(_AGAIN_SECONDS)

    async def _ask(self, owner: Known, passing: _Passing) -> bool:
        """Let another process serve; False when it does not own the game.

        Raises LostError when it has ended, in the middle or without an answer.
        """
        try:
            stream = await self._peers.open(owner, passing.scope)
        except LostError as error:
            raise _NotAnsweredError(str(error)) from error
        try:
            return await passing.through(stream)
        except LostError as error:
            if passing.may_try_again:
                raise _NotAnsweredError(str(error)) from error
            raise
        finally:
            stream.close()

    async def _fail(self, passing: _Passing) -> None:
        """Tell that the owner has gone in the middle, or that there is none to be had."""
        scope, send = passing.scope, passing.send
        if scope["type"] == "http":
            if not passing.is_answered:
                await self._refuse(Problem(503, "busy"), scope, passing.receive, send)
            return
        with suppress(OSError, RuntimeError):
            if not passing.is_answered:
                await send({"type": "websocket.accept", "headers": []})
            code = _RESTART if passing.is_answered else _TRY_LATER
            await send({"type": "websocket.close", "code": code, "reason": "it goes on elsewhere"})


class _Passing:
    """One connection, as it is passed on; what the client has sent is kept until it is answered."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope: Final = scope
        self.send: Final = send
        self.receive: Final = receive
        self.is_answered = False
        self._kept: Final[list[Message]] = []

    @property
    def may_try_again(self) -> bool:
        """Whether another process may be asked: nothing was answered, nothing can be done twice."""
        is_safe = self.scope["type"] == "websocket" or self.scope["method"] in _SAFE
        return is_safe and not self.is_answered

    async def replayed(self) -> Message:
        """Return the next message of the client, for the application of this process."""
        return self._kept.pop(0) if self._kept else await self.receive()

    async def _messages(self) -> AsyncIterator[Message]:
        for message in tuple(self._kept):
            yield message
        while True:
            message = await self.receive()
            if not self.is_answered:
                self._kept.append(message)
            yield message

    async def through(self, stream: Stream) -> bool:
        """Carry messages both ways to the end; False when that process does not own the game."""
        upward = asyncio.create_task(self._upward(stream))
        try:
            while True:
                coming = asyncio.ensure_future(stream.next())
                await asyncio.wait({coming, upward}, return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    error = upward.exception()
                    if error is not None:
                        coming.cancel()
                        raise error
                kind, body = await coming
                if kind == NOT_OWNER:
                    return False
                if kind == END:
                    return True
                if kind == MESSAGE:
                    self.is_answered = True
                    self._kept.clear()
                    await self.send(_message(body))
                elif kind == MEASURE:
                    self._measure(stream)
        finally:
            upward.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await upward

    async def _upward(self, stream: Stream) -> None:
        async with aclosing(self._messages()) as messages:  # type: ignore[type-var]
            async for message in messages:
                await stream.send(message)
                if message["type"] in {"http.disconnect", "websocket.disconnect"}:
                    return

    def _measure(self, stream: Stream) -> None:
        measure: Any = self.scope.get("extensions", {}).get(ROUND_TRIP, {}).get("measure")
        if measure is None:
            return

        def tell(milliseconds: float) -> None:
            asyncio.get_running_loop().create_task(_told(stream, milliseconds))

        measure(tell)


def _message(body: dict[str, Any]) -> Message:
    """Return a message as the application has sent it: the link makes lists of pairs."""
    if "headers" in body:
        body["headers"] = [tuple(pair) for pair in body["headers"]]
    return body


async def _told(stream: Stream, milliseconds: float) -> None:
    with suppress(LostError):
        await stream.tell(ROUND, milliseconds)

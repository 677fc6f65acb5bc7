"""The live connection of an event page, on which only the server sends data.

Messages are `{"t": "event", "version", "boards"}`: `version` increases with every change of the
event, `boards` maps game ids to changed boards. The server answers `{"t": "ping"}` with `{"t":
"pong"}`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from damka.errors import DamkaError
from damka.live.problems import Problem
from damka.server import sockets
from damka.server.events.feed import Viewer
from damka.server.events.messages import FromPage, Pong, ToPage
from damka.server.identity import address_of
from damka.server.limits import Bucket
from damka.server.sockets import POLICY, TOO_LARGE, TRY_LATER

if TYPE_CHECKING:
    from damka.server.app_state import AppState

__all__ = ["serve"]

NO_SUCH_EVENT: Final = 4404


async def serve(socket: WebSocket, event_id: str, app_state: AppState) -> None:
    """Serve one connection until it is closed."""
    settings = app_state.settings
    if not await sockets.accept(socket, settings):
        return
    address = address_of(socket)
    if not app_state.connects.take(address):
        await sockets.close(socket, TRY_LATER, "too many connections")
        return
    try:
        await app_state.events.get(event_id)
    except Problem:
        await sockets.close(socket, NO_SUCH_EVENT, "no such event")
        return
    except DamkaError:
        await sockets.close(socket, TRY_LATER, "database unavailable")
        return
    feeds, key = app_state.feeds, f"event:{event_id}"
    full = feeds.watching(event_id) >= settings.limits.connections_per_event
    if full or not app_state.live_connections.enter(address, key, is_exempt=True):
        await sockets.close(socket, TRY_LATER, "too many connections")
        return
    viewer = Viewer()
    feeds.enter(event_id, viewer)
    try:
        await _run(socket, viewer, app_state)
    finally:
        feeds.leave(event_id, viewer)
        app_state.live_connections.leave(address, key)


async def _run(socket: WebSocket, viewer: Viewer, app_state: AppState) -> None:
    lock = asyncio.Lock()
    seconds = app_state.settings.limits.send_seconds

    async def send(message: ToPage) -> None:
        async with lock, asyncio.timeout(seconds):
            await sockets.send(socket, msgspec.json.encode(message).decode())

    async def write() -> None:
        while True:
            await send(await viewer.wait())

    tasks = {
        asyncio.create_task(write()),
        asyncio.create_task(_read(socket, app_state, send)),
    }
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    except (WebSocketDisconnect, TimeoutError):
        # It was closed, or reads too slowly.
        pass
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _read(
    socket: WebSocket, app_state: AppState, send: Callable[[ToPage], Awaitable[None]]
) -> None:
    limits = app_state.settings.limits
    bucket = Bucket(limits.message_burst, limits.message_rate)
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        data = message.get("text") or message.get("bytes") or ""
        if len(data) > limits.frame_bytes:
            await sockets.close_flood(socket, address_of(socket), TOO_LARGE, "message too large")
            return
        if not bucket.take():
            await sockets.close_flood(socket, address_of(socket), POLICY, "too many messages")
            return
        with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
            msgspec.json.decode(data, type=FromPage)
            await send(Pong())

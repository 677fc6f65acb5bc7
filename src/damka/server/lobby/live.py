"""A page's live connection to the lobby: sends the state of the lobby and the URL of a new game.

Every state is complete, so only the latest one is sent: a slow reader receives fewer states and
does not delay others.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from damka.server import sockets
from damka.server.fault_log import log_fault
from damka.server.identity import address_of
from damka.server.language import COOKIE, choose
from damka.server.limits import Bucket
from damka.server.lobby import messages, view
from damka.server.sockets import POLICY, TOO_LARGE, TRY_LATER
from damka.server.store import StoreError

if TYPE_CHECKING:
    from damka.server.app_state import AppState

__all__ = ["serve"]

log: Final = logging.getLogger(__name__)

_MAX_PONGS: Final = 8
"""Maximum number of queued pongs for a slow reader."""


async def serve(socket: WebSocket, app_state: AppState) -> None:
    """Serve one connection until it is closed."""
    if not await sockets.accept(socket, app_state.settings):
        return
    address = address_of(socket)
    is_admitted = app_state.connects.take(address) and app_state.live_connections.enter(
        address, "lobby", is_exempt=True
    )
    if not is_admitted:
        await sockets.close(socket, TRY_LATER, "too many connections")
        return
    try:
        identity = await app_state.accounts.identify(socket.cookies)
        await _Connection(socket, app_state, identity.holder).run()
    except StoreError as error:
        log_fault(log, error, "database unavailable in the lobby")
        await sockets.close(socket, TRY_LATER, "database unavailable")
    finally:
        app_state.live_connections.leave(address, "lobby")


class _Connection:
    """The connection of one page that shows the lobby or waits for a game."""

    def __init__(self, socket: WebSocket, app_state: AppState, holder: str | None) -> None:
        self._socket: Final = socket
        self.holder: Final = holder
        self._lobby: Final = app_state.lobby
        self._accounts: Final = app_state.accounts
        self._limits: Final = app_state.settings.limits
        self._language: Final = choose(
            socket.query_params.get("lang"),
            socket.cookies.get(COOKIE),
            socket.headers.get("accept-language"),
        )
        self._message_bucket: Final = Bucket(self._limits.message_burst, self._limits.message_rate)
        self._excess = 0
        self._wake_event: Final = asyncio.Event()
        self._blocked: frozenset[str] = frozenset()
        self._pongs: Final[deque[str]] = deque(maxlen=_MAX_PONGS)
        self._last_frame = ""
        self._announced: set[str] = set()

    def wake(self) -> None:
        """Send the state again if it has changed."""
        self._wake_event.set()

    async def run(self) -> None:
        """Read and write until one side closes the connection."""
        self._blocked = await view.blocked_holders(self._accounts, self.holder)
        tasks: list[asyncio.Task[None]] = []
        try:
            await self._lobby.enter(self)
            self.wake()
            tasks += [asyncio.create_task(each) for each in (self._write(), self._read())]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except (WebSocketDisconnect, TimeoutError):
            pass  # the client closed it, or reads too slowly
        finally:
            self._lobby.leave(self)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _write(self) -> None:
        while True:
            await self._wake_event.wait()
            self._wake_event.clear()
            while self._pongs:
                await self._send(self._pongs.popleft())
            snapshot = self._lobby.snapshot
            for seek in snapshot.seeks_by_holder.get(self.holder or "", ()):
                if seek.game_id is not None and seek.id not in self._announced:
                    self._announced.add(seek.id)
                    await self._send(
                        messages.encode(messages.ToGame(seek.id, f"/game/{seek.game_id}"))
                    )
            frame = messages.encode(
                view.state(snapshot, self.holder, self._blocked, self._language)
            )
            if frame != self._last_frame:
                self._last_frame = frame
                await self._send(frame)

    async def _send(self, frame: str) -> None:
        async with asyncio.timeout(self._limits.send_seconds):
            await sockets.send(self._socket, frame)

    async def _close_flood(self, code: int, reason: str) -> None:
        await sockets.close_flood(self._socket, address_of(self._socket), code, reason)

    async def _read(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            data = (message.get("bytes") or b"") if text is None else text.encode()
            if len(data) > self._limits.frame_bytes:
                await self._close_flood(TOO_LARGE, "message too large")
                return
            if not self._message_bucket.take():
                self._excess += 1
                if self._excess > self._limits.excess_messages:
                    await self._close_flood(POLICY, "too many messages")
                    return
                continue
            match messages.read(data):
                case messages.Ping():
                    self._pongs.append(messages.encode(messages.Pong()))
                    self.wake()
                case messages.Went(seek_id) if self.holder is not None:
                    await self._lobby.mark_opened(seek_id, self.holder)
                case _:
                    pass

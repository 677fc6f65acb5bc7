"""Links between processes, over which connections are forwarded.

A frame is its length in four bytes, then MessagePack. The first frame contains the secret of the
receiving process, which is stored in the database. Each forwarded connection is a stream of ASGI
messages in both directions. Each stream has a flow-control window: the receiver acknowledges
messages, and the number of unacknowledged ones is bounded, so that a slow reader delays only
itself. A broken link ends its streams at once, which is the first sign that a process has exited.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any, Final

import msgspec
from starlette.types import ASGIApp, Message, Scope

from damka.errors import DamkaError
from damka.server.fault_log import log_fault
from damka.server.protocols import ROUND_TRIP
from damka.server.store.processes import ProcessRecord

__all__ = ["FORWARDED", "LostError", "Peers", "Stream"]

log: Final = logging.getLogger(__name__)

FORWARDED: Final = "damka.forwarded"
"""Scope key of a connection that another process accepted."""

WINDOW: Final = 8
"""Flow-control window of a stream in each direction, in messages."""
MAX_BYTES: Final = 32 * 1024 * 1024
"""Maximum frame size; a response may be a file."""
_CONNECT_SECONDS: Final = 1.0
_HELLO_SECONDS: Final = 5.0
_HELLO_BYTES: Final = 256

# Frame kinds
HELLO, OPEN, MESSAGE, ACK, MEASURE, ROUND, END, NOT_OWNER = range(8)

_RELEASE: Final = "damka.release"
"""Scope type of a request to release a game."""

_SCOPE_KEYS: Final = (
    *("type", "http_version", "method", "scheme", "path", "raw_path", "query_string"),
    *("root_path", "headers", "client", "server", "subprotocols"),
)
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(tuple[int, int, Any]).decode


class LostError(DamkaError):
    """The link to another process broke, or could not be established."""


class Stream:
    """One end of a forwarded connection."""

    def __init__(self, link: _Link, number: int) -> None:
        self._link: Final = link
        self._number: Final = number
        self._inbox: Final[asyncio.Queue[tuple[int, Any] | None]] = asyncio.Queue()
        self._window: Final = asyncio.Semaphore(WINDOW)
        self._is_over = False

    async def send(self, message: Message) -> None:
        """Send an ASGI message; waits while the window is full. Raises LostError."""
        await self._window.acquire()
        await self.send_frame(MESSAGE, message)

    async def send_frame(self, kind: int, body: Any = None) -> None:
        """Send a frame. Raises LostError."""
        if self._is_over:
            raise LostError("the stream has ended")
        await self._link.send(kind, self._number, body)

    async def next(self) -> tuple[int, Any]:
        """Return the next frame and acknowledge it. Raises LostError."""
        frame = None if self._is_over and self._inbox.empty() else await self._inbox.get()
        if frame is None:
            raise LostError("connection to another process lost")
        if frame[0] == MESSAGE and not self._is_over:
            self._link.write(ACK, self._number, None)
        return frame

    def close(self) -> None:
        """Close the stream at both ends."""
        if not self._is_over:
            self._link.write(END, self._number, None)
        self.lose()

    def on_frame(self, kind: int, body: Any) -> None:
        """Handle an incoming frame."""
        if kind == ACK:
            self._window.release()
        else:
            self._inbox.put_nowait((kind, body))

    def lose(self) -> None:
        """Mark the stream as ended; waiting callers are released."""
        self._is_over = True
        self._link.streams.pop(self._number, None)
        self._inbox.put_nowait(None)
        for _ in range(WINDOW):
            self._window.release()


class _Link:
    """Connection between two processes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader: Final = reader
        self._writer: Final = writer
        self.streams: Final[dict[int, Stream]] = {}

    @property
    def is_open(self) -> bool:
        return not self._writer.is_closing()

    def write(self, kind: int, number: int, body: Any) -> None:
        """Queue a frame without waiting."""
        if self.is_open:
            data = _encode((kind, number, body))
            self._writer.write(len(data).to_bytes(4, "big") + data)

    async def send(self, kind: int, number: int, body: Any) -> None:
        """Send a frame. Raises LostError."""
        if not self.is_open:
            raise LostError("connection to another process lost")
        self.write(kind, number, body)
        try:
            await self._writer.drain()
        except OSError as error:
            raise LostError(f"connection to another process lost: {error}") from error

    async def receive(self, max_bytes: int = MAX_BYTES) -> tuple[int, int, Any]:
        """Return the next frame, of at most `max_bytes`. Raises LostError."""
        try:
            size = int.from_bytes(await self._reader.readexactly(4), "big")
            if size > max_bytes:
                raise LostError("frame too large")
            return _decode(await self._reader.readexactly(size))
        except (OSError, EOFError, msgspec.MsgspecError) as error:
            raise LostError(f"connection to another process lost: {error}") from error

    def close(self) -> None:
        self._writer.close()
        for stream in tuple(self.streams.values()):
            stream.lose()


class Peers:
    """Links of one process: it listens, and connects to others on demand.

    `owns` returns whether this process owns the game of a connection; `release` releases a game
    and returns the time until which it was served here, in seconds since 1970.
    """

    def __init__(
        self,
        host: str,
        secret: Callable[[], str],
        owns: Callable[[Scope], Awaitable[bool]],
        release: Callable[[str], Awaitable[float]],
    ) -> None:
        self._release: Final = release
        self._host: Final = host
        self._secret: Final = secret
        self._owns: Final = owns
        self._app: ASGIApp | None = None
        self._server: asyncio.Server | None = None
        self._numbers: Final = count(1)
        self._links: Final[dict[str, asyncio.Future[_Link]]] = {}
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._incoming_links: Final[set[_Link]] = set()

    async def listen(self, app: ASGIApp) -> str:
        """Serve connections of other processes with `app`; return the address. Raises OSError."""
        self._app = app
        self._server = await asyncio.start_server(self._serve, self._host, 0)
        port = self._server.sockets[0].getsockname()[1]
        return f"{self._host}:{port}"

    async def close(self) -> None:
        """Close all links; the other processes then make the pages reconnect."""
        if self._server is not None:
            self._server.close()
        for link in tuple(self._incoming_links):
            link.close()
        for future in self._links.values():
            if future.done() and not future.cancelled() and future.exception() is None:
                future.result().close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def close_stale_links(self, processes: Mapping[str, ProcessRecord]) -> None:
        """Close the links to processes that are not among `processes`; they may only be paused."""
        for process_id, future in tuple(self._links.items()):
            if process_id not in processes and future.done() and not future.exception():
                future.result().close()

    async def open(self, process: ProcessRecord, scope: Scope) -> Stream:
        """Open a stream for a connection to be served by another process. Raises LostError."""
        link = await self._link_to(process)
        number = next(self._numbers)
        stream = link.streams[number] = Stream(link, number)
        try:
            await link.send(
                OPEN, number, {name: scope[name] for name in _SCOPE_KEYS if name in scope}
            )
        except LostError:
            stream.lose()
            raise
        return stream

    async def request_game(self, process: ProcessRecord, game_id: str) -> float:
        """Request a game from its owner; return the time until which it was served there.

        See `release`. Raises LostError.
        """
        stream = await self.open(process, {"type": _RELEASE, "path": game_id})
        try:
            async with asyncio.timeout(_HELLO_SECONDS):
                kind, body = await stream.next()
        except TimeoutError as error:
            raise LostError("no response from another process") from error
        finally:
            stream.close()
        if kind != MESSAGE:
            raise LostError("another process did not release the game")
        return float(body["until"])

    async def _link_to(self, process: ProcessRecord) -> _Link:
        future = self._links.get(process.id)
        if future is None or (
            future.done() and (future.exception() or not future.result().is_open)
        ):
            future = self._links[process.id] = asyncio.ensure_future(self._connect(process))
            future.add_done_callback(lambda future: future.cancelled() or future.exception())
        return await asyncio.shield(future)

    async def _connect(self, process: ProcessRecord) -> _Link:
        host, _, port = process.address.rpartition(":")
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                reader, writer = await asyncio.open_connection(host, int(port))
        except (OSError, ValueError) as error:
            raise LostError(f"cannot connect to another process: {error}") from error
        link = _Link(reader, writer)
        await link.send(HELLO, 0, process.secret)
        self._spawn(self._read(process.id, link))
        return link

    async def _read(self, process_id: str, link: _Link) -> None:
        with suppress(LostError):
            while True:
                kind, number, body = await link.receive()
                stream = link.streams.get(number)
                if stream is not None:
                    stream.on_frame(kind, body)
        link.close()
        future = self._links.get(process_id)
        if future is not None and future.done() and future.result() is link:
            del self._links[process_id]

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Serving side

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = _Link(reader, writer)
        self._incoming_links.add(link)
        running: dict[int, asyncio.Task[None]] = {}
        try:
            async with asyncio.timeout(_HELLO_SECONDS):
                kind, _, secret = await link.receive(_HELLO_BYTES)
            if kind != HELLO or not hmac.compare_digest(str(secret), self._secret()):
                return
            while True:
                kind, number, body = await link.receive()
                stream = link.streams.get(number)
                if kind == OPEN and stream is None:
                    stream = link.streams[number] = Stream(link, number)
                    task = asyncio.get_running_loop().create_task(self._run(stream, body))
                    running[number] = task
                    task.add_done_callback(lambda _, number=number: running.pop(number, None))  # type: ignore[misc]
                elif stream is not None:
                    stream.on_frame(kind, body)
        except (LostError, TimeoutError):
            pass
        finally:
            link.close()
            self._incoming_links.discard(link)
            if running:
                await asyncio.wait(running.values(), timeout=_HELLO_SECONDS)

    async def _run(self, stream: Stream, request: dict[str, Any]) -> None:
        """Serve one connection of another process."""
        connection = _ServedConnection(stream)
        try:
            if request["type"] == _RELEASE:
                await stream.send({"until": await self._release(str(request["path"]))})
                return
            scope = connection.scope(request)
            if self._app is None or not await self._owns(scope):
                await stream.send_frame(NOT_OWNER)
                return
            await self._app(scope, connection.receive, connection.send)
        except (LostError, OSError):
            pass  # The client, or the process that accepted it, has disconnected.
        except Exception as error:
            log_fault(log, error, "a forwarded connection failed")
        finally:
            connection.close()
            stream.close()


class _ServedConnection:
    """ASGI interface of a connection that another process accepted."""

    def __init__(self, stream: Stream) -> None:
        self._stream: Final = stream
        self._kind = ""
        self._reports: Final[list[Callable[[float], None]]] = []

    def scope(self, fields: dict[str, Any]) -> Scope:
        """Return the scope of the connection in the accepting process."""
        self._kind = fields["type"]
        scope: dict[str, Any] = {
            **fields,
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "headers": [(name, value) for name, value in fields["headers"]],
            "extensions": {},
            "state": {},
            FORWARDED: True,
        }
        for name in ("client", "server"):
            scope[name] = None if fields.get(name) is None else tuple(fields[name])
        if self._kind == "websocket":
            scope["extensions"][ROUND_TRIP] = {"measure": self._measure}
        return scope

    def _measure(self, report: Callable[[float], None]) -> None:
        """Request a measurement from the accepting process."""
        self._reports.append(report)
        del self._reports[:-WINDOW]
        asyncio.get_running_loop().create_task(self._request_measurement())

    async def _request_measurement(self) -> None:
        with suppress(LostError):
            await self._stream.send_frame(MEASURE)

    async def receive(self) -> Message:
        """Return the next message; a broken link is a disconnect."""
        while True:
            try:
                kind, body = await self._stream.next()
            except LostError:
                kind, body = END, None
            if kind == MESSAGE:
                return dict(body)
            if kind == ROUND and self._reports:
                self._reports.pop(0)(float(body))
            elif kind == END:
                if self._kind == "websocket":
                    return {"type": "websocket.disconnect", "code": 1006}
                return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Send a message. Raises OSError when the link is broken."""
        try:
            await self._stream.send(message)
        except LostError as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        self._reports.clear()

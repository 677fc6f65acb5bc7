"""Live connection of a page: executes the page's messages, and sends it the changes.

Each connection has a rate limit, a bounded outbox and its own writer: a page that reads too slowly
is disconnected and may reconnect, without delaying the others.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from damka import locales
from damka.errors import MoveError, PositionTooComplexError
from damka.live import actions, messages
from damka.live.lag import RoundTrips
from damka.live.problems import Problem, Refused
from damka.live.state import refusal
from damka.server import chat, games, security, sockets
from damka.server.accounts import bearer_of, while_valid
from damka.server.engine_pool import BusyError, Requester, SearchFailedError, StoppedError
from damka.server.fault_log import log_fault
from damka.server.identity import address_of, identify_socket
from damka.server.language import COOKIE, choose
from damka.server.limits import Bucket, network
from damka.server.protocols import ROUND_TRIP
from damka.server.publisher import View, ViewerState, ViewUpdates
from damka.server.sockets import POLICY, RESTART, TOO_LARGE, TRY_LATER
from damka.server.store import StoreError
from damka.server.timekeeper import Timekeeper

if TYPE_CHECKING:
    from damka.game import Game
    from damka.live.live_game import LiveGame
    from damka.live.seating import Sides
    from damka.server.accounts import Identity
    from damka.server.app_state import AppState
    from damka.server.game_session import GameSession

__all__ = ["serve"]

log: Final = logging.getLogger(__name__)

NO_SUCH_GAME: Final = 4404
_VERSION_AND_PLIES: Final = re.compile(r"([0-9]{1,7})\.([0-9]{1,7})")
BAD_TOKEN: Final = 4401
_SLACK_SECONDS: Final = 0.01
_PAGE_CLOSED_CODES: Final = {1000, 1001}
"""Close codes of a page that was closed or left."""
_FIRST_PINGS: Final = 6
_FIRST_PING_SECONDS: Final = 0.2
_PING_SECONDS: Final = 1.5
"""Interval of the round-trip measurements, at first and later."""
_IDLE_PING_SECONDS: Final = 4.0
"""The same in correspondence games, and for spectators."""


async def serve(socket: WebSocket, game_id: str, app_state: AppState) -> None:
    """Serve one connection, from handshake to close."""
    by_token = bearer_of(socket.headers) is not None
    if not await sockets.accept(socket, app_state.settings, by_token=by_token):
        return
    address = address_of(socket)
    if not security.is_game_id(game_id):
        await sockets.close(socket, NO_SUCH_GAME, "no such game")
        return
    if not app_state.connects.take(address):
        await sockets.close(socket, TRY_LATER, "too many connections")
        return
    is_counted = False
    try:
        async with app_state.sessions.enter(game_id) as session:
            if session is None:
                await sockets.close(socket, NO_SUCH_GAME, "no such game")
                return
            if not (session.owned and app_state.sessions.is_open(session)):
                await sockets.close(socket, RESTART, "the game moved to another process")
                return
            identity = await identify_socket(socket, app_state)
            connection = _Connection(socket, session, app_state, address, identity)
            # Players are exempt from the limit of spectators.
            is_counted = app_state.live_connections.enter(
                address, game_id, is_exempt=bool(connection.view[0])
            )
            if not is_counted:
                await sockets.close(socket, TRY_LATER, "too many connections")
                return
            async with while_valid(app_state.tokens, identity.bearer, connection.revoke):
                await connection.run()
    except Problem as problem:
        await sockets.close(socket, BAD_TOKEN, problem.code)
    except StoreError as error:
        log_fault(log, error, "game %s: database unavailable", game_id)
        await sockets.close(socket, TRY_LATER, "database unavailable")
    except PositionTooComplexError:
        await sockets.close(socket, NO_SUCH_GAME, "the position is too complex")
    finally:
        if is_counted:
            app_state.live_connections.leave(address, game_id)


class _Connection:
    """Connection of one page that shows a game."""

    def __init__(
        self,
        socket: WebSocket,
        session: GameSession,
        app_state: AppState,
        address: str,
        identity: Identity,
    ) -> None:
        self._socket = socket
        can_play = identity.bearer is None or "play" in identity.scopes
        self._holder = identity.holder if can_play else None
        self._account = identity.account if can_play else None
        self._kid = identity.account is not None and identity.account.kid
        self._lists_watchers = False
        account = "" if identity.account is None else identity.account.id
        self.requester: Final = Requester(network(address), account, identity.holder or "")
        self._session = session
        self._app_state = app_state
        self._limits = app_state.settings.limits
        self._language = choose(
            socket.query_params.get("lang"),
            None if bearer_of(socket.headers) else socket.cookies.get(COOKIE),
            socket.headers.get("accept-language"),
        )
        self._accepts_deltas: Final = "have" in socket.query_params
        self.client_version: Final = _parse_client_version(socket.query_params.get("have", ""))
        self._viewer_state: ViewerState | None = None
        self._round_trips = RoundTrips()
        self._ping_sent_at: float | None = None
        """Time of the pending ping, if any."""
        self._message_bucket = Bucket(self._limits.message_burst, self._limits.message_rate)
        self._excess = 0
        self._outbox = _Outbox(self._limits.outbox_frames)
        self._hint_task: asyncio.Task[None] | None = None
        self._measure_timer: asyncio.TimerHandle | None = None
        self._was_silent = False

    async def run(self) -> None:
        """Read and write until either side closes the connection."""
        page_closed = False
        self._measure(0)
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read())
        unsubscribers = self._subscribe()
        try:
            await self._session.join(self)
            done, _ = await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
            page_closed = reader in done and reader.result() in _PAGE_CLOSED_CODES
            for task in done:
                task.result()
        except WebSocketDisconnect:
            pass
        finally:
            for unsubscribe in unsubscribers:
                unsubscribe()
            self._session.leave(self, page_closed=page_closed, silent=self._was_silent)
            if self._measure_timer is not None:
                self._measure_timer.cancel()
            tasks = [t for t in (writer, reader, self._hint_task) if t is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def revoke(self) -> None:
        """Close the connection, because its token was revoked."""
        self._holder, self._account = None, None
        await sockets.close(self._socket, BAD_TOKEN, "the token was revoked")

    @property
    def view(self) -> View:
        """Parameters on which this page's state message depends."""
        return self._you, self._language

    @property
    def lag(self) -> int:
        """Round-trip time in milliseconds."""
        return self._round_trips.estimate

    @property
    def _you(self) -> Sides:
        """Sides that the user of this page plays; they change when a seat is taken."""
        return self._session.live.sides_of(self._holder)

    @property
    def name(self) -> str | None:
        """Name in the list of spectators; None for a child's account."""
        return None if self._account is None or self._kid else self._account.name

    def _subscribe(self) -> list[Callable[[], None]]:
        """Subscribe to the game's chat, and to changes of the member's child status."""
        cluster = self._app_state.cluster
        unsubscribers = [cluster.subscribe(chat.topic(self._session.live.id), self._on_chat)]
        if self._account is not None:
            unsubscribers.append(
                cluster.subscribe(chat.kid_topic(self._account.id), self._on_kid_changed)
            )
        return unsubscribers

    def _on_chat(self, data: bytes) -> None:
        """Send a chat line, if this user may read it."""
        live, you = self._session.live, self._you
        reader = chat.Reader(
            holder=self._holder, plays=bool(you), over=live.result is not None, kid=self._kid
        )
        message = chat.decode_message(data)
        if reader.reads(message):
            # Lines of spectators, who may be many, do not need the players' names.
            side, language = message.side, self._language
            names = (
                chat.SenderNames.of(live, you, language) if side else chat.SenderNames(language, {})
            )
            self._send_message(chat.line(message, reader, names))

    def _on_kid_changed(self, data: bytes) -> None:
        self._kid = data == b"1"

    def _measure(self, count: int) -> None:
        """Measure the round trip while there is a clock, more often at first.

        Disconnects a silent player: a network failure closes no connection, but the opponent must
        be notified.
        """
        measure = self._socket.scope.get("extensions", {}).get(ROUND_TRIP, {}).get("measure")
        if measure is None:
            return
        if self._is_silent():
            self._was_silent = True
            self._outbox.abort()
            return
        live, loop = self._session.live, asyncio.get_running_loop()
        clock = live.clock
        has_clock = clock is not None and live.result is None and bool(self._you)
        if has_clock:
            measure(self._on_round_trip)
            count += 1
            if self._ping_sent_at is None:
                self._ping_sent_at = loop.time()
        else:
            self._ping_sent_at = None
        is_timed = has_clock and clock is not None and clock.settings.kind != "days"
        interval = _PING_SECONDS if is_timed else _IDLE_PING_SECONDS
        wait = _FIRST_PING_SECONDS if count < _FIRST_PINGS and self._you else interval
        if self._ping_sent_at is not None:
            # Check when the silence reaches its limit, not only at the next ping.
            remaining = self._ping_sent_at + self._limits.silent_seconds - loop.time()
            wait = min(wait, max(0.0, remaining) + _SLACK_SECONDS)
        self._measure_timer = loop.call_later(wait, self._measure, count)

    def _is_silent(self) -> bool:
        sent_at = self._ping_sent_at
        now = asyncio.get_running_loop().time()
        return sent_at is not None and now - sent_at > self._limits.silent_seconds

    def _on_round_trip(self, milliseconds: float) -> None:
        self._ping_sent_at = None
        self._round_trips.add(milliseconds)

    def show(self, updates: ViewUpdates, plies: int | None = None) -> None:
        """Queue the next state of the series; a later state replaces it until it is sent."""
        if plies is not None:
            self._viewer_state = ViewerState(updates, 0, updates.number, plies)
        self._outbox.put_state(updates)
        if self._lists_watchers:
            self._list_watchers()

    def _frame(self, updates: ViewUpdates) -> str:
        """Return the next frame of a series: the full state, or the changes since the previous."""
        if not self._accepts_deltas:
            return updates.full_state()
        viewer_state, self._viewer_state = self._viewer_state, updates.viewer_state()
        return (
            updates.full_state()
            if viewer_state is None or viewer_state.updates is not updates
            else updates.changes_since(viewer_state)
        )

    def _list_watchers(self) -> None:
        watcher_list = self._session.watcher_list()
        key = "chat.watchers" if watcher_list.names else "chat.only_guests"
        words = (
            locales.plural(self._language, key, watcher_list.guests) if watcher_list.guests else ""
        )
        self._outbox.put_list(messages.encode(msgspec.structs.replace(watcher_list, words=words)))

    def reconnect(self) -> None:
        """Close the connection; the page reconnects to the process that now owns the game."""
        self._outbox.close(RESTART, "the game moved to another process")

    def send(self, frame: str) -> None:
        """Queue a message other than a state."""
        self._outbox.put(frame)

    def _send_message(self, message: messages.ServerMessage) -> None:
        self._outbox.put(messages.encode(message))

    def _send_error(self, code: str) -> None:
        self._send_message(messages.ErrorMessage(code, Refused(code).sentence(self._language)))

    async def _write(self) -> None:
        while True:
            item = await self._outbox.get()
            if item is None:
                await sockets.close(self._socket, *self._outbox.close_reason)
                return
            frame = item if isinstance(item, str) else self._frame(item)
            try:
                async with asyncio.timeout(self._limits.send_seconds):
                    await sockets.send(self._socket, frame)
            except TimeoutError:
                # The connection is congested; even a close frame would not be sent.
                return

    async def _read(self) -> int:
        """Read until the connection ends; return its close code."""
        while True:
            message = await self._socket.receive()
            received = Timekeeper.now()
            self._ping_sent_at = None
            if message["type"] == "websocket.disconnect":
                return int(message.get("code") or 0)
            frame = message.get("text")
            data = (message.get("bytes") or b"") if frame is None else frame.encode()
            if len(data) > self._limits.frame_bytes:
                await self._close_flood(TOO_LARGE, "message too large")
                return TOO_LARGE
            if not self._message_bucket.take():
                self._excess += 1
                if self._excess > self._limits.excess_messages:
                    await self._close_flood(POLICY, "too many messages")
                    return POLICY
                self._send_error("too_fast")
                continue
            await self._execute(data, received)

    async def _close_flood(self, code: int, reason: str) -> None:
        await sockets.close_flood(self._socket, self.requester.address, code, reason)

    async def _execute(self, data: bytes, received: float) -> None:
        message = messages.read(data)
        if message is None:
            self._send_error("bad_message")
            return
        try:
            await self._handle(message, received)
        except Refused as refused:
            self._send_message(
                messages.ErrorMessage(refused.code, refused.sentence(self._language))
            )
            if refused.code == "stale":
                await self._session.refresh(self)
        except StoreError as error:
            is_lost = self._app_state.sessions.rescue.lost is not None
            if not is_lost:
                log_fault(log, error, "game %s: database unavailable", self._session.live.id)
            self._send_error("store_lost" if is_lost else "store_fails")
        except PositionTooComplexError:
            self._send_error("too_complex")
        except MoveError as error:
            explanation = error.refusal
            self._send_message(
                await self._session.read(
                    lambda live: refusal(live, explanation, (), self._language)
                )
            )

    async def _handle(self, message: messages.ClientMessage, received: float) -> None:
        match message:
            case messages.Ping():
                self._send_message(messages.Pong())
            case messages.Why() | messages.WhyAllowed():
                read = self._session.read
                self._send_message(
                    await read(lambda live: actions.answer(live, message, self._language))
                )
            case messages.Hint():
                await self._hint()
            case messages.Watchers(on):
                self._lists_watchers = on
                if on:
                    self._list_watchers()
            case messages.Flag():
                await self._session.check_flag(received)
            case _:
                if isinstance(message, messages.Rematch):
                    await self._require_not_blocked()
                await self._session.execute(self._holder, lambda *_: message, received)

    async def _require_not_blocked(self) -> None:
        accounts = self._app_state.accounts
        try:
            await games.require_not_blocked(self._session, accounts, self._holder)
        except Problem as problem:
            raise Refused("no_meeting") from problem

    async def _hint(self) -> None:
        if self._hint_task is not None and not self._hint_task.done():
            raise Refused("busy")
        holder = self._holder
        game, seq = await self._session.read(
            lambda live: (live.hint_game(live.sides_of(holder)), live.seq)
        )
        # A separate task, so that reading continues.
        self._hint_task = asyncio.create_task(self._search_hint(game, seq))

    async def _search_hint(self, game: Game, seq: int) -> None:
        settings = self._app_state.settings
        try:
            reply = self._app_state.engine_pool.hint(game, settings.hint_level, self.requester)
        except BusyError:
            self._send_error("busy")
            return
        try:
            decision = await reply.answer()
        except StoppedError:
            return
        except PositionTooComplexError:
            self._send_error("too_complex")
            return
        except SearchFailedError:
            self._send_error("search_failed")
            return
        except asyncio.CancelledError:
            reply.stop()
            raise

        def make_answer(live: LiveGame) -> messages.HintAnswer | None:
            return None if live.seq != seq else actions.hint(live, decision)

        answer = await self._session.read(make_answer)
        if answer is not None:
            self._send_message(answer)


def _parse_client_version(text: str) -> tuple[int, int] | None:
    """Parse the version and ply count of a page's state, such as "12.11"."""
    match = _VERSION_AND_PLIES.fullmatch(text)
    return None if match is None else (int(match[1]), int(match[2]))


class _Outbox:
    """Outgoing frames: at most one pending state series and one pending list of spectators."""

    def __init__(self, size: int) -> None:
        self._frames: deque[tuple[str, str | ViewUpdates]] = deque()
        self._size = size
        self._full = False
        self.close_reason = (TRY_LATER, "reading too slowly")
        self._ready = asyncio.Event()

    def put_state(self, updates: ViewUpdates) -> None:
        """Queue a series in place of the previous one."""
        self._replace("state", updates)

    def put_list(self, frame: str) -> None:
        """Queue a list of spectators in place of the previous one."""
        self._replace("list", frame)

    def put(self, frame: str | ViewUpdates) -> None:
        """Queue a frame."""
        self._add("", frame)

    def close(self, code: int, reason: str) -> None:
        """Drop all frames and close the connection with a code and a reason."""
        self.close_reason = (code, reason)
        self._full = True
        self._ready.set()

    def _replace(self, kind: str, frame: str | ViewUpdates) -> None:
        if self._frames:
            self._frames = deque(entry for entry in self._frames if entry[0] != kind)
        self._add(kind, frame)

    def _add(self, kind: str, frame: str | ViewUpdates) -> None:
        if len(self._frames) >= self._size:
            self._full = True
        else:
            self._frames.append((kind, frame))
        self._ready.set()

    def abort(self) -> None:
        """Drop all frames and close the connection."""
        self._full = True
        self._ready.set()

    async def get(self) -> str | ViewUpdates | None:
        """Wait for the next frame and return it; None after an overflow or `close`."""
        while not self._frames and not self._full:
            self._ready.clear()
            await self._ready.wait()
        return None if self._full else self._frames.popleft()[1]

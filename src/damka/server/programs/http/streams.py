"""Streams of JSON lines: the events of an account, and the states of a game."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Final

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.live.live_game import LiveGame
from damka.server.api import app_state_of, language_of, session_of
from damka.server.engine_pool import Requester
from damka.server.identity import address_of, identity_of, member_of
from damka.server.limits import network
from damka.server.programs import views
from damka.server.programs.announcer import Notice
from damka.server.programs.http.account import RUNNING
from damka.server.programs.http.responses import stream
from damka.server.programs.messages import GameOver, GameStart, StateLine, Summary, encode
from damka.server.timekeeper import Timekeeper

if TYPE_CHECKING:
    from damka.server.app_state import AppState
    from damka.server.game_session import GameSession
    from damka.server.publisher import View, ViewUpdates

__all__ = ["router"]

router: Final = APIRouter()

_MAX_WAITING: Final = 100
"""Maximum number of queued events for a slow reader; the stream ends when it is exceeded."""


@router.get("/api/stream/events")
async def events(request: Request) -> Response:
    """Stream the events of the account: challenges, and games that begin or end."""
    member, app_state = member_of(request), app_state_of(request)
    notices = _Notices(member.holder)
    # Subscribe before the response starts, so that no event is missed.
    stop = app_state.announcer.listen(member.holder, notices.receive)
    lines = _events(app_state, member.holder, language_of(request), notices)
    return stream(request, lines, at_end=stop)


@router.get("/api/games/{game_id}/stream")
async def game(request: Request, game_id: str) -> Response:
    """Stream a game: its state, and every change until it is over."""
    app_state, holder = app_state_of(request), identity_of(request).holder
    async with session_of(request, game_id):
        pass
    address = address_of(request)
    viewer = _Viewer(holder, address, language_of(request))
    return stream(request, _states(app_state, game_id, viewer))


class _Notices:
    """Queue of an account's events. As a viewer of the lobby it keeps its challenges open."""

    def __init__(self, holder: str) -> None:
        self.holder: Final = holder
        self.waiting: Final[deque[Notice]] = deque()
        self.filled: Final = asyncio.Event()

    def receive(self, notice: Notice) -> None:
        """Append an event."""
        self.waiting.append(notice)
        self.filled.set()

    def wake(self) -> None:
        """Do nothing: the results of challenges arrive as games."""


async def _events(
    app_state: AppState, holder: str, language: str, notices: _Notices
) -> AsyncGenerator[bytes, None]:
    await app_state.lobby.enter(notices)
    try:
        async for line in _lines(app_state, holder, language, notices):
            yield line
    finally:
        app_state.lobby.leave(notices)


async def _lines(
    app_state: AppState, holder: str, language: str, notices: _Notices
) -> AsyncGenerator[bytes, None]:
    running = await app_state.sessions.database.read(lambda store: store.running(holder, RUNNING))
    announced = set()
    for game_id, _ in running:
        summary = await _summary(app_state, game_id, holder, language)
        if summary is not None and summary.result is None:
            announced.add(game_id)
            yield encode(GameStart(summary))
    while len(notices.waiting) <= _MAX_WAITING:
        notices.filled.clear()
        while notices.waiting:
            notice = notices.waiting.popleft()
            if notice.line is not None:
                yield msgspec.json.encode(notice.line) + b"\n"
                continue
            summary = await _summary(app_state, notice.game, holder, language)
            if summary is None or (notice.kind == "game_start" and notice.game in announced):
                continue
            if notice.kind == "game_start":
                announced.add(notice.game)
                yield encode(GameStart(summary))
            else:
                announced.discard(notice.game)
                yield encode(GameOver(summary))
        await notices.filled.wait()


async def _summary(app_state: AppState, game_id: str, holder: str, language: str) -> Summary | None:
    """Return a game without open seats, or None."""

    def read(live: LiveGame) -> Summary | None:
        waits = live.open_side is not None and live.result is None
        return None if waits else views.summary(live, holder, language)

    async with app_state.sessions.enter(game_id) as session:
        return None if session is None else await session.read(read)


async def _states(
    app_state: AppState, game_id: str, viewer: _Viewer
) -> AsyncGenerator[bytes, None]:
    async with app_state.sessions.enter(game_id) as session:
        if session is None:
            return
        viewer.session = session
        await session.join(viewer)
        try:
            holder, language = viewer.holder, viewer.language
            now = Timekeeper.now()
            first = await session.read(
                lambda live: views.first_line(live, holder, language, session.clock.info(live, now))
            )
            yield encode(first)
            line: StateLine = first.state
            while line.result is None:
                await viewer.changed.wait()
                viewer.changed.clear()
                if viewer.must_reconnect:
                    return
                before, line = line, await _state(session, viewer)
                # Players who connect or disconnect do not change the game.
                if line.version != before.version or line.result != before.result:
                    yield encode(line)
        finally:
            session.leave(viewer, page_closed=False)


async def _state(session: GameSession, viewer: _Viewer) -> StateLine:
    now, holder, language = Timekeeper.now(), viewer.holder, viewer.language
    return await session.read(
        lambda live: views.state(live, holder, language, session.clock.info(live, now))
    )


class _Viewer:
    """A viewer of a game for a stream: it is woken by changes and reads the game itself."""

    def __init__(self, holder: str | None, address: str, language: str) -> None:
        self.holder: Final = holder
        self.requester: Final = Requester(network(address), person=holder or "")
        self.language: Final = language
        self.name: Final = None
        """None: programs are not listed among the spectators."""
        self.client_version: Final = None
        self.lag: Final = 0
        """Round trips are not measured, so there is no lag compensation."""
        self.changed: Final = asyncio.Event()
        self.session: GameSession | None = None
        self.must_reconnect = False
        """Whether the game has moved to another process; the client has to reconnect."""

    @property
    def view(self) -> View:
        """The sides that the account plays, and its language."""
        session = self.session
        return (() if session is None else session.live.sides_of(self.holder)), self.language

    def reconnect(self) -> None:
        """End the stream."""
        self.must_reconnect = True
        self.changed.set()

    def send(self, frame: str) -> None:
        """Wake the stream."""
        self.changed.set()

    def show(self, updates: ViewUpdates, plies: int | None = None) -> None:
        """Wake the stream."""
        self.changed.set()

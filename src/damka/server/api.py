"""The HTTP API: new games, rematches, game files, rule sets and health checks.

Bodies are JSON. An error response has its status and `{"error", "message", "where"?}`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from fastapi import APIRouter, Request
from msgspec.structs import replace as replace_struct
from starlette.responses import JSONResponse, Response

from damka import rules
from damka.draw import raster
from damka.errors import PictureError
from damka.live import pdn_files, requests, saving, setup
from damka.live.problems import Problem
from damka.server import games, ratings, security
from damka.server.accounts import bearer_of, names
from damka.server.addresses import origin_of
from damka.server.app_state import AppState
from damka.server.events.game_tags import tags_for
from damka.server.identity import address_of, identity_of, seat_name
from damka.server.language import COOKIE, choose
from damka.server.observe.metrics import CONTENT_TYPE_LATEST, is_local
from damka.server.settings import VERSION
from damka.server.store import StoreError

if TYPE_CHECKING:
    from datetime import datetime

    from damka.game import Game
    from damka.live.live_game import LiveGame
    from damka.server.game_session import GameSession

__all__ = [
    "NO_STORE",
    "app_state_of",
    "guard_game",
    "guard_post",
    "health",
    "is_page",
    "language_of",
    "read_game",
    "router",
    "seat_of",
    "session_of",
    "with_seat",
]

T = TypeVar("T")

router: Final = APIRouter()
health: Final = APIRouter()
"""Health checks, which do not identify the client: the database may have failed."""

READY_SECONDS: Final = 2.0
"""Database timeout of a health check."""
NO_STORE: Final = {"cache-control": "no-store"}


@health.get("/livez")
async def liveness() -> Response:
    """Liveness check: a process that does not respond should be restarted."""
    return JSONResponse({"status": "ok", "version": VERSION}, headers=NO_STORE)


@health.get("/metrics")
async def metrics(request: Request) -> Response:
    """Return the metrics, to programs on this machine only."""
    if not is_local(address_of(request), request.headers):
        raise Problem(403, "metrics_local")
    text = app_state_of(request).metrics.text()
    return Response(text, headers={**NO_STORE, "content-type": CONTENT_TYPE_LATEST})


@health.get("/readyz")
async def readiness(request: Request) -> Response:
    """Readiness check: the server is healthy, not full and not shutting down."""
    app_state = app_state_of(request)
    if app_state.streams.is_stopped or app_state.live_connections.is_full:
        raise Problem(503, "busy")
    return await health_check(request)


@health.get("/healthz")
async def health_check(request: Request) -> Response:
    """Health check, which writes a row to the database as a move does."""
    sessions = app_state_of(request).sessions
    try:
        async with asyncio.timeout(READY_SECONDS):
            await sessions.database.write(lambda store: store.check())
    except TimeoutError as error:
        raise Problem(503, "busy") from error
    except StoreError as error:
        if sessions.rescue.lost is None:
            raise
        raise Problem(503, "store_lost", detail=sessions.rescue.lost) from error
    return JSONResponse({"status": "ok", "version": VERSION}, headers=NO_STORE)


@router.get("/api/rules")
async def rule_sets(request: Request) -> Response:
    """List the shipped rule sets."""
    language = language_of(request)
    return JSONResponse(
        [
            {
                "name": name,
                "title": (rule_set := rules.load(name)).title_in(language),
                "summary": rule_set.summary_in(language),
                "width": rule_set.width,
                "height": rule_set.height,
                "huffing": rule_set.obligation == "huff",
                "url": f"/rules/{name}",
            }
            for name in rules.names()
        ]
    )


@router.post("/api/games")
async def new_game(request: Request) -> Response:
    """Start a game; random colours are drawn on the server.

    An unfinished guided game of the same course is continued instead of starting another one.
    """
    await guard_game(request)
    body = requests.read(await request.body(), requests.NewGame)
    seat, holder = seat_of(request)
    app_state = app_state_of(request)
    plays = app_state.engines.plays
    body = replace_struct(body, names=await _player_names(request, body))
    if body.opponent == "guide":
        requests.require_guided(body)
        of = await asyncio.to_thread(requests.rules_of, body.rules, body.obligation)
        running = await games.running_guided(app_state.sessions, of, holder)
        if running is not None:
            opened = {"id": running, "url": f"/game/{running}"}
            return JSONResponse(opened, headers=NO_STORE)
        await app_state.course_searches.find(of, address_of(request))
    game_setup = await asyncio.to_thread(requests.new, body, holder, plays)
    game_setup = await ratings.with_ratings(app_state.accounts, game_setup)
    if body.opponent == "invite":
        app_state.invitations.limit_rate(address_of(request))
        await app_state.invitations.with_code(
            lambda code: games.store(app_state.sessions, game_setup, code)
        )
    else:
        await games.store(app_state.sessions, game_setup)
    return _created_response(request, game_setup, seat)


async def _player_names(request: Request, body: requests.NewGame) -> tuple[str, str] | None:
    """Return the player names of a new game: account names unchanged, guest names validated."""
    account, accounts = identity_of(request).account, app_state_of(request).accounts
    if body.opponent == "invite" and account is not None:
        return seat_name(request, account.name), ""
    if body.names is None:
        return None
    own = None if account is None else names.skeleton(account.name)
    one, two = [
        each if own and names.skeleton(each) == own else await accounts.guest_name(each)
        for each in body.names
    ]
    return one, two


@router.post("/api/games/load")
async def load_game(request: Request) -> Response:
    """Continue a game from an uploaded file.

    The body is a game file, or PDN if the content type says so. If the file has several games and
    none is selected, the response lists them. If the game names other rules than the selected ones,
    the response offers a choice.
    """
    await guard_game(request)
    options = requests.options(request.query_params, requests.LoadOptions)
    data = await request.body()
    if security.is_pdn(request.headers):
        async with app_state_of(request).pdn_lock:
            contents = await _read_file(request, data, options, is_pdn=True)
    else:
        contents = await _read_file(request, data, options, is_pdn=False)
    if contents.game is None:
        return JSONResponse(requests.contents(contents, language_of(request)), headers=NO_STORE)
    seat, holder = seat_of(request)
    game_setup = requests.load(contents.game, options, holder)
    await games.store(app_state_of(request).sessions, game_setup)
    return _created_response(request, game_setup, seat)


@router.post("/api/games/{game_id}/rematch")
async def rematch(request: Request, game_id: str) -> Response:
    """Start the rematch, with the colours that the rules prescribe. Idempotent.

    Between two devices the first request is an offer (202), which the other side's request accepts.
    With a level the request starts another game against the computer, each time a new one.
    """
    await guard_game(request)
    body = requests.read(await request.body() or b"{}", requests.RematchOptions)
    seat, holder = seat_of(request)
    app_state = app_state_of(request)
    async with session_of(request, game_id) as session:
        if body.level is not None:
            game_setup = await session.read(lambda live: setup.rematch(live, holder, body.level))
            await games.store(app_state.sessions, game_setup)
            return _created_response(request, game_setup, seat)
        if holder in await session.read(_holders):
            await games.require_not_blocked(session, app_state.accounts, holder)
        if await games.offer_rematch(session, holder):
            return JSONResponse({"offered": True}, 202, headers=NO_STORE)
        game_setup = await games.rematch(app_state.sessions, app_state.accounts, session, holder)
    return _created_response(request, game_setup, seat)


def _holders(live: LiveGame) -> set[str | None]:
    return {seat.holder for seat in live.seats.values()}


@router.get("/api/games/{game_id}/file")
async def game_file(request: Request, game_id: str) -> Response:
    """Return the game as a game file."""
    return await _download(request, game_id, "json")


@router.get("/api/games/{game_id}/pdn")
async def game_pdn(request: Request, game_id: str) -> Response:
    """Return the game in Portable Draughts Notation, for other programs."""
    return await _download(request, game_id, "pdn")


@router.get("/api/games/{game_id}/picture.svg")
async def game_picture(request: Request, game_id: str) -> Response:
    """Return the game's position as an SVG picture."""
    return _file_response(await _draw(request, game_id, saving.picture))


@router.get("/api/games/{game_id}/picture.png")
async def game_raster(request: Request, game_id: str) -> Response:
    """Return the game's position as a PNG picture, if the server has the pictures extra."""
    try:
        file, data = await _draw(request, game_id, _raster)
    except PictureError as error:
        raise Problem(404, "not_found") from error
    name = file.name.removesuffix(".svg") + ".png"
    return _file_response(file._replace(name=name, media_type="image/png"), data)


@router.get("/api/games/{game_id}/replay.svg")
async def game_replay(request: Request, game_id: str) -> Response:
    """Return the game as an animated SVG picture."""
    return _file_response(await _draw(request, game_id, saving.replay))


def app_state_of(request: Request) -> AppState:
    """Return the state of the server."""
    app_state: AppState = request.app.state.damka
    return app_state


def is_page(request: Request) -> bool:
    """Return whether the request is for an HTML page, not for JSON."""
    accepted = request.headers.get("accept", "")
    return "text/html" in accepted and not request.url.path.startswith("/api/")


def language_of(request: Request) -> str:
    """Return the language of the response."""
    cookie = None if bearer_of(request.headers) is not None else request.cookies.get(COOKIE)
    return choose(
        request.query_params.get("lang"),
        _preferred_language(request) or cookie,
        request.headers.get("accept-language"),
    )


def guard_post(request: Request) -> None:
    """Raise Problem for a cross-origin request, or over the rate limit."""
    if identity_of(request).bearer is not None:
        return  # No page can send a token, and `identify` limits the rate of token requests.
    app_state = app_state_of(request)
    if not security.same_origin(request.headers, request.url.scheme, app_state.settings):
        raise Problem(403, "cross_origin")
    if not app_state.posts.take(address_of(request)):
        raise Problem(429, "too_many")


async def guard_game(request: Request) -> None:
    """Raise Problem as `guard_post` does, and for clients banned from starting or joining games."""
    guard_post(request)
    address = address_of(request)
    await app_state_of(request).accounts.require_not_banned(identity_of(request), address)


def _preferred_language(request: Request) -> str | None:
    """Return the member's preferred language, if set."""
    account = identity_of(request).account
    language = None if account is None else account.preferences.get("language")
    return language if isinstance(language, str) else None


@asynccontextmanager
async def session_of(request: Request, game_id: str) -> AsyncIterator[GameSession]:
    """Enter the session of a game. Raises Problem when there is no such game."""
    if not security.is_game_id(game_id):
        raise Problem(404, "unknown_game")
    async with app_state_of(request).sessions.enter(game_id) as session:
        if session is None:
            raise Problem(404, "unknown_game")
        yield session


async def read_game(request: Request, game_id: str, query: Callable[[LiveGame], T]) -> T:
    """Return the result of `query` for a game. Raises Problem when there is no such game."""
    async with session_of(request, game_id) as session:
        return await session.read(query)


def seat_of(request: Request) -> tuple[str | None, str]:
    """Return a new seat cookie, or None if the browser has one, and the hash of the cookie."""
    holder = identity_of(request).holder
    if holder is not None:
        return None, holder
    seat = security.new_seat()
    return seat, security.hashed(seat)


async def _read_file(
    request: Request, data: bytes, options: requests.LoadOptions, *, is_pdn: bool
) -> pdn_files.Contents:
    language = language_of(request)
    return await asyncio.to_thread(requests.read_file, data, options, language, is_pdn=is_pdn)


async def _download(request: Request, game_id: str, kind: Literal["json", "pdn"]) -> Response:
    if kind == "json":
        file = await read_game(request, game_id, lambda live: saving.save(live, "json"))
    else:
        events = app_state_of(request).events
        tags = await tags_for(events, game_id[:32], origin_of(request))
        file = await read_game(request, game_id, lambda live: saving.save(live, "pdn", tags(live)))
    return _file_response(file)


def _raster(game: Game, started_at: datetime, *, flip: bool) -> tuple[saving.GameFile, bytes]:
    file = saving.picture(game, started_at, flip=flip)
    return file, raster.png(file.text, saving.SIZE)


async def _draw(request: Request, game_id: str, draw: Callable[..., T]) -> T:
    options = requests.options(request.query_params, requests.PictureOptions)
    app_state = app_state_of(request)
    if not app_state.page_requests.take(address_of(request)):
        raise Problem(429, "too_many")
    async with app_state.page_slots:
        game, started_at = await read_game(
            request, game_id, lambda live: (live.game.copy(), live.started_at)
        )
        # Long games are slow to draw, and must not delay moves in other games.
        return await asyncio.to_thread(draw, game, started_at, flip=options.flip)


def _file_response(file: saving.GameFile, data: bytes | None = None) -> Response:
    """Return a file to save; `data` replaces its text."""
    headers = {"content-disposition": f'attachment; filename="{file.name}"', **NO_STORE}
    return Response(
        file.text if data is None else data, media_type=file.media_type, headers=headers
    )


def _created_response(request: Request, game_setup: setup.GameSetup, seat: str | None) -> Response:
    body: dict[str, Any] = {
        "id": game_setup.id,
        "url": f"/game/{game_setup.id}",
        "lot": {"drawn": game_setup.lot is not None, "you": game_setup.you},
    }
    return with_seat(request, JSONResponse(body, 201, headers=NO_STORE), seat)


def with_seat(request: Request, response: Response, seat: str | None) -> Response:
    """Add a new seat cookie to a response, if the browser needs one.

    The cookie is restricted to https only if the page was requested over https: local networks
    often use plain http.
    """
    if seat is not None:
        response.set_cookie(
            security.SEAT_COOKIE,
            seat,
            max_age=security.SEAT_SECONDS,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
    return response

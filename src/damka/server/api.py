"""The HTTP API: new games, rematches, game files, rule sets and health checks. Bodies are JSON. An
error is answered with its status and `{"error", "message", "where"?}`.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from fastapi import APIRouter, Request
from msgspec import Meta
from starlette.responses import JSONResponse, Response

from damka import Rules, rules
from damka.engine import levels
from damka.errors import DamkaError, GameFileError, PdnError, PositionTooComplexError, RulesError
from damka.game import Game
from damka.live import pdn_files, saving, setup
from damka.live.problems import Problem
from damka.live.replay import require_showable
from damka.server import games, security
from damka.server.app_state import AppState
from damka.server.language import COOKIE, choose
from damka.server.settings import VERSION

__all__ = ["guard_post", "language_of", "router"]

router: Final = APIRouter()

T = TypeVar("T", bound=msgspec.Struct)

MAX_RULES: Final = 64 * 1024
"""The size of the rules in a request for a game, as JSON: that of a file."""
READY_SECONDS: Final = 2.0
"""How long a health check waits for the database."""
FRESH: Final = {"cache-control": "no-store"}
PlayerName = Annotated[str, Meta(max_length=30)]
Level = Annotated[int, Meta(ge=1, le=len(levels.LEVELS))]


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to play, against whom, with which colour."""

    rules: Annotated[str, Meta(max_length=64)] | dict[str, Any]
    """The name of a rule set, or a table as in a file: rules of the page's own."""
    opponent: Literal["computer", "person"] = "computer"
    level: Level = levels.DEFAULT
    engine: Annotated[str, Meta(max_length=80)] | None = None
    """One of the operator's engines, instead of a level."""
    colour: Literal["lot", "first", "second"] = "lot"
    obligation: Literal["forced", "huff"] | None = None
    names: tuple[PlayerName, PlayerName] | None = None
    """What the two people at one screen are called, who begins first; "" for no name."""


class LoadOptions(msgspec.Struct, frozen=True):
    """Who plays on in a game that was loaded; of a file with several, which one."""

    opponent: Literal["computer", "person"] = "person"
    level: Level = levels.DEFAULT
    side: Literal["W", "B"] | None = None
    game: Annotated[int, Meta(ge=1, le=pdn_files.MAX_GAMES)] | None = None


@router.get("/livez")
async def alive() -> Response:
    """Answer that the process is alive; without an answer it should be restarted."""
    return JSONResponse({"status": "ok", "version": VERSION}, headers=FRESH)


@router.get("/readyz")
@router.get("/healthz")
async def ready(request: Request) -> Response:
    """Answer that games can be played: a row was just written to the database."""
    sessions = app_state_of(request).sessions
    try:
        async with asyncio.timeout(READY_SECONDS):
            await sessions.in_store(lambda store: store.check())
    except TimeoutError as error:
        raise Problem(503, "busy") from error
    return JSONResponse({"status": "ok", "version": VERSION}, headers=FRESH)


@router.get("/api/rules")
async def rule_sets(request: Request) -> Response:
    """List the rule sets shipped."""
    language = language_of(request)
    return JSONResponse(
        [
            {
                "name": name,
                "title": (one := rules.load(name)).title_in(language),
                "summary": one.summary_in(language),
                "width": one.width,
                "height": one.height,
                "huffing": one.obligation == "huff",
                "url": f"/rules/{name}",
            }
            for name in rules.names()
        ]
    )


@router.post("/api/games")
async def new_game(request: Request) -> Response:
    """Start a game; the lot is drawn here when it decides the colours."""
    guard_post(request)
    asked = await _body(request, NewGame)
    chosen = await asyncio.to_thread(_rules_of, asked.rules)
    if asked.obligation is not None and asked.obligation != chosen.obligation:
        if chosen.obligation != "huff":
            raise Problem(422, "no_huffing", where="obligation")
        chosen = chosen.replace(obligation=asked.obligation)
    level = asked.level if asked.opponent == "computer" else None
    engine = asked.engine if asked.opponent == "computer" else None
    if engine is not None:
        if not app_state_of(request).engines.plays(engine, chosen):
            raise Problem(422, "bad_field", where="engine")
        level = max(levels.LEVELS)  # used when the engine fails
    seat, holder = _seat(request)
    try:
        # By rules of the page's own even the start may be hard to judge.
        made = await asyncio.to_thread(
            setup.new,
            chosen,
            holder,
            level=level,
            colour=asked.colour,
            engine=engine,
            names=asked.names if level is None else None,
        )
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where="rules") from error
    except DamkaError as error:
        # An opening that cannot be played shows only when it is drawn.
        about = error if isinstance(error, RulesError) else None
        detail = str(error)[:300]
        raise Problem(422, "bad_box", where="rules", detail=detail, error=about) from error
    await games.store(app_state_of(request).sessions, made)
    return _made(request, made, seat)


@router.post("/api/games/load")
async def load_game(request: Request) -> Response:
    """Go on with the game in the file that is the body.

    That is a game file, or Portable Draughts Notation where the type of the content says so. If
    there are several games in it, they are listed, unless one is asked for.
    """
    guard_post(request)
    options = _query(request, LoadOptions)
    data = await request.body()
    try:
        if security.is_pdn(request.headers):
            found = await _pdn(request, data, options.game)
            if found.game is None:
                return JSONResponse({"games": found.games, "more": found.more}, headers=FRESH)
            game = found.game
        else:
            # Every move is played again, which for a long game takes a while.
            game = await asyncio.to_thread(_loaded, data)
    except DamkaError as error:
        complex_ = any(isinstance(e, PositionTooComplexError) for e in (error, error.__cause__))
        code = "too_complex" if complex_ else "bad_file"
        raise Problem(422, code, where="body", detail=_told(error), pdn=_wrong(error)) from error
    seat, holder = _seat(request)
    made = setup.loaded(
        game,
        holder,
        level=options.level if options.opponent == "computer" else None,
        side=options.side,
    )
    await games.store(app_state_of(request).sessions, made)
    return _made(request, made, seat)


@router.post("/api/games/{game_id}/rematch")
async def rematch(request: Request, game_id: str) -> Response:
    """Play again, with the colours as the rules say; asked twice, it is the same rematch."""
    guard_post(request)
    seat, holder = _seat(request)
    app_state = app_state_of(request)
    async with app_state.sessions.enter(_known(game_id)) as session:
        if session is None:
            raise Problem(404, "unknown_game")
        made = await games.rematch(app_state.sessions, session, holder)
    return _made(request, made, seat)


@router.get("/api/games/{game_id}/file")
async def game_file(request: Request, game_id: str) -> Response:
    """Give the game as a file, to keep and to load."""
    return await _download(request, game_id, "json")


@router.get("/api/games/{game_id}/pdn")
async def game_pdn(request: Request, game_id: str) -> Response:
    """Give the game in Portable Draughts Notation, for other programs."""
    return await _download(request, game_id, "pdn")


def app_state_of(request: Request) -> AppState:
    """Return the state of the server."""
    app_state: AppState = request.app.state.damka
    return app_state


def language_of(request: Request) -> str:
    """Return the language to answer a request in."""
    return choose(
        request.query_params.get("lang"),
        request.cookies.get(COOKIE),
        request.headers.get("accept-language"),
    )


def guard_post(request: Request) -> None:
    """Raise Problem unless the request comes from our own pages, and not too often."""
    app_state = app_state_of(request)
    if not security.same_origin(request.headers, request.url.scheme, app_state.settings):
        raise Problem(403, "cross_origin")
    if not app_state.posts.take(request.client.host if request.client else ""):
        raise Problem(429, "too_many")


def _rules_of(asked: str | dict[str, Any]) -> Rules:
    """Return the rules of a request for a game. Raises Problem when they cannot be used."""
    if isinstance(asked, str):
        if asked not in rules.names():
            raise Problem(404, "unknown_rules", where="rules")
        return rules.load(asked)
    if len(msgspec.json.encode(asked)) > MAX_RULES:
        raise Problem(413, "too_large", where="rules")
    try:
        return rules.from_dict(asked)
    except RulesError as error:
        raise Problem(422, "bad_box", where="rules", error=error) from error


def _known(game_id: str) -> str:
    if not security.is_game_id(game_id):
        raise Problem(404, "unknown_game")
    return game_id


async def _body(request: Request, kind: type[T]) -> T:
    data = await request.body()
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise Problem(422, "bad_field", where=_where(error)) from error
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Problem(400, "bad_json", where="body") from error


def _query(request: Request, kind: type[T]) -> T:
    try:
        return msgspec.convert(dict(request.query_params), kind, strict=False)
    except (msgspec.ValidationError, RecursionError, UnicodeError) as error:
        raise Problem(422, "bad_field", where=_where(error)) from error


def _where(error: Exception) -> str:
    """Return the field that a msgspec error is about: it ends in "- at `$.level`"."""
    _, found, path = str(error).rpartition("`$.")
    return path.rstrip("`") if found else "body"


def _seat(request: Request) -> tuple[str | None, str]:
    """Return a new seat cookie if the browser needs one, and the hash of the one it has."""
    holder = security.holder_of(request.cookies.get(security.SEAT_COOKIE))
    if holder is not None:
        return None, holder
    seat = security.new_seat()
    return seat, security.hashed(seat)


def _loaded(data: bytes) -> Game:
    """Return the game of a file, which can go on: its moves can be listed."""
    game = Game.from_json(data)
    require_showable(game)
    return game


async def _download(request: Request, game_id: str, kind: Literal["json", "pdn"]) -> Response:
    async with app_state_of(request).sessions.enter(_known(game_id)) as session:
        if session is None:
            raise Problem(404, "unknown_game")
        file = await session.read(lambda live: saving.save(live, kind))
    headers = {"content-disposition": f'attachment; filename="{file.name}"', **FRESH}
    return Response(file.text, media_type=file.media_type, headers=headers)


async def _pdn(request: Request, data: bytes, number: int | None) -> pdn_files.Contents:
    """Return what is in a file of games; raises PdnError."""
    language = language_of(request)
    async with app_state_of(request).pdn_turn:
        found = await asyncio.to_thread(pdn_files.load, data, number, language)
        if found.game is not None:
            await asyncio.to_thread(require_showable, found.game)
    return found


def _wrong(error: DamkaError) -> PdnError | None:
    return error if isinstance(error, PdnError) else None


def _told(error: DamkaError) -> str | None:
    return str(error)[:300] if isinstance(error, GameFileError | PdnError) else None


def _made(request: Request, made: setup.Made, seat: str | None) -> Response:
    answer: dict[str, Any] = {
        "id": made.id,
        "url": f"/game/{made.id}",
        "lot": {"drawn": made.lot is not None, "you": made.you},
    }
    response = JSONResponse(answer, 201, headers=FRESH)
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

"""The page Analyse, and the requests of its positions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from damka import Rules, rules
from damka.errors import FenError
from damka.live import pasted, positions, requests
from damka.live.problems import Problem
from damka.pages import analyse
from damka.pages.box_query import start_rules
from damka.server import security, templates
from damka.server.api import NO_STORE, app_state_of, guard_post, language_of, read_game
from damka.server.identity import address_of

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame

__all__ = ["analysis_context", "require_analysable", "router", "rules_of"]

router: Final = APIRouter()


@router.get("/analyse")
async def analyse_page(request: Request) -> Response:
    """Show the analysis board, for the rules of a link or of a game if there is one."""
    _limit_rate(request)
    game_id = request.query_params.get("game")
    if game_id is not None:
        return await _page(request, await read_game(request, game_id, _game_rules))
    return await _page(request, await asyncio.to_thread(rules_of, request))


@router.get("/analyse/{name}")
async def analyse_rules_page(request: Request, name: str) -> Response:
    """Show the analysis board for a shipped rule set."""
    if name not in rules.names():
        raise Problem(404, "unknown_rules")
    return await _page(request, rules.load(name))


@router.get("/api/position")
async def check_position(request: Request) -> Response:
    """Describe a position, and why no game can start from it."""
    _limit_rate(request)
    of, text = await asyncio.to_thread(rules_of, request), _fen(request)
    answer = await asyncio.to_thread(positions.describe, of, text, language_of(request))
    return JSONResponse(answer, headers=NO_STORE)


@router.post("/api/position")
async def read_position(request: Request) -> Response:
    """Read the position in a text: FEN, PDN or a game file."""
    guard_post(request)
    query = {
        name: value for name, value in request.query_params.items() if name not in analyse.ADDRESS
    }
    options = requests.options(query, pasted.ReadOptions)
    body, language = await request.body(), language_of(request)
    of, is_pdn = await asyncio.to_thread(rules_of, request), security.is_pdn(request.headers)
    async with app_state_of(request).pdn_lock:
        text = await asyncio.to_thread(pasted.read, body, of, options, language, is_pdn=is_pdn)
    return JSONResponse(analyse.position_json(text, language), headers=NO_STORE)


@router.get("/position.svg")
async def position_picture(request: Request) -> Response:
    """Draw a position."""
    _limit_rate(request)
    of, text = await asyncio.to_thread(rules_of, request), _fen(request)
    try:
        picture = await asyncio.to_thread(
            analyse.picture, of, text, flip=request.query_params.get("flip") == "1"
        )
    except FenError as error:
        raise Problem(422, "bad_position", where="fen", detail=error.code) from error
    headers = {"content-disposition": f'attachment; filename="{of.name}.svg"', **NO_STORE}
    return Response(picture, media_type="image/svg+xml", headers=headers)


async def _page(request: Request, of: Rules) -> Response:
    language = language_of(request)
    context = await asyncio.to_thread(analysis_context, request, of, language)
    return await templates.page("analyse.html", request, language, context)


def analysis_context(request: Request, of: Rules, language: str) -> dict[str, Any]:
    """Return the context of a page with the analysis board. It blocks."""
    app_state = app_state_of(request)
    settings = app_state.settings
    server = settings.limits.analysis_nodes > 0
    return analyse.context(
        of,
        language,
        house=settings.boxes,
        most_pdn=settings.limits.pdn_bytes,
        kernel=request.app.state.kernel,
        server=server,
        tables=app_state.tables.pieces(of) if server else 0,
    )


def _game_rules(live: LiveGame) -> Rules:
    require_analysable(live)
    return live.rules


def require_analysable(live: LiveGame) -> None:
    """Raise Problem for a rated game or a tournament game that is running."""
    if live.result is None and (live.rated or live.in_event):
        raise Problem(409, "rated_running")


def rules_of(request: Request) -> Rules:
    """Return the rules that `r` or `base` name. Raises Problem for unknown ones."""
    names = ("r", "base")
    return start_rules({name: request.query_params.getlist(name) for name in names})[0]


def _fen(request: Request) -> str:
    return request.query_params.get("fen", "")


def _limit_rate(request: Request) -> None:
    if not app_state_of(request).box_requests.take(address_of(request)):
        raise Problem(429, "too_many")

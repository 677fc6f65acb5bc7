"""Pages: start, game, rules and errors. GET changes nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from damka import Rules, locales, rules
from damka.live.problems import Problem
from damka.live.state import state
from damka.pages import contexts
from damka.server import security, templates
from damka.server.addresses import reach_of
from damka.server.api import app_state_of, guard_post, language_of, session_of
from damka.server.chat import Reader
from damka.server.chat.http import latest, reader_at
from damka.server.game_session import GameSession
from damka.server.identity import address_of, identity_of
from damka.server.language import COOKIE
from damka.server.own_games import suggestion
from damka.server.running_games import running_games

__all__ = ["error_page", "router"]

T = TypeVar("T")

router: Final = APIRouter()

_YEAR_SECONDS: Final = 365 * 24 * 3600
_EVENT_PAGE: Final = re.compile(r"/events/[a-z0-9]{8}(/arbiter)?(?=/)")


@router.get("/")
async def choose_page(request: Request) -> Response:
    """Show the start page: choose a game, an opponent and a colour, or continue a game."""
    language = language_of(request)
    holder = identity_of(request).holder
    if holder is not None:
        _limit_rate(request)  # The page has pictures of the visitor's games.
    settings = app_state_of(request).settings
    context = contexts.choose(
        language,
        house=settings.boxes,
        running=await running_games(request, holder, language),
        engines=settings.engines,
        most_pdn=settings.limits.pdn_bytes,
        seeks=holder is not None and await app_state_of(request).lobby.is_seeking(holder),
        suggestion=await suggestion(request, language),
    )
    return await templates.page("choose.html", request, language, context)


@router.get("/game/{game_id}")
async def game_page(request: Request, game_id: str) -> Response:
    """Show a game to its players and spectators."""
    language = language_of(request)
    identity = identity_of(request)
    event = None
    if security.is_game_id(game_id):
        event = await app_state_of(request).events.of_game(game_id)

    def read(session: GameSession) -> tuple[dict[str, Any], Reader | None]:
        live = session.live
        you = live.sides_of(identity.holder)
        game_state = state(
            live, you, language, thinking=session.thinking, paused=session.paused, past=()
        )
        context = contexts.game(
            live, game_state, language, session.publisher.history_json(live), event
        )
        return context, reader_at(live, identity, identity.holder)

    _limit_rate(request)
    app_state = app_state_of(request)
    # Long games are slow to render, and must not delay moves in other games.
    async with app_state.page_slots:
        context, reader = await _in_session(request, game_id, read)
    if context["invitation"] is not None:
        context["reach"] = await reach_of(request, app_state.settings)
    if reader is not None:
        context["latest_message"] = await latest(request, game_id, reader)
    return await templates.page("game.html", request, language, context)


@router.get("/rules/{name}")
async def rules_page(request: Request, name: str) -> Response:
    """Show the rules of a rule set."""
    if name not in rules.names():
        raise Problem(404, "unknown_rules")
    game_id = request.query_params.get("game", "")
    back = game_id if security.is_game_id(game_id) else None
    _limit_rate(request)
    return await _show_rules(request, rules.load(name), back)


@router.get("/game/{game_id}/rules")
async def game_rules_page(request: Request, game_id: str) -> Response:
    """Show the rules of one game, which may be house rules."""
    _limit_rate(request)
    of = await _in_session(request, game_id, lambda session: session.live.rules)
    return await _show_rules(request, of, game_id)


@router.post("/lang")
async def set_language(request: Request) -> Response:
    """Store the chosen language, in a cookie and a member's preferences, and return to the page."""
    guard_post(request)
    try:
        form = dict(parse_qsl((await request.body()).decode("utf-8"), max_num_fields=8))
    except ValueError as error:
        raise Problem(400, "bad_request", where="body") from error
    language = form.get("lang", "")
    if language not in locales.LANGUAGES:
        raise Problem(422, "bad_field", where="lang")
    response = RedirectResponse(security.local_path(form.get("next", "/")), status_code=303)
    account = identity_of(request).account
    if account is not None:
        accounts = app_state_of(request).accounts
        await accounts.set_preferences(account, {"language": language})
    response.set_cookie(
        COOKIE,
        language,
        max_age=_YEAR_SECONDS,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


async def error_page(request: Request, problem: Problem, language: str) -> Response:
    """Return the error page for a problem."""
    context = contexts.error(problem, language, _event_path(request))
    return await templates.page("error.html", request, language, context, status=problem.status)


def _event_path(request: Request) -> str | None:
    """Return the path of the tournament page with the submitted form, for the link back."""
    match = _EVENT_PAGE.match(request.url.path) if request.method == "POST" else None
    return match and match[0]


async def _show_rules(request: Request, of: Rules, game_id: str | None) -> Response:
    language = language_of(request)
    # The pictures are slow to draw, and must not delay moves in games.
    async with app_state_of(request).page_slots:
        context = await asyncio.to_thread(contexts.game_rules, of, language, game_id)
    return await templates.page("rules.html", request, language, context)


def _limit_rate(request: Request) -> None:
    if not app_state_of(request).page_requests.take(address_of(request)):
        raise Problem(429, "too_many")


async def _in_session(request: Request, game_id: str, query: Callable[[GameSession], T]) -> T:
    async with session_of(request, game_id) as session:
        return await session.read(lambda _: query(session))

"""Routes for a player's own games: their list, changes of its entries, and a file of all games."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import msgspec
from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from damka.errors import DamkaError
from damka.live import own_games as lists
from damka.live import requests
from damka.live.problems import Problem
from damka.pages import own_games as pages
from damka.server import security, templates
from damka.server.addresses import origin_of
from damka.server.api import NO_STORE, app_state_of, guard_post, language_of
from damka.server.fault_log import log_fault
from damka.server.identity import address_of, holder_of, identity_of
from damka.server.programs.export import MEDIA_TYPES, export_games
from damka.server.programs.http.responses import stream
from damka.server.store import own_games as rows

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame
    from damka.server.app_state import AppState

__all__ = ["router", "suggestion"]

router: Final = APIRouter()
log: Final = logging.getLogger(__name__)


@router.get("/games")
async def games_page(request: Request) -> Response:
    """Show the player's games, and the results against the computer."""
    language, holder = language_of(request), identity_of(request).holder
    query = requests.options(request.query_params, lists.Query)
    app_state = app_state_of(request)
    if not app_state.page_requests.take(address_of(request)):
        raise Problem(429, "too_many")
    # Many games are slow to replay, and must not delay the pages of other games.
    async with app_state.list_slots:
        games = await _list(app_state, holder)
        loaded = await _load(app_state, pages.games_to_load(games, query))
        context = await asyncio.to_thread(
            pages.context, games, query, loaded, holder or "", language
        )
    return await templates.page("games.html", request, language, context)


@router.get("/games.pdn")
async def games_file(request: Request) -> Response:
    """Return all games of the player's list as one PDN file."""
    holder = holder_of(request)
    app_state = app_state_of(request)
    if not app_state.page_requests.take(address_of(request)):
        raise Problem(429, "too_many")
    games = await _list(app_state, holder)

    async def ids() -> AsyncGenerator[str, None]:
        for game in games:
            yield game.id

    language, site = language_of(request), origin_of(request)
    day = datetime.now(UTC).date().isoformat()
    return stream(
        request,
        export_games(app_state, ids(), "pdn", language, site, unfinished=True),
        media_type=MEDIA_TYPES["pdn"],
        headers={"content-disposition": f'attachment; filename="damka-{day}.pdn"'},
        heartbeat=False,
        streams=app_state.exports,
    )


@router.post("/api/games/{game_id}/listing")
async def change_listing(request: Request, game_id: str) -> Response:
    """Rename a game in the player's own list, remove it from the list, or restore it."""
    guard_post(request)
    body = requests.read(await request.body(), lists.Listing)
    if not security.is_game_id(game_id):
        raise Problem(404, "unknown_game")
    changes: dict[str, object] = {}
    if body.title is not msgspec.UNSET:
        changes["title"] = lists.clean_title(body.title)
    if body.removed is not msgspec.UNSET:
        changes["removed"] = body.removed
    holder = identity_of(request).holder

    def change(connection: Connection) -> tuple[str | None, bool]:
        if not rows.exists_game(connection, game_id):
            raise Problem(404, "unknown_game")
        if holder is None:
            raise Problem(403, "not_yours")
        if body.removed is True and rows.is_awaited(connection, game_id, holder):
            raise Problem(409, "game_awaited")
        entry = rows.change(connection, game_id, holder, changes)
        if entry is None:
            raise Problem(403, "not_yours")
        return entry

    title, removed = await app_state_of(request).accounts.write(change)
    return JSONResponse({"title": title or "", "removed": removed}, headers=NO_STORE)


async def suggestion(request: Request, language: str) -> dict[str, str] | None:
    """Return the sender's next level to try (`damka.pages.own_games.suggestion`), or None."""
    app_state, holder = app_state_of(request), identity_of(request).holder
    if holder is None:
        return None
    games = await app_state.accounts.read(lambda c: rows.wins(c, holder, lists.MAX_WINS))
    upcoming = lists.next_level(games)
    if upcoming is None:
        return None
    async with app_state.page_slots:
        loaded = await _load(app_state, [upcoming.game_id])
    return pages.suggestion(games, loaded, language)


async def _list(app_state: AppState, holder: str | None) -> list[lists.OwnGame]:
    if holder is None:
        return []
    return await app_state.accounts.read(lambda c: rows.own_games(c, holder, lists.MAX_LISTED))


async def _load(app_state: AppState, ids: list[str]) -> dict[str, LiveGame]:
    """Return the games with these ids, except unreadable ones."""
    loaded = {}
    for game_id in ids:
        try:
            live = await app_state.sessions.load(game_id)
        except DamkaError as error:
            log_fault(log, error, "game %s: cannot list it", game_id)
            continue
        if live is not None:
            loaded[game_id] = live
    return loaded

"""Export of a member's games."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.live import requests
from damka.live.problems import Problem
from damka.server.accounts import Account, history, members
from damka.server.addresses import origin_of
from damka.server.api import app_state_of, language_of
from damka.server.identity import identity_of
from damka.server.programs.export import MEDIA_TYPES, export_games
from damka.server.programs.http.responses import stream
from damka.server.programs.messages import EventExportQuery, ExportQuery

if TYPE_CHECKING:
    from damka.server.app_state import AppState

__all__ = ["router"]

router: Final = APIRouter()

_PAGE: Final = 100
"""Number of games per query."""


@router.get("/api/members/{name}/games")
async def games(request: Request, name: str) -> Response:
    """Export a member's finished games: those on the profile, or all of one's own.

    A game that shows ratings or names is as public as the profile.
    """
    query = requests.options(request.query_params, ExportQuery)
    app_state, identity = app_state_of(request), identity_of(request)
    account = await app_state.accounts.read(lambda c: members.find(c, name[:80]))
    is_own = (
        identity.account is not None and account is not None and identity.account.id == account.id
    )
    if account is None or (account.kid and not is_own):
        raise Problem(404, "unknown_account")
    scope: history.Scope = "all" if is_own else "public"
    ids = _ids(app_state, account, scope, query)
    lines = export_games(app_state, ids, query.format, language_of(request), origin_of(request))
    ending = "pdn" if query.format == "pdn" else "jsonl"
    # Names may contain letters of any alphabet, but headers may not.
    day = datetime.now(UTC).date().isoformat()
    headers = {"content-disposition": f'attachment; filename="damka-{day}.{ending}"'}
    return stream(
        request,
        lines,
        media_type=MEDIA_TYPES[query.format],
        headers=headers,
        heartbeat=False,
        streams=app_state.exports,
    )


@router.get("/api/events/{event_id}/games")
async def event_games(request: Request, event_id: str) -> Response:
    """Export the finished games of an event, by round and board."""
    query = requests.options(request.query_params, EventExportQuery)
    app_state = app_state_of(request)
    stored = await app_state.events.get(event_id)

    async def ids() -> AsyncGenerator[str, None]:
        for place in sorted(stored.games):
            yield stored.games[place]

    lines = export_games(app_state, ids(), query.format, language_of(request), origin_of(request))
    ending = "pdn" if query.format == "pdn" else "jsonl"
    return stream(
        request,
        lines,
        media_type=MEDIA_TYPES[query.format],
        headers={"content-disposition": f'attachment; filename="damka-{stored.id}.{ending}"'},
        heartbeat=False,
        streams=app_state.exports,
    )


async def _ids(
    app_state: AppState, account: Account, scope: history.Scope, query: ExportQuery
) -> AsyncGenerator[str, None]:
    before = None if query.until is None else _midnight(query.until)
    since = None if query.since is None else _midnight(query.since)
    remaining = query.most
    while True:
        at = before
        page = await app_state.accounts.read(
            lambda c: history.games(c, account.holder, scope, _PAGE, at)  # noqa: B023
        )
        for game in page:
            if since is not None and game.updated < since:
                return
            if game.reason is None or query.rules not in {None, game.rules.get("name")}:
                continue
            if remaining is not None:
                if remaining == 0:
                    return
                remaining -= 1
            yield game.id
        if len(page) < _PAGE:
            return
        before = page[-1].updated


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)

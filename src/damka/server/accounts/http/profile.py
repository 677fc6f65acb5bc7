"""A member's profile: ratings, games and blocking."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import RedirectResponse, Response

from damka.live.problems import Problem
from damka.pages import members as pages
from damka.server import templates
from damka.server.accounts import Account, history, members, moderation
from damka.server.accounts.http.request import accounts_of, form_of, redirect
from damka.server.api import language_of
from damka.server.identity import identity_of, member_of

__all__ = ["router"]

router: Final = APIRouter()

GAMES_PER_PAGE: Final = 20
_MAX_TIME_LENGTH: Final = 40
"""Maximum length of a time in a query."""
MAX_POINTS: Final = 200
"""Maximum number of points in a rating chart."""


class _ProfileData(NamedTuple):
    account: Account
    ratings: list[tuple[history.Rating, list[history.Point]]]
    games: list[history.PlayedGame]
    blocked: bool


@router.get("/@/{name}")
async def profile_page(request: Request, name: str) -> Response:
    """Show a member's profile."""
    identity = identity_of(request)
    before = _parse_time(request.query_params.get("before"))

    def read_profile(connection: Connection) -> _ProfileData | None:
        account = members.find(connection, name)
        if account is None or not _may_see(account, identity.account):
            return None
        is_own = identity.account is not None and identity.account.id == account.id
        scope: history.Scope = "all" if is_own else "public"
        ratings = [
            (each, history.points(connection, account.id, each.rules, MAX_POINTS))
            for each in history.ratings(connection, account.id)
        ]
        games = history.games(connection, account.holder, scope, GAMES_PER_PAGE + 1, before)
        me = identity.account
        blocked = me is not None and moderation.blocked(connection, me.id, account.id)
        return _ProfileData(account, ratings, games, blocked)

    profile = await accounts_of(request).read(read_profile)
    if profile is None:
        raise Problem(404, "unknown_account")
    if name != profile.account.name:
        return RedirectResponse(f"/@/{quote(profile.account.name)}", status_code=301)
    language = language_of(request)
    context = await asyncio.to_thread(_context, profile, identity.account, language)
    return await templates.page("profile.html", request, language, context)


@router.post("/@/{name}/block")
async def block(request: Request, name: str) -> Response:
    """Block a member, or unblock if the form contains "off"."""
    form = await form_of(request)
    me = member_of(request)
    other = await accounts_of(request).read(lambda c: members.find(c, name))
    if other is None or other.id == me.id:
        raise Problem(404, "unknown_account")
    change = moderation.unblock if form.get("off") else moderation.block
    await accounts_of(request).write(lambda c: change(c, me.id, other.id))
    return redirect(f"/@/{other.name}")


def _may_see(account: Account, viewer: Account | None) -> bool:
    """Whether `viewer` may see a profile; a child's is only visible to the child and arbiters."""
    return not account.kid or (
        viewer is not None and (viewer.id == account.id or viewer.is_arbiter)
    )


def _context(profile: _ProfileData, viewer: Account | None, language: str) -> dict[str, Any]:
    account, is_own = profile.account, viewer is not None and viewer.id == profile.account.id
    games = profile.games[:GAMES_PER_PAGE]
    return {
        "name": account.name,
        "right": account.right,
        "bot": account.bot,
        "since": account.created,
        "kid": account.kid,
        "mine": is_own,
        "may_block": viewer is not None and not is_own,
        "blocked": profile.blocked,
        "ratings": [
            pages.rating(
                each.rules,
                (each.strength.rating, each.strength.deviation),
                each.games,
                [(point.at, point.rating) for point in points],
                language,
            )
            for each, points in profile.ratings
        ],
        "games": [
            pages.game(
                game.id,
                game.rules,
                _opponent(game),
                (game.side, game.winner, game.reason),
                game.updated,
                language,
            )
            | {"may_report": is_own and game.side is not None and game.level is None}
            for game in games
        ],
        "older": games[-1].updated.isoformat() if len(profile.games) > GAMES_PER_PAGE else None,
    }


def _opponent(game: history.PlayedGame) -> pages.Opponent:
    if game.side is None:
        return pages.Opponent("screen")
    if game.engine is not None:
        return pages.Opponent("engine", name=game.engine)
    if game.level is not None:
        return pages.Opponent("computer", level=game.level)
    return pages.Opponent("guest" if game.opponent is None else "member", name=game.opponent)


def _parse_time(text: str | None) -> datetime | None:
    try:
        time = None if text is None else datetime.fromisoformat(text[:_MAX_TIME_LENGTH])
        # Converting dates near the minimum or maximum to UTC overflows.
        return None if time is None or time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None

"""The account of a token, its running games, and conversion to a bot account."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.live.problems import Problem
from damka.server.accounts import history, tokens
from damka.server.api import app_state_of, guard_post, language_of
from damka.server.identity import identity_of, member_of
from damka.server.openapi import responses
from damka.server.programs import views
from damka.server.programs.http.responses import json_response

__all__ = ["router"]

router: Final = APIRouter()

RUNNING: Final = 100


@router.get("/api/account")
async def account(request: Request) -> Response:
    """Return the account and the scopes of a token."""
    member, identity = member_of(request), identity_of(request)
    ratings = await app_state_of(request).accounts.read(lambda c: history.ratings(c, member.id))
    return json_response(
        responses.AccountAnswer(
            name=member.name,
            bot=member.bot,
            right=member.right,
            scopes=[scope for scope in tokens.SCOPES if scope in identity.scopes],
            ratings=[
                responses.RatingAnswer(each.rules, each.strength.rating, each.strength.deviation)
                for each in ratings
            ],
        )
    )


@router.get("/api/account/games")
async def running(request: Request) -> Response:
    """List the unfinished games of the account, latest first."""
    member, language = member_of(request), language_of(request)
    sessions = app_state_of(request).sessions
    games = await sessions.database.read(lambda store: store.running(member.holder, RUNNING))
    summaries = []
    for game_id, _ in games:
        async with sessions.enter(game_id) as session:
            if session is not None:
                summaries.append(
                    await session.read(lambda live: views.summary(live, member.holder, language))
                )
    return json_response(summaries)


@router.post("/api/account/bot")
async def become_bot(request: Request) -> Response:
    """Convert the account to a bot account, permanently."""
    guard_post(request)
    member = member_of(request)
    if member.kid:
        raise Problem(403, "bot_kid")
    if identity_of(request).bearer is None:
        # In a browser this is done on the account's page, which requires the password.
        raise Problem(403, "log_in_again")
    await app_state_of(request).accounts.write(lambda c: tokens.become_bot(c, member.id))
    return json_response({"bot": True})

"""Settings for API access: tokens, and conversion to a bot account."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import Response

from damka.live.problems import Problem
from damka.server import templates
from damka.server.accounts import members, tokens
from damka.server.accounts.http.request import (
    accounts_of,
    form_of,
    problem_context,
    redirect,
    text_field,
)
from damka.server.api import app_state_of, language_of
from damka.server.identity import address_of, identity_of, member_of

__all__ = ["router"]

router: Final = APIRouter()


@router.get("/account/tokens")
async def tokens_page(request: Request) -> Response:
    """Show the tokens of the account."""
    return await _page(request)


@router.post("/account/tokens")
async def create(request: Request) -> Response:
    """Create a token and show it once."""
    form = await form_of(request)
    account = member_of(request)
    label = text_field(form, "label", tokens.MAX_LABEL_LENGTH).replace("\n", " ")
    # The field occurs once for each selected scope.
    scopes = parse_qs((await request.body()).decode("utf-8")).get("scope", [])
    try:
        await accounts_of(request).reauthenticate(
            identity_of(request), form.get("old", ""), address_of(request)
        )
        token = await app_state_of(request).tokens.create(account, label, scopes)
    except Problem as problem:
        return await _page(request, problem, label=label, scopes=scopes)
    return await _page(request, token=token)


@router.post("/account/tokens/revoke")
async def revoke(request: Request) -> Response:
    """Revoke a token."""
    form = await form_of(request)
    account = member_of(request)
    await app_state_of(request).tokens.revoke(account, form.get("token", "")[:64])
    return redirect("/account/tokens?done=revoked")


@router.post("/account/bot")
async def become_bot(request: Request) -> Response:
    """Convert the account to a bot account."""
    form = await form_of(request)
    account = member_of(request)
    try:
        if form.get("sure") != "yes":
            raise Problem(422, "bot_sure", where="sure")
        if account.kid:
            raise Problem(403, "bot_kid", where="sure")
        await accounts_of(request).reauthenticate(
            identity_of(request), form.get("old", ""), address_of(request)
        )
    except Problem as problem:
        return await _page(request, problem)
    await accounts_of(request).write(lambda c: tokens.become_bot(c, account.id))
    return redirect("/account/tokens?done=bot")


async def _page(
    request: Request,
    problem: Problem | None = None,
    *,
    token: str | None = None,
    label: str = "",
    scopes: list[str] | None = None,
) -> Response:
    account = member_of(request)
    language = language_of(request)

    def read_tokens(connection: Connection) -> dict[str, object]:
        return {
            "has_password": members.password_of(connection, account.id) is not None,
            "tokens": tokens.list_tokens(connection, account.id),
        }

    context: dict[str, Any] = {
        "name": account.name,
        **await accounts_of(request).read(read_tokens),
        "scopes": tokens.SCOPES,
        "chosen": ["read", "challenge", "play"] if scopes is None else scopes,
        "label": label,
        "longest": tokens.MAX_LABEL_LENGTH,
        "bot": account.bot,
        "kid": account.kid,
        "token": token,
        "problem": None if problem is None else problem_context(problem, language),
        "done": request.query_params.get("done", ""),
    }
    status = 200 if problem is None else problem.status
    page = await templates.page("account_tokens.html", request, language, context, status=status)
    page.headers["cache-control"] = "no-store"
    return page

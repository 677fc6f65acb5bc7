"""A member's security settings: password, passkeys and sessions."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import Response

from damka.live.problems import Problem
from damka.server import templates
from damka.server.accounts import members
from damka.server.accounts.http.request import (
    accounts_of,
    device_of,
    form_of,
    party_of,
    problem_context,
    redirect,
    set_session_cookie,
)
from damka.server.api import language_of
from damka.server.identity import address_of, identity_of, member_of

__all__ = ["router"]

router: Final = APIRouter()


@router.get("/account/security")
async def security_page(request: Request) -> Response:
    """Show the passkeys, the password and the sessions."""
    return await _page(request)


@router.post("/account/password")
async def change_password(request: Request) -> Response:
    """Change the password and end all other sessions."""
    form = await form_of(request)
    accounts = accounts_of(request)
    member_of(request)
    try:
        account = await accounts.reauthenticate(
            identity_of(request), form.get("old", ""), address_of(request)
        )
        new_session = await accounts.change_password(
            account, form.get("password", ""), device_of(request)
        )
    except Problem as problem:
        return await _page(request, problem)
    return set_session_cookie(request, redirect("/account/security?done=password"), new_session)


@router.post("/account/passkey/remove")
async def remove_passkey(request: Request) -> Response:
    """Remove a passkey, if another way to log in remains."""
    form = await form_of(request)
    account = member_of(request)
    passkey_id = form.get("id", "")[:1400]
    accounts = accounts_of(request)
    try:
        await accounts.reauthenticate(
            identity_of(request), form.get("old", ""), address_of(request)
        )
        is_removed = await accounts.write(
            lambda c: members.remove_passkey(c, account.id, passkey_id)
        )
        if not is_removed:
            raise Problem(409, "last_way_in", where="passkey")
    except Problem as problem:
        return await _page(request, problem)
    return redirect("/account/security?done=passkey")


@router.post("/account/session/end")
async def end_session(request: Request) -> Response:
    """End the session of another browser."""
    form = await form_of(request)
    account = member_of(request)
    token = form.get("session", "")[:64]
    await accounts_of(request).write(lambda c: members.end_session(c, account.id, token))
    return redirect("/account/security?done=session")


async def _page(request: Request, problem: Problem | None = None) -> Response:
    account = member_of(request)
    language = language_of(request)

    def read_security(connection: Connection) -> dict[str, object]:
        return {
            "has_password": members.password_of(connection, account.id) is not None,
            "keys": members.passkeys(connection, account.id),
            "devices": members.devices(connection, account.id),
        }

    context = {
        "name": account.name,
        **await accounts_of(request).read(read_security),
        "current": identity_of(request).token,
        "passkeys": party_of(request) is not None,
        "problem": None if problem is None else problem_context(problem, language),
        "done": request.query_params.get("done", ""),
    }
    status = 200 if problem is None else problem.status
    return await templates.page("account_security.html", request, language, context, status=status)

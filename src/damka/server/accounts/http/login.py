"""Registration, login and logout."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.live.problems import Problem
from damka.server import templates
from damka.server.accounts import members
from damka.server.accounts.http.request import (
    accounts_of,
    delete_session_cookie,
    device_of,
    form_of,
    party_of,
    problem_context,
    redirect,
    set_session_cookie,
)
from damka.server.accounts.values import NewSession
from damka.server.api import language_of
from damka.server.identity import address_of, identity_of, member_of

__all__ = ["router"]

router: Final = APIRouter()


@router.get("/account")
async def account_page(request: Request) -> Response:
    """Show registration and login, or the account menu for a member."""
    if identity_of(request).account is None:
        return await _login_page(request, next_=request.query_params.get("next", "/"))
    account = member_of(request)
    language = language_of(request)
    context = {"name": account.name, "is_arbiter": account.is_arbiter}
    return await templates.page("account_home.html", request, language, context)


@router.post("/account/register")
async def register(request: Request) -> Response:
    """Register an account with a password."""
    form = await form_of(request)
    name, password = form.get("name", ""), form.get("password", "")
    identity = identity_of(request)
    try:
        new_session = await accounts_of(request).register(
            name, password, identity, address_of(request), device_of(request)
        )
    except Problem as problem:
        return await _login_page(request, form, problem, register=True)
    return await _log_in(request, form, new_session)


@router.post("/account/login")
async def log_in(request: Request) -> Response:
    """Log in with a password."""
    form = await form_of(request)
    name, password = form.get("name", ""), form.get("password", "")
    try:
        new_session = await accounts_of(request).log_in(
            name[:80], password, address_of(request), device_of(request)
        )
    except Problem as problem:
        return await _login_page(request, form, problem)
    return await _log_in(request, form, new_session)


@router.post("/account/logout")
async def log_out(request: Request) -> Response:
    """End this session, or all sessions of the account if the form contains "all"."""
    form = await form_of(request)
    identity = identity_of(request)
    if identity.account is not None and identity.token is not None:
        account_id, token = identity.account.id, identity.token
        if form.get("all"):
            await accounts_of(request).write(lambda c: members.end_sessions(c, account_id))
        else:
            await accounts_of(request).write(lambda c: members.end_session(c, account_id, token))
    return delete_session_cookie(request, redirect("/account" if form.get("all") else "/"))


@router.get("/account/reset/{token}")
async def reset_page(request: Request, token: str) -> Response:
    """Show the form for a new password, for a reset link from the operator."""
    account = await accounts_of(request).reset_of(token)
    return await _reset_form(request, account.name)


@router.post("/account/reset/{token}")
async def reset(request: Request, token: str) -> Response:
    """Set the new password and log in."""
    form = await form_of(request)
    account = await accounts_of(request).reset_of(token)
    try:
        new_session = await accounts_of(request).reset(
            token, form.get("password", ""), address_of(request), device_of(request)
        )
    except Problem as problem:
        if problem.where != "password":
            raise
        return await _reset_form(request, account.name, problem)
    return set_session_cookie(request, redirect("/account"), new_session)


async def _log_in(request: Request, form: dict[str, str], new_session: NewSession) -> Response:
    """Start a session and end the browser's previous one."""
    before = identity_of(request)
    if before.account is not None and before.token is not None:
        account_id, token = before.account.id, before.token
        await accounts_of(request).write(lambda c: members.end_session(c, account_id, token))
    return set_session_cookie(request, redirect(form.get("next", "/")), new_session)


async def _login_page(
    request: Request,
    form: dict[str, str] | None = None,
    problem: Problem | None = None,
    *,
    register: bool = False,
    next_: str = "/",
) -> Response:
    language = language_of(request)
    context: dict[str, Any] = {
        "next": next_ if form is None else form.get("next", "/"),
        "name": "" if form is None else form.get("name", "")[:80],
        "register": register or "register" in request.query_params,
        "problem": None if problem is None else problem_context(problem, language),
        "passkeys": party_of(request) is not None,
    }
    status = 200 if problem is None else problem.status
    return await templates.page("account.html", request, language, context, status=status)


async def _reset_form(request: Request, name: str, problem: Problem | None = None) -> Response:
    language = language_of(request)
    message = None if problem is None else problem_context(problem, language)
    context = {"name": name, "problem": message}
    status = 200 if problem is None else problem.status
    return await templates.page("account_reset.html", request, language, context, status=status)

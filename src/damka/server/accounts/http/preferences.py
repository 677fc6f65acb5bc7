"""A member's preferences, shared by all devices."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.live import requests
from damka.live.problems import Problem
from damka.locales import LANGUAGES
from damka.pages import THEMES
from damka.server import templates
from damka.server.accounts.http.request import accounts_of, form_of, redirect
from damka.server.api import app_state_of, guard_post, language_of
from damka.server.chat import kid_topic
from damka.server.identity import member_of
from damka.server.preferences import BOARD, board_of

__all__ = ["router"]

router: Final = APIRouter()


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Changed preferences, sent by a page's script: the theme, or some board switches."""

    theme: Literal["auto", "light", "dark"] | None = None
    board: dict[str, bool] | None = None


@router.get("/account/preferences")
async def preferences_page(request: Request) -> Response:
    """Show the member's preferences."""
    account = member_of(request)
    language = language_of(request)
    context = {
        "name": account.name,
        "board": board_of(account.preferences),
        "language": account.preferences.get("language", ""),
        "chosen_theme": account.preferences.get("theme", ""),
        "kid": account.kid,
        "done": "done" in request.query_params,
    }
    return await templates.page("account_preferences.html", request, language, context)


@router.post("/account/preferences")
async def save_preferences(request: Request) -> Response:
    """Store the preferences in a form, which does not contain switches that are off."""
    form = await form_of(request)
    account = member_of(request)
    changes: dict[str, Any] = {"board": {name: name in form for name in BOARD}}
    for name, allowed in (("language", LANGUAGES), ("theme", THEMES)):
        value = form.get(name, "")
        if value and value not in allowed:
            raise Problem(422, "bad_field", where=name)
        changes[name] = value
    kid = "kid" in form
    await accounts_of(request).set_preferences(account, changes, kid)
    await app_state_of(request).cluster.publish(kid_topic(account.id), b"1" if kid else b"0")
    return redirect("/account/preferences?done=1")


@router.post("/account/settings")
async def save_switches(request: Request) -> Response:
    """Store switches changed on a page, for the member's other devices."""
    guard_post(request)
    account = member_of(request)
    change = requests.read(await request.body(), Change)
    changes: dict[str, Any] = {}
    if change.theme is not None:
        changes["theme"] = change.theme
    if change.board is not None:
        if not change.board.keys() <= BOARD.keys():
            raise Problem(422, "bad_field", where="board")
        changes["board"] = {**board_of(account.preferences), **change.board}
    await accounts_of(request).set_preferences(account, changes)
    return Response(status_code=204)

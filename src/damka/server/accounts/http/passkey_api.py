"""Routes for creating and using passkeys, called by the page's script. Bodies are JSON."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from fastapi import APIRouter, Request
from msgspec import Meta
from starlette.responses import JSONResponse, Response

from damka.live import requests
from damka.live.problems import Problem
from damka.server import security
from damka.server.accounts import members
from damka.server.accounts.http.request import (
    accounts_of,
    device_of,
    party_of,
    set_session_cookie,
)
from damka.server.accounts.passkeys import Party
from damka.server.api import NO_STORE, guard_post
from damka.server.identity import address_of, identity_of, member_of

__all__ = ["router"]

router: Final = APIRouter()

Purpose = Literal["register", "login", "add"]


class OptionsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Purpose of a passkey ceremony; the name of a new account, or the current password."""

    purpose: Purpose
    name: Annotated[str, Meta(max_length=100)] = ""
    password: Annotated[str, Meta(max_length=1000)] = ""


class PasskeyResponse(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Response of the browser's authenticator, and the path of the next page."""

    purpose: Purpose
    credential: dict[str, Any]
    next: Annotated[str, Meta(max_length=1000)] = "/"


@router.post("/account/passkey/options")
async def options(request: Request) -> Response:
    """Return the options for `navigator.credentials`."""
    party = _party(request)
    body = requests.read(await request.body(), OptionsRequest)
    accounts = accounts_of(request)
    if body.purpose == "register":
        passkey_options = await accounts.start_passkey_registration(party, body.name)
    elif body.purpose == "login":
        passkey_options = await accounts.start_passkey_login(party, address_of(request))
    else:
        identity = identity_of(request)
        account = await accounts.reauthenticate(identity, body.password, address_of(request))
        passkey_options = await accounts.start_adding_passkey(party, account)
    return JSONResponse(passkey_options, headers=NO_STORE)


@router.post("/account/passkey")
async def use_passkey(request: Request) -> Response:
    """Verify the authenticator's response, then register, log in or add the passkey."""
    party = _party(request)
    body = requests.read(await request.body(), PasskeyResponse)
    accounts, device = accounts_of(request), device_of(request)
    if body.purpose == "add":
        await accounts.add_passkey(party, body.credential, member_of(request), device)
        return JSONResponse({"url": "/account/security"}, headers=NO_STORE)
    identity = identity_of(request)
    if body.purpose == "register":
        new_session = await accounts.register_passkey(
            party, body.credential, identity, address_of(request), device
        )
    else:
        new_session = await accounts.log_in_passkey(party, body.credential, device)
    if identity.account is not None and identity.token is not None:
        account_id, token = identity.account.id, identity.token
        await accounts.write(lambda c: members.end_session(c, account_id, token))
    response = JSONResponse({"url": security.local_path(body.next)}, headers=NO_STORE)
    return set_session_cookie(request, response, new_session)


def _party(request: Request) -> Party:
    guard_post(request)
    party = party_of(request)
    if party is None:
        raise Problem(422, "no_passkeys")
    return party

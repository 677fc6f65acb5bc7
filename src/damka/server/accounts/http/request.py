"""Helpers for the account routes: forms, session cookies, device and relying party."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, quote

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from damka.live.problems import Problem
from damka.server import security
from damka.server.accounts import SESSION_COOKIE, Accounts
from damka.server.accounts.members import SESSION_LIFETIME
from damka.server.accounts.passkeys import Party
from damka.server.accounts.values import NewSession
from damka.server.api import app_state_of, guard_post

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "accounts_of",
    "delete_session_cookie",
    "device_of",
    "form_of",
    "party_of",
    "redirect",
    "set_session_cookie",
]

_MAX_FIELDS: Final = 40
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def accounts_of(request: Request) -> Accounts:
    """Return the accounts of the server."""
    return app_state_of(request).accounts


def device_of(request: Request) -> str:
    """Return a label for the browser of a request, such as "Firefox, Linux"."""
    agent = request.headers.get("user-agent", "")[:400]
    names = [
        next((name for part, name in parts if re.search(re.escape(part), agent)), None)
        for parts in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, names)) or "?"


def party_of(request: Request) -> Party | None:
    """Return the relying party for passkeys; None where browsers do not support them."""
    origins = app_state_of(request).settings.origins
    return Party.of(request.url.scheme, request.headers.get("host", ""), origins)


async def form_of(request: Request, max_fields: int = _MAX_FIELDS) -> dict[str, str]:
    """Parse a form with at most `max_fields` fields, sent by one of our own pages.

    Raises Problem.
    """
    guard_post(request)
    try:
        text = (await request.body()).decode("utf-8")
        form = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=max_fields))
        if any("\0" in value for value in form.values()):
            raise ValueError("PostgreSQL cannot store NUL")
        return form
    except ValueError as error:
        raise Problem(400, "bad_request", where="body") from error


def redirect(path: str) -> RedirectResponse:
    """Redirect to a path on this server."""
    return RedirectResponse(quote(security.local_path(path), safe="/?&=#%:@-_.~"), status_code=303)


def set_session_cookie(request: Request, response: Response, new_session: NewSession) -> Response:
    """Set the cookie of a new session, which replaces an earlier one."""
    response.set_cookie(
        SESSION_COOKIE,
        new_session.token,
        max_age=int(SESSION_LIFETIME.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


def delete_session_cookie(request: Request, response: Response) -> Response:
    """Delete the session cookie."""
    secure = request.url.scheme == "https"
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax", secure=secure)
    return response


def problem_context(problem: Problem, language: str) -> dict[str, Any]:
    """Return the template context of a problem: the sentence and the field."""
    return {"sentence": problem.sentence(language), "where": problem.where or ""}


def text_field(form: Mapping[str, str], field: str, max_length: int) -> str:
    """Return the text of a field, without unprintable characters."""
    text = form.get(field, "")[:max_length]
    return "".join(c for c in text if c.isprintable() or c == "\n").strip()

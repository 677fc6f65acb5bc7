"""What requests of accounts have in common: forms, cookies, who asks and from where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, quote

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from damka.live.problems import Problem
from damka.server import security
from damka.server.accounts import SESSION_COOKIE, Accounts
from damka.server.accounts.members import SESSION
from damka.server.accounts.passkeys import Party
from damka.server.accounts.values import LoggedIn
from damka.server.api import app_state_of, guard_post

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "accounts_of",
    "device_of",
    "entered",
    "form_of",
    "left",
    "party_of",
    "to",
]

_FIELDS: Final = 40
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
    """Return what a list calls the browser of a request: "Firefox, Linux"."""
    agent = request.headers.get("user-agent", "")[:400]
    found = [
        next((name for sign, name in signs if re.search(re.escape(sign), agent)), None)
        for signs in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, found)) or "?"


def party_of(request: Request) -> Party | None:
    """Return who asks for passkeys here; None where browsers have none."""
    origins = app_state_of(request).settings.origins
    return Party.of(request.url.scheme, request.headers.get("host", ""), origins)


async def form_of(request: Request, most: int = _FIELDS) -> dict[str, str]:
    """Return the fields of a form that one of our own pages has sent, at most so many.

    Raises Problem.
    """
    guard_post(request)
    try:
        text = (await request.body()).decode("utf-8")
        form = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=most))
        if any("\0" in value for value in form.values()):
            raise ValueError("PostgreSQL stores no NUL")
        return form
    except ValueError as error:
        raise Problem(400, "bad_request", where="body") from error


def to(path: str) -> RedirectResponse:
    """Answer that the page at a path on this server is next."""
    return RedirectResponse(quote(security.local_path(path), safe="/?&=#%:@-_.~"), status_code=303)


def entered(request: Request, response: Response, logged_in: LoggedIn) -> Response:
    """Give the browser the cookie of a new session, in place of an earlier one."""
    response.set_cookie(
        SESSION_COOKIE,
        logged_in.token,
        max_age=int(SESSION.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


def left(request: Request, response: Response) -> Response:
    """Take the cookie of the session away."""
    secure = request.url.scheme == "https"
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax", secure=secure)
    return response


def shown(problem: Problem, language: str) -> dict[str, Any]:
    """Return what a form shows of a problem: the sentence, and at which field."""
    return {"sentence": problem.sentence(language), "where": problem.where or ""}


def text_in(form: Mapping[str, str], field: str, longest: int) -> str:
    """Return the text of a field, without what cannot be printed."""
    text = form.get(field, "")[:longest]
    return "".join(c for c in text if c.isprintable() or c == "\n").strip()

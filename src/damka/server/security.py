"""Identity, origin and permissions of requests.

A browser's seat is a random cookie; the database keeps only its hash. Changes are accepted from
our own pages alone: browsers say with `Origin` (and `Sec-Fetch-Site`) which page sent a request,
and a caller that sends neither is no browser, so it carries nobody else's cookie.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from damka.live.pdn_files import MEDIA_TYPE
from damka.live.problems import Problem
from damka.server.settings import Settings

__all__ = [
    "CSP",
    "SEAT_COOKIE",
    "Guard",
    "holder_of",
    "is_pdn",
    "is_token",
    "local_path",
    "new_seat",
    "same_origin",
]

SEAT_COOKIE: Final = "damka_seat"
SEAT_SECONDS: Final = 400 * 24 * 3600
"""How long a seat cookie is kept: the longest that browsers allow."""

LOAD: Final = "/api/games/load"

UNDER_ANY_NAME: Final = frozenset({"/livez", "/readyz", "/healthz", "/metrics"})
"""What is asked from this machine or by its address, whatever names pages are answered under.

The metrics look for themselves who asks.
"""

_SEAT = re.compile(r"[A-Za-z0-9_-]{43}")
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]@/]+)(?::[0-9]*)?")
_GAME_ID = re.compile(r"[A-Za-z0-9_-]{22}")

CSP: Final = (
    "default-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

_HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


_RETRY_AFTER: Final = {429: "20", 503: "5"}
"""Seconds after which a request may succeed."""


def is_game_id(text: str) -> bool:
    """Tell whether `text` could be a game's id, before the database is asked."""
    return _GAME_ID.fullmatch(text) is not None


def new_seat() -> str:
    """Return the value of a new seat cookie: 256 random bits."""
    return secrets.token_urlsafe(32)


def holder_of(cookie: str | None) -> str | None:
    """Return the hash under which a seat cookie is stored; None when it is none of ours.

    A plain hash is enough: there is nothing to guess in 256 random bits.
    """
    if cookie is None or _SEAT.fullmatch(cookie) is None:
        return None
    return hashed(cookie)


def is_token(text: str) -> bool:
    """Tell whether `text` could be the value of one of our cookies: 256 bits in base64url."""
    return _SEAT.fullmatch(text) is not None


def hashed(seat: str) -> str:
    """Return the hash of a seat cookie's value."""
    return hashlib.sha256(seat.encode("ascii")).hexdigest()


def same_origin(
    headers: Headers, scheme: str, settings: Settings, *, must_tell: bool = False
) -> bool:
    """Tell whether a request that changes something comes from our own pages.

    `scheme` is that of the page's address: "http" or "https". With `must_tell` a request that does
    not say where it comes from is none of ours: browsers always do when they open a WebSocket.
    """
    origin = headers.get("origin")
    if origin is None:
        if must_tell:
            return False
        return headers.get("sec-fetch-site", "none") in {"same-origin", "none"}
    return origin == f"{scheme}://{headers.get('host', '')}" or origin in settings.origins


def local_path(address: str) -> str:
    """Return a path on this server, whatever was asked for: never another site."""
    if not address.startswith("/") or address[1:2] in {"/", "\\"}:
        return "/"
    return address if address.isprintable() and "\\" not in address else "/"


def known_host(headers: Headers, settings: Settings) -> bool:
    """Tell whether the server is called by a name it answers to."""
    host = _HOST.fullmatch(headers.get("host", ""))
    return settings.answers("" if host is None else host[1])


class Guard:
    """ASGI middleware around everything: host names, the size of bodies, the pages' headers."""

    def __init__(self, app: ASGIApp, settings: Settings, refuse: Refuse) -> None:
        self._app = app
        self._settings = settings
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        limits = self._settings.limits
        limit = limits.body_bytes
        if scope["path"] == LOAD and is_pdn(headers):
            limit = limits.pdn_bytes
        if scope["path"] not in UNDER_ANY_NAME and not known_host(headers, self._settings):
            await self._refuse(Problem(421, "unknown_host"), scope, receive, _with_headers(send))
            return
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:12]) > limit:
            problem = Problem(413, "too_large", where="body")
            await self._refuse(problem, scope, receive, _with_headers(send))
            return
        await self._app(scope, _bounded(receive, limit), _with_headers(send))


def is_pdn(headers: Headers) -> bool:
    """Tell whether the body of a request is a file of games, which may be larger than others."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == MEDIA_TYPE


Refuse = Callable[[Problem, Scope, Receive, Send], Awaitable[None]]


def _bounded(receive: Receive, limit: int) -> Receive:
    """Count what is read of a body that does not tell its length."""
    read = 0

    async def counted() -> Message:
        nonlocal read
        message = await receive()
        if message["type"] == "http.request":
            read += len(message.get("body", b""))
            if read > limit:
                raise Problem(413, "too_large", where="body")
        return message

    return counted


def _with_headers(send: Send) -> Send:
    async def sender(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            if message["status"] in _RETRY_AFTER:
                headers.setdefault("retry-after", _RETRY_AFTER[message["status"]])
        await send(message)

    return sender

"""Seat cookies, origin checks and limits of requests.

A browser's seat is a random cookie; the database only stores its hash. Changes are accepted only
from our own pages: browsers send the origin of a request in `Origin` or `Sec-Fetch-Site`, and a
client that sends neither is not a browser, so it does not send another user's cookies.
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
    "WASM_CSP",
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
"""Lifetime of a seat cookie: the longest that browsers allow."""

LOAD_PATHS: Final = frozenset({"/api/games/load", "/api/position", "/api/tree"})
LARGE_PATHS: Final = frozenset({"/api/tree/pdn", "/api/review/steps"})
"""Paths whose JSON may be as large as a PDN file."""

STUDY_PATHS: Final = "/api/studies"
"""Prefix of the paths for changes of studies, whose chapters are PDN in JSON."""

ANY_HOST_PATHS: Final = frozenset({"/livez", "/readyz", "/healthz", "/metrics"})
"""Paths served under any host name, because monitoring uses this machine's own addresses.

The route of the metrics checks the client's address.
"""

_SEAT = re.compile(r"[A-Za-z0-9_-]{43}")
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]@/]+)(?::[0-9]*)?")
_GAME_ID = re.compile(r"[A-Za-z0-9_-]{22}")

CSP: Final = (
    "default-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

WASM_CSP: Final = CSP.replace("style-src", "script-src 'self' 'wasm-unsafe-eval'; style-src", 1)
"""Policy of workers that run WebAssembly."""

_HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    # With the policy above it lets pages share memory with their workers.
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
}


_RETRY_AFTER: Final = {429: "20", 503: "5"}
"""Retry-After in seconds, by status."""


def is_game_id(text: str) -> bool:
    """Return whether `text` has the form of a game id; saves a database query."""
    return _GAME_ID.fullmatch(text) is not None


def new_seat() -> str:
    """Return the value of a new seat cookie: 256 random bits."""
    return secrets.token_urlsafe(32)


def holder_of(cookie: str | None) -> str | None:
    """Return the hash under which a seat cookie is stored; None for an invalid cookie.

    A plain hash is enough, because 256 random bits cannot be guessed.
    """
    if cookie is None or _SEAT.fullmatch(cookie) is None:
        return None
    return hashed(cookie)


def is_token(text: str) -> bool:
    """Return whether `text` has the form of our cookies' values: 256 bits in base64url."""
    return _SEAT.fullmatch(text) is not None


def hashed(seat: str) -> str:
    """Return the hash of a seat cookie's value."""
    return hashlib.sha256(seat.encode("ascii")).hexdigest()


def same_origin(
    headers: Headers, scheme: str, settings: Settings, *, require_origin: bool = False
) -> bool:
    """Return whether a changing request comes from one of our own pages.

    `scheme` is the scheme of the page's URL: "http" or "https". With `require_origin`, a request
    without an origin is rejected: browsers always send it when they open a WebSocket.
    """
    origin = headers.get("origin")
    if origin is None:
        if require_origin:
            return False
        return headers.get("sec-fetch-site", "none") in {"same-origin", "none"}
    return origin == f"{scheme}://{headers.get('host', '')}" or origin in settings.origins


def local_path(address: str) -> str:
    """Return `address` if it is a path on this server, otherwise "/"."""
    if not address.startswith("/") or address[1:2] in {"/", "\\"}:
        return "/"
    return address if address.isprintable() and "\\" not in address else "/"


def known_host(headers: Headers, settings: Settings) -> bool:
    """Return whether the Host header has one of the server's names."""
    host = _HOST.fullmatch(headers.get("host", ""))
    return settings.answers("" if host is None else host[1])


class Guard:
    """Outermost ASGI middleware: host names, body sizes, response headers."""

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
        path = scope["path"]
        is_load = path in LOAD_PATHS and is_pdn(headers)
        if is_load or path in LARGE_PATHS or path.startswith(STUDY_PATHS):
            limit = limits.pdn_bytes
        if scope["path"] not in ANY_HOST_PATHS and not known_host(headers, self._settings):
            await self._refuse(Problem(421, "unknown_host"), scope, receive, _with_headers(send))
            return
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:12]) > limit:
            problem = Problem(413, "too_large", where="body")
            await self._refuse(problem, scope, receive, _with_headers(send))
            return
        await self._app(scope, _limited(receive, limit), _with_headers(send))


def is_pdn(headers: Headers) -> bool:
    """Return whether a request's body is a PDN file, which may be larger than other bodies."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == MEDIA_TYPE


Refuse = Callable[[Problem, Scope, Receive, Send], Awaitable[None]]


def _limited(receive: Receive, limit: int) -> Receive:
    """Limit the size of a body without a declared length."""
    read = 0

    async def limited_receive() -> Message:
        nonlocal read
        message = await receive()
        if message["type"] == "http.request":
            read += len(message.get("body", b""))
            if read > limit:
                raise Problem(413, "too_large", where="body")
        return message

    return limited_receive


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            if message["status"] in _RETRY_AFTER:
                headers.setdefault("retry-after", _RETRY_AFTER[message["status"]])
        await send(message)

    return send_with_headers

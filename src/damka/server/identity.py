"""Identification of a request's sender, for pages and the API.

`identify` is a dependency of every router: it queries the database once, and the routes call
`identity_of`. Cookies are ignored in a request with a token: a program must not act with the
cookies of a browser on the same machine, and token requests need no protection from other pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from damka.live.problems import Problem
from damka.server.accounts import GUEST, Identity, TokenProblem, bearer_of, has_token
from damka.server.accounts.values import shown_name
from damka.server.openapi import scope_of

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from damka.server.accounts import Account
    from damka.server.app_state import AppState

__all__ = [
    "address_of",
    "fixed_paths",
    "holder_of",
    "identify",
    "identify_socket",
    "identity_of",
    "member_of",
    "seat_name",
]


async def identify(request: Request) -> None:
    """Identify the sender of a request. Raises Problem for a token without permission."""
    app_state: AppState = request.app.state.damka
    if has_token(request.query_params):
        raise Problem(400, "token_in_query")
    _require_method(request)
    bearer = bearer_of(request.headers)
    if bearer is None:
        request.state.identity = await app_state.accounts.identify(request.cookies)
        return
    # Set early, so that even an error response to a token ignores the language cookie.
    request.state.identity = GUEST
    route = getattr(request.scope.get("route"), "path", "")
    is_known, scope = scope_of(request.method, route)
    identity = await app_state.tokens.identify(bearer, address_of(request), scope)
    if not is_known:
        raise TokenProblem(403, "no_tokens_here", "insufficient_scope")
    request.state.identity = identity


def _require_method(request: Request) -> None:
    """Raise HTTPException if a path is another route's fixed path, which has other methods.

    "/api/games/load" is not a game's path, so GET there is a wrong method and not an unknown game.
    """
    app, path = request.app, request.scope["path"]
    paths: dict[str, set[str]] | None = getattr(app.state, "fixed_paths", None)
    if paths is None:
        paths = app.state.fixed_paths = fixed_paths(app)
    methods = paths.get(path)
    if methods is not None and request.method not in methods:
        raise HTTPException(405, headers={"allow": ", ".join(sorted(methods))})


def fixed_paths(app: Any) -> dict[str, set[str]]:
    """Return the paths without parameters that an application serves, with their methods."""
    paths: dict[str, set[str]] = {}
    for route in app.routes:
        inner = getattr(route, "original_router", None)
        methods = getattr(route, "methods", None)
        if inner is not None:
            for path, more in fixed_paths(inner).items():
                paths.setdefault(path, set()).update(more)
        elif methods and "{" not in route.path:
            paths.setdefault(route.path, set()).update(methods)
    return paths


def seat_name(request: Request, name: str) -> str:
    """Return the sender's name for a seat; a bot's has the prefix for bots."""
    account = identity_of(request).account
    return shown_name(account.name, True) if account is not None and account.bot else name


async def identify_socket(socket: WebSocket, app_state: AppState) -> Identity:
    """Identify the client of a live connection. Raises Problem as `identify` does."""
    if has_token(socket.query_params):
        raise Problem(400, "token_in_query")
    bearer = bearer_of(socket.headers)
    if bearer is None:
        return await app_state.accounts.identify(socket.cookies)
    return await app_state.tokens.identify(bearer, address_of(socket), "read")


def address_of(connection: HTTPConnection) -> str:
    """Return the client address of a request or a live connection."""
    return connection.client.host if connection.client else ""


def identity_of(request: Request) -> Identity:
    """Return the identity of a request's sender; `GUEST` before `identify` has run."""
    identity: Identity = getattr(request.state, "identity", GUEST)
    return identity


def member_of(request: Request) -> Account:
    """Return the sender's account. Raises Problem for a guest."""
    app_state: AppState = request.app.state.damka
    return app_state.accounts.member(identity_of(request))


def holder_of(request: Request) -> str:
    """Return the holder of the sender's seats. Raises Problem if there is none."""
    holder = identity_of(request).holder
    if holder is None:
        raise Problem(403, "not_yours")
    return holder

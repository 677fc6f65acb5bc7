"""Helpers for the routes for programs."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec
from fastapi import Request
from starlette.responses import Response

from damka.live.problems import Problem
from damka.server.accounts import while_valid
from damka.server.api import NO_STORE, app_state_of
from damka.server.identity import address_of, identity_of
from damka.server.limits import network
from damka.server.programs.json_lines import JSON_LINES, Lines, Streams

__all__ = ["json_response", "stream"]


def json_response(body: object, status: int = 200) -> Response:
    """Return a JSON response."""
    return Response(
        msgspec.json.encode(body), status, media_type="application/json", headers=NO_STORE
    )


def stream(
    request: Request,
    lines: AsyncGenerator[bytes, None],
    *,
    media_type: str = JSON_LINES,
    headers: dict[str, str] | None = None,
    heartbeat: bool = True,
    streams: Streams | None = None,
    at_end: Callable[[], object] = lambda: None,
) -> Response:
    """Return a streaming response. Raises Problem for an account with too many open streams."""
    app_state, identity = app_state_of(request), identity_of(request)
    address = network(address_of(request))
    key = address if identity.account is None else identity.account.id
    streams = streams or app_state.streams

    @asynccontextmanager
    async def guard(end: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
        try:
            async with while_valid(app_state.tokens, identity.bearer, end):
                yield
        finally:
            at_end()

    if not streams.enter(key):
        at_end()
        raise Problem(429, "too_many_streams")
    return Lines(
        lines,
        streams,
        key,
        send_seconds=app_state.settings.limits.send_seconds,
        media_type=media_type,
        headers=headers,
        heartbeat=heartbeat,
        guard=guard,
    )

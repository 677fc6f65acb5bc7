"""Rendering of page templates for a request."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from fastapi import Request
from starlette.responses import HTMLResponse

from damka.pages import THEMES, Templates, common
from damka.server.compression import compress, negotiate
from damka.server.identity import identity_of
from damka.server.preferences import board_of

__all__ = ["of", "page"]

THEME_COOKIE: Final = "damka_theme"
"""Cookie with the theme, set by the page."""


def of(request: Request) -> Templates:
    """Return the server's templates."""
    templates: Templates = request.app.state.templates
    return templates


async def page(
    name: str, request: Request, language: str, context: Mapping[str, Any], *, status: int = 200
) -> HTMLResponse:
    """Return a page rendered from a template."""
    query = f"?{request.url.query}" if request.url.query else ""
    account = identity_of(request).account
    theme = request.cookies.get(THEME_COOKIE, THEMES[0])
    member: dict[str, Any] = {"name": None, "board": None}
    if account is not None:
        theme = account.preferences.get("theme") or theme
        board = account.preferences.get("board")
        member = {
            "name": account.name,
            "board": msgspec.json.encode(board_of({"board": board}) if board else {}).decode(),
        }
    full_context = {
        **common(language, here=request.url.path + query, theme=theme, account=member),
        **context,
    }
    # Without revalidation the browser could show an old position.
    headers = {"cache-control": "private, no-cache", "vary": "accept-encoding"}
    text = of(request).text(name, full_context)
    encoding = negotiate(request.headers)
    if encoding is None:
        return HTMLResponse(text, status, headers=headers)
    # Compressing takes milliseconds, and must not delay moves in games.
    data = await asyncio.to_thread(compress, text.encode(), encoding)
    return HTMLResponse(data, status, headers={**headers, "content-encoding": encoding})

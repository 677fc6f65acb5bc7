"""Pages made of the templates, for a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import Request
from starlette.responses import HTMLResponse

from damka.pages import THEMES, Templates, common

__all__ = ["of", "page"]

THEME_COOKIE: Final = "damka_theme"
"""The theme, as the page keeps it."""


def of(request: Request) -> Templates:
    """Return the server's templates."""
    templates: Templates = request.app.state.templates
    return templates


def page(
    name: str, request: Request, language: str, context: Mapping[str, Any], *, status: int = 200
) -> HTMLResponse:
    """Return a page made of a template."""
    query = f"?{request.url.query}" if request.url.query else ""
    theme = request.cookies.get(THEME_COOKIE, THEMES[0])
    whole = {**common(language, here=request.url.path + query, theme=theme), **context}
    # Requested again each time: a page that the browser kept would show an old position.
    headers = {"cache-control": "private, no-cache"}
    return HTMLResponse(of(request).text(name, whole), status, headers=headers)

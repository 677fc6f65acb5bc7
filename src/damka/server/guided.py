"""The page that starts the guided game of a course."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.live.problems import Problem
from damka.pages import guided
from damka.pages.lessons import rules_of
from damka.server import templates
from damka.server.api import app_state_of, language_of
from damka.server.identity import address_of

__all__ = ["router"]

router: Final = APIRouter()


@router.get("/learn/{name}/game")
async def guided_page(request: Request, name: str) -> Response:
    """Show the page, whose script starts the game or continues it."""
    if not app_state_of(request).page_requests.take(address_of(request)):
        raise Problem(429, "too_many")
    of = rules_of(name, {"r": request.query_params.getlist("r")})
    language = language_of(request)
    return await templates.page("guided.html", request, language, guided.context(of, language))

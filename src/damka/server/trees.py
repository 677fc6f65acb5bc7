"""Requests of the page Analyse: lines of moves."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from damka.live import lines, requests
from damka.server.api import NO_STORE, guard_post, language_of
from damka.server.positions import rules_of

__all__ = ["router"]

router: Final = APIRouter()


@router.post("/api/line")
async def describe_line(request: Request) -> Response:
    """Return the positions of a line of moves, and the moves that are possible after it."""
    guard_post(request)
    line = requests.read(await request.body(), lines.LineRequest)
    of, language = await asyncio.to_thread(rules_of, request), language_of(request)
    answer = await asyncio.to_thread(lines.describe, of, line, language)
    return JSONResponse(answer, headers=NO_STORE)

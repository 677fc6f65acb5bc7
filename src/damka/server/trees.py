"""Requests of the page Analyse: lines of moves."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from damka.live import lines, requests
from damka.live.problems import Problem
from damka.rules import Rules
from damka.server.api import NO_STORE, app_state_of, guard_post, language_of
from damka.server.identity import address_of
from damka.server.positions import rules_of

__all__ = ["router"]

router: Final = APIRouter()


@router.post("/api/line")
async def describe_line(request: Request) -> Response:
    """Return the positions of a line of moves, and the moves that are possible after it."""
    guard_post(request)
    line = requests.read(await request.body(), lines.LineRequest)
    of, language = await _rules(request), language_of(request)
    app_state = app_state_of(request)
    answer = await app_state.rule_threads.run(lambda: lines.describe(of, line, language))
    return JSONResponse(answer, headers=NO_STORE)


async def _rules(request: Request) -> Rules:
    return await app_state_of(request).rule_threads.run(lambda: rules_of(request))

"""The page of a level, and the requests of its hints and answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from damka import Rules
from damka.live import lessons, requests
from damka.live.problems import Problem
from damka.pages import lesson
from damka.pages import lessons as pages
from damka.server import templates
from damka.server.api import NO_STORE, app_state_of, guard_post, language_of
from damka.server.identity import address_of
from damka.server.positions import rules_of

__all__ = ["router"]

router: Final = APIRouter()


@router.get("/learn/{name}/{level}")
async def lesson_page(request: Request, name: str, level: str) -> Response:
    """Show a level; an unknown one leads to the path of its course."""
    _limit_rate(request)
    language = language_of(request)

    query = {"r": request.query_params.getlist("r")}
    of = await asyncio.to_thread(pages.rules_of, name, query)
    await _find_course(request, of)

    def read() -> dict[str, Any] | None:
        try:
            return lesson.context(of, level, language)
        except Problem as problem:
            if problem.code != "unknown_level":
                raise
            return None

    async with app_state_of(request).page_slots:
        context = await asyncio.to_thread(read)
    if context is None:
        path = pages.path(of)
        return RedirectResponse(f"{path}{'&' if '?' in path else '?'}missing=1", 303)
    return await templates.page("lesson.html", request, language, context)


@router.get("/api/lesson")
async def lesson_level(request: Request) -> Response:
    """Return a level of a course."""
    _limit_rate(request)
    asked = requests.options(request.query_params, lessons.LevelRequest)
    language = language_of(request)
    return await _answer(request, lambda of: lessons.describe(of, asked.level, language))


@router.get("/api/lesson/hint")
async def lesson_hint(request: Request) -> Response:
    """Return a hint for a level."""
    _limit_rate(request)
    asked = requests.options(request.query_params, lessons.HintRequest)
    language = language_of(request)
    return await _answer(request, lambda of: lessons.hint(of, asked, language))


@router.post("/api/lesson/answer")
async def lesson_answer(request: Request) -> Response:
    """Return the verdict on an answer to a level."""
    guard_post(request)
    given = requests.read(await request.body(), lessons.AnswerRequest)
    language = language_of(request)
    return await _answer(request, lambda of: lessons.answer(of, given, language))


async def _answer(request: Request, call: Callable[[Rules], dict[str, Any]]) -> Response:
    """Return the JSON response of a call with the request's rules, whose course is known then."""
    of = await asyncio.to_thread(rules_of, request)
    await _find_course(request, of)
    async with app_state_of(request).page_slots:
        answer = await asyncio.to_thread(call, of)
    return JSONResponse(answer, headers=NO_STORE)


async def _find_course(request: Request, of: Rules) -> None:
    await app_state_of(request).course_searches.find(of, address_of(request))


def _limit_rate(request: Request) -> None:
    if not app_state_of(request).box_requests.take(address_of(request)):
        raise Problem(429, "too_many")

"""Pages of courses: the choice of a game, and the path of its lessons. GET changes nothing."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from damka import Rules
from damka.live.problems import Problem
from damka.pages import lessons as pages
from damka.server import templates
from damka.server.api import app_state_of, language_of
from damka.server.identity import address_of

__all__ = ["router"]

router: Final = APIRouter()


@router.get("/learn")
async def choose_page(request: Request) -> Response:
    """Show the courses of all games."""
    _limit_rate(request)
    language, house = language_of(request), app_state_of(request).settings.boxes
    async with app_state_of(request).page_slots:
        context = await asyncio.to_thread(pages.choose_context, language, house)
    return await templates.page("learn.html", request, language, context)


@router.get("/learn/{name}")
async def course_page(request: Request, name: str) -> Response:
    """Show the course of a rule set; with `about`, lead on to the level about a topic."""
    _limit_rate(request)
    language = language_of(request)
    topic = request.query_params.get("about", "")
    of = await _rules_of(request, name)
    async with app_state_of(request).page_slots:
        if topic:
            return RedirectResponse(await asyncio.to_thread(pages.about, of, topic), 303)
        missing = "missing" in request.query_params
        context = await asyncio.to_thread(pages.course_context, of, language, missing=missing)
    return await templates.page("course.html", request, language, context)


@router.get("/learn/{name}/print")
async def print_page(request: Request, name: str) -> Response:
    """Show a course on two pages for the printer."""
    _limit_rate(request)
    language = language_of(request)
    of = await _rules_of(request, name)
    async with app_state_of(request).page_slots:
        context = await asyncio.to_thread(pages.print_context, of, language)
    return await templates.page("course_print.html", request, language, context)


async def _rules_of(request: Request, name: str) -> Rules:
    """Return the rules of a path, whose course is known then."""
    query = {key: request.query_params.getlist(key) for key in ("r", "base")}
    of = await asyncio.to_thread(pages.rules_of, name, query)
    await app_state_of(request).course_searches.find(of, address_of(request))
    return of


def _limit_rate(request: Request) -> None:
    if not app_state_of(request).box_requests.take(address_of(request)):
        raise Problem(429, "too_many")

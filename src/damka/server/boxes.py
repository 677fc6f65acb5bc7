"""The house-rules form, its rule file and its board picture. GET changes nothing."""

from __future__ import annotations

import asyncio
import functools
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from damka import Rules, box
from damka.draw import svg
from damka.live.problems import Problem
from damka.pages import box_form
from damka.pages.box_query import Query, read, start_rules
from damka.server import templates
from damka.server.api import NO_STORE, app_state_of, language_of
from damka.server.identity import address_of

__all__ = ["router"]

router: Final = APIRouter()


@router.get("/box")
async def box_page(request: Request) -> Response:
    """Show the house-rules form, or the rules of a link."""
    _limit_rate(request)
    language = language_of(request)
    form = await asyncio.to_thread(read, _query(request), language)
    context = await asyncio.to_thread(box_form.context, form, language)
    return await templates.page("box.html", request, language, context)


@router.get("/api/box")
async def box_answer(request: Request) -> Response:
    """Describe the rules chosen in the form, or report a conflict between the choices."""
    _limit_rate(request)
    language = language_of(request)
    form = await asyncio.to_thread(read, _query(request), language)
    answer = await asyncio.to_thread(box_form.preview, form, language, templates.of(request))
    return JSONResponse(answer, headers=NO_STORE)


@router.get("/box.toml")
async def box_file(request: Request) -> Response:
    """Return the rules as a TOML file, which `damka play` reads."""
    _limit_rate(request)
    form = await asyncio.to_thread(read, _query(request), language_of(request))
    if form.box is None:
        raise Problem(422, "bad_box", error=form.error)
    return Response(
        box.format_table(box.table(form.box, form.origin)),
        media_type="application/toml",
        headers={
            "content-disposition": f'attachment; filename="{form.box.name}.toml"',
            **NO_STORE,
        },
    )


@router.get("/box.svg")
async def box_picture(request: Request) -> Response:
    """Draw a small picture of the initial board of a rule set or of a link."""
    if "r" in request.query_params:
        _limit_rate(request)
    picture = await asyncio.to_thread(_picture, start_rules(_query(request))[0])
    headers = {"cache-control": "public, max-age=86400"}
    return Response(picture, media_type="image/svg+xml", headers=headers)


@functools.lru_cache(maxsize=64)
def _picture(rules: Rules) -> str:
    return svg.mini(rules)


def _query(request: Request) -> Query:
    return {key: request.query_params.getlist(key) for key in request.query_params}


def _limit_rate(request: Request) -> None:
    if not app_state_of(request).box_requests.take(address_of(request)):
        raise Problem(429, "too_many")

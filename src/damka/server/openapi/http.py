"""Descriptions of the API as files and as pages. The pages need no scripts."""

from __future__ import annotations

import functools
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from damka.server import templates
from damka.server.api import language_of
from damka.server.openapi import reference
from damka.server.openapi.document import openapi
from damka.server.openapi.live import asyncapi

__all__ = ["router"]

router: Final = APIRouter()

_CACHED: Final = {"cache-control": "no-cache"}


@router.get("/openapi.json")
async def requests_file(_: Request) -> Response:
    """Return the OpenAPI description."""
    return JSONResponse(_openapi(), headers=_CACHED)


@router.get("/asyncapi.json")
async def live_file(request: Request) -> Response:
    """Return the AsyncAPI description."""
    host = request.headers.get("host", "")
    secure = request.url.scheme == "https"
    return JSONResponse(asyncapi(host, secure=secure), headers=_CACHED)


@router.get("/api")
async def requests_page(request: Request) -> Response:
    """Show the requests of the API."""
    document = _openapi()
    context = {
        "groups": reference.operations(document),
        "types": reference.types(document),
        "version": document["info"]["version"],
        "root": f"{request.url.scheme}://{request.headers.get('host', '')}",
    }
    return await templates.page("api.html", request, language_of(request), context)


@router.get("/api/live")
async def live_page(request: Request) -> Response:
    """Show the messages of live connections."""
    document = asyncapi(request.headers.get("host", ""))
    context = {
        "groups": reference.live(document),
        "types": reference.types(document),
        "about": document["info"]["description"],
    }
    return await templates.page("api_live.html", request, language_of(request), context)


@functools.cache
def _openapi() -> dict[str, Any]:
    return openapi()

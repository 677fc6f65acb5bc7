"""The public pages of an event, also as JSON. GET changes nothing."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from damka.live import requests
from damka.live.problems import Problem
from damka.pages import THEMES
from damka.server import templates
from damka.server.api import NO_STORE, language_of
from damka.server.events import rows
from damka.server.events.http import contexts
from damka.server.events.http.request import events_of, visitor_of
from damka.server.events.messages import EventQuery
from damka.server.events.values import EventSummary
from damka.server.invitations import qr_code

__all__ = ["router"]

router: Final = APIRouter()

_LIST_LIMIT: Final = 100


@router.get("/events/{event_id}")
async def event_page(request: Request, event_id: str) -> Response:
    """Show an event."""
    stored = await events_of(request).get(event_id)
    language = language_of(request)
    context = await contexts.event(request, stored, visitor_of(request, stored), language)
    return await templates.page("event.html", request, language, context)


@router.get("/events/{event_id}/projector")
async def projector_page(request: Request, event_id: str) -> Response:
    """Show an event on a projector: no controls, sections in rotation."""
    stored = await events_of(request).get(event_id)
    language = language_of(request)
    context = await contexts.projector(request, stored, language)
    context["address"] = _address(request, stored.code)
    theme = request.query_params.get("theme")
    if theme in THEMES:
        context["theme"] = theme
    return await templates.page("event_projector.html", request, language, context)


@router.get("/events/{event_id}/code.svg")
async def code_picture(request: Request, event_id: str) -> Response:
    """Return a QR code of the event's address."""
    stored = await events_of(request).get(event_id)
    if stored.code is None:
        raise Problem(404, "unknown_event")
    address = f"{request.url.scheme}://{_address(request, stored.code)}"
    return Response(qr_code(address), media_type="image/svg+xml", headers=NO_STORE)


@router.get("/api/events")
async def list_events(request: Request) -> Response:
    """List unfinished events and the latest finished ones."""

    def read_events(connection: Any) -> list[EventSummary]:
        return [
            *rows.summaries(connection, ("running", "soon"), _LIST_LIMIT),
            *rows.summaries(connection, ("over",), _LIST_LIMIT),
        ]

    events = await events_of(request).read(read_events)
    return JSONResponse(
        [
            {
                "id": each.id,
                "name": each.name,
                "kind": each.kind,
                "rules": each.rules,
                "status": each.status,
                "players": each.players,
                "starts": each.starts.isoformat() if each.starts else None,
                "url": f"/events/{each.id}",
            }
            for each in events
        ],
        headers=NO_STORE,
    )


@router.get("/api/events/{event_id}")
async def event_data(request: Request, event_id: str) -> Response:
    """Return the state of an event, and the current game of a requesting player."""
    query = requests.options(request.query_params, EventQuery)
    stored = await events_of(request).get(event_id)
    visitor, language = visitor_of(request, stored), language_of(request)
    context = await contexts.event(request, stored, visitor, language)
    data = {name: context[name] for name in ("event", "standings", "round", "games")}
    me = context["me"]
    data["me"] = {
        "player": me["player"],
        "game": me["game"],
        "next": contexts.next_board(context, language),
        "arbiter": bool(me["arbiter"]),
    }
    data["counts"] = contexts.result_text(stored, query.game, language)
    return JSONResponse(data, headers=NO_STORE)


def _address(request: Request, code: str | None) -> str:
    """Return the URL for typing, without its scheme."""
    return f"{request.headers.get('host', '')}/e/{code or ''}"

"""Printouts of an event, and exports for other programs."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.errors import DamkaError
from damka.live import saving
from damka.live.pdn_files import MEDIA_TYPE
from damka.live.problems import Problem
from damka.pages import events as pages
from damka.server import templates
from damka.server.addresses import origin_of
from damka.server.api import app_state_of, language_of
from damka.server.events.game_tags import tags_for
from damka.server.events.http import contexts
from damka.server.events.http.request import events_of
from damka.server.events.tournament_ids import with_fmjd_ids
from damka.server.events.values import EventState, StoredEvent
from damka.tournament import dump, trf

__all__ = ["router"]

router: Final = APIRouter()

PRINTABLE: Final = ("pairings", "standings", "cross", "sheets")
_BLANK_LINES: Final = 40


@router.get("/events/{event_id}/print/{what}")
async def print_page(request: Request, event_id: str, what: str) -> Response:
    """Show a printable table."""
    if what not in PRINTABLE:
        raise Problem(404, "not_found")
    stored = await events_of(request).get(event_id)
    language = language_of(request)
    context = await asyncio.to_thread(_print_context, stored, what, request.query_params, language)
    return await templates.page("event_print.html", request, language, context)


def _print_context(stored: StoredEvent, what: str, query: Any, language: str) -> dict[str, Any]:
    state, tournament = stored.state, stored.state.tournament
    rule_set = contexts.rules_of(state)
    round_text = str(query.get("round", ""))
    number = (
        int(round_text)
        if round_text.isascii() and round_text.isdigit() and len(round_text) < 4
        else state.round
    )
    number = number if 1 <= number <= state.round else state.round
    rows: list[dict[str, Any]] = []
    byes: list[dict[str, str]] = []
    if tournament is not None and number:
        rows = pages.pairings(tournament, number, stored.games)
        byes = pages.byes(tournament, number, language)
    withdrawn = frozenset(each.id for each in state.entrants if state.is_out(each.id))
    ties = pages.tie_breaks(tournament, language)
    if state.is_arena:
        ties = pages.columns(("wins", "performance"), language)
    standings = pages.standings(tournament or state.arena, withdrawn, frozenset())
    cross_table = [] if tournament is None else pages.cross(tournament)
    pages.without_empty(cross_table, ties)
    ties = pages.without_empty(standings, ties)
    return {
        "event": contexts.heading(stored, rule_set, language),
        "what": what,
        "number": number,
        "pairings": rows,
        "byes": byes,
        "standings": standings,
        "ties": ties,
        "cross": cross_table,
        "columns": _columns(state),
        "lines": range(1, _BLANK_LINES + 1),
    }


def _columns(state: EventState) -> list[int]:
    """Return the column headings of a cross table: rounds, or the players of a round robin."""
    if state.tournament is None:
        return []
    swiss = state.setup.kind == "swiss"
    count = len(state.tournament.rounds) if swiss else len(state.tournament.players)
    return list(range(1, count + 1))


@router.get("/events/{event_id}/export.{kind}")
async def export(request: Request, event_id: str, kind: str) -> Response:
    """Export an event: trf, pdn or json."""
    stored = await events_of(request).get(event_id)
    tournament = stored.state.tournament
    if kind == "pdn":
        text = await _games(request, stored)
        return _download(text, f"damka-{stored.id}.pdn", f"{MEDIA_TYPE}; charset=utf-8")
    if tournament is None or kind not in {"trf", "json"}:
        raise Problem(404, "event_no_file")
    with_ids = with_fmjd_ids(stored.state, tournament)
    if kind == "json":
        return _download(dump(with_ids).decode(), f"damka-{stored.id}.json", "application/json")
    try:
        text = await asyncio.to_thread(trf.export, with_ids)
    except DamkaError as error:
        raise Problem(422, "event_refused", detail=str(error)[:300]) from error
    return _download(text, f"damka-{stored.id}.trf", "text/plain; charset=utf-8")


async def _games(request: Request, stored: StoredEvent) -> str:
    """Return all games of an event as PDN. Only one export runs at a time."""
    sessions, texts = app_state_of(request).sessions, []
    events, site = events_of(request), origin_of(request)
    async with app_state_of(request).pdn_lock:
        for _, game in sorted(stored.games.items()):
            live = await sessions.load(game)
            if live is None:
                continue
            tags = await tags_for(events, game, site)
            file = await sessions.rule_threads.run(partial(saving.save, live, "pdn", tags(live)))
            texts.append(file.text)
    return "\n".join(texts)


def _download(text: str, name: str, media_type: str) -> Response:
    return Response(
        text,
        media_type=media_type,
        headers={
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "no-store",
        },
    )

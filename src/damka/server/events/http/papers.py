"""What is printed of an event, and its files for other programs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.errors import DamkaError
from damka.game import Game
from damka.game.pdn import score
from damka.live.pdn_files import MEDIA_TYPE
from damka.live.problems import Problem
from damka.pages import events as pages
from damka.rules import Side
from damka.server import templates
from damka.server.api import app_state_of, language_of
from damka.server.events.conductor import outcome_of
from damka.server.events.http import shown
from damka.server.events.http.asked import events_of
from damka.server.events.values import ARENA, EventState, Stored
from damka.tournament import Bye, Outcome, Pairing, Round, Tournament, dump, headers, trf

__all__ = ["router", "with_fmjd_ids"]

router: Final = APIRouter()

PRINTED: Final = ("pairings", "standings", "cross", "sheets")
_LINES: Final = 40


@router.get("/events/{event_id}/print/{what}")
async def print_page(request: Request, event_id: str, what: str) -> Response:
    """Show a table on plain paper."""
    if what not in PRINTED:
        raise Problem(404, "not_found")
    stored = await events_of(request).get(event_id)
    language = language_of(request)
    context = await asyncio.to_thread(_printed, stored, what, request.query_params, language)
    return templates.page("event_print.html", request, language, context)


def _printed(stored: Stored, what: str, query: Any, language: str) -> dict[str, Any]:
    state, tournament = stored.state, stored.state.tournament
    of = shown.rules_of(state)
    asked = str(query.get("round", ""))
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else state.round
    number = number if 1 <= number <= state.round else state.round
    rows: list[dict[str, Any]] = []
    alone: list[dict[str, str]] = []
    if tournament is not None and number:
        rows = pages.pairings(tournament, number, stored.games)
        alone = pages.byes(tournament, number, language)
    gone = frozenset(each.id for each in state.entrants if state.is_out(each.id))
    ties = pages.tie_breaks(tournament, language)
    if state.is_arena:
        ties = pages.columns(("wins", "performance"), language)
    standings = pages.standings(tournament or state.arena, gone, frozenset())
    crossed = [] if tournament is None else pages.cross(tournament)
    pages.without_empty(crossed, ties)
    ties = pages.without_empty(standings, ties)
    return {
        "event": shown.heading(stored, of, language),
        "what": what,
        "number": number,
        "pairings": rows,
        "byes": alone,
        "standings": standings,
        "ties": ties,
        "cross": crossed,
        "columns": _columns(state),
        "lines": range(1, _LINES + 1),
    }


def _columns(state: EventState) -> list[int]:
    """Return the heads of a cross table's columns: rounds, or the players of a round robin."""
    if state.tournament is None:
        return []
    swiss = state.setup.kind == "swiss"
    count = len(state.tournament.rounds) if swiss else len(state.tournament.players)
    return list(range(1, count + 1))


@router.get("/events/{event_id}/export.{kind}")
async def export(request: Request, event_id: str, kind: str) -> Response:
    """Give an event as a file: trf, pdn or json."""
    stored = await events_of(request).get(event_id)
    tournament = stored.state.tournament
    if kind == "pdn":
        text = await _games(request, stored)
        return _download(text, f"damka-{stored.id}.pdn", f"{MEDIA_TYPE}; charset=utf-8")
    if tournament is None or kind not in {"trf", "json"}:
        raise Problem(404, "event_no_file")
    named = with_fmjd_ids(stored.state, tournament)
    if kind == "json":
        return _download(dump(named).decode(), f"damka-{stored.id}.json", "application/json")
    try:
        text = await asyncio.to_thread(trf.export, named)
    except DamkaError as error:
        raise Problem(422, "event_refused", detail=str(error)[:300]) from error
    return _download(text, f"damka-{stored.id}.trf", "text/plain; charset=utf-8")


def with_fmjd_ids(state: EventState, tournament: Tournament) -> Tournament:
    """Return a tournament in which players with an FMJD id are known by that."""
    ids = {each.id: each.fmjd for each in state.entrants if each.fmjd}
    taken = set(ids.values())
    for each in state.entrants:
        if each.id not in ids:
            # A number of ours that is somebody's FMJD id as well.
            ids[each.id] = f"g{each.id}" if each.id in taken else each.id

    def player(name: str) -> str:
        return ids.get(name, name)

    return replace(
        tournament,
        players=tuple(replace(each, id=player(each.id)) for each in tournament.players),
        withdrawn=tuple(map(player, tournament.withdrawn)),
        requested_byes=tuple(
            replace(each, player=player(each.player)) for each in tournament.requested_byes
        ),
        forbidden=tuple((player(one), player(other)) for one, other in tournament.forbidden),
        rounds=tuple(
            Round(
                tuple(Pairing(player(p.white), player(p.black), p.outcomes) for p in each.pairings),
                tuple(Bye(player(bye.player), bye.kind) for bye in each.byes),
            )
            for each in tournament.rounds
        ),
    )


async def _games(request: Request, stored: Stored) -> str:
    """Return all games of an event in Portable Draughts Notation, one event at a time."""
    state = stored.state
    named = None if state.tournament is None else with_fmjd_ids(state, state.tournament)
    sessions, texts = app_state_of(request).sessions, []
    async with app_state_of(request).pdn_turn:
        for (number, board), game in sorted(stored.games.items()):
            live = await sessions.load(game)
            if live is None:
                continue
            day = None if live.begun is None else live.begun.date()
            if named is not None:
                tags = headers(named, number, board, day=day)
            else:
                tags = {"Event": state.setup.name, "Site": state.setup.place or "?"}
                if day is not None:
                    tags["Date"] = day.strftime("%Y.%m.%d")
                tags |= _arena_tags(state, number, board)
            tags |= _settled_tags(state, number, board, live.game)
            texts.append(await sessions.rule_threads.run(partial(live.game.pdn, tags)))
    return "\n".join(texts)


def _settled_tags(state: EventState, number: int, board: int, game: Game) -> dict[str, str]:
    """Return the result that counts, where it is not the one with which the game has ended."""
    pairing = state.pairing(number, board)
    outcome = None if pairing is None else pairing.outcomes[0]
    if outcome is None:
        return {}
    ended = game.result
    played = ended is not None and ended.reason != "aborted"
    if ended and played and outcome is outcome_of(ended.winner, ended.reason, None):
        return {}
    if outcome is Outcome.DOUBLE_FORFEIT:
        return {"Result": "*", "Termination": "forfeit"}
    winner: Side | None = None
    if not outcome.drawn:
        winner = "W" if outcome in (Outcome.WHITE, Outcome.WHITE_BY_FORFEIT) else "B"
    how = "arbiter" if outcome.played else "forfeit"
    return {"Result": score(game.rules, winner), "Termination": how}


def _arena_tags(state: EventState, number: int, board: int) -> dict[str, str]:
    pairing = state.pairing(number, board)
    if pairing is None or number != ARENA:
        return {}
    tags = {"Round": "-", "Board": str(board + 1)}
    for side, player in (("White", pairing.white), ("Black", pairing.black)):
        entrant = state.entrant(player)
        if entrant is not None:
            tags[side] = entrant.name
            tags[f"{side}Id"] = entrant.fmjd or entrant.id
    return tags


def _download(text: str, name: str, media_type: str) -> Response:
    return Response(
        text,
        media_type=media_type,
        headers={
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "no-store",
        },
    )

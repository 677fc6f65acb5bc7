"""The arbiter's controls, with the log of the event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.live.problems import Problem
from damka.server import templates
from damka.server.api import app_state_of, language_of
from damka.server.events import changes, rows
from damka.server.events.http import contexts
from damka.server.events.http.players import parse_outcome
from damka.server.events.http.request import (
    arbiter_of,
    events_of,
    form_of,
    number_field,
    redirect,
    text_field,
    visitor_of,
)
from damka.server.events.service import ChangeLogEntry
from damka.server.events.values import EventState, StoredEvent
from damka.tournament import ByeKind, checks

__all__ = ["router"]

router: Final = APIRouter()

_LOG_LIMIT: Final = 200
_MAX_REASON: Final = 200
_MAX_NAME: Final = 60
_FIELDS: Final = changes.MAX_PLAYERS + 20
"""The form for manual pairing has a field for every player."""

Form = dict[str, str]
Change = Callable[[EventState], EventState]


@router.get("/events/{event_id}/arbiter")
async def arbiter_page(request: Request, event_id: str) -> Response:
    """Show the arbiter's page."""
    stored = await events_of(request).get(event_id)
    arbiter_of(request, stored)
    language = language_of(request)
    log = await events_of(request).read(lambda c: rows.log_records(c, event_id, _LOG_LIMIT))
    context = await contexts.arbiter(request, stored, visitor_of(request, stored), log, language)
    return await templates.page("event_arbiter.html", request, language, context)


@router.post("/events/{event_id}/arbiter/{action}")
async def act(request: Request, event_id: str, action: str) -> Response:
    """Execute an arbiter's action and log it."""
    form = await form_of(request, _FIELDS)
    stored = await events_of(request).get(event_id)
    arbiter = arbiter_of(request, stored)
    if action == "settle":
        await _settle(request, stored, form, arbiter)
    else:
        plan = _ACTIONS.get(action)
        if plan is None:
            raise Problem(404, "not_found")
        change, details = plan(stored, form)
        # Pairings refer to the version that the arbiter saw.
        version = None
        if action == "finish":
            # Finished games count.
            stored = await app_state_of(request).conductor.record_results(stored)
        if action in _VERSIONED_ACTIONS and form.get("version"):
            version = number_field(form, "version", 1, 10**9 - 1)
        try:
            await events_of(request).change(
                event_id, change, ChangeLogEntry(arbiter, action, details), version=version
            )
        except Problem as problem:
            if problem.code != "event_refused" or action not in {"pair", "repair"}:
                raise
            # The arbiter's page shows the reason and possible remedies.
            trouble = problem.detail or problem.code
            await events_of(request).change(
                event_id,
                lambda state: changes.with_trouble(state, trouble),
                ChangeLogEntry(arbiter, "trouble"),
            )
    if action == "finish":
        await _abort_games(request, event_id)
    return redirect(
        f"/events/{event_id}/arbiter" + ("#players" if action in _PLAYER_ACTIONS else "")
    )


async def _settle(request: Request, stored: StoredEvent, form: Form, arbiter: str) -> None:
    """Set a result, and abort the board's game on the server if it is unfinished."""
    number, board = number_field(form, "round", 0, 1000), number_field(form, "board", 0, 100_000)
    before, after = parse_outcome(form.get("before", "")), parse_outcome(form.get("after", ""))
    reason, now = " ".join(text_field(form, "why", _MAX_REASON).split()), datetime.now(UTC)

    def settle(state: EventState) -> EventState:
        return changes.settle(
            state, number, board, before, after, by=arbiter, at=now, reason=reason
        )

    details = {
        "round": number,
        "board": board + 1 if stored.state.is_arena else board,
        "before": before,
        "after": after,
        "why": reason,
    }
    over = ((number, board),) if after is not None else ()
    await events_of(request).change(
        stored.id, settle, ChangeLogEntry(arbiter, "settle", details), over=over
    )
    game = stored.games.get((number, board))
    if game is not None and after is not None:
        await app_state_of(request).game_actions.abort(game)


async def _abort_games(request: Request, event_id: str) -> None:
    """Abort the games of an event that was ended."""
    stored = await events_of(request).get(event_id)
    for (number, board), game in stored.games.items():
        pairing = stored.state.pairing(number, board)
        if pairing is not None and not pairing.over:
            await app_state_of(request).game_actions.abort(game)


# Other actions: their change and their log entry


def _start(_: StoredEvent, __: Form) -> tuple[Change, dict[str, Any]]:
    now = datetime.now(UTC)
    return lambda state: changes.start(state, now), {}


def _pair(stored: StoredEvent, _: Form) -> tuple[Change, dict[str, Any]]:
    now = datetime.now(UTC)
    return lambda state: changes.pair_round(state, now), {"round": stored.state.round + 1}


def _pair_by_hand(stored: StoredEvent, form: Form) -> tuple[Change, dict[str, Any]]:
    """Parse manual pairings from the fields `white1`, `black1` …: ids, or names with `names`."""
    state = stored.state
    ids = {each.id: each.id for each in state.entrants}
    if form.get("names"):
        ids = {each.name.casefold(): each.id for each in state.entrants}
    boards = []
    for n in range(1, len(state.entrants) // 2 + 1):
        pair = [form.get(f"{side}{n}", "").strip() for side in ("white", "black")]
        if not any(pair):
            continue
        players = [ids.get(each.casefold() if form.get("names") else each) for each in pair]
        if None in players:
            raise Problem(422, "event_hand", where=f"board {n}")
        boards.append((str(players[0]), str(players[1])))
    rest = _kind(form.get("rest") or "U")
    number = state.round + (state.begun == state.round)
    return lambda state: changes.pair_by_hand(state, boards, rest), {"round": number}


def _rounds(stored: StoredEvent, form: Form) -> tuple[Change, dict[str, Any]]:
    rounds = number_field(form, "rounds", 1, checks.MAX_ROUNDS)
    return lambda state: changes.set_rounds(state, rounds), {"n": rounds}


def _unpair(stored: StoredEvent, _: Form) -> tuple[Change, dict[str, Any]]:
    return changes.unpair, {"round": stored.state.round}


def _repair(stored: StoredEvent, _: Form) -> tuple[Change, dict[str, Any]]:
    now = datetime.now(UTC)
    return lambda state: changes.pair_round(changes.unpair(state), now), {
        "round": stored.state.round
    }


def _begin(stored: StoredEvent, _: Form) -> tuple[Change, dict[str, Any]]:
    return changes.begin_round, {"round": stored.state.round}


def _swap(stored: StoredEvent, form: Form) -> tuple[Change, dict[str, Any]]:
    one, other = form.get("one", ""), form.get("other", "")
    details = {"one": _name(stored, one), "other": _name(stored, other)}
    return lambda state: changes.swap(state, one, other), details


def _pause(_: StoredEvent, __: Form) -> tuple[Change, dict[str, Any]]:
    return lambda state: changes.pause(state, on=True), {}


def _resume(_: StoredEvent, __: Form) -> tuple[Change, dict[str, Any]]:
    return lambda state: changes.pause(state, on=False), {}


def _finish(_: StoredEvent, form: Form) -> tuple[Change, dict[str, Any]]:
    if form.get("sure") != "1":
        raise Problem(422, "bad_field", where="sure")
    now = datetime.now(UTC)
    return lambda state: changes.finish(state, now), {}


def _add(_: StoredEvent, form: Form) -> tuple[Change, dict[str, Any]]:
    name = form.get("name", "")[:_MAX_NAME]
    rating = number_field(form, "rating", 0, 4000) if form.get("rating") else 0
    return lambda state: changes.add_player(state, name, rating), {"player": name.strip()}


def _remove(stored: StoredEvent, form: Form) -> tuple[Change, dict[str, Any]]:
    player = form.get("player", "")
    return lambda state: changes.leave(state, player), {"player": _name(stored, player)}


def _readmit(stored: StoredEvent, form: Form) -> tuple[Change, dict[str, Any]]:
    player = form.get("player", "")
    return lambda state: changes.rejoin(state, player), {"player": _name(stored, player)}


def _bye(stored: StoredEvent, form: Form) -> tuple[Change, dict[str, Any]]:
    player = form.get("player", "")
    kind = _kind(form.get("kind", ""))
    if kind is ByeKind.ALLOCATED:
        raise Problem(422, "bad_field", where="kind")
    details = {"player": _name(stored, player), "kind": kind.value}
    return lambda state: changes.request_bye(state, player, kind), details


def _kind(letter: str) -> ByeKind:
    kind = next((each for each in ByeKind if each.value == letter), None)
    if kind is None:
        raise Problem(422, "bad_field", where="kind")
    return kind


def _identify(stored: StoredEvent, form: Form) -> tuple[Change, dict[str, Any]]:
    player, name = form.get("player", ""), form.get("name", "")[:_MAX_NAME]
    rating = number_field(form, "rating", 0, 4000) if form.get("rating") else 0
    fmjd = form.get("fmjd", "").strip()[:20]
    details = {"player": _name(stored, player), "name": name.strip()}
    return lambda state: changes.identify(state, player, name, rating, fmjd), details


def _name(stored: StoredEvent, player: str) -> str:
    entrant = stored.state.entrant(player)
    if entrant is None:
        raise Problem(404, "event_player")
    return entrant.name


_ACTIONS: Final[dict[str, Callable[[StoredEvent, Form], tuple[Change, dict[str, Any]]]]] = {
    "start": _start,
    "pair": _pair,
    "unpair": _unpair,
    "repair": _repair,
    "hand": _pair_by_hand,
    "rounds": _rounds,
    "begin": _begin,
    "swap": _swap,
    "pause": _pause,
    "resume": _resume,
    "finish": _finish,
    "add": _add,
    "remove": _remove,
    "readmit": _readmit,
    "bye": _bye,
    "identify": _identify,
}
_PLAYER_ACTIONS: Final = {"add", "remove", "readmit", "bye", "identify"}
_VERSIONED_ACTIONS: Final = {"pair", "unpair", "repair", "hand", "rounds", "begin", "swap"}
"""Actions that require the exact version that the arbiter saw."""

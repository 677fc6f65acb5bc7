"""Requests of players: join, leave, report results, move a seat to another device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka import locales
from damka.live import codes
from damka.live.problems import Problem
from damka.live.setup import printable
from damka.server import templates
from damka.server.accounts import history
from damka.server.api import (
    app_state_of,
    guard_game,
    is_page,
    language_of,
    seat_of,
    with_seat,
)
from damka.server.events import changes
from damka.server.events.http import contexts
from damka.server.events.http.request import (
    code_field,
    events_of,
    form_of,
    number_field,
    redirect,
    visitor_of,
)
from damka.server.events.service import ChangeLogEntry
from damka.server.events.values import Arbiter, Entrant, EventState
from damka.server.identity import address_of, identity_of
from damka.tournament import Outcome

__all__ = ["parse_outcome", "router"]

router: Final = APIRouter()

_MAX_NAME: Final = 60


@router.post("/events/{event_id}/join")
async def join(request: Request, event_id: str) -> Response:
    """Join an event with only a name; a player who left is readmitted."""
    form = await form_of(request)
    await guard_game(request)
    stored = await events_of(request).get(event_id)
    account = identity_of(request).account
    seat, holder = seat_of(request)
    name, rating = form.get("name", "")[:_MAX_NAME], 0
    if account is not None:
        name = account.name
        rating = await _rating(request, account.id, str(stored.state.setup.rules.get("name", "")))
    if stored.state.entrant_of(holder) is None:
        events_of(request).limit_joins(address_of(request))
    is_member = account is not None
    try:
        if account is None:
            name = await app_state_of(request).accounts.guest_name(name)
        await events_of(request).change(
            event_id,
            lambda state: changes.enter(state, holder, name, member=is_member, rating=rating),
        )
    except Problem as problem:
        if problem.where != "name":
            raise
        return await _event_page_with_problem(request, event_id, problem, "name", name)
    return with_seat(request, redirect(f"/events/{event_id}"), seat)


@router.post("/events/{event_id}/leave")
async def leave(request: Request, event_id: str) -> Response:
    """Leave an event."""
    await form_of(request)
    return await _change_own(request, event_id, changes.leave)


@router.post("/events/{event_id}/pause")
async def pause(request: Request, event_id: str) -> Response:
    """Pause pairing for the player; with "off" in the form, resume it."""
    form = await form_of(request)
    on = not form.get("off")
    return await _change_own(
        request, event_id, lambda state, me: changes.pause_player(state, me, on=on)
    )


@router.post("/events/{event_id}/bye")
async def bye(request: Request, event_id: str) -> Response:
    """Request a bye for the next round: half a point once, zero later and in the last round."""
    await form_of(request)

    def request_bye(state: EventState, me: str) -> EventState:
        return changes.request_bye(state, me, changes.bye_for(state, me))

    return await _change_own(request, event_id, request_bye)


@router.post("/events/{event_id}/result")
async def report_result(request: Request, event_id: str) -> Response:
    """Report the result of the player's over-the-board game."""
    form = await form_of(request)
    outcome = parse_outcome(form.get("outcome", ""))
    number, board = number_field(form, "round", 1, 1000), number_field(form, "board", 1, 1000)
    if outcome is None:
        raise Problem(422, "bad_field", where="outcome")

    def claim(state: EventState, me: str) -> EventState:
        return changes.claim(state, number, board, me, outcome)

    return await _change_own(request, event_id, claim)


@router.post("/events/{event_id}/seat")
async def take_seat(request: Request, event_id: str) -> Response:
    """Take over a seat on this device by its code, or become an arbiter by the arbiters' code."""
    form = await form_of(request)
    await guard_game(request)
    events, address, code = events_of(request), address_of(request), code_field(form)
    events.limit_guesses(event_id, address, code)
    stored = await events.get(event_id)
    seat, holder = seat_of(request)
    path = f"/events/{event_id}"
    try:
        if codes.are_equal(code, stored.state.arbiter_code):
            account = identity_of(request).account
            name = await _arbiter_name(request, event_id, form.get("name", ""))
            if account is not None:
                name = account.name
            arbiter = Arbiter(holder, name)
            await events.change(
                event_id,
                lambda state: changes.add_arbiter(state, code, arbiter),
                ChangeLogEntry(name, "arbiter"),
            )
            path += "/arbiter"
        else:
            await _take_over(request, event_id, code, holder)
    except Problem as problem:
        if problem.code != "event_code":
            raise
        events.count_wrong_code(event_id, address, code)
        return await _event_page_with_problem(
            request, event_id, problem, "code", form.get("code", "")
        )
    return with_seat(request, redirect(path), seat)


async def _event_page_with_problem(
    request: Request, event_id: str, problem: Problem, where: str, value: str
) -> Response:
    """Show the event page with the error beside the field, or re-raise it for API clients."""
    if not is_page(request):
        raise problem
    stored, language = await events_of(request).get(event_id), language_of(request)
    context = await contexts.event(request, stored, visitor_of(request, stored), language)
    context["problem"] = {
        "where": where,
        "given": printable(value[:_MAX_NAME]) or "",
        "sentence": problem.sentence(language),
    }
    return await templates.page("event.html", request, language, context, status=problem.status)


async def _arbiter_name(request: Request, event_id: str, entered_name: str) -> str:
    """Return a name for a new arbiter in the log: the player's name, the given one, or a number."""
    stored = await events_of(request).get(event_id)
    entrant = visitor_of(request, stored).entrant
    if entrant is not None:
        return entrant.name
    name = await app_state_of(request).accounts.guest_name(
        entered_name[:_MAX_NAME], allow_arbiter=True
    )
    word = locales.translate(language_of(request), "event.arbiter")
    return name or f"{word} {len(stored.state.arbiters) + 1}"


async def _take_over(request: Request, event_id: str, code: str, holder: str) -> None:
    """Move a player's seats to this device, in the event and in the current game."""
    previous_entries: list[Entrant] = []

    def claim(state: EventState) -> EventState:
        new, previous = changes.claim_seat(state, code, holder)
        previous_entries[:] = [previous]
        return new

    stored = await events_of(request).get(event_id)
    name = next((each.name for each in stored.state.entrants if each.code == code), "")
    stored = await events_of(request).change(event_id, claim, ChangeLogEntry(name, "seat"))
    previous = previous_entries[0]
    game = stored.game_of(previous.id)
    if game is not None and previous.holder != holder:
        await app_state_of(request).game_actions.reseat(game, holder, previous.holder)


@router.post("/events/{event_id}/boards/{board:int}/device")
async def take_board(request: Request, event_id: str, board: int) -> Response:
    """Let this device enter the moves of an over-the-board game; for its players and arbiters."""
    await form_of(request)
    stored = await events_of(request).get(event_id)
    state, visitor = stored.state, visitor_of(request, stored)
    pairing = state.pairing(state.begun, board)
    game = stored.games.get((state.begun, board))
    if state.setup.play != "table" or pairing is None or game is None:
        raise Problem(404, "event_board")
    plays = visitor.entrant is not None and visitor.entrant.id in (pairing.white, pairing.black)
    if (not plays and visitor.arbiter is None) or visitor.holder is None:
        raise Problem(403, "event_not_yours")
    await app_state_of(request).game_actions.reseat(game, visitor.holder)
    return redirect(f"/game/{game}")


def parse_outcome(text: str) -> Outcome | None:
    """Parse the outcome of a form; None when it is empty. Raises Problem for unknown values."""
    if text == "":
        return None
    try:
        return Outcome(text)
    except ValueError as error:
        raise Problem(422, "bad_field", where="outcome") from error


async def _change_own(
    request: Request,
    event_id: str,
    change: Callable[[EventState, str], EventState],
) -> Response:
    """Apply a change for the requesting player."""
    holder = identity_of(request).holder

    def apply(state: EventState) -> EventState:
        entrant = state.entrant_of(holder)
        if entrant is None:
            raise Problem(403, "event_not_yours")
        return change(state, entrant.id)

    await events_of(request).change(event_id, apply)
    return redirect(f"/events/{event_id}")


async def _rating(request: Request, account_id: str, name: str) -> int:
    """Return a member's rating by the named rules, 0 for none."""
    ratings = await events_of(request).read(lambda c: history.ratings(c, account_id))
    return next((round(each.strength.rating) for each in ratings if each.rules == name), 0)

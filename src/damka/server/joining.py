"""Invitations and open seats: creating, accepting and cancelling them.

Opening a link does not take a seat, only a POST does; of two concurrent requests one succeeds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from damka.live import requests
from damka.live.live_game import LiveGame
from damka.live.problems import Problem, Refused
from damka.pages import contexts
from damka.server import ratings, templates
from damka.server.addresses import reach_of
from damka.server.api import (
    NO_STORE,
    app_state_of,
    guard_game,
    guard_post,
    language_of,
    seat_of,
    session_of,
    with_seat,
)
from damka.server.game_session import GameSession
from damka.server.identity import address_of, holder_of, identity_of, seat_name
from damka.server.invitations import Change, free_seat_event, normalise, qr_code
from damka.server.store import SeatChange

__all__ = ["router"]

router: Final = APIRouter()


@router.post("/api/games/{game_id}/join")
async def join(request: Request, game_id: str) -> Response:
    """Take the open seat of a game."""
    await guard_game(request)
    body = requests.read(await request.body(), requests.Join)
    seat, holder = seat_of(request)
    account = identity_of(request).account
    standing = await _require_may_join(request, game_id, holder)
    if account is None:
        name = await app_state_of(request).accounts.guest_name(body.name) or None
    else:
        # Members play under their account name, whatever the request says.
        name = seat_name(request, account.name)

    def take(live: LiveGame) -> Change:
        if live.sides_of(holder):
            raise Problem(409, "own_invitation")
        event = live.join(name or "" if standing is None else standing.name)
        seat = replace(live.seats[event.side], holder=holder, name=name, member=account is not None)
        if standing is not None:
            seat = ratings.with_rating(seat, standing)
        return event, SeatChange(seat, expected=None)

    await _change(request, game_id, take)
    return with_seat(request, _game_link(game_id), seat)


@router.post("/api/games/{game_id}/computer")
async def seat_computer(request: Request, game_id: str) -> Response:
    """Give the open seat to the computer; the game continues without a clock."""
    guard_post(request)
    body = requests.read(await request.body(), requests.SeatComputer)
    holder = holder_of(request)

    def take(live: LiveGame) -> Change:
        _require_player(live, holder)
        event = live.join(level=body.level)
        seat = replace(live.seats[event.side], kind="computer", level=body.level, name=None)
        return event, SeatChange(seat, expected=None)

    await _change(request, game_id, take)
    return _game_link(game_id)


@router.post("/api/games/{game_id}/invite")
async def invite(request: Request, game_id: str) -> Response:
    """Invite another device to play one side of a game at one screen."""
    await guard_game(request)
    body = requests.read(await request.body(), requests.Invite)
    holder = holder_of(request)
    invitations = app_state_of(request).invitations
    invitations.limit_rate(address_of(request))
    await invitations.require_below_limit(holder)
    code = await invitations.new_code()

    def free(live: LiveGame) -> Change:
        _require_player(live, holder)
        event = live.free(live.sides_of(holder), body.side)
        freed = replace(live.seats[body.side], holder=None)
        return event, SeatChange(freed, expected=holder, code=code)

    await _change(request, game_id, free)
    return _game_link(game_id)


@router.post("/api/games/{game_id}/cancel")
async def cancel(request: Request, game_id: str) -> Response:
    """Cancel an invitation: the game is aborted, or continues at one screen."""
    guard_post(request)
    holder = holder_of(request)

    def stop(live: LiveGame) -> Change:
        _require_player(live, holder)
        side = live.open_side
        if side is None:
            raise Refused("seat_taken")
        if not live.seat_freed:
            return live.abort(live.sides_of(holder)), None
        return free_seat_event(live, side)

    await _change(request, game_id, stop)
    return _game_link(game_id)


@router.get("/join")
async def code_page(request: Request) -> Response:
    """Show the form for an invitation code."""
    code = request.query_params.get("code", "")
    if code and normalise(code) is not None:
        return RedirectResponse(f"/join/{normalise(code)}", 303)
    language = language_of(request)
    context = contexts.join(language, wrong=bool(code))
    return await templates.page("join.html", request, language, context)


@router.get("/join/{code}.svg")
async def code_picture(request: Request, code: str) -> Response:
    """Return the QR code of an invitation's address, if possible one that other devices reach."""
    normalised = normalise(code)
    if normalised is None:
        raise Problem(404, "unknown_code")
    reach = await reach_of(request, app_state_of(request).settings)
    picture = qr_code(f"{reach.origin or reach.here}/join/{normalised}")
    return Response(picture, media_type="image/svg+xml", headers=NO_STORE)


@router.get("/join/{code}")
async def invitation_page(request: Request, code: str) -> Response:
    """Show an invitation: the inviting player, the rules, the clock and the colour."""
    app_state, language = app_state_of(request), language_of(request)
    holder = identity_of(request).holder
    address = address_of(request)
    game_id = await app_state.invitations.find(code, address)

    def read_invitation(live: LiveGame) -> dict[str, Any] | None:
        if live.open_side is None or live.result is not None:
            return None
        return contexts.invitation(live, language, own=bool(live.sides_of(holder)))

    async with app_state.sessions.enter(game_id) as session:
        context = None if session is None else await session.read(read_invitation)
    if context is None:
        raise Problem(404, "unknown_code")
    return await templates.page("join.html", request, language, context)


async def _require_may_join(request: Request, game_id: str, holder: str) -> ratings.Standing | None:
    """Return the rating of a player who joins a rated game; None for a casual game.

    Raises Problem when one of the players has blocked the other, or a guest joins a rated game.
    """
    app_state = app_state_of(request)
    async with session_of(request, game_id) as session:
        holders = {seat.holder for seat in session.live.seats.values()} - {None, holder}
        rules = session.live.rules.name if session.live.rated else None
    for other_holder in holders:
        if other_holder and not await app_state.accounts.may_play(other_holder, holder):
            raise Problem(403, "no_meeting")
    if rules is None:
        return None
    return (await ratings.require_members(app_state.accounts, rules, holder))[holder]


async def _change(request: Request, game_id: str, action: Any) -> None:
    async with session_of(request, game_id) as session:
        await _try_action(session, action)


async def _try_action(session: GameSession, action: Any) -> None:
    try:
        await session.change(action)
    except Refused as refused:
        # Another request took the seat or changed the game first.
        code = {"not_your_side": "not_yours", "not_yours": "not_yours", "rated": "rated"}.get(
            refused.code, "seat_taken"
        )
        raise Problem(403 if code == "not_yours" else 409, code) from refused


def _require_player(live: LiveGame, holder: str) -> None:
    if not live.sides_of(holder):
        raise Problem(403, "not_yours")


def _game_link(game_id: str) -> JSONResponse:
    return JSONResponse({"id": game_id, "url": f"/game/{game_id}"}, headers=NO_STORE)

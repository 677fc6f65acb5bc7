"""The lobby page and its requests: creating and accepting challenges, joining the pool."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, Literal, TypeVar

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from damka import rules
from damka.live import requests
from damka.live.problems import Problem
from damka.live.setup import new_id
from damka.pages import lobby as pages
from damka.server import ratings, security, templates
from damka.server.addresses import reach_of
from damka.server.api import (
    NO_STORE,
    app_state_of,
    guard_game,
    guard_post,
    language_of,
    seat_of,
    with_seat,
)
from damka.server.identity import address_of, identity_of
from damka.server.lobby import messages, view
from damka.server.lobby.requests import NewChallenge, Seeking
from damka.server.lobby.seeks import Seek

__all__ = ["router"]

T = TypeVar("T", bound="Seeking")

router: Final = APIRouter()


@router.get("/lobby")
async def lobby_page(request: Request) -> Response:
    """Show the open challenges, and the form for a new one."""
    language, identity = language_of(request), identity_of(request)
    app_state = app_state_of(request)
    snapshot = await app_state.lobby.refresh()
    blocked = await view.blocked_holders(app_state.accounts, identity.holder)
    state = view.state(snapshot, identity.holder, blocked, language)
    context = pages.lobby(language, messages.encode(state), is_member=identity.account is not None)
    context["reach"] = await reach_of(request, app_state.settings)
    return await templates.page("lobby.html", request, language, context)


@router.post("/api/lobby")
async def challenge(request: Request) -> Response:
    """Create a challenge."""
    body = await _read_request(request, NewChallenge)
    if body.rated and body.colour != "lot":
        raise Problem(422, "rated_colour", where="colour")
    return await _add(request, body, pool=False, colour=body.colour)


@router.post("/api/lobby/pool")
async def find_opponent(request: Request) -> Response:
    """Join the pool. A clock is required: otherwise a stranger could stall the game."""
    body = await _read_request(request, Seeking)
    if body.clock is None:
        raise Problem(422, "pool_clock", where="clock")
    return await _add(request, body, pool=True, colour="lot")


@router.post("/api/lobby/{seek_id}/accept")
async def accept(request: Request, seek_id: str) -> Response:
    """Accept a challenge and start the game."""
    await guard_game(request)
    seat, holder = seat_of(request)
    game_setup = await app_state_of(request).lobby.accept(_valid_seek_id(seek_id), holder)
    body = {
        "id": game_setup.id,
        "url": f"/game/{game_setup.id}",
        "lot": {"drawn": game_setup.lot is not None},
    }
    return with_seat(request, JSONResponse(body, headers=NO_STORE), seat)


@router.post("/api/lobby/{seek_id}/cancel")
async def cancel(request: Request, seek_id: str) -> Response:
    """Cancel a challenge, or leave the pool."""
    guard_post(request)
    holder = identity_of(request).holder
    if holder is None:
        raise Problem(409, "challenge_gone")
    await app_state_of(request).lobby.cancel(_valid_seek_id(seek_id), holder)
    return JSONResponse({"id": seek_id}, headers=NO_STORE)


async def _read_request(request: Request, kind: type[T]) -> T:
    """Parse a request. Raises Problem for an unplayable combination."""
    await guard_game(request)
    body = requests.read(await request.body(), kind)
    if body.rules not in rules.names():
        raise Problem(404, "unknown_rules", where="rules")
    if body.clock is not None and (fault := body.clock.fault()) is not None:
        raise Problem(422, "bad_field", where=f"clock.{fault}")
    if body.rated:
        requests.require_ratable(rules.load(body.rules), body.clock)
    if not app_state_of(request).challenges.take(address_of(request)):
        raise Problem(429, "too_many")
    return body


async def _add(
    request: Request,
    body: Seeking,
    *,
    pool: bool,
    colour: Literal["lot", "first", "second"],
) -> Response:
    app_state = app_state_of(request)
    seat, holder = seat_of(request)
    if body.rated:
        await ratings.require_members(app_state.accounts, body.rules, holder)
    now = datetime.now(UTC)
    seek = Seek(
        id=new_id(),
        holder=holder,
        pool=pool,
        rules=body.rules,
        clock=body.clock,
        colour=colour,
        rated=body.rated,
        created=now,
        seen=now,
    )
    await app_state.lobby.add(seek)
    return with_seat(request, JSONResponse({"id": seek.id}, 201, headers=NO_STORE), seat)


def _valid_seek_id(seek_id: str) -> str:
    """Validate a seek id. Raises Problem."""
    if not security.is_game_id(seek_id):
        raise Problem(409, "challenge_gone")
    return seek_id

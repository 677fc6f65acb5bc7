"""The lobby page and its requests: making and accepting challenges, joining the pool."""

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
from damka.server.api import (
    FRESH,
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
    sight = await app_state.lobby.look()
    blocked = await view.not_met(app_state.accounts, identity.holder)
    shown = view.state(sight, identity.holder, blocked, language)
    context = pages.lobby(language, messages.encode(shown), is_member=identity.account is not None)
    return templates.page("lobby.html", request, language, context)


@router.post("/api/lobby")
async def challenge(request: Request) -> Response:
    """Make a challenge."""
    asked = await _asked(request, NewChallenge)
    if asked.rated and asked.colour != "lot":
        raise Problem(422, "rated_colour", where="colour")
    return await _add(request, asked, pool=False, colour=asked.colour)


@router.post("/api/lobby/pool")
async def find_opponent(request: Request) -> Response:
    """Join the pool. A clock is required: otherwise a stranger could let the game rest."""
    asked = await _asked(request, Seeking)
    if asked.clock is None:
        raise Problem(422, "pool_clock", where="clock")
    return await _add(request, asked, pool=True, colour="lot")


@router.post("/api/lobby/{seek_id}/accept")
async def accept(request: Request, seek_id: str) -> Response:
    """Accept a challenge and begin the game."""
    await guard_game(request)
    seat, holder = seat_of(request)
    made = await app_state_of(request).lobby.accept(_known(seek_id), holder)
    told = {"id": made.id, "url": f"/game/{made.id}", "lot": {"drawn": made.lot is not None}}
    return with_seat(request, JSONResponse(told, headers=FRESH), seat)


@router.post("/api/lobby/{seek_id}/cancel")
async def cancel(request: Request, seek_id: str) -> Response:
    """Cancel a challenge, or leave the pool."""
    guard_post(request)
    holder = identity_of(request).holder
    if holder is None:
        raise Problem(409, "challenge_gone")
    await app_state_of(request).lobby.cancel(_known(seek_id), holder)
    return JSONResponse({"id": seek_id}, headers=FRESH)


async def _asked(request: Request, kind: type[T]) -> T:
    """Parse a request. Raises Problem for an unplayable combination."""
    await guard_game(request)
    asked = requests.read(await request.body(), kind)
    if asked.rules not in rules.names():
        raise Problem(404, "unknown_rules", where="rules")
    if asked.clock is not None and (fault := asked.clock.fault()) is not None:
        raise Problem(422, "bad_field", where=f"clock.{fault}")
    if asked.rated:
        requests.require_ratable(rules.load(asked.rules), asked.clock)
    if not app_state_of(request).challenges.take(address_of(request)):
        raise Problem(429, "too_many")
    return asked


async def _add(
    request: Request,
    asked: Seeking,
    *,
    pool: bool,
    colour: Literal["lot", "first", "second"],
) -> Response:
    app_state = app_state_of(request)
    seat, holder = seat_of(request)
    if asked.rated:
        await ratings.require_members(app_state.accounts, asked.rules, holder)
    now = datetime.now(UTC)
    seek = Seek(
        id=new_id(),
        holder=holder,
        pool=pool,
        rules=asked.rules,
        clock=asked.clock,
        colour=colour,
        rated=asked.rated,
        created=now,
        seen=now,
    )
    await app_state.lobby.add(seek)
    return with_seat(request, JSONResponse({"id": seek.id}, 201, headers=FRESH), seat)


def _known(seek_id: str) -> str:
    """Validate a seek id. Raises Problem."""
    if not security.is_game_id(seek_id):
        raise Problem(409, "challenge_gone")
    return seek_id

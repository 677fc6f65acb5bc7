"""Open challenges for programs; other requests use the lobby's own routes."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.server.api import app_state_of
from damka.server.identity import identity_of
from damka.server.lobby import view
from damka.server.programs.http.responses import json_response
from damka.server.programs.messages import OpenChallenge

__all__ = ["router"]

router: Final = APIRouter()


@router.get("/api/lobby")
async def challenges(request: Request) -> Response:
    """List the open challenges, oldest first, without those of blocked or blocking players."""
    app_state, holder = app_state_of(request), identity_of(request).holder
    snapshot = await app_state.lobby.refresh()
    blocked = await view.blocked_holders(app_state.accounts, holder)
    return json_response(
        [
            OpenChallenge(
                id=seek.id,
                name=None if standing is None else standing.name,
                rating=None if standing is None else standing.rating,
                rules=seek.rules,
                clock=seek.clock,
                colour=seek.colour,
                rated=seek.rated,
                mine=seek.holder == holder,
            )
            for seek, standing in snapshot.challenges
            if seek.holder not in blocked
        ]
    )

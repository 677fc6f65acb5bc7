"""Game actions as requests, equivalent to the messages of live connections."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.errors import MoveError
from damka.live import requests
from damka.live.live_game import LiveGame
from damka.live.messages import Rematch
from damka.live.problems import Problem, Refused
from damka.live.seating import Sides
from damka.live.state import refusal
from damka.server import games
from damka.server.accounts import members
from damka.server.api import app_state_of, guard_post, language_of, read_game, session_of
from damka.server.game_session import GameMessage
from damka.server.identity import address_of, holder_of, identity_of, member_of
from damka.server.openapi import responses
from damka.server.programs import messages as sent
from damka.server.programs import views
from damka.server.programs.announcer import Notice
from damka.server.programs.http.responses import json_response
from damka.server.programs.shortcuts import SHORTCUTS, Shortcut
from damka.server.timekeeper import Timekeeper

__all__ = ["router"]

router: Final = APIRouter()

_MESSAGE: Final[Any] = GameMessage


class _SentenceProblem(Problem):
    """A problem with a sentence in the language of the request."""

    def __init__(self, status: int, code: str, sentence: str, where: str | None = None) -> None:
        super().__init__(status, code, where=where)
        self._sentence: Final = sentence

    def sentence(self, language: str) -> str:
        """Return the error message."""
        return self._sentence


@router.get("/api/games/{game_id}")
async def game(request: Request, game_id: str) -> Response:
    """Return the state of a game."""
    holder, language = identity_of(request).holder, language_of(request)
    async with session_of(request, game_id) as session:
        now = Timekeeper.now()
        line = await session.read(
            lambda live: views.first_line(live, holder, language, session.clock.info(live, now))
        )
    return json_response(line)


@router.post("/api/games/{game_id}/act")
async def act(request: Request, game_id: str) -> Response:
    """Process a message of the live protocol."""
    message = requests.read(await request.body(), _MESSAGE)
    rematch = isinstance(message, Rematch)
    return await _act(request, game_id, lambda _, __: message, rematch=rematch)


def _route(shortcut: Shortcut) -> Callable[[Request, str], Awaitable[Response]]:
    async def handle(request: Request, game_id: str) -> Response:
        data = await request.body() or (b"{}" if shortcut.optional else b"")
        body = requests.read(data, shortcut.body)
        return await _act(request, game_id, lambda live, you: shortcut.message(body, live, you))

    return handle


for _name, _shortcut in SHORTCUTS.items():
    router.add_api_route(f"/api/games/{{game_id}}/{_name}", _route(_shortcut), methods=["POST"])


# Offers to named members


@router.post("/api/games/{game_id}/offer/{name}")
async def offer(request: Request, game_id: str, name: str) -> Response:
    """Offer the open seat of one's game to a member and notify that member's programs."""
    guard_post(request)
    app_state, me = app_state_of(request), member_of(request)
    language = language_of(request)
    member = await app_state.accounts.read(lambda c: members.find(c, name[:80]))
    if member is None or member.kid or member.id == me.id:
        raise Problem(404, "unknown_account")
    if not await app_state.accounts.may_play(me.holder, member.holder):
        raise Problem(403, "no_meeting")

    def read_challenge(live: LiveGame) -> sent.Challenge:
        if not live.sides_of(me.holder):
            raise Problem(403, "not_yours")
        if live.open_side is None or live.result is not None:
            raise Problem(409, "seat_taken")
        summary = views.summary(live, me.holder, language)
        return sent.Challenge(
            live.id, summary.url, me.name, summary.rules, live.open_side, summary.clock
        )

    line = await read_game(request, game_id, read_challenge)
    await _notify(request, member.holder, "challenge", line)
    return json_response({"offered": True}, 202)


@router.post("/api/games/{game_id}/decline")
async def decline(request: Request, game_id: str) -> Response:
    """Decline an offered game and notify the challenger's programs."""
    guard_post(request)
    me = member_of(request)

    def read_holders(live: LiveGame) -> set[str | None]:
        if live.open_side is None or live.result is not None:
            raise Problem(409, "seat_taken")
        if live.sides_of(me.holder):
            raise Problem(409, "own_invitation")
        return {seat.holder for seat in live.seats.values()}

    line = sent.ChallengeDeclined(game_id, me.name)
    for holder in await read_game(request, game_id, read_holders) - {None}:
        await _notify(request, str(holder), "challenge_declined", line)
    return json_response({"declined": True})


@router.get("/api/invitations/{code}")
async def invitation(request: Request, code: str) -> Response:
    """Return the game of an invitation code."""
    address = address_of(request)
    game_id = await app_state_of(request).invitations.find(code, address)
    language = language_of(request)

    def read_invitation(live: LiveGame) -> responses.InvitationAnswer:
        side = live.open_side
        if side is None or live.result is not None:
            raise Problem(404, "unknown_code")
        summary = views.summary(live, None, language)
        inviter = summary.black if side == "W" else summary.white
        return responses.InvitationAnswer(
            live.id, summary.url, summary.rules, side, inviter.name, summary.clock
        )

    return json_response(await read_game(request, game_id, read_invitation))


async def _notify(
    request: Request, holder: str, kind: str, line: sent.Challenge | sent.ChallengeDeclined
) -> None:
    body = msgspec.to_builtins(line)
    await app_state_of(request).announcer.notify(holder, Notice(kind, line.id, body))


async def _act(
    request: Request,
    game_id: str,
    message_of: Callable[[LiveGame, Sides], GameMessage],
    *,
    rematch: bool = False,
) -> Response:
    """Execute an action and return the new state. Raises Problem when it is refused."""
    received = Timekeeper.now()
    guard_post(request)
    holder, language = holder_of(request), language_of(request)
    async with session_of(request, game_id) as session:
        try:
            if rematch:
                await games.require_not_blocked(session, app_state_of(request).accounts, holder)
            await session.execute(holder, message_of, received)
        except Refused as refused:
            status = 403 if refused.code in {"not_yours", "not_your_side", "no_help"} else 409
            raise _SentenceProblem(status, refused.code, refused.sentence(language)) from refused
        except MoveError as error:
            explanation = error.refusal
            message = await session.read(lambda live: refusal(live, explanation, (), language))
            raise _SentenceProblem(422, message.code, message.sentence, where="move") from error
        return json_response(
            await session.read(lambda live: views.action_result(live, holder, language))
        )

"""Blocking and reporting a person in a game: the opponent, or the sender of a chat message.

The page uses a dialog, so that players do not leave a running game.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from fastapi import APIRouter, Request
from msgspec import Meta
from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from damka import locales
from damka.live import requests
from damka.live.live_game import LiveGame
from damka.live.problems import Problem
from damka.rules import other
from damka.server.accounts import Account, members, moderation
from damka.server.accounts.http.request import accounts_of
from damka.server.api import NO_STORE, guard_post, language_of, read_game
from damka.server.chat import Reader, SenderNames, rows
from damka.server.chat.http import reader_at
from damka.server.identity import identity_of, member_of
from damka.server.store import ConflictError

__all__ = ["router"]

router: Final = APIRouter()

MessageId = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""Id of a chat message by the person; 0 for the opponent."""


class PersonQuery(msgspec.Struct, frozen=True):
    """The person that a query is about."""

    message: MessageId = 0


class Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Block a person, or unblock if `on` is false."""

    on: bool
    message: MessageId = 0


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Report of a person's behaviour in a game."""

    reason: Literal["cheating", "stalling", "insult", "name", "other"]
    text: Annotated[str, Meta(max_length=moderation.MAX_NOTE_LENGTH)] = ""
    message: MessageId = 0


class _Person(NamedTuple):
    """The person that a request is about: holder, displayed name and account."""

    holder: str
    name: str
    account: Account | None
    over: bool


class _Game(NamedTuple):
    reader: Reader
    opponent: str | None
    sender_names: SenderNames
    opponent_name: str


@router.get("/api/games/{game_id}/person")
async def person(request: Request, game_id: str) -> Response:
    """Return the person's name and the possible actions."""
    query = requests.options(request.query_params, PersonQuery)
    language, me = language_of(request), identity_of(request).account
    target = await _person(request, game_id, query.message)
    blocked = reported = False
    if me is not None:
        my_id, their_account = me.id, target.account

        def read_relation(connection: Connection) -> tuple[bool, bool]:
            return (
                their_account is not None
                and moderation.blocked(connection, my_id, their_account.id),
                moderation.has_reported(connection, my_id, game_id),
            )

        blocked, reported = await accounts_of(request).read(read_relation)
    words = {
        **locales.catalogue(language, "chat.person."),
        **locales.catalogue(language, "account.report."),
        **{
            key: locales.translate(language, key)
            for key in ("account.block", "account.enter", "shell.back_to_game", "shell.close")
        },
    }
    answer: dict[str, Any] = {
        "name": target.name,
        "profile": _profile(target.account),
        "member": target.account is not None,
        "logged_in": me is not None,
        "over": target.over,
        "blocked": blocked,
        "reported": reported,
        "reasons": [
            {"code": reason, "text": locales.translate(language, f"account.reason.{reason}")}
            for reason in moderation.REASONS
        ],
        "longest": moderation.MAX_NOTE_LENGTH,
        "words": words,
    }
    return JSONResponse(answer, headers=NO_STORE)


@router.post("/api/games/{game_id}/person/block")
async def block(request: Request, game_id: str) -> Response:
    """Block a person, starting with the next message; the game continues."""
    guard_post(request)
    me = member_of(request)
    body = requests.read(await request.body(), Block)
    their_account = (await _person(request, game_id, body.message)).account
    if their_account is None or their_account.id == me.id:
        raise Problem(404, "unknown_account")
    change = moderation.block if body.on else moderation.unblock
    await accounts_of(request).write(lambda c: change(c, me.id, their_account.id))
    return JSONResponse({"blocked": body.on}, headers=NO_STORE)


@router.post("/api/games/{game_id}/person/report")
async def report(request: Request, game_id: str) -> Response:
    """Report a game to the arbiters because of a person."""
    guard_post(request)
    me = member_of(request)
    body = requests.read(await request.body(), Report)
    target = await _person(request, game_id, body.message)
    accused = None if target.account is None else target.account.id
    text = "".join(c for c in body.text if c.isprintable() or c == "\n").strip()
    try:
        await accounts_of(request).write(
            lambda c: moderation.report(c, game_id, me.id, accused, body.reason, text)
        )
    except ConflictError as error:
        raise Problem(409, "reported_already") from error
    return JSONResponse({"reported": True}, 201, headers=NO_STORE)


def _profile(account: Account | None) -> str | None:
    return None if account is None or account.kid else f"/@/{account.name}"


async def _person(request: Request, game_id: str, message_id: int) -> _Person:
    """Return the person that a request is about. Raises Problem if there is none."""
    identity, language = identity_of(request), language_of(request)
    holder = identity.holder

    def read_seats(live: LiveGame) -> _Game | None:
        reader = reader_at(live, identity, holder)
        if reader is None:
            return None
        you = live.sides_of(holder)
        sender_names = SenderNames.of(live, you, language)
        if not you:
            return _Game(reader, None, sender_names, "")
        opposite = other(you[0])
        return _Game(
            reader, live.seats[opposite].holder, sender_names, sender_names.players[opposite]
        )

    game = await read_game(request, game_id, read_seats)
    if game is None:
        raise Problem(403, "no_opponent")

    def find_target(connection: Connection) -> _Person | None:
        target, name = game.opponent, game.opponent_name
        if message_id:
            message = rows.find(connection, game_id, message_id, game.reader)
            target = None if message is None else message.holder
            name = "" if message is None else game.sender_names.name(message)
        if target is None or target == holder:
            return None
        return _Person(target, name, members.of_holder(connection, target), game.reader.over)

    target_person = await accounts_of(request).read(find_target)
    if target_person is None:
        raise Problem(403, "no_opponent")
    return target_person

"""Routes for reading and writing the chat of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import Response

from damka import locales
from damka.live import requests
from damka.live.problems import Problem
from damka.rules import Side
from damka.server.accounts import Banned, Identity, moderation
from damka.server.api import (
    NO_STORE,
    app_state_of,
    guard_post,
    language_of,
    read_game,
    seat_of,
    with_seat,
)
from damka.server.chat import rows
from damka.server.chat.requests import Post
from damka.server.chat.rooms import ChatMessage, Reader, SenderNames, line, topic
from damka.server.chat.texts import PRESETS, BadTextError, clean, preset
from damka.server.identity import address_of, identity_of

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame

__all__ = ["latest", "reader_at", "router"]

router: Final = APIRouter()

MAX_SHOWN: Final = 100
"""Number of messages sent when the chat is opened."""


class _ChatAccess(NamedTuple):
    """The data of a game that determine who may read and write."""

    reader: Reader
    side: Side | None
    sender_names: SenderNames
    holders: frozenset[str] = frozenset()
    """Holders of the players."""


@router.get("/api/games/{game_id}/chat")
async def chat(request: Request, game_id: str) -> Response:
    """Return the last messages for this reader, and the permitted messages to send."""
    identity, language = identity_of(request), language_of(request)
    access = await _access(request, game_id, identity.holder, identity)
    reader = access.reader

    def read_messages(connection: Connection) -> list[ChatMessage]:
        blocked = moderation.blocked_either_way(connection, reader.holder) if reader.holder else ()
        return rows.of_game(connection, game_id, reader, blocked, MAX_SHOWN)

    messages = await app_state_of(request).accounts.read(read_messages)
    banned = await _is_banned(request, identity)
    response: dict[str, Any] = {
        "room": reader.room,
        "over": reader.over,
        "free": not reader.kid and not banned,
        "longest": app_state_of(request).settings.limits.chat_characters,
        "presets": [{"code": code, "text": preset(code, language)} for code in PRESETS],
        "messages": [line(each, reader, access.sender_names) for each in messages],
        "words": locales.catalogue(language, "chat.page."),
    }
    return Response(msgspec.json.encode(response), media_type="application/json", headers=NO_STORE)


@router.post("/api/games/{game_id}/chat")
async def post_message(request: Request, game_id: str) -> Response:
    """Send a message."""
    guard_post(request)
    app_state = app_state_of(request)
    post = requests.read(await request.body(), Post)
    seat, holder = seat_of(request)
    identity = identity_of(request)
    access = await _access(request, game_id, holder, identity)
    reader = access.reader
    if not reader.plays:
        blocked = await app_state.accounts.read(lambda c: moderation.blocked_either_way(c, holder))
        if access.holders & set(blocked):
            raise Problem(403, "chat_apart")
    if post.room != reader.room:
        # Either the game has ended in the meantime, or a spectator writes to the players.
        raise Problem(409, "chat_room") if reader.plays else Problem(403, "chat_players")
    text = None
    if (post.preset is None) == (post.text is None):
        raise Problem(422, "bad_field", where="text")
    if post.preset is not None and post.preset not in PRESETS:
        raise Problem(422, "bad_field", where="preset")
    if post.text is not None:
        if reader.kid:
            raise Problem(403, "chat_presets")
        if await _is_banned(request, identity):
            raise Problem(403, "chat_banned")
        try:
            text = clean(post.text, app_state.settings.limits.chat_characters)
        except BadTextError as error:
            raise Problem(422, f"chat_{error.code}", where="text") from error
    address = address_of(request)
    # Spectators without an account can change their identity, so the address is limited.
    limit_key = holder if reader.plays or identity.account is not None else address
    room = f"{game_id} {post.room}"
    if not (app_state.chat_posts.take(limit_key) and app_state.chat_rooms.take(room)):
        raise Problem(429, "chat_many")
    message = ChatMessage(
        id=0,
        game=game_id,
        room=post.room,
        holder=holder,
        side=access.side,
        name=None if identity.account is None else identity.account.name,
        preset=post.preset,
        text=text,
    )
    posted = await _store(request, message)
    await app_state.cluster.publish(topic(game_id), msgspec.json.encode(posted))
    body = msgspec.json.encode(line(posted, reader, access.sender_names))
    response = Response(body, 201, media_type="application/json", headers=NO_STORE)
    return with_seat(request, response, seat)


async def latest(request: Request, game_id: str, reader: Reader) -> int:
    """Return the id of the last message by others for a reader; 0 when there is none."""

    def read_latest(connection: Connection) -> int:
        blocked = moderation.blocked_either_way(connection, reader.holder) if reader.holder else ()
        return rows.latest(connection, game_id, reader, blocked)

    return await app_state_of(request).accounts.read(read_latest)


def reader_at(live: LiveGame, identity: Identity, holder: str | None) -> Reader | None:
    """Return the chat permissions of a visitor; None when there is no chat for them.

    Before both seats are taken there is no one to write to, but an opponent may join soon.
    """
    account = identity.account
    reader = Reader(
        holder=holder,
        plays=bool(live.sides_of(holder)),
        over=live.result is not None,
        kid=account is not None and account.kid,
    )
    return reader if live.online and reader.room is not None else None


async def _access(
    request: Request, game_id: str, holder: str | None, identity: Identity
) -> _ChatAccess:
    """Return the chat permissions. Raises Problem when there is no chat."""
    language = language_of(request)

    def read_access(live: LiveGame) -> _ChatAccess | None:
        reader = reader_at(live, identity, holder)
        if reader is None or live.open_side is not None:
            return None
        sides = live.sides_of(holder)
        holders = frozenset(seat.holder for seat in live.seats.values() if seat.holder)
        sender_names = SenderNames.of(live, sides, language)
        return _ChatAccess(reader, sides[0] if sides else None, sender_names, holders)

    access = await read_game(request, game_id, read_access)
    if access is None:
        raise Problem(409, "chat_none")
    return access


async def _is_banned(request: Request, identity: Identity) -> bool:
    address = address_of(request)
    try:
        await app_state_of(request).accounts.require_not_banned(identity, address)
    except Banned:
        return True
    return False


async def _store(request: Request, message: ChatMessage) -> ChatMessage:
    """Store a message; return it with its id and the holders who may not read it."""
    limit = app_state_of(request).settings.limits.chat_per_room

    def change(connection: Connection) -> tuple[int | None, tuple[str, ...]]:
        blocked = moderation.blocked_either_way(connection, message.holder)
        return rows.add(connection, message, limit), tuple(sorted(blocked))

    message_id, blocked = await app_state_of(request).accounts.write(change)
    if message_id is None:
        raise Problem(409, "chat_full")
    return msgspec.structs.replace(message, id=message_id, apart=blocked)

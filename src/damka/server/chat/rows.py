"""Chat messages in the database. Calls block, as those of `Store` do."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, insert, select

from damka.rules import Side
from damka.server.chat.rooms import ChatMessage, Reader, Room
from damka.server.store.account_models import AccountRow
from damka.server.store.chat_models import ChatRow

__all__ = ["ChatEntry", "add", "find", "game_log", "latest", "of_game", "written_by"]


class ChatEntry(NamedTuple):
    """A message as an arbiter sees it; the name is "" for a guest."""

    name: str
    side: Side | None
    room: Room
    preset: str | None
    text: str | None
    at: datetime


def add(connection: Connection, message: ChatMessage, limit: int) -> int | None:
    """Store a message and return its id; None when the room already has `limit` messages."""
    count = select(func.count()).where(
        ChatRow.game_id == message.game, ChatRow.room == message.room
    )
    if (connection.scalar(count) or 0) >= limit:
        return None
    row = {
        "game_id": message.game,
        "room": message.room,
        "holder": message.holder,
        "side": message.side,
        "preset": message.preset,
        "text": message.text,
        "at": datetime.now(UTC),
    }
    key = connection.execute(insert(ChatRow), row).inserted_primary_key
    return None if key is None else int(key[0])


def of_game(
    connection: Connection,
    game_id: str,
    reader: Reader,
    blocked: Collection[str],
    limit: int,
) -> list[ChatMessage]:
    """Return the last messages for a reader, oldest first.

    `blocked` are the holders blocked by the reader or blocking the reader.
    """
    query = _query(game_id, reader, blocked).order_by(ChatRow.id.desc()).limit(limit)
    rows = connection.execute(query).all()
    return [_message(game_id, row) for row in reversed(rows)]


def latest(connection: Connection, game_id: str, reader: Reader, blocked: Collection[str]) -> int:
    """Return the id of the last message by others for this reader; 0 for none."""
    inner = (
        _query(game_id, reader, blocked).where(ChatRow.holder != (reader.holder or "")).subquery()
    )
    return connection.scalar(select(func.max(inner.c.id))) or 0


def find(
    connection: Connection, game_id: str, message_id: int, reader: Reader
) -> ChatMessage | None:
    """Return a message for a reader; None when there is no such message."""
    query = _query(game_id, reader, ()).where(ChatRow.id == message_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else _message(game_id, row)


def game_log(connection: Connection, game_id: str, limit: int) -> list[ChatEntry]:
    """Return the last messages of all rooms, for arbiters."""
    reader = Reader(holder=None, plays=True, over=True)
    query = _query(game_id, reader, ()).order_by(ChatRow.id.desc()).limit(limit)
    rows = connection.execute(query).all()
    return [
        ChatEntry(row.name or "", row.side, row.room, row.preset, row.text, row.at)
        for row in reversed(rows)
    ]


def written_by(
    connection: Connection, holder: str
) -> list[tuple[str, str | None, str | None, datetime]]:
    """Return a person's messages: game, preset, text and time, oldest first."""
    query = select(ChatRow.game_id, ChatRow.preset, ChatRow.text, ChatRow.at)
    query = query.where(ChatRow.holder == holder).order_by(ChatRow.id)
    return [(row[0], row[1], row[2], row[3]) for row in connection.execute(query)]


def _message(game_id: str, row: Row[Any]) -> ChatMessage:
    return ChatMessage(
        id=row.id,
        game=game_id,
        room=row.room,
        holder=row.holder,
        side=row.side,
        name=row.name,
        preset=row.preset,
        text=row.text,
    )


def _query(game_id: str, reader: Reader, blocked: Collection[str]) -> Any:
    query = (
        select(
            ChatRow.id,
            ChatRow.room,
            ChatRow.holder,
            ChatRow.side,
            ChatRow.preset,
            ChatRow.text,
            ChatRow.at,
            AccountRow.name,
        )
        .outerjoin(AccountRow, AccountRow.holder == ChatRow.holder)
        .where(ChatRow.game_id == game_id, ChatRow.room.in_(reader.rooms))
    )
    if blocked:
        query = query.where(ChatRow.holder.not_in(blocked))
    if reader.kid:
        query = query.where(ChatRow.preset.is_not(None), ChatRow.side.is_not(None))
    return query

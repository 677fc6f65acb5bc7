"""Seeks in the database: challenges, and players in the pool."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select, update

from damka.live.clock import ClockSettings
from damka.server.store import ConflictError
from damka.server.store.lobby_models import SeekRow

__all__ = [
    "EXPIRY",
    "FullError",
    "Seek",
    "add",
    "all_seeks",
    "cancel",
    "cancel_all",
    "delete_opened",
    "find",
    "has_any",
    "is_open",
    "miss",
    "renew",
    "sweep",
    "take",
]

EXPIRY: Final = timedelta(seconds=15)
"""Lifetime of a seek after its last renewal."""
EXPIRY_WHEN_LEFT: Final = timedelta(seconds=5)
"""Lifetime of a seek after its creator closed the last page, which may be a reload."""
MAX_AGE: Final = timedelta(hours=1)
"""Maximum lifetime of a seek."""
ACCEPTED_LIFETIME: Final = timedelta(seconds=60)
"""Time for which the game of an accepted seek can be looked up."""
MAX_CHALLENGES: Final = 3
"""Maximum number of open challenges of one player."""

_SEEKS: Final[Any] = SeekRow.__table__


class FullError(ConflictError):
    """The limit of seeks is reached: of this player ("mine"), or in total."""

    def __init__(self, *, mine: bool) -> None:
        self.mine: Final = mine
        super().__init__("too many seeks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seek:
    """A player who looks for an opponent."""

    id: str
    holder: str
    pool: bool
    """Whether it is in the pool; otherwise it is a challenge in the lobby."""
    rules: str
    clock: ClockSettings | None
    colour: Literal["lot", "first", "second"] = "lot"
    rated: bool = False
    missed: int = 0
    created: datetime
    seen: datetime
    game_id: str | None = None

    @property
    def group(self) -> tuple[str, ClockSettings | None, bool]:
        """Key of seeks that can be paired with each other."""
        return self.rules, self.clock, self.rated


def is_open(seek: Seek, now: datetime) -> bool:
    """Whether a seek is still open."""
    return seek.game_id is None and now - seek.seen < EXPIRY and now - seek.created < MAX_AGE


def all_seeks(connection: Connection) -> list[Seek]:
    """Return every seek, oldest first, including closed ones."""
    rows = connection.execute(select(_SEEKS).order_by(SeekRow.created, SeekRow.id))
    return [_seek(row) for row in rows]


def find(connection: Connection, seek_id: str) -> Seek | None:
    """Return the seek with this id, open or closed, or None."""
    row = connection.execute(select(_SEEKS).where(SeekRow.id == seek_id)).one_or_none()
    return None if row is None else _seek(row)


def add(connection: Connection, seek: Seek, limit: int) -> None:
    """Add a seek; in the pool it replaces the player's previous one.

    Raises FullError when there are `limit` seeks, or too many of this player.
    """
    if seek.pool:
        connection.execute(delete(SeekRow).where(SeekRow.pooled == seek.holder))
    waiting = SeekRow.game_id.is_(None)
    count = select(func.count()).select_from(SeekRow).where(waiting)
    own_count = connection.scalar(
        count.where(SeekRow.holder == seek.holder, SeekRow.pooled.is_(None))
    )
    if not seek.pool and (own_count or 0) >= MAX_CHALLENGES:
        raise FullError(mine=True)
    if (connection.scalar(count) or 0) >= limit:
        raise FullError(mine=False)
    row = {
        "id": seek.id,
        "pooled": seek.holder if seek.pool else None,
        "holder": seek.holder,
        "rules": seek.rules,
        "clock": None if seek.clock is None else msgspec.to_builtins(seek.clock),
        "colour": seek.colour,
        "rated": seek.rated,
        "missed": 0,
        "created": seek.created,
        "seen": seek.seen,
    }
    connection.execute(insert(SeekRow), row)


def take(connection: Connection, seeks: Collection[Seek], game_id: str, *holders: str) -> None:
    """Close seeks because their game starts, and delete the players' other seeks.

    Compare-and-set: of two concurrent calls to take or cancel a seek the second one raises
    ConflictError, and its transaction writes nothing.
    """
    now = datetime.now(UTC)
    ids = [seek.id for seek in seeks]
    updated = connection.execute(
        update(SeekRow)
        .where(SeekRow.id.in_(ids), SeekRow.game_id.is_(None), SeekRow.seen > now - EXPIRY)
        .values(game_id=game_id, pooled=None, seen=now)
    )
    if updated.rowcount != len(ids):
        raise ConflictError("a seek has been taken or cancelled")
    connection.execute(
        delete(SeekRow).where(SeekRow.holder.in_(holders), SeekRow.game_id.is_(None))
    )


def cancel(connection: Connection, seek_id: str, holder: str) -> bool:
    """Cancel a seek of this holder; False when there is none or its game has begun."""
    deleted = connection.execute(
        delete(SeekRow).where(
            SeekRow.id == seek_id, SeekRow.holder == holder, SeekRow.game_id.is_(None)
        )
    )
    return deleted.rowcount == 1


def cancel_all(connection: Connection, holder: str) -> None:
    """Cancel every seek of a holder."""
    connection.execute(delete(SeekRow).where(SeekRow.holder == holder))


def delete_opened(connection: Connection, seek_id: str, holder: str) -> None:
    """Delete a seek whose creator has opened the game."""
    connection.execute(
        delete(SeekRow).where(
            SeekRow.id == seek_id, SeekRow.holder == holder, SeekRow.game_id.is_not(None)
        )
    )


def renew(connection: Connection, holders: Collection[str], *, left: bool = False) -> None:
    """Renew the seeks of holders; with `left`, let them expire soon, as the last page was closed.

    The page may be reopened soon, or be open in another process, which then renews the seeks.
    """
    now = datetime.now(UTC)
    connection.execute(
        update(SeekRow)
        .where(SeekRow.holder.in_(holders), SeekRow.game_id.is_(None))
        .values(seen=min(now, now - EXPIRY + EXPIRY_WHEN_LEFT) if left else now)
    )


def has_any(connection: Connection, holder: str) -> bool:
    """Whether a holder has a seek, open or with a game that was not opened yet."""
    return (
        connection.execute(select(SeekRow.id).where(SeekRow.holder == holder)).first() is not None
    )


def miss(connection: Connection, ids: Iterable[str]) -> None:
    """Count a wave without an opponent."""
    connection.execute(
        update(SeekRow).where(SeekRow.id.in_([*ids])).values(missed=SeekRow.missed + 1)
    )


def sweep(connection: Connection) -> None:
    """Delete closed and expired seeks."""
    now = datetime.now(UTC)
    is_waiting = SeekRow.game_id.is_(None)
    is_over = or_(
        is_waiting & ((SeekRow.seen <= now - EXPIRY) | (SeekRow.created <= now - MAX_AGE)),
        ~is_waiting & (SeekRow.seen <= now - ACCEPTED_LIFETIME),
    )
    connection.execute(delete(SeekRow).where(is_over))


def _seek(row: Any) -> Seek:
    return Seek(
        id=row.id,
        holder=row.holder,
        pool=row.pooled is not None,
        rules=row.rules,
        clock=None if row.clock is None else msgspec.convert(row.clock, ClockSettings),
        colour=row.colour,
        rated=row.rated,
        missed=row.missed,
        created=row.created,
        seen=row.seen,
        game_id=row.game_id,
    )

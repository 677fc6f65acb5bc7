"""Models of games. The rows in `events` define the state of a game; everything else is its setup.

Portable SQL only: the same models serve SQLite and PostgreSQL. Every change here needs a migration
in `migrations/versions`; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    DateTime,
    Dialect,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Text,
    TypeDecorator,
    false,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

__all__ = ["Base", "EventRow", "GameRow", "HealthRow", "SeatRow"]


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC, with or without time zone support in the database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a time to UTC for storage; a naive time is a bug."""
        if value is not None and value.tzinfo is None:
            raise ValueError("expected a datetime with a time zone")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Restore the time zone, which SQLite does not store."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Base class of the models; constraint names are fixed so that migrations can refer to them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class GameRow(Base):
    """Setup of a game, and a copy of its result for lists; `events` is authoritative."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    base: Mapped[str | None] = mapped_column(Text)
    """Game file from which this game continues, if one was loaded."""
    lot: Mapped[str | None] = mapped_column(String(1))
    """Side drawn by lot for the first player; null without a draw."""
    previous_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), unique=True)
    """Previous game, if this is a rematch; a game has at most one rematch."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    updated: Mapped[datetime] = mapped_column(UtcDateTime)
    winner: Mapped[str | None] = mapped_column(String(1))
    reason: Mapped[str | None] = mapped_column(String(32))
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """Clock settings agreed by two people on two devices."""
    code: Mapped[str | None] = mapped_column(String(8), unique=True, index=True)
    """Code for joining the game while a seat is open."""
    rated: Mapped[bool] = mapped_column(Boolean, server_default=false())
    no_draw_before: Mapped[int | None] = mapped_column(Integer)
    """Move from which a draw may be offered; null when it always may."""
    owner: Mapped[str | None] = mapped_column(String(32), index=True)
    """Process that serves the game; entries from other processes are refused."""
    guide: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """Guide that plays for the computer in a guided game."""


class SeatRow(Base):
    """The player of a side: a computer level or engine, or the hash of a browser's seat cookie."""

    __tablename__ = "seats"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    side: Mapped[str] = mapped_column(String(1), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    level: Mapped[int | None] = mapped_column(Integer)
    holder: Mapped[str | None] = mapped_column(String(64), index=True)
    """Null for the computer and for an open seat."""
    player: Mapped[int] = mapped_column(Integer)
    """1 or 2: identifies the player across rematches, in which the sides may change."""
    engine: Mapped[str | None] = mapped_column(String(80))
    """Name of the operator's engine, while it plays here."""
    name: Mapped[str | None] = mapped_column(String(80))
    rating: Mapped[int | None] = mapped_column(Integer)
    """A member's rating before a rated game."""
    provisional: Mapped[bool | None] = mapped_column(Boolean)
    rating_diff: Mapped[int | None] = mapped_column(Integer)
    """Rating change by the game."""
    title: Mapped[str | None] = mapped_column(String(60))
    """The holder's own title of the game."""
    removed: Mapped[bool] = mapped_column(Boolean, server_default=false())
    """Whether the holder removed the game from the list of own games."""


class EventRow(Base):
    """An entry of a game's log; (game, seq) is unique, so concurrent appends conflict."""

    __tablename__ = "events"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(Integer, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    payload: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    white_ms: Mapped[int | None] = mapped_column(BigInteger)
    black_ms: Mapped[int | None] = mapped_column(BigInteger)
    """Time left at the start of the turn that contains or follows this entry."""
    spent_ms: Mapped[int | None] = mapped_column(BigInteger)
    """Time used in that turn so far."""


class HealthRow(Base):
    """The single row written by health checks, with the time of the last one."""

    __tablename__ = "health"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)

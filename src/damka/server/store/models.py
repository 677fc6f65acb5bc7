"""The tables. The rows in `events` decide the state of a game; everything else is its setup.

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
    """A moment in UTC, on databases that keep time zones and on those that do not."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Store every moment in UTC; one without a zone would be a mistake."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a moment needs its time zone")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment with its zone, which SQLite does not keep."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """The root of the models; constraint names are fixed so that migrations can name them."""

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
    """How a game was set up, and its result once it has one (a copy for lists; events decide)."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    base: Mapped[str | None] = mapped_column(Text)
    """The game file this game goes on from, when one was loaded."""
    lot: Mapped[str | None] = mapped_column(String(1))
    """The side that the lot gave to the first player; null when no lot was drawn."""
    previous_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), unique=True)
    """The game of which this is the rematch: there is one rematch of a game at most."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    updated: Mapped[datetime] = mapped_column(UtcDateTime)
    winner: Mapped[str | None] = mapped_column(String(1))
    reason: Mapped[str | None] = mapped_column(String(32))
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """What two people on two devices have agreed on."""
    code: Mapped[str | None] = mapped_column(String(8), unique=True, index=True)
    """The code under which a seat is taken, as long as one is open."""
    rated: Mapped[bool] = mapped_column(Boolean, server_default=false())
    no_draw_before: Mapped[int | None] = mapped_column(Integer)
    """The move from which a draw may be offered; null where it always may."""
    owner: Mapped[str | None] = mapped_column(String(32), index=True)
    """The process in which the game is played: its entries are taken from no other."""


class SeatRow(Base):
    """Who plays one side: a computer's level or engine, or the hash of a browser's seat cookie."""

    __tablename__ = "seats"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    side: Mapped[str] = mapped_column(String(1), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    level: Mapped[int | None] = mapped_column(Integer)
    holder: Mapped[str | None] = mapped_column(String(64), index=True)
    """Null for the computer, and where the seat is open."""
    player: Mapped[int] = mapped_column(Integer)
    """1 or 2: which of the two players sits here; rematches may change the sides."""
    engine: Mapped[str | None] = mapped_column(String(80))
    """The name of the operator's engine that plays here, as long as it does."""
    name: Mapped[str | None] = mapped_column(String(80))
    rating: Mapped[int | None] = mapped_column(Integer)
    """Of a member in a rated game: the rating before it."""
    provisional: Mapped[bool | None] = mapped_column(Boolean)
    rating_diff: Mapped[int | None] = mapped_column(Integer)
    """What the game has changed about it."""


class EventRow(Base):
    """One entry of a game's log; (game, seq) is unique, so two writers cannot both be next."""

    __tablename__ = "events"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(Integer, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    payload: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    white_ms: Mapped[int | None] = mapped_column(BigInteger)
    black_ms: Mapped[int | None] = mapped_column(BigInteger)
    """What was left at the beginning of the turn that this entry is in or begins."""
    spent_ms: Mapped[int | None] = mapped_column(BigInteger)
    """How long that turn had lasted."""


class HealthRow(Base):
    """The one row that a health check writes: when it did so last."""

    __tablename__ = "health"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)

"""Model of seeks. Every change here needs a migration, as in `models`.

The rows are few and short-lived, but shared by all processes of a cluster: a process must update
the row before it begins the game.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Boolean, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["SeekRow"]


class SeekRow(Base):
    """A challenge that anyone may accept, or a player in the pool."""

    __tablename__ = "seeks"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    pooled: Mapped[str | None] = mapped_column(String(64), unique=True)
    """Holder of a seek in the pool; unique, so each player is there once. Null for a challenge."""
    holder: Mapped[str] = mapped_column(String(64), index=True)
    """Holder of the player's seat."""
    rules: Mapped[str] = mapped_column(String(64))
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    colour: Mapped[str] = mapped_column(String(8))
    """Colour chosen by the creator of a challenge: lot, first or second."""
    rated: Mapped[bool] = mapped_column(Boolean)
    missed: Mapped[int] = mapped_column(Integer)
    """Number of waves without an opponent."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    seen: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    """Time when a page of its creator was last known to be open."""
    game_id: Mapped[str | None] = mapped_column(String(32))
    """Game that began from it."""

"""The table of those who look for an opponent. Every change here needs a migration, as in `models`.

The rows are few and short-lived, but they are true for all processes that serve together: whoever
takes one up changes the row first.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Boolean, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["SeekRow"]


class SeekRow(Base):
    """A challenge that anybody may accept, or somebody who waits in the pool to be paired."""

    __tablename__ = "seeks"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    pooled: Mapped[str | None] = mapped_column(String(64), unique=True)
    """The holder, of one who waits in the pool: nobody waits there twice. Null for a challenge."""
    holder: Mapped[str] = mapped_column(String(64), index=True)
    """Under which the seat will be stored."""
    rules: Mapped[str] = mapped_column(String(64))
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    colour: Mapped[str] = mapped_column(String(8))
    """What the maker of a challenge wants: lot, first or second."""
    rated: Mapped[bool] = mapped_column(Boolean)
    missed: Mapped[int] = mapped_column(Integer)
    """Waves that ended without an opponent."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    seen: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    """When a page of its maker was last known to be open."""
    game_id: Mapped[str | None] = mapped_column(String(32))
    """The game that came of it."""

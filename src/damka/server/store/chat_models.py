"""Models of the chat of games.

They are separate from the models of games: a game's log contains no chat. Every change here needs a
migration, as in `models`.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["ChatRow"]


class ChatRow(Base):
    """A message: the code of a preset, or text."""

    __tablename__ = "chat"
    __table_args__ = (Index("ix_chat_game_id", "game_id", "id"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    room: Mapped[str] = mapped_column(String(16))
    """players or watchers"""
    holder: Mapped[str] = mapped_column(String(64), index=True)
    """Holder of the sender's seats, also for a spectator."""
    side: Mapped[str | None] = mapped_column(String(1))
    """Side played by the sender; null for a spectator."""
    preset: Mapped[str | None] = mapped_column(String(16))
    text: Mapped[str | None] = mapped_column(String(400))
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)

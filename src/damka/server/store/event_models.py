"""The tables of events: tournaments and arenas with their games, and what arbiters did.

An event is one value, kept as JSON under a version: whoever changes it says which version was read,
and a change of another version is refused. Every change here needs a migration, as in `models`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Boolean, ForeignKey, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["OperatorCodeRow", "TournamentGameRow", "TournamentLogRow", "TournamentRow"]


class TournamentRow(Base):
    """An event; what lists need of its state stands beside it."""

    __tablename__ = "tournaments"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    code: Mapped[str | None] = mapped_column(String(8), unique=True)
    """Under which people find it, as long as it is not over."""
    name: Mapped[str] = mapped_column(String(100))
    kind: Mapped[str] = mapped_column(String(16))
    rules: Mapped[str] = mapped_column(String(64))
    """The name of the rule set."""
    status: Mapped[str] = mapped_column(String(16), index=True)
    """soon, running or over"""
    players: Mapped[int] = mapped_column(Integer)
    starts: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    updated: Mapped[datetime] = mapped_column(UtcDateTime)
    version: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(Text)


class TournamentGameRow(Base):
    """A game of an event. It is written before the game, so a round is begun once."""

    __tablename__ = "tournament_games"

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    round: Mapped[int] = mapped_column(Integer, primary_key=True)
    """From 1; 0 in an arena."""
    board: Mapped[int] = mapped_column(Integer, primary_key=True)
    """From 1; in an arena the place of the game among its games, from 0."""
    game_id: Mapped[str] = mapped_column(String(32), unique=True)
    over: Mapped[bool] = mapped_column(Boolean, index=True)
    """Whether the event has the result, from the game or from an arbiter."""


class TournamentLogRow(Base):
    """What somebody, or the server itself, did to an event; nothing is taken back."""

    __tablename__ = "tournament_log"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    actor: Mapped[str] = mapped_column(String(100))
    """The name of who did it; "" for the server."""
    action: Mapped[str] = mapped_column(String(24))
    details: Mapped[dict[str, Any]] = mapped_column(JSON)


class OperatorCodeRow(Base):
    """The hash of a code with which somebody without an account may make events."""

    __tablename__ = "operator_codes"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    expires: Mapped[datetime] = mapped_column(UtcDateTime)

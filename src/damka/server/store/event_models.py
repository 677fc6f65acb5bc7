"""Models of events: tournaments and arenas with their games, and the log of arbiters' actions.

An event is a single JSON value with a version, for compare-and-set: a change of an outdated version
is refused. Every change here needs a migration, as in `models`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Boolean, ForeignKey, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["OperatorCodeRow", "TournamentGameRow", "TournamentLogRow", "TournamentRow"]


class TournamentRow(Base):
    """An event; columns needed for lists duplicate parts of its state."""

    __tablename__ = "tournaments"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    code: Mapped[str | None] = mapped_column(String(8), unique=True)
    """Code of the event until it is over."""
    name: Mapped[str] = mapped_column(String(100))
    kind: Mapped[str] = mapped_column(String(16))
    rules: Mapped[str] = mapped_column(String(64))
    """Name of the rule set."""
    status: Mapped[str] = mapped_column(String(16), index=True)
    """soon, running or over"""
    players: Mapped[int] = mapped_column(Integer)
    starts: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    updated: Mapped[datetime] = mapped_column(UtcDateTime)
    version: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(Text)


class TournamentGameRow(Base):
    """A game of an event. It is stored before the game is created, so a round begins only once."""

    __tablename__ = "tournament_games"

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    round: Mapped[int] = mapped_column(Integer, primary_key=True)
    """From 1; 0 in an arena."""
    board: Mapped[int] = mapped_column(Integer, primary_key=True)
    """From 1; in an arena the index in the arena's games, from 0."""
    game_id: Mapped[str] = mapped_column(String(32), unique=True)
    over: Mapped[bool] = mapped_column(Boolean, index=True)
    """Whether the event has the result, from the game or from an arbiter."""


class TournamentLogRow(Base):
    """An action on an event by a person or by the server; append-only."""

    __tablename__ = "tournament_log"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    actor: Mapped[str] = mapped_column(String(100))
    """Name of the actor; "" for the server."""
    action: Mapped[str] = mapped_column(String(24))
    details: Mapped[dict[str, Any]] = mapped_column(JSON)


class OperatorCodeRow(Base):
    """The hash of a code with which a person without an account may create events."""

    __tablename__ = "operator_codes"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    expires: Mapped[datetime] = mapped_column(UtcDateTime)

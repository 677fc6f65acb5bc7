"""Models of accounts: identity, credentials, ratings and moderation.

They are separate from the models of games, and refer to them only by the id of a game and the
holder of its seats. Every change here needs a migration, as in `models`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = [
    "AccountRow",
    "BanRow",
    "BlockRow",
    "ChallengeRow",
    "ModerationRow",
    "PasskeyRow",
    "PasswordRow",
    "RatingHistoryRow",
    "RatingRow",
    "ReportRow",
    "ResetRow",
    "SessionRow",
]


class AccountRow(Base):
    """An account. A closed one keeps its row, so that its games and name are not reassigned."""

    __tablename__ = "accounts"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(20))
    """As spelled by its owner; empty once the account is closed."""
    folded: Mapped[str] = mapped_column(String(80), unique=True)
    """Comparison key of the name (`accounts.names.fold`); a hash of it for a closed account."""
    right: Mapped[str] = mapped_column(String(16))
    """member, arbiter or operator"""
    kid: Mapped[bool] = mapped_column(Boolean)
    preferences: Mapped[dict[str, Any]] = mapped_column(JSON)
    holder: Mapped[str] = mapped_column(String(64), unique=True)
    """Holder of the account's seats (`seats.holder`)."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    closed: Mapped[datetime | None] = mapped_column(UtcDateTime)
    bot: Mapped[bool] = mapped_column(Boolean, server_default=false())
    """Whether a program uses the account."""


class PasswordRow(Base):
    """The argon2 hash of an account's password, if it has one."""

    __tablename__ = "passwords"

    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    hash: Mapped[str] = mapped_column(String(255))
    changed: Mapped[datetime] = mapped_column(UtcDateTime)


class PasskeyRow(Base):
    """A passkey of an account: its public key; the private key never leaves the device."""

    __tablename__ = "passkeys"

    id: Mapped[str] = mapped_column(String(1400), primary_key=True)
    """Credential id in base64url."""
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(BigInteger)
    label: Mapped[str] = mapped_column(String(80))
    """Device on which it was created."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    used: Mapped[datetime | None] = mapped_column(UtcDateTime)


class SessionRow(Base):
    """A login session of a browser: the hash of its cookie."""

    __tablename__ = "sessions"

    token: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    device: Mapped[str] = mapped_column(String(80))
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    seen: Mapped[datetime] = mapped_column(UtcDateTime)


class ChallengeRow(Base):
    """A pending challenge for a passkey; each can be answered once."""

    __tablename__ = "challenges"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    purpose: Mapped[str] = mapped_column(String(16))
    account_id: Mapped[str | None] = mapped_column(String(32))
    """Account of a new passkey; it may not exist yet."""
    name: Mapped[str | None] = mapped_column(String(20))
    expires: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class ResetRow(Base):
    """A one-time link from the operator for choosing a new password."""

    __tablename__ = "resets"

    token: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    expires: Mapped[datetime] = mapped_column(UtcDateTime)


class RatingRow(Base):
    """Rating of an account by one rule set, after its last rated game."""

    __tablename__ = "ratings"

    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    rules: Mapped[str] = mapped_column(String(64), primary_key=True)
    rating: Mapped[float] = mapped_column(Float)
    deviation: Mapped[float] = mapped_column(Float)
    volatility: Mapped[float] = mapped_column(Float)
    games: Mapped[int] = mapped_column(Integer)
    last: Mapped[datetime] = mapped_column(UtcDateTime)


class RatingHistoryRow(Base):
    """A rating after a game; the game may have been deleted since."""

    __tablename__ = "rating_history"
    __table_args__ = (UniqueConstraint("account_id", "game_id"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    rules: Mapped[str] = mapped_column(String(64))
    game_id: Mapped[str] = mapped_column(String(32))
    rating: Mapped[float] = mapped_column(Float)
    deviation: Mapped[float] = mapped_column(Float)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class BlockRow(Base):
    """An account blocked by another account."""

    __tablename__ = "blocks"

    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    blocked_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class BanRow(Base):
    """An account or a network that may not begin or join games, temporarily or permanently."""

    __tablename__ = "bans"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    account_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    network: Mapped[str | None] = mapped_column(String(64))
    """An address or a network, as formatted by `ipaddress`."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    lifted: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ReportRow(Base):
    """A game reported by a player to the arbiters."""

    __tablename__ = "reports"
    __table_args__ = (UniqueConstraint("game_id", "reporter_id"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    reporter_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    accused_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"))
    """The opponent's account, if any."""
    reason: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(String(500))
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    settled: Mapped[datetime | None] = mapped_column(UtcDateTime, index=True)
    settled_by: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"))
    verdict: Mapped[str | None] = mapped_column(String(16))


class ModerationRow(Base):
    """An action of an arbiter or the operator on an account or an address; append-only."""

    __tablename__ = "moderation"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    actor_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"))
    """Null for the operator at the command line."""
    action: Mapped[str] = mapped_column(String(16))
    account_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    network: Mapped[str | None] = mapped_column(String(64))
    note: Mapped[str] = mapped_column(String(500))

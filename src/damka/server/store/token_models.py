"""Model of tokens, with which programs act for an account. A change needs a migration."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["TokenRow"]


class TokenRow(Base):
    """A token of an account: its hash and its scopes."""

    __tablename__ = "tokens"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    label: Mapped[str] = mapped_column(String(60))
    """Label chosen by its owner."""
    scopes: Mapped[str] = mapped_column(String(200))
    """Scopes separated by spaces."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    used: Mapped[datetime | None] = mapped_column(UtcDateTime)

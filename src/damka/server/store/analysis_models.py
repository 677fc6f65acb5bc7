"""Models of server analysis. Every change here needs a migration, as in `models`.

None of these rows is authoritative: without them, searches are repeated and budgets start anew.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["AnalysisRow", "BudgetRow", "ReviewRow"]


class AnalysisRow(Base):
    """Finished analysis of a position."""

    __tablename__ = "analyses"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Hash of the rules, the position and the number of lines."""
    nodes: Mapped[int] = mapped_column(BigInteger)
    """Limit of the search."""
    body: Mapped[bytes] = mapped_column(LargeBinary)
    """Evaluation as JSON."""
    used: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    """Time of the last use: the oldest rows are deleted first."""


class ReviewRow(Base):
    """Finished review of a game."""

    __tablename__ = "reviews"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Hash of the rules, the start, the moves and the number of nodes."""
    game_id: Mapped[str | None] = mapped_column(String(32), index=True)
    """Game of this server; null for a game from a file. Several games may have the same moves."""
    body: Mapped[bytes] = mapped_column(LargeBinary)
    """Compressed JSON of the searches, from which the review follows in any language."""
    used: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class BudgetRow(Base):
    """Nodes that an address or an account has used, and that have not been restored yet."""

    __tablename__ = "analysis_budgets"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Hash of the address or of the account's id."""
    used: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    """Time for which `used` is true; it falls from then on."""

"""The tables of the processes that serve together; one that is alone on its file needs none."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Boolean, String
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["LeaseRow", "ProcessRow"]


class ProcessRow(Base):
    """A process that serves, or did: a process that was thought dead comes back under a new id."""

    __tablename__ = "processes"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)
    """Of the advisory lock that it holds on its connection as long as it runs."""
    address: Mapped[str] = mapped_column(String(100))
    """Where other processes reach it, "host:port"; empty when it is alone."""
    secret: Mapped[str] = mapped_column(String(64))
    """What they have to know to be let in."""
    beat: Mapped[datetime] = mapped_column(UtcDateTime)
    """Until when it served, by its own clock; written many times a second."""
    ended: Mapped[bool] = mapped_column(Boolean)
    """It has ended, or another process has found that it has: it owns nothing any more."""


class LeaseRow(Base):
    """Which process does a task that only one may do."""

    __tablename__ = "leases"

    task: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))

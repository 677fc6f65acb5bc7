"""Models of the processes of a cluster; unused by a single process."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Boolean, String
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["LeaseRow", "ProcessRow"]


class ProcessRow(Base):
    """A process of the cluster. A process that was declared dead re-registers under a new id."""

    __tablename__ = "processes"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)
    """Id of the advisory lock held by its connection while it runs."""
    address: Mapped[str] = mapped_column(String(100))
    """"host:port" for other processes; empty for a single process."""
    secret: Mapped[str] = mapped_column(String(64))
    """Shared secret for connections from other processes."""
    beat: Mapped[datetime] = mapped_column(UtcDateTime)
    """Time of the last heartbeat, by its own clock; written several times a second."""
    ended: Mapped[bool] = mapped_column(Boolean)
    """Whether it has ended, or was declared dead by another process; it then owns nothing."""


class LeaseRow(Base):
    """The process that holds an exclusive task."""

    __tablename__ = "leases"

    task: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))

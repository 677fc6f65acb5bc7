"""Model of the progress of lessons. Every change here needs a migration, as in `models`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["CourseRow"]


class CourseRow(Base):
    """The stars of an account in a course."""

    __tablename__ = "lesson_courses"

    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    course: Mapped[str] = mapped_column(String(16), primary_key=True)
    """Fingerprint of its rules."""
    stars: Mapped[dict[str, int]] = mapped_column(JSON)
    """Stars by the ids of its levels."""
    updated: Mapped[datetime] = mapped_column(UtcDateTime)
    resets: Mapped[int] = mapped_column(server_default="0")
    """How often its stars were deleted: a device that has seen fewer resets has old stars."""

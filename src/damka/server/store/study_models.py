"""Models of the accounts' studies. Every change here needs a migration, as in `models`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from damka.server.store.models import Base, UtcDateTime

__all__ = ["StudyChapterRow", "StudyRow"]


class StudyRow(Base):
    """A study of an account."""

    __tablename__ = "studies"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    title: Mapped[str] = mapped_column(String(100))
    share: Mapped[str | None] = mapped_column(String(32), unique=True)
    """Id of the link for readers; null while the study is private."""
    created: Mapped[datetime] = mapped_column(UtcDateTime)
    updated: Mapped[datetime] = mapped_column(UtcDateTime)
    removed: Mapped[datetime | None] = mapped_column(UtcDateTime, index=True)
    """Time of its removal, which can be undone for a while."""


class StudyChapterRow(Base):
    """A chapter of a study, as PDN."""

    __tablename__ = "study_chapters"

    study_id: Mapped[str] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    place: Mapped[int] = mapped_column(Integer)
    """Its number in the study, from 0."""
    title: Mapped[str] = mapped_column(String(100))
    query: Mapped[str] = mapped_column(Text)
    """Its rules, as parameters of a page's address."""
    game: Mapped[str] = mapped_column(String(200))
    """English title of its rules."""
    pdn: Mapped[str] = mapped_column(Text)
    size: Mapped[int] = mapped_column(Integer)
    """Length of `pdn` in bytes."""
    revision: Mapped[int] = mapped_column(Integer)
    """Number of changes of `pdn`; a change of an older revision is refused."""

"""Progress of lessons in the database. The functions run in a transaction of their caller."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from damka.server.store.lesson_models import CourseRow

__all__ = ["MAX_COURSES", "MAX_LEVELS", "Stars", "delete_all", "merge", "progress", "reset"]

Stars = dict[str, int]
"""Stars by the ids of levels."""

MAX_COURSES: Final = 200
"""Number of courses of an account; the oldest are deleted."""
MAX_LEVELS: Final = 300
"""Number of levels of a course."""


def progress(connection: Connection, account_id: str) -> dict[str, Stars]:
    """Return the stars of an account by the fingerprints of courses, the latest last."""
    query = (
        select(CourseRow.course, CourseRow.stars)
        .where(CourseRow.account_id == account_id)
        .order_by(CourseRow.updated, CourseRow.course)
    )
    return {row.course: row.stars for row in connection.execute(query)}


def merge(connection: Connection, account_id: str, more: Mapping[str, Stars]) -> dict[str, Stars]:
    """Store stars, the better of each level; return those of all courses."""
    stored = progress(connection, account_id)
    for course, levels in more.items():
        old = stored.get(course, {})
        best = {**old, **{each: max(n, old.get(each, 0)) for each, n in levels.items()}}
        best = dict([*best.items()][:MAX_LEVELS])
        if course in stored and best == old:
            continue
        values = {"stars": best, "updated": datetime.now(UTC)}
        if course in stored:
            connection.execute(update(CourseRow).where(_is(account_id, course)).values(values))
        else:
            own = {"account_id": account_id, "course": course}
            connection.execute(insert(CourseRow).values({**own, **values}))
        stored.pop(course, None)
        stored[course] = best
    while len(stored) > MAX_COURSES:
        oldest = next(iter(stored))
        del stored[oldest]
        reset(connection, account_id, oldest)
    return stored


def reset(connection: Connection, account_id: str, course: str) -> None:
    """Delete the stars of a course."""
    connection.execute(delete(CourseRow).where(_is(account_id, course)))


def delete_all(connection: Connection, account_id: str) -> None:
    """Delete all stars of an account."""
    connection.execute(delete(CourseRow).where(CourseRow.account_id == account_id))


def _is(account_id: str, course: str) -> ColumnElement[bool]:
    return (CourseRow.account_id == account_id) & (CourseRow.course == course)

"""Progress of lessons in the database. The functions run in a transaction of their caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update

from damka.server.store.lesson_models import CourseRow

__all__ = [
    "MAX_COURSES",
    "MAX_LEVELS",
    "Stars",
    "delete_all",
    "merge",
    "progress",
    "reset",
    "resets",
]

Stars = dict[str, int]
"""Stars by the ids of levels."""

MAX_COURSES: Final = 200
"""Number of courses of an account; the oldest are deleted."""
MAX_LEVELS: Final = 300
"""Number of levels of a course."""


def progress(connection: Connection, account_id: str) -> dict[str, Stars]:
    """Return the stars of an account by the fingerprints of courses, the latest last."""
    return {row.course: row.stars for row in _rows(connection, account_id) if row.stars}


def resets(connection: Connection, account_id: str) -> dict[str, int]:
    """Return the number of resets of each course that was reset."""
    return {row.course: row.resets for row in _rows(connection, account_id) if row.resets}


def merge(
    connection: Connection,
    account_id: str,
    more: Mapping[str, Stars],
    seen: Mapping[str, int] | None = None,
) -> dict[str, Stars]:
    """Store stars, the better of each level; return those of all courses.

    `seen` are the resets that their device knows of, None for its first stars: stars from before a
    later reset are ignored.
    """
    rows = {row.course: row for row in _rows(connection, account_id)}
    stored: dict[str, Stars] = {course: row.stars for course, row in rows.items()}
    for course, levels in more.items():
        row = rows.get(course)
        if row is not None and seen is not None and seen.get(course, 0) < row.resets:
            continue
        old = stored.get(course, {})
        best = {**old, **{each: max(n, old.get(each, 0)) for each, n in levels.items()}}
        best = dict([*best.items()][:MAX_LEVELS])
        if row is not None and best == old:
            continue
        _store(connection, account_id, course, is_new=row is None, stars=best)
        stored.pop(course, None)
        stored[course] = best
    while len(stored) > MAX_COURSES:
        oldest = next(iter(stored))
        del stored[oldest]
        connection.execute(delete(CourseRow).where(_is(account_id, oldest)))
    return {course: stars for course, stars in stored.items() if stars}


def reset(connection: Connection, account_id: str, course: str, had: Mapping[str, int]) -> None:
    """Delete stars of a course that are not better than `had`, and count the reset."""
    row = next((row for row in _rows(connection, account_id) if row.course == course), None)
    number = 1 if row is None else row.resets + 1
    old: Stars = {} if row is None else row.stars
    stars = {level: n for level, n in old.items() if n > had.get(level, -1)}
    _store(connection, account_id, course, is_new=row is None, stars=stars, resets=number)


def delete_all(connection: Connection, account_id: str) -> None:
    """Delete all stars of an account."""
    connection.execute(delete(CourseRow).where(CourseRow.account_id == account_id))


def _rows(connection: Connection, account_id: str) -> Sequence[Row[str, Stars, int]]:
    """Return the courses of an account, the latest last."""
    query = (
        select(CourseRow.course, CourseRow.stars, CourseRow.resets)
        .where(CourseRow.account_id == account_id)
        .order_by(CourseRow.updated, CourseRow.course)
    )
    return connection.execute(query).all()


def _store(
    connection: Connection, account_id: str, course: str, *, is_new: bool, **values: Any
) -> None:
    values["updated"] = datetime.now(UTC)
    if is_new:
        own = {"account_id": account_id, "course": course}
        connection.execute(insert(CourseRow).values({**own, **values}))
    else:
        connection.execute(update(CourseRow).where(_is(account_id, course)).values(values))


def _is(account_id: str, course: str) -> ColumnElement[bool]:
    return (CourseRow.account_id == account_id) & (CourseRow.course == course)

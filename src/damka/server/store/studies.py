"""Studies of accounts in the database. The functions run in a transaction of their caller."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from damka.live.studies import (
    Chapter,
    ListedStudy,
    Study,
    new_chapter_id,
    new_id,
)
from damka.server.store.study_models import StudyChapterRow, StudyRow

__all__ = [
    "Content",
    "Usage",
    "add_chapters",
    "change_chapter",
    "create",
    "delete_all",
    "find",
    "list_studies",
    "own",
    "purge",
    "remove_chapter",
    "rename",
    "reorder",
    "set_removed",
    "share",
    "usage",
]

RESTORABLE: Final = timedelta(days=1)
"""Time in which a removed study can be restored."""

_STUDIES: Final[Any] = StudyRow.__table__
_CHAPTERS: Final[Any] = StudyChapterRow.__table__
_LISTED: Final = tuple(each for each in _CHAPTERS.c if each.name not in {"pdn", "size"})


class Content(NamedTuple):
    """Text of a chapter, with its rules."""

    title: str
    pdn: str
    query: str
    game: str

    @property
    def size(self) -> int:
        """Length of the text in bytes."""
        return len(self.pdn.encode("utf-8", "replace"))


class Usage(NamedTuple):
    """Storage of an account, with its removed studies."""

    studies: int
    size: int


def usage(connection: Connection, account_id: str) -> Usage:
    """Return the storage that an account uses."""
    is_own = StudyRow.account_id == account_id
    count = connection.scalar(select(func.count()).select_from(StudyRow).where(is_own))
    size = connection.scalar(
        select(func.coalesce(func.sum(StudyChapterRow.size), 0))
        .join(StudyRow, StudyRow.id == StudyChapterRow.study_id)
        .where(is_own)
    )
    return Usage(int(count or 0), int(size or 0))


def list_studies(connection: Connection, account_id: str) -> list[ListedStudy]:
    """Return the studies of an account, latest first."""
    query = (
        select(_STUDIES)
        .where(StudyRow.account_id == account_id, StudyRow.removed.is_(None))
        .order_by(StudyRow.updated.desc(), StudyRow.id)
    )
    rows = connection.execute(query).all()
    games: dict[str, list[str]] = {row.id: [] for row in rows}
    chapters = (
        select(StudyChapterRow.study_id, StudyChapterRow.query)
        .join(StudyRow, StudyRow.id == StudyChapterRow.study_id)
        .where(StudyRow.account_id == account_id, StudyRow.removed.is_(None))
        .order_by(StudyChapterRow.place, StudyChapterRow.id)
    )
    for study_id, rules in connection.execute(chapters):
        games[study_id].append(rules)
    return [
        ListedStudy(
            id=row.id,
            title=row.title,
            shared=row.share is not None,
            updated=row.updated,
            chapters=len(games[row.id]),
            games=tuple(dict.fromkeys(games[row.id])),
        )
        for row in rows
    ]


def own(connection: Connection, account_id: str, study_id: str, *, open_only: bool = False) -> bool:
    """Whether a study belongs to an account; with `open_only`, and was not removed."""
    query = select(StudyRow.id).where(StudyRow.id == study_id, StudyRow.account_id == account_id)
    if open_only:
        query = query.where(StudyRow.removed.is_(None))
    return connection.execute(query).first() is not None


def find(
    connection: Connection,
    account_id: str | None,
    study_id: str,
    *,
    texts: bool = True,
    removed: bool = False,
) -> Study | None:
    """Return a study by its id for its owner, or by the id of its link for anyone.

    None for unknown ids, private studies, and links that have ended; for removed studies unless
    `removed`.
    """
    query = select(_STUDIES)
    if not removed:
        query = query.where(StudyRow.removed.is_(None))
    row = None
    if account_id is not None:
        is_own = (StudyRow.id == study_id, StudyRow.account_id == account_id)
        row = connection.execute(query.where(*is_own)).first()
    is_own_study = row is not None
    if row is None:
        row = connection.execute(query.where(StudyRow.share == study_id)).first()
    if row is None:
        return None
    columns = _CHAPTERS.c if texts else _LISTED
    chapters = connection.execute(
        select(*columns)
        .where(StudyChapterRow.study_id == row.id)
        .order_by(StudyChapterRow.place, StudyChapterRow.id)
    )
    return Study(
        id=study_id,
        title=row.title,
        own=is_own_study,
        share=row.share if is_own_study else None,
        updated=row.updated,
        chapters=tuple(
            Chapter(
                id=each.id,
                title=each.title,
                query=each.query,
                game=each.game,
                revision=each.revision,
                **({"pdn": each.pdn} if texts else {}),
            )
            for each in chapters
        ),
    )


def create(connection: Connection, account_id: str, title: str, contents: Sequence[Content]) -> str:
    """Create a private study and return its id."""
    now = datetime.now(UTC)
    values = {"id": new_id(), "account_id": account_id, "title": title}
    connection.execute(insert(StudyRow), {**values, "created": now, "updated": now})
    _insert(connection, values["id"], contents, 0)
    return values["id"]


def add_chapters(
    connection: Connection, study_id: str, contents: Sequence[Content], at: int | None
) -> list[str]:
    """Add chapters before the one with number `at`, or at the end; return their ids."""
    ids = _chapter_ids(connection, study_id)
    place = len(ids) if at is None else min(at, len(ids))
    new = _insert(connection, study_id, contents, place)
    _order(connection, study_id, [*ids[:place], *new, *ids[place:]])
    _touch(connection, study_id)
    return new


def change_chapter(
    connection: Connection,
    study_id: str,
    chapter_id: str,
    values: dict[str, Any],
    revision: int | None,
) -> bool:
    """Change columns of a chapter; return False if its text has another revision than expected."""
    is_chapter = (StudyChapterRow.study_id == study_id, StudyChapterRow.id == chapter_id)
    change = update(StudyChapterRow).where(*is_chapter)
    if "pdn" in values:
        change = change.where(StudyChapterRow.revision == revision)
        values = {**values, "revision": StudyChapterRow.revision + 1}
    if connection.execute(change.values(values)).rowcount != 1:
        return False
    _touch(connection, study_id)
    return True


def remove_chapter(connection: Connection, study_id: str, chapter_id: str) -> None:
    """Delete a chapter."""
    connection.execute(
        delete(StudyChapterRow).where(
            StudyChapterRow.study_id == study_id, StudyChapterRow.id == chapter_id
        )
    )
    _order(connection, study_id, _chapter_ids(connection, study_id))
    _touch(connection, study_id)


def rename(connection: Connection, study_id: str, title: str) -> None:
    """Change the title of a study."""
    connection.execute(update(StudyRow).where(StudyRow.id == study_id).values(title=title))
    _touch(connection, study_id)


def reorder(connection: Connection, study_id: str, order: Sequence[str]) -> bool:
    """Order the chapters; return False unless `order` has exactly the ids of all chapters."""
    if sorted(order) != sorted(_chapter_ids(connection, study_id)):
        return False
    _order(connection, study_id, order)
    _touch(connection, study_id)
    return True


def share(connection: Connection, study_id: str, *, shared: bool) -> str | None:
    """Share a study or end the sharing; return the id of the link.

    A new sharing has a new id, so that an ended link never works again.
    """
    current: str | None = connection.scalar(select(StudyRow.share).where(StudyRow.id == study_id))
    if (current is not None) == shared:
        return current
    link = new_id() if shared else None
    connection.execute(update(StudyRow).where(StudyRow.id == study_id).values(share=link))
    return link


def set_removed(connection: Connection, study_id: str, *, removed: bool) -> None:
    """Remove a study, which ends its sharing, or restore it."""
    values: dict[str, Any] = {"removed": datetime.now(UTC) if removed else None}
    if removed:
        values["share"] = None
    connection.execute(update(StudyRow).where(StudyRow.id == study_id).values(values))


def purge(connection: Connection, account_id: str | None = None, *, at_once: bool = False) -> int:
    """Delete removed studies that can no longer be restored; return their number.

    With an account only its own, and with `at_once` also those that could be restored.
    """
    query = select(StudyRow.id).where(StudyRow.removed.is_not(None))
    if account_id is not None:
        query = query.where(StudyRow.account_id == account_id)
    if not at_once:
        query = query.where(StudyRow.removed < datetime.now(UTC) - RESTORABLE)
    ids = [*connection.execute(query).scalars()]
    for study_id in ids:
        _delete(connection, study_id)
    return len(ids)


def delete_all(connection: Connection, account_id: str) -> None:
    """Delete all studies of an account."""
    query = select(StudyRow.id).where(StudyRow.account_id == account_id)
    for study_id in [*connection.execute(query).scalars()]:
        _delete(connection, study_id)


def _delete(connection: Connection, study_id: str) -> None:
    connection.execute(delete(StudyChapterRow).where(StudyChapterRow.study_id == study_id))
    connection.execute(delete(StudyRow).where(StudyRow.id == study_id))


def _insert(
    connection: Connection, study_id: str, contents: Sequence[Content], place: int
) -> list[str]:
    ids = [new_chapter_id() for _ in contents]
    rows = [
        {
            "study_id": study_id,
            "id": chapter_id,
            "place": place + number,
            **content._asdict(),
            "size": content.size,
            "revision": 0,
        }
        for number, (chapter_id, content) in enumerate(zip(ids, contents, strict=True))
    ]
    connection.execute(insert(StudyChapterRow), rows)
    return ids


def _chapter_ids(connection: Connection, study_id: str) -> list[str]:
    query = select(StudyChapterRow.id).where(StudyChapterRow.study_id == study_id)
    ordered = query.order_by(StudyChapterRow.place, StudyChapterRow.id)
    return [*connection.execute(ordered).scalars()]


def _order(connection: Connection, study_id: str, ids: Sequence[str]) -> None:
    for place, chapter_id in enumerate(ids):
        connection.execute(
            update(StudyChapterRow)
            .where(StudyChapterRow.study_id == study_id, StudyChapterRow.id == chapter_id)
            .values(place=place)
        )


def _touch(connection: Connection, study_id: str) -> None:
    connection.execute(
        update(StudyRow).where(StudyRow.id == study_id).values(updated=datetime.now(UTC))
    )

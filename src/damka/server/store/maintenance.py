"""Maintenance: backup, restore and pruning; backup and pruning also while a server runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Engine, create_engine, delete, exists, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from damka.server.store import postgresql, postgresql_copy, studies
from damka.server.store.account_models import (
    ChallengeRow,
    ReportRow,
    ResetRow,
    SessionRow,
)
from damka.server.store.chat_models import ChatRow
from damka.server.store.lock import FileLock, LockedError
from damka.server.store.migrate import refusal, upgrade
from damka.server.store.models import EventRow, GameRow, SeatRow
from damka.server.store.store import MissingDatabaseError, StoreError, begin

__all__ = ["Pruned", "Step", "backup", "beat_file", "check_copy", "prune", "restore"]

Step = Callable[[int, int], object]
"""Progress callback: steps done, and total."""

_PAGES: Final = 256
_BATCH: Final = 100
_SESSION_LIFETIME: Final = timedelta(days=180)


class Pruned(NamedTuple):
    """Numbers of deleted rows."""

    games: int
    sessions: int
    requests: int
    """Reset links and passkey challenges that have expired."""
    messages: int
    """Chat messages, except those at games with an open report."""


def backup(url: str, to: Path, on_step: Step, *, overwrite: bool = False) -> None:
    """Copy the database at `url` to a file as a consistent snapshot; a server may keep using it.

    PostgreSQL is copied by pg_dump. Raises StoreError for an unreadable database, FileExistsError
    when the file exists.
    """
    if to.exists() and not overwrite:
        raise FileExistsError(17, "the file already exists", str(to))
    if postgresql.parse(url).get_backend_name() == "postgresql":
        postgresql_copy.backup(url, to)
        return
    source = _file(url)
    part = to.with_name(f"{to.name}.part")
    try:
        # Its contents would allow taking over every seat, and guessing passwords offline.
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        with closing(_read_only(source)) as original, closing(sqlite3.connect(part)) as copy:
            original.backup(copy, pages=_PAGES, progress=_progress(on_step), sleep=0.01)
            copy.execute("PRAGMA journal_mode=DELETE")
        part.replace(to)
    except sqlite3.Error as error:
        raise StoreError(f"cannot copy {source}: {error}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def beat_file(database: Path) -> Path:
    """Return the file beside a database in which its server stores its last heartbeat."""
    return database.with_name(f"{database.name}.beat")


def check_copy(url: str, source: Path) -> None:
    """Raise StoreError unless a copy could be restored over the database at `url`."""
    _file(url, must_exist=False)
    _check(source)


def restore(url: str, source: Path, on_step: Step) -> Path | None:
    """Replace the database at `url` by a copy, all or nothing; return the path of the old one.

    Returns None when there was none. Clocks of the copy continue from its last moves: the heartbeat
    file belongs to the replaced database and is deleted. Raises StoreError while a server uses the
    database, and when the copy is damaged, not a Damka database, newer than this program or too
    old.
    """
    target = _file(url, must_exist=False)
    _check(source)
    old_copy: Path | None = None
    try:
        lock = FileLock(target) if target.parent.is_dir() else None
        if lock is None:
            target.parent.mkdir(parents=True)
            lock = FileLock(target)
    except LockedError as error:
        raise StoreError(f"stop the server first: {error}") from error
    try:
        if target.exists():
            old_copy = target.with_name(f"{target.name}.{datetime.now(UTC):%Y%m%d-%H%M%S}")
            backup(url, old_copy, lambda *_: None)
        else:
            target.touch(mode=0o600)
        # The server would charge the time since the copy was made to the players' clocks.
        beat_file(target).unlink(missing_ok=True)
        with closing(_read_only(source)) as copy, closing(sqlite3.connect(target)) as database:
            copy.backup(database, pages=_PAGES, progress=_progress(on_step))
        engine = create_engine(make_url(url))
        try:
            upgrade(engine)
        finally:
            engine.dispose()
    except (OSError, sqlite3.Error, SQLAlchemyError) as error:
        raise StoreError(f"cannot write {target}: {error}") from error
    finally:
        lock.release()
    return old_copy


def prune(engine: Engine, older_than: timedelta, on_step: Step) -> Pruned:
    """Delete games without moves, unused sessions, expired requests and old messages.

    `older_than` is the minimum age of games, of messages and of the last use of a session; sessions
    expire after half a year at the latest. Raises StoreError when the database failed.
    """
    now = datetime.now(UTC)
    before = now - older_than
    games: Any = GameRow.__table__
    following = games.alias()
    unplayed = (
        select(GameRow.id, GameRow.base)
        .where(GameRow.created < before, GameRow.reason.is_(None))
        .where(~exists().where(EventRow.game_id == GameRow.id))
        .where(~exists().where(ReportRow.game_id == GameRow.id))
        .where(~exists().where(following.c.previous_id == games.c.id))
    )
    with begin(engine) as connection:
        ids = [row.id for row in connection.execute(unplayed) if not _has_moves(row.base)]
    count = 0
    for start in range(0, len(ids), _BATCH):
        for game_id in ids[start : start + _BATCH]:
            count += _delete_game(engine, game_id)
        on_step(min(start + _BATCH, len(ids)), len(ids))
    with begin(engine) as connection:
        last_use = min(before, now) if older_than < _SESSION_LIFETIME else now - _SESSION_LIFETIME
        studies.purge(connection)
        sessions = connection.execute(delete(SessionRow).where(SessionRow.seen < last_use)).rowcount
        requests = sum(
            connection.execute(delete(row).where(row.expires < now)).rowcount
            for row in (ResetRow, ChallengeRow)
        )
        with_open_report = select(ReportRow.game_id).where(ReportRow.settled.is_(None))
        old = delete(ChatRow).where(ChatRow.at < before, ChatRow.game_id.not_in(with_open_report))
        messages = connection.execute(old).rowcount
    return Pruned(count, sessions, requests, messages)


def _has_moves(base: str | None) -> bool:
    """Whether a loaded game file contains moves."""
    return base is not None and bool(msgspec.json.decode(base).get("moves", True))


def _delete_game(engine: Engine, game_id: str) -> int:
    """Delete a game unless it has been played in the meantime."""
    try:
        with engine.begin() as connection:
            connection.execute(delete(ChatRow).where(ChatRow.game_id == game_id))
            connection.execute(delete(SeatRow).where(SeatRow.game_id == game_id))
            connection.execute(delete(GameRow).where(GameRow.id == game_id))
    except IntegrityError:
        return 0
    except SQLAlchemyError as error:
        raise StoreError(f"the database failed: {error}") from error
    return 1


def _file(url: str, *, must_exist: bool = True) -> Path:
    parsed = postgresql.parse(url)
    if parsed.get_backend_name() == "postgresql":
        raise StoreError(
            "this is PostgreSQL: stop the server, and restore the copy with pg_restore "
            "--clean --if-exists --single-transaction --no-owner --dbname=URL FILE"
        )
    if (
        parsed.get_backend_name() != "sqlite"
        or not parsed.database
        or parsed.database == ":memory:"
    ):
        raise StoreError(f"{parsed.render_as_string(hide_password=True)} is not a file")
    path = Path(parsed.database)
    if must_exist and not path.is_file():
        raise MissingDatabaseError(path)
    return path


def _check(source: Path) -> None:
    if not source.is_file():
        raise StoreError(f"no such file: {source}")
    try:
        with closing(_read_only(source)) as copy:
            verdict = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if verdict != "ok":
                raise StoreError(f"{source} is damaged: {verdict}")
            tables = {row[0] for row in copy.execute("SELECT name FROM sqlite_master")}
            if not {"games", "seats", "events", "alembic_version"} <= tables:
                raise StoreError(f"{source} is not a Damka database")
            version = copy.execute("SELECT version_num FROM alembic_version").fetchone()
            if version is None:
                raise StoreError(f"{source} is not a Damka database")
            if (fault := refusal(version[0], f"sqlite:///{source.absolute()}")) is not None:
                raise StoreError(f"cannot restore {source}: {fault}")
    except sqlite3.Error as error:
        raise StoreError(f"cannot restore {source}: {error}") from error


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)


def _progress(on_step: Step) -> Callable[[int, int, int], object]:
    return lambda _, remaining, total: on_step(total - remaining, total)

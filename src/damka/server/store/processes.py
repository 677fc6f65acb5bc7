"""Cluster membership and ownership of games and tasks: compare-and-set in the database.

A process owns a game from taking it until it ends; then any other process may take it. Only the
owner appends to a game's log (`Store.append`), in a transaction that checks the owner in the game's
row: a process that was paused cannot write after another one has taken over. Process ids are never
reused, so they also serve as epochs.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError

from damka.server.store.models import GameRow
from damka.server.store.process_models import LeaseRow, ProcessRow

__all__ = [
    "OwnershipRecord",
    "ProcessRecord",
    "all_processes",
    "beat",
    "declare_ended",
    "end",
    "forget",
    "hold",
    "is_held",
    "lead",
    "owner_of",
    "register",
    "release",
    "take",
    "take_clocks",
    "unlock",
]

_GAMES: Final[Any] = GameRow.__table__
_PROCESSES: Final[Any] = ProcessRow.__table__
_LEASES: Final[Any] = LeaseRow.__table__
_UNOPENED_AGE: Final = timedelta(seconds=10)
"""Age at which a game without an owner counts as abandoned; a newer one is still being created."""
_MAX_ATTEMPTS: Final = 5

_DATABASE_LOCK: Final = 0x6461_6D6B_0003
"""Id of the lock that all processes share, or that a single process holds exclusively."""


class ProcessRecord(NamedTuple):
    """A row of `ProcessRow`."""

    id: str
    number: int
    address: str
    secret: str
    beat: datetime
    ended: bool


class OwnershipRecord(NamedTuple):
    """The owner of a game, None when there is no such game.

    `after`: it was just taken from an ended process, which served `until` then.
    """

    owner: str | None
    after: bool = False
    until: datetime | None = None


# Processes


def hold(connection: Connection, number: int, *, exclusive: bool) -> bool:
    """Acquire the locks of a process for the lifetime of the connection.

    Returns False when the database is in use: by an exclusive process, or by any if `exclusive`.
    """
    kind = "" if exclusive else "_shared"
    lock = text(f"SELECT pg_try_advisory_lock{kind}(:key)")
    if not connection.execute(lock, {"key": _DATABASE_LOCK}).scalar_one():
        return False
    return bool(
        connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": number}).scalar_one()
    )


def unlock(connection: Connection) -> None:
    """Release the locks of a process."""
    connection.execute(text("SELECT pg_advisory_unlock_all()"))


def is_held(connection: Connection, number: int) -> bool:
    """Whether a process holds its lock, that is, its database connection is alive."""
    lock = text("SELECT pg_try_advisory_lock_shared(:key)")
    if not connection.execute(lock, {"key": number}).scalar_one():
        return True
    connection.execute(text("SELECT pg_advisory_unlock_shared(:key)"), {"key": number})
    return False


def register(connection: Connection, process: ProcessRecord) -> None:
    """Add a process."""
    connection.execute(insert(_PROCESSES), process._asdict())


def beat(connection: Connection, process_id: str, at: datetime) -> bool:
    """Record a heartbeat; False when the process was declared dead."""
    is_own = (_PROCESSES.c.id == process_id) & _PROCESSES.c.ended.is_(False)
    return bool(connection.execute(update(_PROCESSES).where(is_own).values(beat=at)).rowcount)


def all_processes(connection: Connection) -> list[ProcessRecord]:
    """Return all stored processes."""
    names = [_PROCESSES.c[name] for name in ProcessRecord._fields]
    return [ProcessRecord(*row) for row in connection.execute(select(*names))]


def declare_ended(connection: Connection, process: ProcessRecord) -> bool:
    """Declare a process dead, unless it has sent a heartbeat since `process` was read."""
    same = (_PROCESSES.c.id == process.id) & (_PROCESSES.c.beat == process.beat)
    return bool(connection.execute(update(_PROCESSES).where(same).values(ended=True)).rowcount)


def end(connection: Connection, process_id: str, at: datetime) -> None:
    """Record that this process ends."""
    is_own = (_PROCESSES.c.id == process_id) & _PROCESSES.c.ended.is_(False)
    connection.execute(update(_PROCESSES).where(is_own).values(beat=at, ended=True))


def forget(connection: Connection) -> None:
    """Delete ended processes whose games with a clock have all been taken over."""
    has_games = select(_GAMES.c.id).where(_GAMES.c.owner == _PROCESSES.c.id, *_RUNNING).exists()
    connection.execute(delete(_PROCESSES).where(_PROCESSES.c.ended.is_(True), ~has_games))


# Games

_RUNNING: Final = (_GAMES.c.clock.is_not(None), _GAMES.c.reason.is_(None), _GAMES.c.code.is_(None))


def owner_of(connection: Connection, game_id: str) -> tuple[bool, str | None]:
    """Return whether a game exists, and its owner, None when it can be taken."""
    query = (
        select(_GAMES.c.owner, _PROCESSES.c.ended)
        .select_from(_GAMES.outerjoin(_PROCESSES, _PROCESSES.c.id == _GAMES.c.owner))
        .where(_GAMES.c.id == game_id)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return False, None
    return True, row.owner if row.ended is False else None


def take(connection: Connection, game_id: str, process_id: str) -> OwnershipRecord:
    """Take ownership of a game without a live owner; return its owner."""
    query = (
        select(_GAMES.c.owner, _PROCESSES.c.ended, _PROCESSES.c.beat)
        .select_from(_GAMES.outerjoin(_PROCESSES, _PROCESSES.c.id == _GAMES.c.owner))
        .where(_GAMES.c.id == game_id)
    )
    owner = None
    for _ in range(_MAX_ATTEMPTS):
        row = connection.execute(query).one_or_none()
        if row is None:
            return OwnershipRecord(None)
        owner = row.owner
        if row.owner is not None and row.ended is False:
            return OwnershipRecord(row.owner)
        unchanged = (_GAMES.c.id == game_id) & _GAMES.c.owner.is_not_distinct_from(row.owner)
        result = connection.execute(update(_GAMES).where(unchanged).values(owner=process_id))
        if result.rowcount:
            return OwnershipRecord(process_id, row.owner is not None, row.beat)
    return OwnershipRecord(owner)


def release(connection: Connection, game_id: str, process_id: str) -> None:
    """Release a game owned by this process."""
    is_own = (_GAMES.c.id == game_id) & (_GAMES.c.owner == process_id)
    connection.execute(update(_GAMES).where(is_own).values(owner=None))


def take_clocks(
    connection: Connection, process_id: str, limit: int
) -> list[tuple[str, datetime | None]]:
    """Take running games with a clock and no live owner; return when their owners last served.

    Concurrent callers get different games.
    """
    ownerless = (_GAMES.c.owner.is_not(None) & _PROCESSES.c.id.is_(None)) | _PROCESSES.c.ended.is_(
        True
    )
    unopened = _GAMES.c.owner.is_(None) & (_GAMES.c.updated < datetime.now(UTC) - _UNOPENED_AGE)
    query = (
        select(_GAMES.c.id, _PROCESSES.c.beat)
        .select_from(_GAMES.outerjoin(_PROCESSES, _PROCESSES.c.id == _GAMES.c.owner))
        .where(*_RUNNING, or_(ownerless, unopened))
        .limit(limit)
        .with_for_update(skip_locked=True, of=_GAMES)
    )
    rows = connection.execute(query).all()
    ids = [row.id for row in rows]
    if ids:
        connection.execute(update(_GAMES).where(_GAMES.c.id.in_(ids)).values(owner=process_id))
    return [(row.id, row.beat) for row in rows]


# Tasks


def lead(connection: Connection, task: str, process_id: str) -> bool:
    """Whether a process leads a task; it takes over a free task or that of an ended process.

    In a transaction that writes for the task this is also a fence against a paused process: the
    lease is unchanged until the transaction ends.
    """
    query = (
        select(_LEASES.c.owner, _PROCESSES.c.ended)
        .select_from(_LEASES.outerjoin(_PROCESSES, _PROCESSES.c.id == _LEASES.c.owner))
        .where(_LEASES.c.task == task)
        .with_for_update(of=_LEASES)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        try:
            with connection.begin_nested():
                connection.execute(insert(_LEASES), {"task": task, "owner": process_id})
        except IntegrityError:
            return False
        return True
    if row.owner == process_id or row.ended is False:
        return bool(row.owner == process_id and row.ended is False)
    connection.execute(update(_LEASES).where(_LEASES.c.task == task).values(owner=process_id))
    return True

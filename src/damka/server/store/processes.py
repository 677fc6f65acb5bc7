"""Which processes serve, and which of them owns a game or a task: compare and set, in the database.

A process owns a game from when it has taken it until it has ended; then any other may take it. An
entry of a game's log is written by its owner alone (`Store.append`), in the transaction in which
the row of the game says that it still is: a process that was paused cannot write behind the back
of the one that took over. The id of a process is used once, so it is the epoch as well.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError

from damka.server.store.models import GameRow
from damka.server.store.process_models import LeaseRow, ProcessRow

__all__ = [
    "Known",
    "Taken",
    "beat",
    "declare_ended",
    "end",
    "forget",
    "hold",
    "is_held",
    "known",
    "lead",
    "let_go",
    "owner_of",
    "register",
    "release",
    "take",
    "take_clocks",
]

_GAMES: Final[Any] = GameRow.__table__
_PROCESSES: Final[Any] = ProcessRow.__table__
_LEASES: Final[Any] = LeaseRow.__table__
_UNOPENED: Final = timedelta(seconds=10)
"""A game that nobody has opened for so long was left behind; a newer one is only being made."""
_TRIES: Final = 5

_USES: Final = 0x6461_6D6B_0003
"""The number of the lock that all processes share, or one that is alone has for itself."""


class Known(NamedTuple):
    """A row of `ProcessRow`."""

    id: str
    number: int
    address: str
    secret: str
    beat: datetime
    ended: bool


class Taken(NamedTuple):
    """Which process owns a game, None where there is no such game.

    `after`: it was taken just now from a process that has ended, and served `until` then.
    """

    owner: str | None
    after: bool = False
    until: datetime | None = None


# Processes


def hold(connection: Connection, number: int, *, alone: bool) -> bool:
    """Take the locks of a process for as long as the connection lasts.

    False where another process that is alone, or any when this one is, uses the database.
    """
    kind = "" if alone else "_shared"
    uses = text(f"SELECT pg_try_advisory_lock{kind}(:key)")
    if not connection.execute(uses, {"key": _USES}).scalar_one():
        return False
    return bool(
        connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": number}).scalar_one()
    )


def let_go(connection: Connection) -> None:
    """Give the locks of a process back."""
    connection.execute(text("SELECT pg_advisory_unlock_all()"))


def is_held(connection: Connection, number: int) -> bool:
    """Tell whether a process holds its lock: its connection to the database is there."""
    free = text("SELECT pg_try_advisory_lock_shared(:key)")
    if not connection.execute(free, {"key": number}).scalar_one():
        return True
    connection.execute(text("SELECT pg_advisory_unlock_shared(:key)"), {"key": number})
    return False


def register(connection: Connection, process: Known) -> None:
    """Add a process."""
    connection.execute(insert(_PROCESSES), process._asdict())


def beat(connection: Connection, process_id: str, at: datetime) -> bool:
    """Note that a process serves; False when it has been found to have ended."""
    mine = (_PROCESSES.c.id == process_id) & _PROCESSES.c.ended.is_(False)
    return bool(connection.execute(update(_PROCESSES).where(mine).values(beat=at)).rowcount)


def known(connection: Connection) -> list[Known]:
    """Return all processes whose rows are there."""
    names = [_PROCESSES.c[name] for name in Known._fields]
    return [Known(*row) for row in connection.execute(select(*names))]


def declare_ended(connection: Connection, process: Known) -> bool:
    """Note that a process has ended, unless it has beaten since `process` was read."""
    same = (_PROCESSES.c.id == process.id) & (_PROCESSES.c.beat == process.beat)
    return bool(connection.execute(update(_PROCESSES).where(same).values(ended=True)).rowcount)


def end(connection: Connection, process_id: str, at: datetime) -> None:
    """Note that this process ends now."""
    mine = (_PROCESSES.c.id == process_id) & _PROCESSES.c.ended.is_(False)
    connection.execute(update(_PROCESSES).where(mine).values(beat=at, ended=True))


def forget(connection: Connection) -> None:
    """Delete the processes that have ended and whose games with a clock all have been taken."""
    left = select(_GAMES.c.id).where(_GAMES.c.owner == _PROCESSES.c.id, *_RUNNING).exists()
    connection.execute(delete(_PROCESSES).where(_PROCESSES.c.ended.is_(True), ~left))


# Games

_RUNNING: Final = (_GAMES.c.clock.is_not(None), _GAMES.c.reason.is_(None), _GAMES.c.code.is_(None))


def owner_of(connection: Connection, game_id: str) -> tuple[bool, str | None]:
    """Tell whether there is a game, and which process owns it, None where it can be taken."""
    found = (
        select(_GAMES.c.owner, _PROCESSES.c.ended)
        .select_from(_GAMES.outerjoin(_PROCESSES, _PROCESSES.c.id == _GAMES.c.owner))
        .where(_GAMES.c.id == game_id)
    )
    row = connection.execute(found).one_or_none()
    if row is None:
        return False, None
    return True, row.owner if row.ended is False else None


def take(connection: Connection, game_id: str, process_id: str) -> Taken:
    """Make a process the owner of a game that has none, or whose owner has ended; return whose."""
    found = (
        select(_GAMES.c.owner, _PROCESSES.c.ended, _PROCESSES.c.beat)
        .select_from(_GAMES.outerjoin(_PROCESSES, _PROCESSES.c.id == _GAMES.c.owner))
        .where(_GAMES.c.id == game_id)
    )
    owner = None
    for _ in range(_TRIES):
        row = connection.execute(found).one_or_none()
        if row is None:
            return Taken(None)
        owner = row.owner
        if row.owner is not None and row.ended is False:
            return Taken(row.owner)
        unchanged = (_GAMES.c.id == game_id) & _GAMES.c.owner.is_not_distinct_from(row.owner)
        taken = connection.execute(update(_GAMES).where(unchanged).values(owner=process_id))
        if taken.rowcount:
            return Taken(process_id, row.owner is not None, row.beat)
    return Taken(owner)


def release(connection: Connection, game_id: str, process_id: str) -> None:
    """Let another process take a game that this one owns."""
    mine = (_GAMES.c.id == game_id) & (_GAMES.c.owner == process_id)
    connection.execute(update(_GAMES).where(mine).values(owner=None))


def take_clocks(
    connection: Connection, process_id: str, limit: int
) -> list[tuple[str, datetime | None]]:
    """Take running games with a clock whose owners have ended; return until when these served.

    Several processes that do so at once get different games.
    """
    left = (_GAMES.c.owner.is_not(None) & _PROCESSES.c.id.is_(None)) | _PROCESSES.c.ended.is_(True)
    unopened = _GAMES.c.owner.is_(None) & (_GAMES.c.updated < datetime.now(UTC) - _UNOPENED)
    query = (
        select(_GAMES.c.id, _PROCESSES.c.beat)
        .select_from(_GAMES.outerjoin(_PROCESSES, _PROCESSES.c.id == _GAMES.c.owner))
        .where(*_RUNNING, or_(left, unopened))
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
    """Tell whether a process does a task; it takes one that nobody does, or whose owner has ended.

    In a transaction that writes for the task this is also what keeps a process that was paused
    from writing: the lease stays as it is until the transaction ends.
    """
    found = (
        select(_LEASES.c.owner, _PROCESSES.c.ended)
        .select_from(_LEASES.outerjoin(_PROCESSES, _PROCESSES.c.id == _LEASES.c.owner))
        .where(_LEASES.c.task == task)
        .with_for_update(of=_LEASES)
    )
    row = connection.execute(found).one_or_none()
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

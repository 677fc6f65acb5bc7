"""The store: games and their event logs in a database, behind a few blocking calls.

The server runs the calls in threads (`damka.server.game_session`): the writers `create`, `append`
and `check` in one, and the readers in several.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import (
    Connection,
    Engine,
    create_engine,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)

from damka.errors import DamkaError
from damka.live import events
from damka.live.clock import ClockSettings
from damka.live.stored_game import EntryTime, Seat, StoredGame
from damka.rules import Side
from damka.server.store import postgresql, statements
from damka.server.store.bulk_insert import HAS_UPDATE_FROM
from damka.server.store.lock import FileLock, LockedError
from damka.server.store.migrate import is_current, upgrade
from damka.server.store.models import EventRow, GameRow, HealthRow, SeatRow

__all__ = [
    "Append",
    "ConflictError",
    "InTransaction",
    "MissingDatabaseError",
    "SeatChange",
    "Store",
    "StoreError",
    "connect",
]


class StoreError(DamkaError):
    """The database cannot be used; the message has its location and its error."""


class MissingDatabaseError(StoreError):
    """There is no database file; only the server creates one."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"no database at {path}; the server creates it on its first start (`damka serve`)"
        )


class ConflictError(DamkaError):
    """Another writer came first; reload the game."""


_GAMES: Final[Any] = GameRow.__table__
_HEALTH: Final[Any] = HealthRow.__table__
_MAX_GUIDED: Final = 50
_OPEN_ERRORS: Final = (
    *(ArgumentError, NoSuchModuleError, ImportError, SQLAlchemyError),
    *(LockedError, OSError, sqlite3.Error),
)
_DAMAGED: Final = ("malformed", "not a database")
"""SQLite's messages for a damaged file."""


InTransaction = Callable[[Connection], object]
"""Callback that writes more rows in the transaction of a log entry."""


@dataclass(frozen=True, slots=True)
class SeatChange:
    """Change of a human player's seat by a log entry.

    `expected` is the holder before, None for an open seat; `code` is the invitation code
    afterwards. A seat given to the computer has no clock.
    """

    seat: Seat
    expected: str | None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """A log entry to write, with the arguments of `Store.append`."""

    game_id: str
    seq: int
    entry: events.Event
    result: tuple[Side | None, str] | None = None
    time: EntryTime | None = None
    seat: SeatChange | None = None
    owner: str | None = None
    in_transaction: InTransaction | None = None


class Store:
    """Games in the database at `url`, upgraded when it is opened.

    Every call raises StoreError when the database failed. Opening raises it when the version of the
    database is too new or too old, or when another server uses the file. Once the file was damaged,
    replaced or deleted, every call raises it: nothing is acknowledged that might be lost.
    """

    def __init__(self, url: str) -> None:
        self._lock: FileLock | None = None
        self.at_close: Final[list[Callable[[], object]]] = []
        """Called when all connections are closed."""
        self._failed: str | None = None

        self._thread: Final = threading.local()
        try:
            self._path = _file(url)
            if self._path is not None:
                _make_file(self._path)
                self._lock = FileLock(self._path)
            self._engine = _engine(url)
            try:
                upgrade(self._engine)
            except BaseException:
                self._engine.dispose()
                raise
            self.is_shared: Final = postgresql.is_postgresql(self._engine)
            self._identity = None if self._path is None else _identity(self._path)
        except _OPEN_ERRORS as error:
            if self._lock is not None:
                self._lock.release()
            raise StoreError(
                f"the database {_shown(url)} cannot be used: {_reason(error)}"
            ) from error

    def close(self) -> None:
        """Close all connections and release the file."""
        self._engine.dispose()
        for release in self.at_close:
            release()
        self.at_close.clear()
        if self._lock is not None:
            self._lock.release()

    def check(self) -> None:
        """Health check: write a row and verify it."""
        row = {"id": 1, "at": datetime.now(UTC)}
        with self.transaction(of_games=True) as connection:
            # Several processes may do so at once.
            changed = connection.execute(update(_HEALTH).where(_HEALTH.c.id == 1).values(row))
            if changed.rowcount == 0:
                connection.execute(insert(_HEALTH), row)

    @property
    def path(self) -> Path | None:
        """Path of the database file, if it has one."""
        return self._path

    @property
    def failure(self) -> str | None:
        """Permanent failure of the file, if it was found damaged or replaced."""
        with suppress(StoreError):
            self._require_same_file()
        return self._failed

    def fail(self, reason: str) -> None:
        """Refuse all calls from now on: the file was found damaged."""
        self._failed = self._failed or reason

    @property
    def engine(self) -> Engine:
        """The SQLAlchemy engine, for a thread with its own connection."""
        return self._engine

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Serialise this thread's transactions with those of other processes in this context.

        Data read in a transaction are then unchanged when it writes, on every database; an SQLite
        file has only one process. Games need no such lock.
        """
        self._thread.writes = True
        try:
            yield
        finally:
            self._thread.writes = False

    @contextmanager
    def transaction(self, *, of_games: bool = False) -> Iterator[Connection]:
        """Begin a transaction; it is committed to disk at the end of the context.

        A violated constraint raises ConflictError. A transaction `of_games` uses compare-and-set,
        and takes no lock against other processes.
        """
        try:
            self._require_same_file()
            with self._engine.begin() as connection:
                if self.is_shared and not of_games and getattr(self._thread, "writes", False):
                    postgresql.lock_writes(connection)
                yield connection
                self._require_same_file()
        except IntegrityError as error:
            raise ConflictError(f"another process wrote first: {_reason(error)}") from error
        except SQLAlchemyError as error:
            reason = _reason(error)
            if isinstance(error, DatabaseError) and any(sign in reason for sign in _DAMAGED):
                self._failed = reason
            raise StoreError(f"the database failed: {reason}") from error

    def _require_same_file(self) -> None:
        """Raise StoreError when the file was deleted, replaced or found damaged."""
        if self._failed is None and self._path is not None and self._identity is not None:
            try:
                same = _identity(self._path) == self._identity
            except OSError:
                same = False
            if not same:
                self._failed = f"{self._path} was deleted or replaced"
        if self._failed is not None:
            raise StoreError(f"the database failed: {self._failed}")

    def create(  # noqa: PLR0913  a game has many settings
        self,
        game_id: str,
        rules: dict[str, Any],
        seats: Sequence[Seat],
        *,
        base: str | None = None,
        lot: str | None = None,
        previous: str | None = None,
        clock: ClockSettings | None = None,
        no_draw_before: int | None = None,
        code: str | None = None,
        rated: bool = False,
        guide: dict[str, Any] | None = None,
        in_transaction: InTransaction | None = None,
    ) -> None:
        """Store a new game without events; `in_transaction` writes more in the same transaction.

        Raises ConflictError when the id or the code is taken or `previous` already has a rematch.
        """
        now = datetime.now(UTC)
        game = {
            "id": game_id,
            "rules": rules,
            "base": base,
            "lot": lot,
            "previous_id": previous,
            "created": now,
            "updated": now,
            "clock": None if clock is None else msgspec.to_builtins(clock),
            "no_draw_before": no_draw_before,
            "code": code,
            "rated": rated,
            "guide": guide,
        }
        rows = [
            {
                "game_id": game_id,
                "side": seat.side,
                "kind": seat.kind,
                "level": seat.level,
                "holder": seat.holder,
                "engine": seat.engine,
                "player": seat.player,
                "name": seat.name,
                "rating": seat.rating,
                "provisional": seat.provisional,
            }
            for seat in seats
        ]
        with self.transaction(of_games=in_transaction is None) as connection:
            connection.execute(statements.NEW_GAME, game)
            connection.execute(statements.NEW_SEATS, rows)
            if in_transaction is not None:
                in_transaction(connection)

    def append(
        self,
        game_id: str,
        seq: int,
        entry: events.Event,
        *,
        result: tuple[Side | None, str] | None = None,
        time: EntryTime | None = None,
        seat: SeatChange | None = None,
        owner: str | None = None,
        in_transaction: InTransaction | None = None,
    ) -> None:
        """Append `entry` as number `seq` (from 0) of the game's log, with its result, if any.

        `time` has the time of the entry and the state of the clock, `seat` the change of a seat;
        `in_transaction` writes more rows in the same transaction; `owner` is the writing process in
        a cluster. The entry is on disk when this returns. Raises ConflictError, and writes nothing,
        when `seq` is taken, the seat has changed, or the process no longer owns the game.
        """
        self._append([Append(game_id, seq, entry, result, time, seat, owner, in_transaction)])

    def append_all(self, entries: Sequence[Append]) -> list[BaseException | None]:
        """Append entries of several games; return the error of each entry, as `append` raises it.

        They share one transaction. If it fails for one entry, each entry gets its own transaction.
        """
        if len(entries) > 1:
            try:
                self._append(entries)
            except StoreError as error:
                cause = error.__cause__
                if isinstance(cause, DBAPIError) and cause.connection_invalidated:
                    # The database is unreachable; retrying each entry would take long.
                    return [error for _ in entries]
            except ConflictError:
                pass
            else:
                return [None for _ in entries]
        return [self._outcome(each) for each in entries]

    def _outcome(self, each: Append) -> Exception | None:
        try:
            self.append(
                each.game_id,
                each.seq,
                each.entry,
                result=each.result,
                time=each.time,
                seat=each.seat,
                owner=each.owner,
                in_transaction=each.in_transaction,
            )
        except Exception as error:
            return error
        return None

    def _append(self, entries: Sequence[Append]) -> None:
        rows, changes = [], []
        for each in entries:
            time = each.time or EntryTime(datetime.now(UTC))
            rows.append(
                {
                    "game_id": each.game_id,
                    "seq": each.seq,
                    "kind": each.entry.kind,
                    "payload": events.payload_of(each.entry),
                    "at": time.at,
                    "white_ms": time.white,
                    "black_ms": time.black,
                    "spent_ms": time.spent,
                }
            )
            winner, reason = each.result or (None, None)
            change = {"game": each.game_id, "updated": time.at, "winner": winner, "reason": reason}
            changes.append(change | ({} if each.owner is None else {"by": each.owner}))
        closed = [{"game": each["game"]} for each in changes if each["reason"] is not None]
        with self.transaction(of_games=True) as connection:
            _write(connection, rows, changes)
            for each in entries:
                if each.seat is not None:
                    self._change_seat(connection, each.game_id, each.seat)
            if closed:
                connection.execute(statements.CLOSE, closed)
            for each in entries:
                if each.in_transaction is not None:
                    each.in_transaction(connection)

    def _change_seat(self, connection: Connection, game_id: str, change: SeatChange) -> None:
        """Compare and set: of two concurrent requests for a seat the second one fails."""
        seat = change.seat
        values = {
            "game": game_id,
            "of": seat.side,
            "expected": change.expected,
            "kind": seat.kind,
            "holder": seat.holder,
            "level": seat.level,
            "name": seat.name,
            "rating": seat.rating,
            "provisional": seat.provisional,
        }
        if connection.execute(statements.CHANGE_SEAT, values).rowcount != 1:
            raise ConflictError("the seat has changed")
        connection.execute(statements.INVITE, {"game": game_id, "code": change.code})
        if change.code is not None:
            connection.execute(statements.RELIST, {"game": game_id})
        if seat.kind == "computer":
            connection.execute(update(_GAMES).where(_GAMES.c.id == game_id).values(clock=None))

    def load(self, game_id: str) -> StoredGame | None:
        """Return the game with its log, or None when there is no such game."""
        with self.transaction() as connection:
            of_game = {"game": game_id}
            game = connection.execute(statements.GAME, of_game).one_or_none()
            if game is None:
                return None
            seats = connection.execute(statements.SEATS_OF, of_game).all()
            log = connection.execute(statements.LOG, of_game).all()
        return StoredGame(
            id=game.id,
            rules=game.rules,
            base=game.base,
            lot=game.lot,
            previous=game.previous_id,
            next=game.following,
            created=game.created,
            updated=game.updated,
            seats=tuple(
                Seat(
                    *(seat.side, seat.kind, seat.player, seat.level),
                    *(seat.holder, seat.engine, seat.name),
                    *(seat.rating, bool(seat.provisional), seat.rating_diff, bool(seat.member)),
                )
                for seat in sorted(seats, key=lambda seat: seat.player)
            ),
            events=tuple(events.read(entry.kind, entry.payload) for entry in log),
            times=tuple(
                EntryTime(entry.at, entry.white_ms, entry.black_ms, entry.spent_ms) for entry in log
            ),
            clock=None if game.clock is None else msgspec.convert(game.clock, ClockSettings),
            no_draw_before=game.no_draw_before,
            code=game.code,
            rated=game.rated,
            guide=game.guide,
            in_event=bool(game.in_event),
        )

    def invited(self, code: str) -> str | None:
        """Return the id of the game with an open seat under a code, or None."""
        with self.transaction() as connection:
            return connection.execute(statements.GAME_BY_CODE, {"code": code}).scalar_one_or_none()

    def running_guided(self, holder: str) -> list[tuple[str, dict[str, Any]]]:
        """Return the ids and guides of a holder's unfinished guided games, latest first."""
        seats = select(SeatRow.game_id).where(SeatRow.holder == holder, ~SeatRow.removed)
        query = (
            select(GameRow.id, GameRow.guide)
            .where(GameRow.guide.is_not(None), GameRow.reason.is_(None), GameRow.id.in_(seats))
            .order_by(GameRow.updated.desc())
            .limit(_MAX_GUIDED)
        )
        with self.transaction() as connection:
            return [(row.id, row.guide) for row in connection.execute(query)]

    def open_invitations(self, holder: str) -> int:
        """Return the number of a holder's games with an open seat."""
        with self.transaction() as connection:
            return connection.execute(statements.OPEN_INVITATIONS, {"holder": holder}).scalar_one()

    def waiting_since(self, before: datetime, limit: int) -> list[str]:
        """Return the ids of games whose seat has been open since before a time."""
        query = (
            select(GameRow.id)
            .where(GameRow.code.is_not(None), GameRow.reason.is_(None), GameRow.updated < before)
            .order_by(GameRow.updated)
            .limit(limit)
        )
        with self.transaction() as connection:
            return list(connection.execute(query).scalars())

    def with_clocks(self) -> list[str]:
        """Return the ids of the unfinished games with a clock in which both seats are taken."""
        query = (
            select(GameRow.id)
            .where(GameRow.clock.is_not(None), GameRow.reason.is_(None), GameRow.code.is_(None))
            .order_by(GameRow.updated)
        )
        with self.transaction() as connection:
            return list(connection.execute(query).scalars())

    def rematch_of(self, game_id: str) -> str | None:
        """Return the id of the rematch of a game, or None."""
        with self.transaction() as connection:
            return connection.execute(
                select(GameRow.id).where(GameRow.previous_id == game_id)
            ).scalar_one_or_none()

    def running(self, holder: str, limit: int) -> list[tuple[str, datetime]]:
        """Return a holder's unfinished games and when they changed, latest first.

        Games that the holder removed are left out. Games without a move are included only with
        another player or an open seat.
        """
        seated = select(SeatRow.game_id).where(SeatRow.holder == holder, ~SeatRow.removed)
        has_moves = select(EventRow.game_id).where(EventRow.game_id == GameRow.id).exists()
        others = select(SeatRow.game_id).where(
            SeatRow.game_id == GameRow.id, SeatRow.holder != holder
        )
        query = (
            select(GameRow.id, GameRow.updated)
            .where(GameRow.id.in_(seated), GameRow.reason.is_(None))
            .where(
                has_moves | GameRow.base.is_not(None) | GameRow.code.is_not(None) | others.exists()
            )
            .order_by(GameRow.updated.desc(), GameRow.id)
            .limit(limit)
        )
        with self.transaction() as connection:
            return [(row.id, row.updated) for row in connection.execute(query)]

    def count(self) -> int:
        """Return the number of stored games."""
        with self.transaction() as connection:
            return connection.execute(select(func.count()).select_from(GameRow)).scalar_one()


@contextmanager
def begin(engine: Engine) -> Iterator[Connection]:
    """Begin a transaction for operator commands, concurrently with a server.

    Raises StoreError when the database failed.
    """
    try:
        with engine.begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        raise StoreError(f"the database failed: {error}") from error


@contextmanager
def connect(url: str) -> Iterator[Engine]:
    """Open the database for operator commands, concurrently with a server.

    It is upgraded when no server is running. Raises StoreError when there is no database, when it
    cannot be used, and when it needs an upgrade while a server uses it.
    """
    engine: Engine | None = None
    try:
        path = _file(url)
        if path is not None and not path.is_file():
            raise MissingDatabaseError(path)
        engine = _engine(url)
        if not is_current(engine):
            lock = None if path is None else FileLock(path)
            try:
                upgrade(engine)
            finally:
                if lock is not None:
                    lock.release()
        yield engine
    except _OPEN_ERRORS as error:
        raise StoreError(f"the database {_shown(url)} cannot be used: {_reason(error)}") from error
    finally:
        if engine is not None:
            engine.dispose()


def _write(
    connection: Connection, rows: list[dict[str, Any]], changes: list[dict[str, Any]]
) -> None:
    """Write log entries and update their games."""
    own = [change for change in changes if "by" in change]
    others = [change for change in changes if "by" not in change]
    if HAS_UPDATE_FROM and connection.dialect.name == "sqlite":
        statements.APPEND_ALL.run(connection, rows)
        if others:
            # Of two entries of one game the later one has the game's current state.
            statements.TOUCH_ALL.run(
                connection, [*{each["game"]: each for each in others}.values()]
            )
    else:
        connection.execute(statements.APPEND, rows)
        if others:
            connection.execute(statements.TOUCH, others)
    # The update locks the game's row, so no takeover can happen before the commit.
    if own and connection.execute(statements.TOUCH_OWN, own).rowcount != len(own):
        raise ConflictError("another process owns the game")


def _file(url: str) -> Path | None:
    """Return the file of an SQLite URL; None for other databases and for one in memory."""
    parsed = postgresql.parse(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in {None, "", ":memory:"}:
        return None
    return Path(str(parsed.database))


def _make_file(path: Path) -> None:
    """Create an empty database that only the owner can read, regardless of the umask."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for each in (path, path.with_name(f"{path.name}.lock")):
        with suppress(FileExistsError):
            each.touch(mode=0o600, exist_ok=False)


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _engine(url: str) -> Engine:
    parsed = postgresql.parse(url)
    if parsed.get_backend_name() == "postgresql":
        return postgresql.engine(parsed)
    if parsed.get_backend_name() != "sqlite":
        return create_engine(parsed, pool_pre_ping=True)
    engine = create_engine(parsed)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        # WAL lets readers work while a move is written; FULL makes acknowledged moves survive a
        # power failure.
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA busy_timeout=5000")
        cursor.close()

    return engine


def _shown(url: str) -> str:
    try:
        return postgresql.parse(url).render_as_string(hide_password=True)
    except ArgumentError:
        return repr(url[:60])


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]

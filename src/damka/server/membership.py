"""Membership of the processes that share a database: heartbeats, and failure detection.

A thread writes the time of this process into its row many times a second (the counterpart of
timekeeper's file beside SQLite) and reads the times of the others. A process whose time stops has
ended: immediately if its connection to the database is gone, else after a while. Each time is only
compared with its own earlier value, and the duration of a stop is measured here, by the monotonic
clock.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from damka.server.store import Store, StoreError, processes
from damka.server.store.processes import Known
from damka.server.timekeeper import Timekeeper

__all__ = ["Membership"]

log: Final = logging.getLogger(__name__)

BEAT_SECONDS: Final = 0.02
_WATCH_BEATS: Final = 5
_STILL_SECONDS: Final = 0.3
"""Time without a heartbeat before the process's connection is checked."""
PAUSED_SECONDS: Final = 1.4
"""Time without a heartbeat after which a connected process is considered ended: it is paused."""
_STALLED_SECONDS: Final = 0.4
"""If this thread itself has not run for so long, its view of the others is stale."""
_AGAIN_SECONDS: Final = 0.1
_LINGERING_SECONDS: Final = 1.0

ALONE: Final = (
    "another server uses it; several can do so together when each is given the same broker "
    "(DAMKA_BROKER_URL)"
)


class Membership:
    """This process among those that use a PostgreSQL database; `alone` excludes all others.

    Raises StoreError when another process is alone, or when this one is to be alone and there are
    others.
    """

    def __init__(self, store: Store, *, alone: bool) -> None:
        self.keeper: Final = Timekeeper()
        self._engine: Final = store.engine
        self._alone: Final = alone
        self._ended: Final = threading.Event()
        self._thread: Final = threading.Thread(target=self._run, name="damka-beat", daemon=True)
        self._changed: Callable[[bool], None] = lambda _: None
        self._address = ""
        self._me = self._new()
        self._seen: dict[str, tuple[Known, float]] = {}
        self._watched = self.keeper.now()
        self.others: Mapping[str, Known] = {}
        """The other processes, by id; replaced whenever one joins or leaves."""
        try:
            self._connection: Connection | None = self._connect()
            # The connection of a process that has just been killed may persist for a moment.
            until = self.keeper.now() + _LINGERING_SECONDS
            while self._connection is None and self.keeper.now() < until:
                self._ended.wait(_AGAIN_SECONDS)
                self._connection = self._connect()
        except SQLAlchemyError as error:
            raise StoreError(f"the database fails: {error}") from error
        if self._connection is None:
            raise StoreError(f"the database is unusable: {ALONE}")

    @property
    def id(self) -> str:
        """Id of this process; a new one after the others considered it ended."""
        return self._me.id

    @property
    def secret(self) -> str:
        """Secret that other processes need to connect to this one."""
        return self._me.secret

    def join(self, address: str, changed: Callable[[bool], None]) -> None:
        """Join: other processes reach this one at `address`.

        `changed` is called in the thread whenever another process joins or leaves; with True when
        this one has lost the ownership of its games.
        """
        self._address, self._changed = address, changed
        self._me = self._new()._replace(number=self._me.number)
        connection = self._connection
        if connection is None:
            raise StoreError("the database fails")
        try:
            processes.register(connection, self._me)
            if self._alone:
                # The lock guarantees that there are no others.
                for each in processes.known(connection):
                    if each.id != self._me.id:
                        processes.declare_ended(connection, each)
            else:
                self._watch(connection)
        except SQLAlchemyError as error:
            raise StoreError(f"the database fails: {error}") from error
        self._thread.start()

    def close(self) -> None:
        """Leave, so that the next process need not wait."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()
        connection = self._connection
        if connection is not None:
            with suppress(SQLAlchemyError):
                processes.end(connection, self._me.id, self.keeper.wall())
                processes.let_go(connection)
            with suppress(SQLAlchemyError):
                connection.invalidate()
                connection.close()

    def _new(self) -> Known:
        return Known(
            secrets.token_hex(16),
            secrets.randbits(62),
            self._address,
            secrets.token_urlsafe(32),
            self.keeper.wall(),
            False,
        )

    def _connect(self) -> Connection | None:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        # If the database's machine fails, the last half second of heartbeats may be lost.
        connection.exec_driver_sql("SET synchronous_commit = off")
        if processes.hold(connection, self._me.number, alone=self._alone):
            return connection
        connection.invalidate()
        connection.close()
        return None

    def _run(self) -> None:
        beats = 0
        is_well = True
        while not self._ended.wait(BEAT_SECONDS):
            try:
                if self._connection is None:
                    self._connection = self._connect()
                    self._seen.clear()
                if self._connection is None:
                    self._ended.wait(_AGAIN_SECONDS)
                    continue
                if not processes.beat(self._connection, self._me.id, self.keeper.wall()):
                    self._come_back(self._connection)
                beats += 1
                if beats % _WATCH_BEATS == 0:
                    self._watch(self._connection)
            except SQLAlchemyError as error:
                if is_well:
                    log.error("the database fails: %s", str(error).splitlines()[0])
                is_well = False
                self._drop()
                self._ended.wait(_AGAIN_SECONDS)
            else:
                is_well = True

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(SQLAlchemyError):
                self._connection.invalidate()
                self._connection.close()
            self._connection = None

    def _come_back(self, connection: Connection) -> None:
        """Rejoin under a new id: other processes have taken over the games of this one."""
        log.warning("this process was away for too long; others go on with its games")
        self._me = self._new()._replace(number=self._me.number)
        processes.register(connection, self._me)
        self._changed(True)

    def _watch(self, connection: Connection) -> None:
        now = self.keeper.now()
        if now - self._watched > _STALLED_SECONDS:
            self._seen.clear()
        self._watched = now
        there: dict[str, Known] = {}
        for each in processes.known(connection):
            if each.id == self._me.id or each.ended:
                continue
            before, since = self._seen.get(each.id, (None, now))
            if before is None or before.beat != each.beat:
                self._seen[each.id] = (each, now)
            elif self._has_ended(connection, each, now - since):
                log.warning("a process has ended without saying so (%s)", each.address)
                continue
            there[each.id] = each
        self._seen = {name: seen for name, seen in self._seen.items() if name in there}
        if there.keys() != self.others.keys():
            self.others = there
            self._changed(False)

    @staticmethod
    def _has_ended(connection: Connection, each: Known, still: float) -> bool:
        if still < _STILL_SECONDS:
            return False
        if still < PAUSED_SECONDS and processes.is_held(connection, each.number):
            return False
        return processes.declare_ended(connection, each)

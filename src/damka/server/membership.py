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
from damka.server.store.processes import ProcessRecord
from damka.server.timekeeper import Timekeeper

__all__ = ["Membership"]

log: Final = logging.getLogger(__name__)

BEAT_SECONDS: Final = 0.02
_WATCH_BEATS: Final = 5
_SUSPECT_SECONDS: Final = 0.3
"""Time without a heartbeat before the process's connection is checked."""
PAUSED_SECONDS: Final = 1.4
"""Time without a heartbeat after which a connected process is considered ended: it is paused."""
_STALLED_SECONDS: Final = 0.4
"""If this thread itself has not run for so long, its view of the others is stale."""
_RETRY_SECONDS: Final = 0.1
_LINGERING_SECONDS: Final = 1.0

IN_USE_HINT: Final = (
    "another server is using it; to share it, give every server the same broker (DAMKA_BROKER_URL)"
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
        self._record = self._new_record()
        self._seen: dict[str, tuple[ProcessRecord, float]] = {}
        self._watched = self.keeper.now()
        self.others: Mapping[str, ProcessRecord] = {}
        """The other processes, by id; replaced whenever one joins or leaves."""
        try:
            self._connection: Connection | None = self._connect()
            # The connection of a process that has just been killed may persist for a moment.
            until = self.keeper.now() + _LINGERING_SECONDS
            while self._connection is None and self.keeper.now() < until:
                self._ended.wait(_RETRY_SECONDS)
                self._connection = self._connect()
        except SQLAlchemyError as error:
            raise StoreError(f"the database failed: {error}") from error
        if self._connection is None:
            raise StoreError(f"the database cannot be used: {IN_USE_HINT}")

    @property
    def id(self) -> str:
        """Id of this process; a new one after the others considered it ended."""
        return self._record.id

    @property
    def secret(self) -> str:
        """Secret that other processes need to connect to this one."""
        return self._record.secret

    def join(self, address: str, changed: Callable[[bool], None]) -> None:
        """Join: other processes reach this one at `address`.

        `changed` is called in the thread whenever another process joins or leaves; with True when
        this one has lost the ownership of its games.
        """
        self._address, self._changed = address, changed
        self._record = self._new_record()._replace(number=self._record.number)
        connection = self._connection
        if connection is None:
            raise StoreError("the database failed")
        try:
            processes.register(connection, self._record)
            if self._alone:
                # The lock guarantees that there are no others.
                for process in processes.all_processes(connection):
                    if process.id != self._record.id:
                        processes.declare_ended(connection, process)
            else:
                self._watch(connection)
        except SQLAlchemyError as error:
            raise StoreError(f"the database failed: {error}") from error
        self._thread.start()

    def close(self) -> None:
        """Leave, so that the next process need not wait."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()
        connection = self._connection
        if connection is not None:
            with suppress(SQLAlchemyError):
                processes.end(connection, self._record.id, self.keeper.wall())
                processes.unlock(connection)
            with suppress(SQLAlchemyError):
                connection.invalidate()
                connection.close()

    def _new_record(self) -> ProcessRecord:
        return ProcessRecord(
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
        if processes.hold(connection, self._record.number, alone=self._alone):
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
                    self._ended.wait(_RETRY_SECONDS)
                    continue
                if not processes.beat(self._connection, self._record.id, self.keeper.wall()):
                    self._rejoin(self._connection)
                beats += 1
                if beats % _WATCH_BEATS == 0:
                    self._watch(self._connection)
            except SQLAlchemyError as error:
                if is_well:
                    log.error("the database failed: %s", str(error).splitlines()[0])
                is_well = False
                self._drop()
                self._ended.wait(_RETRY_SECONDS)
            else:
                is_well = True

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(SQLAlchemyError):
                self._connection.invalidate()
                self._connection.close()
            self._connection = None

    def _rejoin(self, connection: Connection) -> None:
        """Rejoin under a new id: other processes have taken over the games of this one."""
        log.warning("this process was suspended; others have taken over its games")
        self._record = self._new_record()._replace(number=self._record.number)
        processes.register(connection, self._record)
        self._changed(True)

    def _watch(self, connection: Connection) -> None:
        now = self.keeper.now()
        if now - self._watched > _STALLED_SECONDS:
            self._seen.clear()
        self._watched = now
        others: dict[str, ProcessRecord] = {}
        for process in processes.all_processes(connection):
            if process.id == self._record.id or process.ended:
                continue
            last_seen, since = self._seen.get(process.id, (None, now))
            if last_seen is None or last_seen.beat != process.beat:
                self._seen[process.id] = (process, now)
            elif self._has_ended(connection, process, now - since):
                log.warning("a process ended without signing off (%s)", process.address)
                continue
            others[process.id] = process
        self._seen = {name: seen for name, seen in self._seen.items() if name in others}
        if others.keys() != self.others.keys():
            self.others = others
            self._changed(False)

    @staticmethod
    def _has_ended(connection: Connection, process: ProcessRecord, silence: float) -> bool:
        if silence < _SUSPECT_SECONDS:
            return False
        if silence < PAUSED_SECONDS and processes.is_held(connection, process.number):
            return False
        return processes.declare_ended(connection, process)

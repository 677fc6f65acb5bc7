"""Membership of the processes that share a database: heartbeats and failure detection.

A thread writes the time of this process to its row many times a second (as `timekeeper` does to a
file beside SQLite) and reads the times of the others. A process without heartbeats is dead: at once
if its database connection is closed, otherwise after a while. A heartbeat is only compared with the
previous one of the same process, and silence is measured by the monotonic clock of this process.
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
"""Silence after which the connection of a process is checked."""
PAUSED_SECONDS: Final = 1.4
"""Silence after which even a connected process counts as dead: it is paused."""
_STALLED_SECONDS: Final = 0.4
"""If this thread itself did not run for so long, its data about the others is stale."""
_RETRY_SECONDS: Final = 0.1
_LINGERING_SECONDS: Final = 1.0

IN_USE_HINT: Final = (
    "another server is using it; to share it, give every server the same broker (DAMKA_BROKER_URL)"
)


class Membership:
    """This process among those that use a PostgreSQL database; `exclusive` locks out all others.

    Raises StoreError when the database is in use by an exclusive process, or by any other process
    if this one is exclusive.
    """

    def __init__(self, store: Store, *, exclusive: bool) -> None:
        self.keeper: Final = Timekeeper()
        self._engine: Final = store.engine
        self._exclusive: Final = exclusive
        self._stopped: Final = threading.Event()
        self._thread: Final = threading.Thread(target=self._run, name="damka-beat", daemon=True)
        self._on_change: Callable[[bool], None] = lambda _: None
        self._address = ""
        self._record = self._new_record()
        self._last_beats: dict[str, tuple[ProcessRecord, float]] = {}
        self._watched_at = self.keeper.now()
        self.others: Mapping[str, ProcessRecord] = {}
        """The other processes, by id; replaced whenever one joins or leaves."""
        try:
            self._connection: Connection | None = self._connect()
            # The connection of a process that was just killed may remain open for a moment.
            until = self.keeper.now() + _LINGERING_SECONDS
            while self._connection is None and self.keeper.now() < until:
                self._stopped.wait(_RETRY_SECONDS)
                self._connection = self._connect()
        except SQLAlchemyError as error:
            raise StoreError(f"the database failed: {error}") from error
        if self._connection is None:
            raise StoreError(f"the database cannot be used: {IN_USE_HINT}")

    @property
    def id(self) -> str:
        """Id of this process; it changes after other processes have declared this one dead."""
        return self._record.id

    @property
    def secret(self) -> str:
        """Secret that other processes need to connect to this one."""
        return self._record.secret

    def join(self, address: str, on_change: Callable[[bool], None]) -> None:
        """Register this process, which others reach at `address`, and start the heartbeat.

        `on_change` is called in the thread whenever another process joins or leaves; with True when
        this one has lost the ownership of its games.
        """
        self._address, self._on_change = address, on_change
        self._record = self._new_record()._replace(number=self._record.number)
        connection = self._connection
        if connection is None:
            raise StoreError("the database failed")
        try:
            processes.register(connection, self._record)
            if self._exclusive:
                # The lock guarantees that no other process is running.
                for process in processes.all_processes(connection):
                    if process.id != self._record.id:
                        processes.declare_ended(connection, process)
            else:
                self._watch(connection)
        except SQLAlchemyError as error:
            raise StoreError(f"the database failed: {error}") from error
        self._thread.start()

    def close(self) -> None:
        """Unregister, so that the next process need not wait."""
        self._stopped.set()
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
        # If the database server crashes, the heartbeats of the last half second may be lost.
        connection.exec_driver_sql("SET synchronous_commit = off")
        if processes.hold(connection, self._record.number, exclusive=self._exclusive):
            return connection
        connection.invalidate()
        connection.close()
        return None

    def _run(self) -> None:
        beats = 0
        is_healthy = True
        while not self._stopped.wait(BEAT_SECONDS):
            try:
                if self._connection is None:
                    self._connection = self._connect()
                    self._last_beats.clear()
                if self._connection is None:
                    self._stopped.wait(_RETRY_SECONDS)
                    continue
                if not processes.beat(self._connection, self._record.id, self.keeper.wall()):
                    self._rejoin(self._connection)
                beats += 1
                if beats % _WATCH_BEATS == 0:
                    self._watch(self._connection)
            except SQLAlchemyError as error:
                if is_healthy:
                    log.error("the database failed: %s", str(error).splitlines()[0])
                is_healthy = False
                self._drop()
                self._stopped.wait(_RETRY_SECONDS)
            else:
                is_healthy = True

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(SQLAlchemyError):
                self._connection.invalidate()
                self._connection.close()
            self._connection = None

    def _rejoin(self, connection: Connection) -> None:
        """Rejoin under a new id: other processes have taken over the games of this one."""
        log.warning("this process was suspended; other processes have taken over its games")
        self._record = self._new_record()._replace(number=self._record.number)
        processes.register(connection, self._record)
        self._on_change(True)

    def _watch(self, connection: Connection) -> None:
        now = self.keeper.now()
        if now - self._watched_at > _STALLED_SECONDS:
            self._last_beats.clear()
        self._watched_at = now
        others: dict[str, ProcessRecord] = {}
        for process in processes.all_processes(connection):
            if process.id == self._record.id or process.ended:
                continue
            last, since = self._last_beats.get(process.id, (None, now))
            if last is None or last.beat != process.beat:
                self._last_beats[process.id] = (process, now)
            elif self._is_dead(connection, process, now - since):
                log.warning("process at %s died", process.address)
                continue
            others[process.id] = process
        self._last_beats = {id_: each for id_, each in self._last_beats.items() if id_ in others}
        if others.keys() != self.others.keys():
            self.others = others
            self._on_change(False)

    @staticmethod
    def _is_dead(connection: Connection, process: ProcessRecord, silence: float) -> bool:
        if silence < _SUSPECT_SECONDS:
            return False
        if silence < PAUSED_SECONDS and processes.is_held(connection, process.number):
            return False
        return processes.declare_ended(connection, process)

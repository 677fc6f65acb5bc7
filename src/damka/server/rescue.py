"""Monitoring of the database file, and rescue files in case it is lost.

Each running game is saved as a game file, which the page and `POST /api/games/load` can load. If
the database is still readable, such as after its file was deleted, a copy is saved for
`damka admin restore`.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from damka.server.outage import Outage
from damka.server.store import FileWatch, Store
from damka.server.timekeeper import Timekeeper

__all__ = ["Rescue", "write"]

log: Final = logging.getLogger(__name__)

COPY: Final = "games.sqlite3"
_CHECK_SECONDS: Final = 0.4
_BATCH_SIZE: Final = 25
"""Number of running games whose rows one check reads; the next check reads the next ones."""


class Rescue:
    """Monitors the file of `store`; when it is lost, rejects all moves and saves the games.

    `running` returns the ids of the running games, `games` their game files; `on_saved` is called
    at the end.
    """

    def __init__(
        self,
        store: Store,
        outage: Outage,
        running: Callable[[], Sequence[str]],
        games: Callable[[], Awaitable[Mapping[str, str]]],
        on_saved: Callable[[], None],
    ) -> None:
        self.lost: str | None = None
        """Description of the loss, and folder of the rescue files, once the database is lost."""
        self._store: Final = store
        self._outage: Final = outage
        self._running: Final = running
        self._games: Final = games
        self._on_saved: Final = on_saved
        self._next = 0
        self._watch: FileWatch | None = None
        if store.path is not None:
            try:
                self._watch = FileWatch(store.path)
                store.at_close.append(self._watch.release)
            except sqlite3.Error as error:
                log.error("cannot monitor the database file: %s", error)

    async def run(self) -> None:
        """Monitor the file until cancelled."""
        try:
            while True:
                await asyncio.sleep(_CHECK_SECONDS)
                await self._check()
        finally:
            if self._watch is not None:
                self._watch.close()

    async def _check(self) -> None:
        if self.lost is not None:
            return
        running = self._running()
        begin = self._next if self._next < len(running) else 0
        self._next = begin + _BATCH_SIZE
        fault = await asyncio.to_thread(self._fault, running[begin : begin + _BATCH_SIZE])
        if fault is not None:
            self._outage.begin(Timekeeper.now())
            await self._save(fault)
        elif self._outage.since is not None:
            await self._outage.is_over()

    def _fault(self, games: Sequence[str]) -> str | None:
        if self._watch is not None and self._store.failure is None:
            fault = self._watch.fault(games)
            if fault is not None:
                self._store.fail(fault)
        return self._store.failure

    async def _save(self, fault: str) -> None:
        # Only a file is monitored, so only a file can be lost.
        database = self._store.path or Path()
        self.lost = fault
        games = await self._games()
        folder = await asyncio.to_thread(write, database, games, self._watch)
        where = "could not be saved" if folder is None else f"are in {folder}"
        log.critical(
            "the database is lost: %s. Moves are no longer accepted. %d running games %s",
            *(fault, len(games), where),
        )
        saved = "" if folder is None else f"; {len(games)} running games are in {folder.name}"
        self.lost = f"{fault.removeprefix(f'{database.parent}/')}{saved}"
        self._on_saved()


def write(database: Path, games: Mapping[str, str], watch: FileWatch | None) -> Path | None:
    """Write the game files in `games`, by id, and a copy of the database; return their folder.

    The folder is beside the database, or else in the system's temporary folder; None when neither
    is writable.
    """
    folder = _folder(database)
    if folder is None:
        return None
    for game_id, text in games.items():
        try:
            file = folder / f"{game_id}.json"
            file.touch(mode=0o600)
            file.write_text(text, encoding="utf-8")
        except OSError as error:
            log.error("game %s: cannot write its rescue file: %s", game_id, error)
    if watch is not None:
        with suppress(sqlite3.Error, OSError):
            watch.copy(folder / COPY)
    return folder


def _folder(database: Path) -> Path | None:
    name = f"{database.name}.rescue-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    for parent in (database.parent, Path(tempfile.gettempdir())):
        with suppress(OSError):
            folder = parent / name
            folder.mkdir(mode=0o700)
            return folder
    return None

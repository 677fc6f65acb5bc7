"""Detection of damage to an SQLite file, which the server's page cache would hide.

SQLite caches pages and writes to a log beside the file (WAL). Moves could be acknowledged long
after the file itself was overwritten, and be lost with it. Therefore a separate connection reads
the file periodically, bypassing the cache. It also keeps a deleted file readable.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

__all__ = ["FileWatch"]

_MAGIC: Final = b"SQLite format 3\0"
# Aggregates read the long values of all rows but return one row: each row releases the GIL.
_TABLES: Final = (
    "SELECT max(rules), max(base), max(owner) FROM games WHERE id = ?",
    "SELECT max(holder), max(name), max(rating_diff) FROM seats WHERE game_id = ?",
    "SELECT max(payload), max(spent_ms) FROM events WHERE game_id = ?",
)
_PAGES: Final = 256


class FileWatch:
    """Watcher of the file at `path`, which a server has open. Its calls block.

    Raises sqlite3.Error when it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        # Kept open: closing any descriptor of the file releases SQLite's locks of the whole
        # process, and `damka admin` beside it would delete the log that the server writes to.
        self._file: Final = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._connection: Final = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1, check_same_thread=False
        )
        # A deleted file stays readable for a process that has it open.
        self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        # Closing the connection at shutdown while another thread reads would crash the process.
        self._reads: Final = threading.Lock()
        self._closed = False

    def fault(self, games: Sequence[str]) -> str | None:
        """Return the damage to the file, if visible in the rows of these games."""
        with self._reads:
            return None if self._closed else self._fault(games)

    def _fault(self, games: Sequence[str]) -> str | None:
        try:
            self._path.stat()
            os.lseek(self._file, 0, os.SEEK_SET)
            if os.read(self._file, len(_MAGIC)) != _MAGIC:
                return f"{self._path} is no longer a database"
            self._connection.execute("PRAGMA shrink_memory")
            for game in games:
                for query in _TABLES:
                    self._connection.execute(query, (game,)).fetchall()
        except FileNotFoundError:
            return f"{self._path} was deleted"
        except OSError as error:
            return f"{self._path} cannot be read: {error.strerror}"
        except sqlite3.OperationalError as error:
            # A busy database, or too few file descriptors: no damage.
            return str(error) if error.sqlite_errorcode in _DAMAGED else None
        except sqlite3.DatabaseError as error:
            return str(error)
        return None

    def copy(self, to: Path) -> None:
        """Copy the database as it was opened, even if its file was deleted.

        Raises sqlite3.Error for a damaged file, or when the copy cannot be written.
        """
        to.touch(mode=0o600)
        try:
            with self._reads, closing(sqlite3.connect(to)) as target:
                self._connection.backup(target, pages=_PAGES)
                verdict = target.execute("PRAGMA quick_check(1)").fetchone()[0]
            if verdict != "ok":
                raise sqlite3.DatabaseError(verdict)
        except sqlite3.Error:
            to.unlink()
            raise

    def close(self) -> None:
        """Close the connection. `release` must still be called."""
        with self._reads:
            self._closed = True
            self._connection.close()

    def release(self) -> None:
        """Close the file, once this process has no connections to it."""
        os.close(self._file)


_DAMAGED: Final = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_CANTOPEN}

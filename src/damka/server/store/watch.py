"""Watching an SQLite file from beside: damage that the server's own memory would hide for a while.

SQLite keeps pages in memory and writes to a log beside the file (WAL). Moves could be acknowledged
for long after the file itself was overwritten, and be lost with it. So the file is read again and
again, past that memory. The connection also keeps a file readable that was deleted.
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
# The long values of all rows are read, but one row comes back: Python gives its lock away for each.
_TABLES: Final = (
    "SELECT max(rules), max(base), max(owner) FROM games WHERE id = ?",
    "SELECT max(holder), max(name), max(rating_diff) FROM seats WHERE game_id = ?",
    "SELECT max(payload), max(spent_ms) FROM events WHERE game_id = ?",
)
_PAGES: Final = 256


class FileWatch:
    """Reads the file at `path`, which a server has open. Its calls block.

    Raises sqlite3.Error when it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        # Kept open: closing any descriptor of the file takes SQLite's locks away from the whole
        # process, and `damka admin` beside it would delete the log that the server writes to.
        self._file: Final = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._connection: Final = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1, check_same_thread=False
        )
        # A deleted file stays readable for who has it open.
        self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        # A server that stops closes it, while a thread may still read: that ends the process.
        self._reads: Final = threading.Lock()
        self._closed = False

    def fault(self, games: Sequence[str]) -> str | None:
        """Return what is wrong with the file, as far as the rows of some games show it."""
        with self._reads:
            return None if self._closed else self._fault(games)

    def _fault(self, games: Sequence[str]) -> str | None:
        try:
            self._path.stat()
            os.lseek(self._file, 0, os.SEEK_SET)
            if os.read(self._file, len(_MAGIC)) != _MAGIC:
                return f"{self._path} is no database any more"
            self._connection.execute("PRAGMA shrink_memory")
            for game in games:
                for query in _TABLES:
                    self._connection.execute(query, (game,)).fetchall()
        except FileNotFoundError:
            return f"{self._path} was deleted"
        except OSError as error:
            return f"{self._path} cannot be read: {error.strerror}"
        except sqlite3.OperationalError as error:
            # Busy, or no descriptor left: no damage.
            return str(error) if error.sqlite_errorcode in _DAMAGED else None
        except sqlite3.DatabaseError as error:
            return str(error)
        return None

    def copy(self, to: Path) -> None:
        """Copy the database as it was opened, also when its file is gone.

        Raises sqlite3.Error for a file that is damaged, or when the copy cannot be written.
        """
        to.touch(mode=0o600)
        try:
            with self._reads, closing(sqlite3.connect(to)) as there:
                self._connection.backup(there, pages=_PAGES)
                verdict = there.execute("PRAGMA quick_check(1)").fetchone()[0]
            if verdict != "ok":
                raise sqlite3.DatabaseError(verdict)
        except sqlite3.Error:
            to.unlink()
            raise

    def close(self) -> None:
        """Read it no more. `release` is still to be called."""
        with self._reads:
            self._closed = True
            self._connection.close()

    def release(self) -> None:
        """Let go of the file, once no connection of this process has it open."""
        os.close(self._file)


_DAMAGED: Final = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_CANTOPEN}

"""One server for each SQLite file: a second one would show its players an old board.

The lock is a small database beside the file, kept in an exclusive transaction. SQLite does this
alike on every system, and the system lets go of it when the process ends, however that happens.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

__all__ = ["FileLock", "LockedError"]


class LockedError(Exception):
    """Another server uses the database."""


class FileLock:
    """The right to use the database at `path`, until `release`.

    Raises LockedError when somebody else has it, sqlite3.Error when the folder cannot be written.
    """

    def __init__(self, path: Path) -> None:
        name = path.with_name(f"{path.name}.lock")
        self._connection: Final = sqlite3.connect(
            name, timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._connection.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise LockedError(f"another server uses it (it holds {name})") from error
            raise

    def release(self) -> None:
        """Let the next one use it."""
        self._connection.close()

"""A lock that allows one server per SQLite file: a second one would show players outdated boards.

The lock is an exclusive transaction in a small database beside the file. This works the same on
every system, and the system releases it whenever the process ends.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

__all__ = ["FileLock", "LockedError"]


class LockedError(Exception):
    """Another server uses the database."""


class FileLock:
    """Exclusive use of the database at `path`, until `release`.

    Raises LockedError when another process has the lock, sqlite3.Error when the folder is not
    writable.
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
                raise LockedError(
                    f"another server is using it (it holds {name}); stop that one, or choose"
                    " another database"
                ) from error
            raise

    def release(self) -> None:
        """Release the lock."""
        self._connection.close()

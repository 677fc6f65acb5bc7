"""Many rows in one statement, for SQLite.

While SQLite works on a row, Python lets other threads run; the thread then waits for the event loop
to let it go on, which takes milliseconds where that is busy. A transaction with twenty moves would
wait forty times if each row had a call of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Column, Connection, Dialect

__all__ = ["IS_ABLE", "ManyRows"]

IS_ABLE: Final = sqlite3.sqlite_version_info >= (3, 33)
"""Whether the system's SQLite knows UPDATE … FROM."""


class ManyRows:
    """A statement with a list of rows between `before` and `after`; each has these columns."""

    def __init__(self, before: str, columns: Mapping[str, Column[Any]], after: str = "") -> None:
        self._before: Final = before
        self._after: Final = after
        self._columns: Final = dict(columns)
        self._row: Final = f"({','.join('?' * len(columns))})"
        self._writers: list[tuple[str, Callable[[Any], Any] | None]] = []

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it with some rows, at least one."""
        if not self._writers:
            self._writers = [
                (name, _writer(column, connection.dialect))
                for name, column in self._columns.items()
            ]
        values = tuple(
            row[name] if write is None else write(row[name])
            for row in rows
            for name, write in self._writers
        )
        text = f"{self._before} {','.join([self._row] * len(rows))} {self._after}"
        connection.exec_driver_sql(text, values)


def _writer(column: Column[Any], dialect: Dialect) -> Callable[[Any], Any] | None:
    """Return what makes a value of the column into one of the database's own."""
    return column.type.dialect_impl(dialect).bind_processor(dialect)

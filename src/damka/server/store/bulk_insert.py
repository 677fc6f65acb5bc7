"""Multi-row statements for SQLite.

Python releases the GIL for each SQLite call, and getting it back takes milliseconds when the event
loop is busy. With one call per row, a transaction with twenty moves would wait forty times.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Column, Connection, Dialect

__all__ = ["HAS_UPDATE_FROM", "BulkStatement"]

HAS_UPDATE_FROM: Final = sqlite3.sqlite_version_info >= (3, 33)
"""Whether the system's SQLite supports UPDATE … FROM."""


class BulkStatement:
    """A statement with a list of rows with these columns between `before` and `after`."""

    def __init__(self, before: str, columns: Mapping[str, Column[Any]], after: str = "") -> None:
        self._before: Final = before
        self._after: Final = after
        self._columns: Final = dict(columns)
        self._row: Final = f"({','.join('?' * len(columns))})"
        self._writers: list[tuple[str, Callable[[Any], Any] | None]] = []

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it with at least one row."""
        if not self._writers:
            self._writers = [
                (name, _bind_processor(column, connection.dialect))
                for name, column in self._columns.items()
            ]
        values = tuple(
            row[name] if write is None else write(row[name])
            for row in rows
            for name, write in self._writers
        )
        text = f"{self._before} {','.join([self._row] * len(rows))} {self._after}"
        connection.exec_driver_sql(text, values)


def _bind_processor(column: Column[Any], dialect: Dialect) -> Callable[[Any], Any] | None:
    """Return the conversion from a value of the column to the database's type."""
    return column.type.dialect_impl(dialect).bind_processor(dialect)

"""PostgreSQL through psycopg 3: connections, and the locks shared by processes.

The locks are advisory: they belong to a connection or a transaction, so the database releases them
whenever a process ends.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, text
from sqlalchemy.engine import make_url

__all__ = ["engine", "is_postgresql", "lock_migrations", "lock_writes", "parse"]

_CONNECT_SECONDS: Final = 3
_STATEMENT_MS: Final = 10_000
_LOCK_MS: Final = 5_000
_IDLE_MS: Final = 1_500
"""Timeout in milliseconds after which an idle transaction of a paused process loses its locks."""
_CONNECTIONS: Final = 6
_MORE: Final = 6

_MIGRATIONS: Final = 0x6461_6D6B_0001
_WRITES: Final = 0x6461_6D6B_0002
"""Lock ids; an installation has a database of its own, so they need not be globally unique."""


def parse(url: str) -> URL:
    """Parse a database URL; PostgreSQL without a named driver means psycopg 3.

    Raises ArgumentError for an invalid URL.
    """
    parsed = make_url(url)
    if parsed.drivername in {"postgresql", "postgres"}:
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


def is_postgresql(engine: Engine) -> bool:
    """Whether an engine is for PostgreSQL."""
    return engine.dialect.name == "postgresql"


def engine(url: URL) -> Engine:
    """Create an engine for PostgreSQL, with timeouts for everything that may block.

    Raises ImportError, with installation instructions, when the driver is missing.
    """
    options: dict[str, Any] = {}
    if url.get_driver_name() == "psycopg":
        options = {
            "connect_timeout": _CONNECT_SECONDS,
            "application_name": "damka",
            "options": f"-c statement_timeout={_STATEMENT_MS} -c lock_timeout={_LOCK_MS} "
            f"-c idle_in_transaction_session_timeout={_IDLE_MS}",
            "tcp_user_timeout": 1000 * _CONNECT_SECONDS,
        }
        # Options in the operator's URL take precedence.
        options = {name: value for name, value in options.items() if name not in url.query}
    try:
        return create_engine(
            url,
            connect_args=options,
            pool_pre_ping=True,
            pool_size=_CONNECTIONS,
            max_overflow=_MORE,
            pool_timeout=_CONNECT_SECONDS,
        )
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise ImportError(
            'PostgreSQL needs psycopg, which is not installed: pip install "damka[cluster]"'
        ) from error


def lock_migrations(connection: Connection) -> None:
    """Serialise migrations across processes, until the end of the transaction."""
    for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(text(f"SET LOCAL {name} = 0"))
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATIONS})


def lock_writes(connection: Connection) -> None:
    """Serialise read-modify-write transactions across processes, until the transaction ends."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _WRITES})

"""PostgreSQL through psycopg 3: how the store connects, and the locks that processes share there.

Locks are advisory ones: they belong to a connection or to a transaction, so that the database lets
go of them when a process ends, however that happens.
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
"""How long a process that is paused keeps its locks."""
_CONNECTIONS: Final = 6
_MORE: Final = 6

_MIGRATIONS: Final = 0x6461_6D6B_0001
_WRITES: Final = 0x6461_6D6B_0002
"""The numbers of the locks: an installation has a database of its own."""


def parse(url: str) -> URL:
    """Return a database's URL; PostgreSQL without a named driver means psycopg 3.

    Raises ArgumentError for what is no URL.
    """
    parsed = make_url(url)
    if parsed.drivername in {"postgresql", "postgres"}:
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


def is_postgresql(engine: Engine) -> bool:
    """Tell whether an engine speaks with PostgreSQL."""
    return engine.dialect.name == "postgresql"


def engine(url: URL) -> Engine:
    """Return an engine for PostgreSQL, in which nothing waits for ever.

    Raises ImportError, with how to install it, when the driver is missing.
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
        # What the operator's URL says counts.
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
    """Let one process at a time bring the database up to date, for as long as that takes."""
    for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(text(f"SET LOCAL {name} = 0"))
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATIONS})


def lock_writes(connection: Connection) -> None:
    """Let one process at a time change what it has read, until the end of the transaction."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _WRITES})

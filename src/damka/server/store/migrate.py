"""The schema of a database: created from the models, upgraded by Alembic.

A new database is created from the current models. A change to the models needs a revision in
`migrations/versions`, written by hand, which upgrades existing databases; a test compares an
upgraded database with the models. Released revisions are never changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from damka.server.store import postgresql
from damka.server.store.models import Base

if TYPE_CHECKING:
    from alembic.config import Config

__all__ = ["HEAD", "is_current", "refusal", "upgrade"]

HEAD: Final = "0017"
"""The newest revision. A current database does not need Alembic, whose import is slow."""
_OLDER: Final = {f"{number:04}" for number in range(1, 10)}
"""Removed revisions: a database at one of them cannot be upgraded."""
_LAST_UPGRADER: Final = "b68d508"
"""The commit that upgrades them to the first remaining revision."""


def upgrade(engine: Engine) -> None:
    """Create or upgrade the schema, all or nothing.

    Raises SQLAlchemyError for a database of an unknown revision.
    """
    with engine.begin() as connection:
        if postgresql.is_postgresql(engine):
            # Several processes may start at once.
            postgresql.lock_migrations(connection)
        elif engine.dialect.name == "sqlite":
            # Python's sqlite3 driver does not begin a transaction for DDL.
            connection.exec_driver_sql("BEGIN")
        current = _revision(connection)
        if current == HEAD:
            return
        if current is not None and (fault := refusal(current, str(engine.url))) is not None:
            raise SQLAlchemyError(fault)

        from alembic import command  # noqa: PLC0415

        if current is None:
            Base.metadata.create_all(connection, checkfirst=False)
            command.stamp(_config(connection), HEAD)
        else:
            command.upgrade(_config(connection), HEAD)


def is_current(engine: Engine) -> bool:
    """Whether the database has the newest revision."""
    with engine.connect() as connection:
        return _revision(connection) == HEAD


def refusal(revision: str, url: str) -> str | None:
    """Return the reason why the database at `url` cannot be upgraded from a revision, or None."""
    if revision in _OLDER:
        return (
            f"its version {revision} is too old for this program to upgrade: check out commit "
            f'{_LAST_UPGRADER} of Damka and run `damka serve --database "{url}"` there once, which '
            "upgrades it"
        )
    return f"its version {revision} is newer than this program" if revision > HEAD else None


def _revision(connection: Connection) -> str | None:
    """Return the revision of the database; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _config(connection: Connection) -> Config:
    """Return Alembic's configuration, without an ini file."""
    from alembic.config import Config  # noqa: PLC0415

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings

"""The schema of a database: created from the models, upgraded by Alembic.

A new database is created from the models as they are. A change to the models needs a revision in
`migrations/versions`, written by hand, which upgrades the databases that were created before it; a
test compares one of them with the models. Released revisions are never changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from damka.server.store import postgresql
from damka.server.store.models import Base

__all__ = ["is_current", "refusal", "upgrade"]

_OLDER: Final = {f"{number:04}" for number in range(1, 10)}
"""Revisions that are no longer here: a database of one of them cannot be upgraded."""
_LAST_UPGRADER: Final = "b68d508"
"""The commit that upgrades them to the first revision that is here."""


def upgrade(engine: Engine) -> None:
    """Create or upgrade the schema, all or nothing.

    Raises SQLAlchemyError for a database of a revision that is not known here.
    """
    with engine.begin() as connection:
        if postgresql.is_postgresql(engine):
            # Several processes may start at once.
            postgresql.lock_migrations(connection)
        elif engine.dialect.name == "sqlite":
            # Python's driver begins no transaction for a change of the schema.
            connection.exec_driver_sql("BEGIN")
        settings = _config(connection)
        current = MigrationContext.configure(connection).get_current_revision()
        if current is None:
            Base.metadata.create_all(connection, checkfirst=False)
            command.stamp(settings, "head")
        elif (fault := refusal(current, str(engine.url))) is not None:
            raise SQLAlchemyError(fault)
        elif current != _head():
            command.upgrade(settings, "head")


def is_current(engine: Engine) -> bool:
    """Tell whether the database has the newest revision."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision() == _head()


def refusal(revision: str, url: str) -> str | None:
    """Return why the database of a revision at `url` cannot be upgraded, None if it can."""
    if revision in _OLDER:
        return (
            f"its version {revision} is older than this program can upgrade: check out commit "
            f'{_LAST_UPGRADER} of Damka and run `damka serve --database "{url}"` there once, which '
            "upgrades it"
        )
    scripts = ScriptDirectory.from_config(_config())
    if revision not in {each.revision for each in scripts.walk_revisions()}:
        return f"its version {revision} is newer than this program"
    return None


def _head() -> str | None:
    return ScriptDirectory.from_config(_config()).get_current_head()


def _config(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration; it needs no ini file."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings

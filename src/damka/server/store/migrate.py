"""Bringing a database up to date: Alembic, driven from code, with the steps inside the package.

A change to the models needs a step in `migrations/versions`, written by hand and numbered on; a
test compares what the steps make with the models. Steps that were released are never changed.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from damka.server.store import postgresql

__all__ = ["config", "is_current", "is_known", "upgrade"]


def config(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration; it needs no ini file."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings


def upgrade(engine: Engine) -> None:
    """Take the database to the newest version, in one transaction.

    Raises SQLAlchemyError when its version is unknown here: it was written by a newer Damka.
    """
    with engine.begin() as connection:
        if postgresql.is_postgresql(engine):
            # Several processes may start at once.
            postgresql.lock_migrations(connection)
        settings = config(connection)
        scripts = ScriptDirectory.from_config(settings)
        known = {step.revision for step in scripts.walk_revisions()}
        current = MigrationContext.configure(connection).get_current_revision()
        if current is not None and current not in known:
            raise SQLAlchemyError(f"its version {current} is newer than this program")
        if current != scripts.get_current_head():
            command.upgrade(settings, "head")


def is_current(engine: Engine) -> bool:
    """Tell whether the database has the newest version that this program knows."""
    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    return current == ScriptDirectory.from_config(config()).get_current_head()


def is_known(version: str) -> bool:
    """Tell whether this program knows a version of the database."""
    scripts = ScriptDirectory.from_config(config())
    return version in {step.revision for step in scripts.walk_revisions()}

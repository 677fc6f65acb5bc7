"""What the operator does for events at the command line, on the database, server or not."""

from __future__ import annotations

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from damka.server.events import tables
from damka.server.store import StoreError

__all__ = ["new_code"]


def new_code(engine: Engine) -> str:
    """Return a new code with which somebody without an account makes events."""
    try:
        with engine.begin() as connection:
            return tables.new_operator_code(connection)
    except SQLAlchemyError as error:
        raise StoreError(f"the database fails: {error}") from error

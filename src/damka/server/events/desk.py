"""What the operator does for events at the command line, on the database, server or not."""

from __future__ import annotations

from sqlalchemy import Engine

from damka.server.events import tables
from damka.server.store import begin

__all__ = ["new_code"]


def new_code(engine: Engine) -> str:
    """Return a new code with which somebody without an account makes events."""
    with begin(engine) as connection:
        return tables.new_operator_code(connection)

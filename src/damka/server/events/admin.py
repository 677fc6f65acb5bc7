"""Operator commands for events, on the database, whether or not a server runs."""

from __future__ import annotations

from sqlalchemy import Engine

from damka.server.events import rows
from damka.server.store import begin

__all__ = ["new_code"]


def new_code(engine: Engine) -> str:
    """Create a code with which a person without an account can create events."""
    with begin(engine) as connection:
        return rows.new_operator_code(connection)

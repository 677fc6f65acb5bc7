"""Titles of games, and games removed from a player's list."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns to the seats."""
    op.add_column("seats", sa.Column("title", sa.String(60)))
    op.add_column(
        "seats", sa.Column("removed", sa.Boolean, server_default=sa.false(), nullable=False)
    )

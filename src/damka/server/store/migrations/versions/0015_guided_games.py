"""Guided games."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the guide to the games."""
    op.add_column("games", sa.Column("guide", sa.JSON))

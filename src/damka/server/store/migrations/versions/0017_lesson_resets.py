"""Resets of the lessons."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the number of resets of a course."""
    resets = sa.Column("resets", sa.Integer, nullable=False, server_default="0")
    op.add_column("lesson_courses", resets)

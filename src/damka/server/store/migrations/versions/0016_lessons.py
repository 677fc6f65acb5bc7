"""The progress of lessons of accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "lesson_courses",
        sa.Column("account_id", sa.String(32), nullable=False),
        sa.Column("course", sa.String(16), nullable=False),
        sa.Column("stars", sa.JSON, nullable=False),
        sa.Column("updated", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_lesson_courses_account_id_accounts"
        ),
        sa.PrimaryKeyConstraint("account_id", "course", name="pk_lesson_courses"),
    )

"""Studies of accounts, and their chapters."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    time = sa.DateTime(timezone=True)
    op.create_table(
        "studies",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("account_id", sa.String(32), nullable=False),
        sa.Column("title", sa.String(100), nullable=False),
        sa.Column("share", sa.String(32)),
        sa.Column("created", time, nullable=False),
        sa.Column("updated", time, nullable=False),
        sa.Column("removed", time),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_studies_account_id_accounts"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_studies"),
        sa.UniqueConstraint("share", name="uq_studies_share"),
    )
    op.create_index("ix_studies_account_id", "studies", ["account_id"])
    op.create_index("ix_studies_removed", "studies", ["removed"])
    op.create_table(
        "study_chapters",
        sa.Column("study_id", sa.String(32), nullable=False),
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("title", sa.String(100), nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("game", sa.String(200), nullable=False),
        sa.Column("pdn", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name="fk_study_chapters_study_id_studies"
        ),
        sa.PrimaryKeyConstraint("study_id", "id", name="pk_study_chapters"),
    )

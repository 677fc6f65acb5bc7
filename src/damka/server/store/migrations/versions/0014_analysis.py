"""Cached analyses, reviews, and the nodes that addresses and accounts have used."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables, unless an unreleased 0012 did."""
    if sa.inspect(op.get_bind()).has_table("analyses"):
        return
    time = sa.DateTime(timezone=True)
    op.create_table(
        "analyses",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("nodes", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("used", time, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_analyses"),
    )
    op.create_index("ix_analyses_used", "analyses", ["used"])
    op.create_table(
        "reviews",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("game_id", sa.String(32)),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("used", time, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_reviews"),
    )
    op.create_index("ix_reviews_game_id", "reviews", ["game_id"])
    op.create_index("ix_reviews_used", "reviews", ["used"])
    op.create_table(
        "analysis_budgets",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.Column("at", time, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_analysis_budgets"),
    )
    op.create_index("ix_analysis_budgets_at", "analysis_budgets", ["at"])

"""The lobby, and games that are rated."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of the lobby, and let games be rated."""
    op.create_table(
        "seeks",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("pooled", sa.String(length=64), nullable=True),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=True),
        sa.Column("colour", sa.String(length=8), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("game_id", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_seeks"),
        sa.UniqueConstraint("pooled", name="uq_seeks_pooled"),
    )
    op.create_index("ix_seeks_holder", "seeks", ["holder"])
    op.create_index("ix_seeks_seen", "seeks", ["seen"])
    op.add_column(
        "games", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("seats", sa.Column("rating", sa.Integer(), nullable=True))
    op.add_column("seats", sa.Column("provisional", sa.Boolean(), nullable=True))
    op.add_column("seats", sa.Column("rating_diff", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take them away."""
    for column in ("rating_diff", "provisional", "rating"):
        op.drop_column("seats", column)
    op.drop_column("games", "rated")
    op.drop_index("ix_seeks_seen", table_name="seeks")
    op.drop_index("ix_seeks_holder", table_name="seeks")
    op.drop_table("seeks")

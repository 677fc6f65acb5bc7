"""Several processes: which of them are there, and which one owns each game."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "processes",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("address", sa.String(length=100), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("beat", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
    op.create_table(
        "leases",
        sa.Column("task", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("task", name="pk_leases"),
    )
    op.add_column("games", sa.Column("owner", sa.String(32), nullable=True))
    op.create_index("ix_games_owner", "games", ["owner"])


def downgrade() -> None:
    """Take them away."""
    op.drop_index("ix_games_owner", "games")
    op.drop_column("games", "owner")
    op.drop_table("leases")
    op.drop_table("processes")

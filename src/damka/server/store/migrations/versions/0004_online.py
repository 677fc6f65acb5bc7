"""Games on two devices: names, clocks and the codes of invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them."""
    op.add_column("games", sa.Column("clock", sa.JSON(), nullable=True))
    op.add_column("games", sa.Column("code", sa.String(8), nullable=True))
    op.create_index("ix_games_code", "games", ["code"], unique=True)
    op.add_column("seats", sa.Column("name", sa.String(80), nullable=True))
    for column in ("white_ms", "black_ms", "spent_ms"):
        op.add_column("events", sa.Column(column, sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Take them away."""
    for column in ("white_ms", "black_ms", "spent_ms"):
        op.drop_column("events", column)
    op.drop_column("seats", "name")
    op.drop_index("ix_games_code", "games")
    op.drop_column("games", "code")
    op.drop_column("games", "clock")

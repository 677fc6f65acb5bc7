"""Chat at games, and games in which a draw may be offered only late."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them."""
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=32), nullable=False),
        sa.Column("room", sa.String(length=16), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("side", sa.String(length=1), nullable=True),
        sa.Column("preset", sa.String(length=16), nullable=True),
        sa.Column("text", sa.String(length=400), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_chat_game_id_games"),
        sa.PrimaryKeyConstraint("id", name="pk_chat"),
    )
    op.create_index("ix_chat_game_id", "chat", ["game_id", "id"])
    op.create_index("ix_chat_holder", "chat", ["holder"])
    op.create_index("ix_chat_at", "chat", ["at"])
    op.add_column("games", sa.Column("no_draw_before", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take them away."""
    op.drop_column("games", "no_draw_before")
    op.drop_table("chat")

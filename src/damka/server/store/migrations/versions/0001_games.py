"""Games, seats and events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("base", sa.Text(), nullable=True),
        sa.Column("lot", sa.String(1), nullable=True),
        sa.Column("previous_id", sa.String(32), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated", sa.DateTime(timezone=True), nullable=False),
        sa.Column("winner", sa.String(1), nullable=True),
        sa.Column("reason", sa.String(32), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.ForeignKeyConstraint(["previous_id"], ["games.id"], name="fk_games_previous_id_games"),
        sa.UniqueConstraint("previous_id", name="uq_games_previous_id"),
    )
    op.create_table(
        "seats",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("side", sa.String(1), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("level", sa.Integer(), nullable=True),
        sa.Column("holder", sa.String(64), nullable=True),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "side", name="pk_seats"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id_games"),
    )
    op.create_index("ix_seats_holder", "seats", ["holder"])
    op.create_table(
        "events",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_events_game_id_games"),
    )


def downgrade() -> None:
    """Drop them, with everything in them."""
    op.drop_table("events")
    op.drop_table("seats")
    op.drop_table("games")

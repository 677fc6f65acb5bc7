"""Events: tournaments and arenas, their games, and the log of what was done."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("code", sa.String(length=8), nullable=True),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("starts", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("code", name="uq_tournaments_code"),
    )
    op.create_index("ix_tournaments_status", "tournaments", ["status"])
    op.create_table(
        "tournament_games",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=32), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_tournament_games_tournament_id_tournaments",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "round", "board", name="pk_tournament_games"),
        sa.UniqueConstraint("game_id", name="uq_tournament_games_game_id"),
    )
    op.create_index("ix_tournament_games_over", "tournament_games", ["over"])
    op.create_table(
        "tournament_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=100), nullable=False),
        sa.Column("action", sa.String(length=24), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_tournament_log_tournament_id_tournaments",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_tournament_log"),
    )
    op.create_index("ix_tournament_log_tournament_id", "tournament_log", ["tournament_id"])
    op.create_table(
        "operator_codes",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_operator_codes"),
    )


def downgrade() -> None:
    """Drop them, with everything in them."""
    op.drop_table("operator_codes")
    op.drop_index("ix_tournament_log_tournament_id", table_name="tournament_log")
    op.drop_table("tournament_log")
    op.drop_index("ix_tournament_games_over", table_name="tournament_games")
    op.drop_table("tournament_games")
    op.drop_index("ix_tournaments_status", table_name="tournaments")
    op.drop_table("tournaments")

"""Accounts: how they log in, their ratings, blocks, bans and reports."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("folded", sa.String(length=80), nullable=False),
        sa.Column("right", sa.String(length=16), nullable=False),
        sa.Column("kid", sa.Boolean(), nullable=False),
        sa.Column("preferences", sa.JSON(), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("folded", name="uq_accounts_folded"),
        sa.UniqueConstraint("holder", name="uq_accounts_holder"),
    )
    op.create_table(
        "challenges",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("name", sa.String(length=20), nullable=True),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_challenges"),
    )
    op.create_index("ix_challenges_expires", "challenges", ["expires"])
    op.create_table(
        "bans",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("network", sa.String(length=64), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lifted", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_bans_account_id_accounts"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_bans"),
    )
    op.create_index("ix_bans_account_id", "bans", ["account_id"])
    op.create_table(
        "blocks",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("blocked_id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_blocks_account_id_accounts"
        ),
        sa.ForeignKeyConstraint(
            ["blocked_id"], ["accounts.id"], name="fk_blocks_blocked_id_accounts"
        ),
        sa.PrimaryKeyConstraint("account_id", "blocked_id", name="pk_blocks"),
    )
    op.create_table(
        "moderation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_id", sa.String(length=32), nullable=True),
        sa.Column("action", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("network", sa.String(length=64), nullable=True),
        sa.Column("note", sa.String(length=500), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_moderation_account_id_accounts"
        ),
        sa.ForeignKeyConstraint(
            ["actor_id"], ["accounts.id"], name="fk_moderation_actor_id_accounts"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_moderation"),
    )
    op.create_index("ix_moderation_account_id", "moderation", ["account_id"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(length=1400), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.String(length=80), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_passkeys_account_id_accounts"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_index("ix_passkeys_account_id", "passkeys", ["account_id"])
    op.create_table(
        "passwords",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("hash", sa.String(length=255), nullable=False),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_passwords_account_id_accounts"
        ),
        sa.PrimaryKeyConstraint("account_id", name="pk_passwords"),
    )
    op.create_table(
        "rating_history",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("game_id", sa.String(length=32), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_rating_history_account_id_accounts"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_rating_history"),
        sa.UniqueConstraint("account_id", "game_id", name="uq_rating_history_account_id"),
    )
    op.create_table(
        "ratings",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("last", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_ratings_account_id_accounts"
        ),
        sa.PrimaryKeyConstraint("account_id", "rules", name="pk_ratings"),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=32), nullable=False),
        sa.Column("reporter_id", sa.String(length=32), nullable=False),
        sa.Column("accused_id", sa.String(length=32), nullable=True),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.Column("text", sa.String(length=500), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled", sa.DateTime(timezone=True), nullable=True),
        sa.Column("settled_by", sa.String(length=32), nullable=True),
        sa.Column("verdict", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(
            ["accused_id"], ["accounts.id"], name="fk_reports_accused_id_accounts"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_reports_game_id_games"),
        sa.ForeignKeyConstraint(
            ["reporter_id"], ["accounts.id"], name="fk_reports_reporter_id_accounts"
        ),
        sa.ForeignKeyConstraint(
            ["settled_by"], ["accounts.id"], name="fk_reports_settled_by_accounts"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
        sa.UniqueConstraint("game_id", "reporter_id", name="uq_reports_game_id"),
    )
    op.create_index("ix_reports_settled", "reports", ["settled"])
    op.create_table(
        "resets",
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_resets_account_id_accounts"
        ),
        sa.PrimaryKeyConstraint("token", name="pk_resets"),
    )
    op.create_index("ix_resets_account_id", "resets", ["account_id"])
    op.create_table(
        "sessions",
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("device", sa.String(length=80), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_sessions_account_id_accounts"
        ),
        sa.PrimaryKeyConstraint("token", name="pk_sessions"),
    )
    op.create_index("ix_sessions_account_id", "sessions", ["account_id"])


def downgrade() -> None:
    """Drop them, with everything in them."""
    op.drop_index("ix_sessions_account_id", table_name="sessions")
    op.drop_table("sessions")
    op.drop_index("ix_resets_account_id", table_name="resets")
    op.drop_table("resets")
    op.drop_index("ix_reports_settled", table_name="reports")
    op.drop_table("reports")
    op.drop_table("ratings")
    op.drop_table("rating_history")
    op.drop_table("passwords")
    op.drop_index("ix_passkeys_account_id", table_name="passkeys")
    op.drop_table("passkeys")
    op.drop_index("ix_moderation_account_id", table_name="moderation")
    op.drop_table("moderation")
    op.drop_table("blocks")
    op.drop_index("ix_bans_account_id", table_name="bans")
    op.drop_table("bans")
    op.drop_index("ix_challenges_expires", table_name="challenges")
    op.drop_table("challenges")
    op.drop_table("accounts")

"""Tokens of accounts, and accounts that are played by a program."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them."""
    op.add_column(
        "accounts", sa.Column("bot", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("label", sa.String(length=60), nullable=False),
        sa.Column("scopes", sa.String(length=200), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_tokens_account_id_accounts"
        ),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
    )
    op.create_index("ix_tokens_account_id", "tokens", ["account_id"])


def downgrade() -> None:
    """Take them away."""
    op.drop_index("ix_tokens_account_id", table_name="tokens")
    op.drop_table("tokens")
    op.drop_column("accounts", "bot")

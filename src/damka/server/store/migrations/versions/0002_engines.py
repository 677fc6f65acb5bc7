"""The operator's engines as opponents."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Give seats an engine."""
    op.add_column("seats", sa.Column("engine", sa.String(80), nullable=True))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("seats", "engine")

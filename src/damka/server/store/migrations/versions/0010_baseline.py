"""The first revision: the schema of new databases at commit b68d508.

Earlier commits upgraded databases of revisions 0001 to 0009.
"""

revision = "0010"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Do nothing: new databases are created from the models."""

"""The first revision: the schema of commit b68d508, with which new databases were created.

Commits before it upgraded databases of revisions 0001 to 0009.
"""

revision = "0010"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Do nothing: new databases are created from the models."""

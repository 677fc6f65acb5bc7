"""Alembic environment: runs migrations on the connection from `damka.server.store.migrate`."""

from alembic import context

from damka.server.store.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()

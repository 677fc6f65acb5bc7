"""Alembic's entry: runs the steps on the connection that `damka.server.store.migrate` gives."""

from alembic import context

from damka.server.store.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()

"""Alembic's entry. The connection comes from `storage.upgrade`, in a transaction that it commits."""

from alembic import context

from storage import goal_table, tables, timed_table
from storage.columns import Base

assert goal_table and tables and timed_table  # noqa: S101  # importing them declares them
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()

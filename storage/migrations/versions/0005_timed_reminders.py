"""Timed reminders.

Revision 0005.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
REFERENCES = {
    "handle": "handles.handle",
    "namespace_id": "namespaces.id",
    "space": "places.id",
    "channel": "places.id",
    "conversation": "places.id",
    "text_id": "content.id",
    "creator": "principals.id",
    "target": "principals.id",
}


def where(condition: str) -> dict[str, Any]:
    """A partial index on both databases."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "timed_reminders",
        sa.Column("key", KEY, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("namespace_id", sa.Text(), nullable=False),
        sa.Column("space", KEY, nullable=False),
        sa.Column("channel", KEY, nullable=False),
        sa.Column("conversation", KEY, nullable=False),
        sa.Column("text_id", sa.Text(), nullable=False),
        sa.Column("creator", KEY, nullable=False),
        sa.Column("creator_name", sa.Text(), nullable=False),
        sa.Column("target", KEY, nullable=False),
        sa.Column("target_name", sa.Text(), nullable=False),
        sa.Column("for_all", sa.Boolean(), nullable=False),
        sa.Column("direct", sa.Boolean(), nullable=False),
        sa.Column("local", sa.Text(), nullable=False),
        sa.Column("fold", sa.SmallInteger(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("resolution", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("source_message_id", sa.Text(), nullable=False),
        sa.Column("reply_to", sa.Text(), nullable=False),
        sa.Column("snoozed_from", sa.Text(), nullable=True),
        sa.Column("fire_id", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("fired", sa.BigInteger(), nullable=False),
        sa.Column("last_due_at", sa.BigInteger(), nullable=True),
        sa.Column("acknowledged_at", sa.BigInteger(), nullable=True),
        sa.Column("outbox_id", sa.Text(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("status IN ('active','done','cancelled')", name=op.f("ck_timed_reminders_status")),
        sa.CheckConstraint("resolution IN ('exact','minute','day')", name=op.f("ck_timed_reminders_resolution")),
        sa.CheckConstraint("(status = 'active') = (due_at IS NOT NULL)", name=op.f("ck_timed_reminders_due_at")),
        sa.CheckConstraint("fold IN (0,1)", name=op.f("ck_timed_reminders_fold")),
        sa.CheckConstraint("fired >= 0", name=op.f("ck_timed_reminders_fired")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_timed_reminders_version")),
        *(
            sa.ForeignKeyConstraint([column], [other], name=f"fk_timed_reminders_{column}")
            for column, other in REFERENCES.items()
        ),
        sa.PrimaryKeyConstraint("key", name="pk_timed_reminders"),
        sa.UniqueConstraint("id", name="uq_timed_reminders_id"),
        sa.UniqueConstraint("handle", name="uq_timed_reminders_handle"),
    )
    op.create_index("ix_timed_reminders_namespace", "timed_reminders", ["namespace_id"])
    op.create_index("ix_timed_reminders_target", "timed_reminders", ["target"])
    op.create_index("ix_timed_reminders_creator", "timed_reminders", ["creator"])
    op.create_index("ix_timed_reminders_due", "timed_reminders", ["due_at"], **where("status = 'active'"))

"""Acknowledged fires, why a message failed last, and what is due by its time.

Revision 0004. `due_at` of a live row is from now on the earliest instant at which it may be sent (again).
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

LIVE_OUTBOX = "state IN ('queued','held')"


def upgrade() -> None:
    """Apply."""
    op.execute("ALTER TABLE fires ADD COLUMN acknowledged_at BIGINT")
    op.execute("ALTER TABLE outbox ADD COLUMN error TEXT DEFAULT '' NOT NULL")
    op.execute(
        f"UPDATE outbox SET due_at = COALESCE(created_at, 0) WHERE due_at IS NULL AND {LIVE_OUTBOX}"  # noqa: S608
    )
    op.create_index("ix_outbox_due", "outbox", ["due_at"], **_where(LIVE_OUTBOX))


def _where(condition: str) -> dict[str, Any]:
    """A partial index on both databases."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}

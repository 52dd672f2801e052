"""Cooldowns by conversation or sender, exceptions, delivery elsewhere, confirmation, and who a message is for.

Revision 0003. Only columns with a default are added: on SQLite no table is written anew.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

UNASKED = (
    "status IN ('pending','armed','fired') AND fire_count = 0 AND expiry_asked_at IS NULL"
    " AND expires_at - created_at >= 604800000000"
)
INTENTS = {
    "cooldown_per": "TEXT DEFAULT 'intent' NOT NULL",
    "except_in": "TEXT DEFAULT '[]' NOT NULL",
    "deliver": "TEXT DEFAULT 'here' NOT NULL",
    "deliver_to": "{key}",
    "expiry_asked_at": "BIGINT",
    "unconfirmed": "BOOLEAN DEFAULT {no} NOT NULL",
}
CONSTRAINTS = {
    "standing_intents": {
        "cooldown_per": (
            "ck_standing_intents_cooldown_per",
            "CHECK (cooldown_per IN ('intent','conversation','sender'))",
        ),
        "deliver": ("ck_standing_intents_deliver", "CHECK (deliver IN ('here','direct','place'))"),
        "deliver_to": ("fk_standing_intents_deliver_to", "REFERENCES places (id)"),
    },
    "outbox": {"recipient": ("fk_outbox_recipient", "REFERENCES principals (id)")},
}


def upgrade() -> None:
    """Apply."""
    for column, kind in INTENTS.items():
        _add("standing_intents", column, kind)
    _add("outbox", "recipient", "{key}")
    op.create_index("ix_standing_intents_unasked", "standing_intents", ["expires_at"], **_where(UNASKED))
    op.create_index("ix_outbox_recipient", "outbox", ["recipient", "created_at"], **_where("recipient IS NOT NULL"))


def _add(table: str, column: str, kind: str) -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    spelt = kind.format(key="INTEGER" if sqlite else "BIGINT", no="0" if sqlite else "false")
    name, rule = CONSTRAINTS[table].get(column, ("", ""))
    held = f" CONSTRAINT {name} {rule}" if name else ""
    op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {spelt}{held}")


def _where(condition: str) -> dict[str, Any]:
    """A partial index on both databases."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}

"""Cooldowns by conversation or sender, exceptions, delivery elsewhere, confirmation, who a message is for, and whose
words a fire holds.

Revision 0003. Columns are added with a default, so that on SQLite no table is written anew but the trigger index, whose
primary key takes in the sender.
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
    "fires": {},
}

TRIG_KEY = "scope_key, anchor, sender, intent_key, entry_no, reading"
TRIG_COLUMNS = f"{TRIG_KEY}, need, source, options, priority, created_at, analysis"
TRIG = (
    "scope_key INTEGER NOT NULL, anchor TEXT NOT NULL, sender INTEGER NOT NULL, intent_key INTEGER NOT NULL,"
    " entry_no SMALLINT NOT NULL, reading SMALLINT NOT NULL, need TEXT NOT NULL, source TEXT NOT NULL,"
    " options TEXT NOT NULL, priority SMALLINT NOT NULL, created_at BIGINT NOT NULL, analysis INTEGER NOT NULL,"
    " CONSTRAINT fk_trig_analysis FOREIGN KEY(analysis) REFERENCES analysis_versions (id),"
    ' CONSTRAINT fk_trig_intent_key FOREIGN KEY(intent_key) REFERENCES standing_intents ("key")'
)


def upgrade() -> None:
    """Apply."""
    for column, kind in INTENTS.items():
        _add("standing_intents", column, kind)
    _add("outbox", "recipient", "{key}")
    _add("fires", "entry_id", "TEXT")
    _cluster_by_sender()
    op.create_index("ix_standing_intents_unasked", "standing_intents", ["expires_at"], **_where(UNASKED))
    op.create_index("ix_outbox_recipient", "outbox", ["recipient", "created_at"], **_where("recipient IS NOT NULL"))
    op.create_index("ix_fires_entry", "fires", ["entry_id"], **_where("entry_id IS NOT NULL"))


def _cluster_by_sender() -> None:
    if op.get_bind().dialect.name != "sqlite":
        op.execute(f"ALTER TABLE trig DROP CONSTRAINT pk_trig, ADD CONSTRAINT pk_trig PRIMARY KEY ({TRIG_KEY})")
        return
    op.execute(f"CREATE TABLE trig_by_sender ({TRIG}, CONSTRAINT pk_trig PRIMARY KEY ({TRIG_KEY})) WITHOUT ROWID")
    op.execute(f"INSERT INTO trig_by_sender SELECT {TRIG_COLUMNS} FROM trig")  # noqa: S608 - constants
    op.execute("DROP TABLE trig")
    op.execute("ALTER TABLE trig_by_sender RENAME TO trig")
    op.create_index("ix_trig_intent", "trig", ["intent_key", "analysis"])


def _add(table: str, column: str, kind: str) -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    spelt = kind.format(key="INTEGER" if sqlite else "BIGINT", no="0" if sqlite else "false")
    name, rule = CONSTRAINTS[table].get(column, ("", ""))
    held = f" CONSTRAINT {name} {rule}" if name else ""
    op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {spelt}{held}")


def _where(condition: str) -> dict[str, Any]:
    """A partial index on both databases."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}

"""Standing intents, the trigger index, fires and the outbox.

Revision 0002.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
EXACT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def where(condition: str) -> dict[str, Any]:
    """A partial index on both databases."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "standing_intents",
        sa.Column("key", KEY, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("namespace_id", sa.Text(), nullable=False),
        sa.Column("space", KEY, nullable=False),
        sa.Column("channel", KEY, nullable=False),
        sa.Column("conversation", KEY, nullable=False),
        sa.Column("description_id", sa.Text(), nullable=False),
        sa.Column("creator", KEY, nullable=False),
        sa.Column("creator_name", sa.Text(), nullable=False),
        sa.Column("channel_scope", sa.Text(), nullable=False),
        sa.Column("watches", KEY, nullable=True),
        sa.Column("watches_name", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("armed_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("max_fires", sa.SmallInteger(), nullable=False),
        sa.Column("cooldown", sa.BigInteger(), nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("on_edits", sa.Boolean(), nullable=False),
        sa.Column("fire_count", sa.SmallInteger(), nullable=False),
        sa.Column("last_fired_at", sa.BigInteger(), nullable=True),
        sa.Column("last_fire_id", sa.Text(), nullable=True),
        sa.Column("ready_at", sa.BigInteger(), nullable=True),
        sa.Column("source_message_id", sa.Text(), nullable=False),
        sa.Column("renewed_from", sa.Text(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "channel_scope IN ('conversation','channel','space','anywhere')",
            name=op.f("ck_standing_intents_channel_scope"),
        ),
        sa.CheckConstraint(
            "status IN ('pending','armed','fired','done','cancelled','expired')",
            name=op.f("ck_standing_intents_status"),
        ),
        sa.CheckConstraint("cooldown >= 0", name=op.f("ck_standing_intents_cooldown")),
        sa.CheckConstraint("fire_count BETWEEN 0 AND max_fires", name=op.f("ck_standing_intents_fire_count")),
        sa.CheckConstraint("max_fires BETWEEN 1 AND 1000", name=op.f("ck_standing_intents_max_fires")),
        sa.CheckConstraint("priority IN (0,1,2,3)", name=op.f("ck_standing_intents_priority")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_standing_intents_version")),
        sa.ForeignKeyConstraint(["channel"], ["places.id"], name=op.f("fk_standing_intents_channel")),
        sa.ForeignKeyConstraint(["conversation"], ["places.id"], name=op.f("fk_standing_intents_conversation")),
        sa.ForeignKeyConstraint(["creator"], ["principals.id"], name=op.f("fk_standing_intents_creator")),
        sa.ForeignKeyConstraint(["description_id"], ["content.id"], name=op.f("fk_standing_intents_description_id")),
        sa.ForeignKeyConstraint(["handle"], ["handles.handle"], name=op.f("fk_standing_intents_handle")),
        sa.ForeignKeyConstraint(["namespace_id"], ["namespaces.id"], name=op.f("fk_standing_intents_namespace_id")),
        sa.ForeignKeyConstraint(["space"], ["places.id"], name=op.f("fk_standing_intents_space")),
        sa.ForeignKeyConstraint(["watches"], ["principals.id"], name=op.f("fk_standing_intents_watches")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_standing_intents")),
        sa.UniqueConstraint("handle", name=op.f("uq_standing_intents_handle")),
        sa.UniqueConstraint("id", name=op.f("uq_standing_intents_id")),
    )
    op.create_index("ix_standing_intents_cooled", "standing_intents", ["ready_at"], **where("status = 'fired'"))
    op.create_index(
        "ix_standing_intents_creator",
        "standing_intents",
        ["creator"],
        **where("status IN ('pending','armed','fired')"),
    )
    op.create_index(
        "ix_standing_intents_expiring",
        "standing_intents",
        ["expires_at"],
        **where("status IN ('pending','armed','fired')"),
    )
    op.create_index("ix_standing_intents_list", "standing_intents", ["namespace_id", "created_at"])
    op.create_index(
        "ix_standing_intents_space",
        "standing_intents",
        ["space"],
        **where("status IN ('pending','armed','fired')"),
    )
    op.create_table(
        "fires",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("intent_key", KEY, nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("conversation", KEY, nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("link", sa.Text(), nullable=False),
        sa.Column("sender", KEY, nullable=False),
        sa.Column("sender_name", sa.Text(), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("fired_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("previous_status", sa.Text(), nullable=False),
        sa.Column("previous_fired_at", sa.BigInteger(), nullable=True),
        sa.Column("previous_fire_id", sa.Text(), nullable=True),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state IN ('reserved','delivered','refunded')", name=op.f("ck_fires_state")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_fires_number")),
        sa.ForeignKeyConstraint(["conversation"], ["places.id"], name=op.f("fk_fires_conversation")),
        sa.ForeignKeyConstraint(["intent_key"], ["standing_intents.key"], name=op.f("fk_fires_intent_key")),
        sa.ForeignKeyConstraint(["sender"], ["principals.id"], name=op.f("fk_fires_sender")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fires")),
        sa.UniqueConstraint(
            "conversation",
            "message_id",
            "intent_key",
            name=op.f("uq_fires_conversation_message_id_intent_key"),
        ),
    )
    op.create_index("ix_fires_intent", "fires", ["intent_key", "fired_at"])
    op.create_index("ix_fires_reserved", "fires", ["fired_at"], **where("state = 'reserved'"))
    op.create_table(
        "standing_entries",
        sa.Column("intent_key", KEY, nullable=False),
        sa.Column("entry_no", sa.SmallInteger(), nullable=False),
        sa.Column("content_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["content_id"], ["content.id"], name=op.f("fk_standing_entries_content_id")),
        sa.ForeignKeyConstraint(["intent_key"], ["standing_intents.key"], name=op.f("fk_standing_entries_intent_key")),
        sa.PrimaryKeyConstraint("intent_key", "entry_no", name=op.f("pk_standing_entries")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_standing_entries_content", "standing_entries", ["content_id"])
    op.create_table(
        "trig",
        sa.Column("scope_key", KEY, nullable=False),
        sa.Column("anchor", EXACT, nullable=False),
        sa.Column("intent_key", KEY, nullable=False),
        sa.Column("entry_no", sa.SmallInteger(), nullable=False),
        sa.Column("reading", sa.SmallInteger(), nullable=False),
        sa.Column("need", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("sender", KEY, nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("analysis", KEY, nullable=False),
        sa.ForeignKeyConstraint(["analysis"], ["analysis_versions.id"], name=op.f("fk_trig_analysis")),
        sa.ForeignKeyConstraint(["intent_key"], ["standing_intents.key"], name=op.f("fk_trig_intent_key")),
        sa.PrimaryKeyConstraint("scope_key", "anchor", "intent_key", "entry_no", "reading", name=op.f("pk_trig")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_trig_intent", "trig", ["intent_key", "analysis"])
    op.create_table(
        "outbox",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("conversation", KEY, nullable=False),
        sa.Column("fire_id", sa.Text(), nullable=True),
        sa.Column("reply_to", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=True),
        sa.Column("marked_at", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.SmallInteger(), nullable=False),
        sa.CheckConstraint("state IN ('queued','held','sent','failed')", name=op.f("ck_outbox_state")),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_outbox_attempts")),
        sa.ForeignKeyConstraint(["conversation"], ["places.id"], name=op.f("fk_outbox_conversation")),
        sa.ForeignKeyConstraint(["fire_id"], ["fires.id"], name=op.f("fk_outbox_fire_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    op.create_index("ix_outbox_fire", "outbox", ["fire_id"])
    op.create_index("ix_outbox_live", "outbox", ["created_at"], **where("state IN ('queued','held')"))

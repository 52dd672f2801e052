"""Goal memory: intents, what waits for what, summaries, sessions; rules linked to a goal.

Revision 0006. Existing rows keep what they have: no rule is linked, and no namespace has a goal.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
REFERENCES = {
    "handle": "handles.handle",
    "namespace_id": "namespaces.id",
    "space": "places.id",
    "channel": "places.id",
    "conversation": "places.id",
    "creator": "principals.id",
    "value_id": "content.id",
    "criteria_id": "content.id",
    "note_id": "content.id",
    "structured_id": "content.id",
    "owner": "principals.id",
}
CHECKS = {
    "intent_type": "intent_type IN ('GOAL','COMMITMENT','OPEN_QUESTION','DECISION_IN_PROGRESS','RISK','FOLLOW_UP')",
    "intent_state": "intent_state IN ('ACTIVE','COMPLETED','CANCELLED','ON_HOLD','EXPIRED','SUPERSEDED')",
    "lifecycle_state": "lifecycle_state IN ('ACTIVE','DEPRECATED','SUPERSEDED','ARCHIVED')",
    "epistemic_type": "epistemic_type IN ('OBSERVED','ASSERTED','INFERRED')",
    "source_type": "source_type IN ('USER_STATED','SYSTEM_INFERRED')",
    "priority": "priority IN (0,1,2,3)",
    "confidence": "confidence BETWEEN 0 AND 1000000",
    "salience": "salience BETWEEN 0 AND 1000000",
    "due": "(due_local IS NULL) = (target_completion IS NULL)",
    "superseded_by": "(intent_state = 'SUPERSEDED') = (superseded_by IS NOT NULL)",
    "version": "version >= 1",
}
OPEN = "intent_state IN ('ACTIVE','ON_HOLD')"
RISK = "intent_state IN ('ACTIVE','ON_HOLD','EXPIRED')"
INDEXES: dict[str, tuple[list[str], str]] = {
    "shown": (
        ["namespace_id"],
        f"((intent_state = 'ACTIVE' AND lifecycle_state = 'ACTIVE') OR (intent_type = 'RISK' AND {RISK}))",
    ),
    "space": (["space"], f"{OPEN} AND lifecycle_state = 'ACTIVE' AND epistemic_type <> 'INFERRED'"),
    "overdue": (["target_completion"], "intent_state = 'ACTIVE' AND target_completion IS NOT NULL"),
    "fading": (["fades_at"], "fades_at IS NOT NULL"),
    "unreviewed": (["created_at"], "epistemic_type = 'INFERRED' AND lifecycle_state = 'ACTIVE'"),
    "risks": (["owner", "space"], f"intent_type = 'RISK' AND priority >= 2 AND {RISK}"),
}


def where(condition: str) -> dict[str, Any]:
    """A partial index on both databases."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def text(name: str, nullable: bool = False) -> "sa.Column[str]":
    """A text column."""
    return sa.Column(name, sa.Text(), nullable=nullable)


def big(name: str, nullable: bool = False) -> "sa.Column[int]":
    """A 64-bit integer column."""
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def key(name: str) -> "sa.Column[int]":
    """A surrogate key."""
    return sa.Column(name, KEY, nullable=False)


def upgrade() -> None:
    """Apply."""
    op.execute("ALTER TABLE namespaces ADD COLUMN goals BIGINT DEFAULT '0' NOT NULL")
    op.execute("ALTER TABLE standing_intents ADD COLUMN goal_id TEXT")
    no = "0" if op.get_bind().dialect.name == "sqlite" else "false"
    op.execute(f"ALTER TABLE standing_intents ADD COLUMN goal_closed BOOLEAN DEFAULT {no} NOT NULL")
    op.create_index("ix_standing_intents_goal", "standing_intents", ["goal_id"], **where("goal_id IS NOT NULL"))
    intents()
    edges()
    summaries()
    op.create_table(
        "goal_sessions",
        key("conversation"),
        big("started_at"),
        big("last_at"),
        text("surfaced"),
        sa.ForeignKeyConstraint(["conversation"], ["places.id"], name="fk_goal_sessions_conversation"),
        sa.PrimaryKeyConstraint("conversation", name="pk_goal_sessions"),
    )


def intents() -> None:
    """The intents themselves."""
    name = "goal_intents"
    op.create_table(
        name,
        key("key"),
        text("id"),
        text("handle"),
        text("namespace_id"),
        *map(key, ("space", "channel", "conversation", "creator")),
        *map(text, ("creator_name", "asserted_by")),
        big("created_at"),
        *map(text, ("intent_type", "value_id")),
        *(text(column, nullable=True) for column in ("criteria_id", "note_id", "structured_id")),
        key("owner"),
        *map(text, ("owner_name", "stakeholders", "intent_state", "lifecycle_state")),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        *map(text, ("epistemic_type", "source_type")),
        *map(big, ("confidence", "salience", "touched_at")),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        text("due_local", nullable=True),
        sa.Column("due_fold", sa.SmallInteger(), nullable=False),
        *map(text, ("due_zone", "due_resolution")),
        big("target_completion", nullable=True),
        text("evidence"),
        big("last_modified_at"),
        *(big(column, nullable=True) for column in ("valid_from", "valid_to")),
        text("superseded_by", nullable=True),
        *(big(column, nullable=True) for column in ("fades_at", "told_at")),
        text("fold"),
        big("version"),
        *(sa.CheckConstraint(check, name=op.f(f"ck_{name}_{column}")) for column, check in CHECKS.items()),
        *(sa.ForeignKeyConstraint([one], [other], name=f"fk_{name}_{one}") for one, other in REFERENCES.items()),
        sa.PrimaryKeyConstraint("key", name=f"pk_{name}"),
        sa.UniqueConstraint("id", name=f"uq_{name}_id"),
        sa.UniqueConstraint("handle", name=f"uq_{name}_handle"),
    )
    op.create_index(f"ix_{name}_namespace", name, ["namespace_id", "created_at"])
    op.create_index(f"ix_{name}_fold", name, ["namespace_id", "fold"])
    op.create_index(f"ix_{name}_owner", name, ["owner"])
    for label, (columns, condition) in INDEXES.items():
        op.create_index(f"ix_{name}_{label}", name, columns, **where(condition))


def edges() -> None:
    """What waits for what."""
    op.create_table(
        "goal_edges",
        key("dependent"),
        key("prerequisite"),
        big("created_at"),
        sa.CheckConstraint("dependent <> prerequisite", name=op.f("ck_goal_edges_apart")),
        *(
            sa.ForeignKeyConstraint([one], ["goal_intents.key"], name=f"fk_goal_edges_{one}")
            for one in ("dependent", "prerequisite")
        ),
        sa.PrimaryKeyConstraint("dependent", "prerequisite", name="pk_goal_edges"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_goal_edges_prerequisite", "goal_edges", ["prerequisite", "dependent"])


def summaries() -> None:
    """What is remembered of completed intents."""
    name = "goal_summaries"
    references = {"namespace_id": "namespaces.id", "intent_key": "goal_intents.key", "text_id": "content.id"}
    op.create_table(
        name,
        key("key"),
        *map(text, ("id", "namespace_id")),
        key("intent_key"),
        text("text_id"),
        big("created_at"),
        text("epistemic_type"),
        *map(big, ("confidence", "salience")),
        text("evidence"),
        *(
            sa.CheckConstraint(CHECKS[column], name=op.f(f"ck_{name}_{column}"))
            for column in ("epistemic_type", "confidence", "salience")
        ),
        *(sa.ForeignKeyConstraint([one], [other], name=f"fk_{name}_{one}") for one, other in references.items()),
        sa.PrimaryKeyConstraint("key", name=f"pk_{name}"),
        sa.UniqueConstraint("id", name=f"uq_{name}_id"),
        sa.UniqueConstraint("intent_key", name=f"uq_{name}_intent_key"),
    )
    op.create_index(f"ix_{name}_namespace", name, ["namespace_id", "created_at"])

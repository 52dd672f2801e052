"""Places, people, namespaces with the `system` one, content, events and the append-only log.

Revision 0001.
"""

# ruff: noqa: S608  # statements are put together from constants of the code alone

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

SQLITE_GUARDS = (
    "CREATE TRIGGER operations_no_update BEFORE UPDATE ON operations"
    " BEGIN SELECT RAISE(ABORT, 'operations are append-only'); END",
    "CREATE TRIGGER operations_no_delete BEFORE DELETE ON operations"
    " BEGIN SELECT RAISE(ABORT, 'operations are append-only'); END",
    "CREATE TRIGGER operations_no_replace BEFORE INSERT ON operations"
    " WHEN EXISTS (SELECT 1 FROM operations WHERE id = NEW.id"
    " OR (namespace_id = NEW.namespace_id AND sequence_num = NEW.sequence_num))"
    " BEGIN SELECT RAISE(ABORT, 'operations are append-only'); END",
)
POSTGRES_GUARDS = (
    "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN RAISE EXCEPTION 'operations are append-only'; END $$",
    "CREATE TRIGGER operations_no_change BEFORE UPDATE OR DELETE ON operations"
    " FOR EACH ROW EXECUTE FUNCTION refuse_change()",
    "CREATE TRIGGER operations_no_truncate BEFORE TRUNCATE ON operations"
    " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
)
GENESIS = "0" * 64


def where(condition: str) -> dict[str, Any]:
    """A partial index on both databases."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def upgrade() -> None:
    """Apply."""
    _tables()
    sqlite = op.get_context().dialect.name == "sqlite"
    for statement in SQLITE_GUARDS if sqlite else POSTGRES_GUARDS:
        op.execute(statement)
    op.execute(
        "INSERT INTO namespaces (id, kind, place_id, head_seq, head_hash)"
        f" VALUES ('system', 'system', NULL, 0, '{GENESIS}')"
    )


def _tables() -> None:
    op.create_table(
        "analysis_versions",
        sa.Column("id", KEY, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analysis_versions")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_analysis_versions_fingerprint")),
    )
    op.create_table(
        "content",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.CheckConstraint("(salt IS NULL) = (text IS NULL)", name=op.f("ck_content_erased")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_content")),
    )
    op.create_table(
        "facts",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_facts")),
    )
    op.create_table(
        "handles",
        sa.Column("handle", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("handle", name=op.f("pk_handles")),
    )
    op.create_table(
        "namespaces",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("place_id", KEY, nullable=True),
        sa.Column("head_seq", sa.BigInteger(), nullable=False),
        sa.Column("head_hash", sa.Text(), nullable=False),
        sa.CheckConstraint("kind IN ('space','private_channel','direct','system')", name=op.f("ck_namespaces_kind")),
        sa.CheckConstraint("head_seq >= 0", name=op.f("ck_namespaces_head_seq")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_namespaces")),
    )
    op.create_table(
        "principals",
        sa.Column("id", KEY, nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_principals")),
        sa.UniqueConstraint("provider", "account", "user_id", name=op.f("uq_principals_provider_account_user_id")),
    )
    op.create_table(
        "processes",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
    )
    op.create_table(
        "scopes",
        sa.Column("scope_key", KEY, autoincrement=False, nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("rows >= 0", name=op.f("ck_scopes_rows")),
        sa.PrimaryKeyConstraint("scope_key", name=op.f("pk_scopes")),
    )
    op.create_table(
        "events",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("ts", sa.BigInteger(), nullable=False),
        sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Text(), nullable=False),
        sa.Column("actor_type", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("content_id", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("namespace_id", sa.Text(), nullable=False),
        sa.Column("meta", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["content_id"], ["content.id"], name=op.f("fk_events_content_id")),
        sa.ForeignKeyConstraint(["namespace_id"], ["namespaces.id"], name=op.f("fk_events_namespace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_table(
        "operations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("ts", sa.BigInteger(), nullable=False),
        sa.Column("op_type", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Text(), nullable=False),
        sa.Column("actor_type", sa.Text(), nullable=False),
        sa.Column("namespace_id", sa.Text(), nullable=False),
        sa.Column("target_id", sa.Text(), nullable=True),
        sa.Column("target_type", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("policy_version", sa.Text(), nullable=False),
        sa.Column("sequence_num", sa.BigInteger(), nullable=False),
        sa.Column("prev_hash", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.CheckConstraint("sequence_num >= 1", name=op.f("ck_operations_sequence_num")),
        sa.ForeignKeyConstraint(["namespace_id"], ["namespaces.id"], name=op.f("fk_operations_namespace_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operations")),
        sa.UniqueConstraint("namespace_id", "sequence_num", name=op.f("uq_operations_namespace_id_sequence_num")),
    )
    op.create_index("ix_operations_target", "operations", ["target_id", "ts"])
    op.create_table(
        "places",
        sa.Column("id", KEY, nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("parent_id", KEY, nullable=True),
        sa.Column("alias_of", KEY, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("namespace_id", sa.Text(), nullable=False),
        sa.CheckConstraint("(kind = 'space') = (parent_id IS NULL)", name=op.f("ck_places_parent")),
        sa.CheckConstraint("kind IN ('space','channel','conversation')", name=op.f("ck_places_kind")),
        sa.CheckConstraint("visibility IN ('public','private','direct')", name=op.f("ck_places_visibility")),
        sa.ForeignKeyConstraint(["alias_of"], ["places.id"], name=op.f("fk_places_alias_of")),
        sa.ForeignKeyConstraint(["namespace_id"], ["namespaces.id"], name=op.f("fk_places_namespace_id")),
        sa.ForeignKeyConstraint(["parent_id"], ["places.id"], name=op.f("fk_places_parent_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_places")),
        sa.UniqueConstraint("parent_id", "kind", "external_id", name=op.f("uq_places_parent_id_kind_external_id")),
    )
    op.create_index(
        "ux_places_space",
        "places",
        ["provider", "account", "external_id"],
        unique=True,
        **where("kind = 'space'"),
    )
    op.create_table(
        "space_settings",
        sa.Column("space", KEY, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["space"], ["places.id"], name=op.f("fk_space_settings_space")),
        sa.PrimaryKeyConstraint("space", "key", name=op.f("pk_space_settings")),
    )

"""Every table, as SQLModel classes. A change here carries a migration (`storage/migrations/versions`).

Times are BIGINT microseconds since the epoch, UTC. Rows refer to places, people and content by key, so that a
migrated chat changes one row and erased words vanish from one place.
"""

from datetime import timedelta
from enum import StrEnum

from sqlalchemy import CheckConstraint, Index, LargeBinary, UniqueConstraint, false
from sqlmodel import Field

from core.limits import EXPIRY_NOTICE
from core.standing.intent import (
    ChannelScope,
    CooldownPer,
    Deliver,
    FireState,
    OutboxState,
    Priority,
    Status,
)
from core.turn import PlaceKind, Visibility
from storage.columns import (
    Base,
    big_column,
    defaulted,
    key_column,
    key_reference,
    one_of,
    partial,
    small_column,
    text_column,
    text_reference,
)
from storage.types import EXACT, KEY

LIVE_INTENT = "status IN ('pending','armed','fired')"
LIVE_OUTBOX = "state IN ('queued','held')"
UNASKED = (
    f"{LIVE_INTENT} AND fire_count = 0 AND expiry_asked_at IS NULL"
    f" AND expires_at - created_at >= {EXPIRY_NOTICE // timedelta(microseconds=1)}"
)


class NamespaceKind(StrEnum):
    """What a namespace isolates."""

    SPACE = "space"
    PRIVATE_CHANNEL = "private_channel"
    DIRECT = "direct"
    SYSTEM = "system"


class NamespaceRow(Base, table=True):
    """A unit of isolation and the head of its chain of operations. `goals` counts changes of its goal memory."""

    __tablename__ = "namespaces"
    __table_args__ = (one_of("kind", NamespaceKind), CheckConstraint("head_seq >= 0", name="head_seq"))

    id: str = text_column(primary_key=True)
    kind: str = text_column()
    place_id: int | None = Field(sa_type=KEY, nullable=True)
    head_seq: int = big_column()
    head_hash: str = text_column()
    goals: int = big_column(**defaulted("0"))


class PlaceRow(Base, table=True):
    """A space (known by its external id), a channel or a conversation (each known within its parent)."""

    __tablename__ = "places"
    __table_args__ = (
        one_of("kind", PlaceKind),
        one_of("visibility", Visibility),
        CheckConstraint("(kind = 'space') = (parent_id IS NULL)", name="parent"),
        UniqueConstraint("parent_id", "kind", "external_id"),
        partial("ux_places_space", "provider", "account", "external_id", where="kind = 'space'", unique=True),
    )

    id: int | None = key_column()
    provider: str = text_column()
    account: str = text_column()
    kind: str = text_column()
    external_id: str = text_column()
    parent_id: int | None = key_reference("places.id", nullable=True)
    alias_of: int | None = key_reference("places.id", nullable=True)
    name: str = text_column()
    visibility: str = text_column()
    namespace_id: str = text_reference("namespaces.id")


class PrincipalRow(Base, table=True):
    """A person of one provider and account; `name` is for display only."""

    __tablename__ = "principals"
    __table_args__ = (UniqueConstraint("provider", "account", "user_id"),)

    id: int | None = key_column()
    provider: str = text_column()
    account: str = text_column()
    user_id: str = text_column()
    name: str = text_column()


class SpaceSettingRow(Base, table=True):
    """One stored setting of a space, as canonical JSON."""

    __tablename__ = "space_settings"

    space: int = key_reference("places.id", primary_key=True)
    key: str = text_column(primary_key=True)
    value: str = text_column()


class ContentRow(Base, table=True):
    """Words that can be erased: text and salt go together."""

    __tablename__ = "content"
    __table_args__ = (CheckConstraint("(salt IS NULL) = (text IS NULL)", name="erased"),)

    id: str = text_column(primary_key=True)
    salt: bytes | None = Field(sa_type=LargeBinary, nullable=True)
    text: str | None = text_column(nullable=True)


class EventRow(Base, table=True):
    """Evidence: a turn that created or changed something."""

    __tablename__ = "events"

    id: str = text_column(primary_key=True)
    ts: int = big_column()
    stream: str = text_column()
    actor_id: str = text_column()
    actor_type: str = text_column()
    role: str = text_column()
    content_id: str = text_reference("content.id")
    content_hash: str = text_column()
    namespace_id: str = text_reference("namespaces.id")
    meta: str = text_column()


class OperationRow(Base, table=True):
    """One link of a chain. Triggers refuse UPDATE, DELETE and the replacing of a row."""

    __tablename__ = "operations"
    __table_args__ = (
        UniqueConstraint("namespace_id", "sequence_num"),
        Index("ix_operations_target", "target_id", "ts"),
        CheckConstraint("sequence_num >= 1", name="sequence_num"),
    )

    id: str = text_column(primary_key=True)
    ts: int = big_column()
    op_type: str = text_column()
    actor_id: str = text_column()
    actor_type: str = text_column()
    namespace_id: str = text_reference("namespaces.id")
    target_id: str | None = text_column(nullable=True)
    target_type: str = text_column()
    payload: str = text_column()
    policy_version: str = text_column()
    sequence_num: int = big_column()
    prev_hash: str = text_column()
    hash: str = text_column()


class HandleRow(Base, table=True):
    """Every handle ever given out. Rows are never deleted, so that no handle is used twice."""

    __tablename__ = "handles"

    handle: str = text_column(primary_key=True)


class StandingIntentRow(Base, table=True):
    """A standing intent. The description lies in `content`, the entries in `standing_entries`."""

    __tablename__ = "standing_intents"
    __table_args__ = (
        one_of("channel_scope", ChannelScope),
        one_of("status", Status),
        one_of("priority", Priority),
        CheckConstraint("max_fires BETWEEN 1 AND 1000", name="max_fires"),
        CheckConstraint("fire_count BETWEEN 0 AND max_fires", name="fire_count"),
        CheckConstraint("cooldown >= 0", name="cooldown"),
        CheckConstraint("version >= 1", name="version"),
        Index("ix_standing_intents_list", "namespace_id", "created_at"),
        partial("ix_standing_intents_creator", "creator", where=LIVE_INTENT),
        partial("ix_standing_intents_space", "space", where=LIVE_INTENT),
        partial("ix_standing_intents_expiring", "expires_at", where=LIVE_INTENT),
        partial("ix_standing_intents_cooled", "ready_at", where="status = 'fired'"),
        partial("ix_standing_intents_unasked", "expires_at", where=UNASKED),
        one_of("cooldown_per", CooldownPer),
        one_of("deliver", Deliver),
        partial("ix_standing_intents_goal", "goal_id", where="goal_id IS NOT NULL"),
    )

    key: int | None = key_column()
    id: str = text_column(unique=True)
    handle: str = text_reference("handles.handle", unique=True)
    namespace_id: str = text_reference("namespaces.id")
    space: int = key_reference("places.id")
    channel: int = key_reference("places.id")
    conversation: int = key_reference("places.id")
    description_id: str = text_reference("content.id")
    creator: int = key_reference("principals.id")
    creator_name: str = text_column()
    channel_scope: str = text_column()
    watches: int | None = key_reference("principals.id", nullable=True)
    watches_name: str = text_column()
    status: str = text_column()
    created_at: int = big_column()
    armed_at: int | None = big_column(nullable=True)
    expires_at: int = big_column()
    max_fires: int = small_column()
    cooldown: int = big_column()
    priority: int = small_column()
    options: str = text_column()
    on_edits: bool
    fire_count: int = small_column()
    last_fired_at: int | None = big_column(nullable=True)
    last_fire_id: str | None = text_column(nullable=True)
    ready_at: int | None = big_column(nullable=True)
    source_message_id: str = text_column()
    renewed_from: str | None = text_column(nullable=True)
    version: int = big_column()
    cooldown_per: str = text_column(**defaulted("intent"))
    except_in: str = text_column(**defaulted("[]"))
    deliver: str = text_column(**defaulted("here"))
    deliver_to: int | None = key_reference("places.id", nullable=True)
    expiry_asked_at: int | None = big_column(nullable=True)
    unconfirmed: bool = Field(sa_column_kwargs={"server_default": false()})
    goal_id: str | None = text_column(nullable=True)
    goal_closed: bool = Field(sa_column_kwargs={"server_default": false()})


class StandingEntryRow(Base, table=True):
    """The words of one trigger entry, by content id."""

    __tablename__ = "standing_entries"
    __table_args__ = (Index("ix_standing_entries_content", "content_id"), {"sqlite_with_rowid": False})

    intent_key: int = key_reference("standing_intents.key", primary_key=True)
    entry_no: int = small_column(primary_key=True)
    content_id: str = text_reference("content.id")


class AnalysisVersionRow(Base, table=True):
    """A small number for each analysis fingerprint that ever filed a row."""

    __tablename__ = "analysis_versions"

    id: int | None = key_column()
    fingerprint: str = text_column(unique=True)


class TrigRow(Base, table=True):
    """The trigger index: one row for each reading of an entry, clustered under (scope, anchor, sender).

    `sender` 0 listens to anyone: a message reads the rows of two senders only.
    """

    __tablename__ = "trig"
    __table_args__ = (Index("ix_trig_intent", "intent_key", "analysis"), {"sqlite_with_rowid": False})

    scope_key: int = Field(primary_key=True, sa_type=KEY)
    anchor: str = Field(primary_key=True, sa_type=EXACT)
    sender: int = Field(primary_key=True, sa_type=KEY, sa_column_kwargs={"autoincrement": False})
    intent_key: int = key_reference("standing_intents.key", primary_key=True)
    entry_no: int = small_column(primary_key=True)
    reading: int = small_column(primary_key=True)
    need: str = text_column()
    source: str = text_column()
    options: str = text_column()
    priority: int = small_column()
    created_at: int = big_column()
    analysis: int = key_reference("analysis_versions.id")


class ScopeRow(Base, table=True):
    """How many rows of `trig` stand under a scope, and how often that changed.

    An empty scope is not probed; `generation` tells what is remembered of it from what is out of date.
    """

    __tablename__ = "scopes"
    __table_args__ = (CheckConstraint("rows >= 0", name="rows"),)

    scope_key: int = Field(primary_key=True, sa_type=KEY, sa_column_kwargs={"autoincrement": False})
    rows: int = big_column()
    generation: int = big_column()


class FireRow(Base, table=True):
    """One fire: receipt, reservation and history in one row.

    `entry_id` is the content that `entry` and `terms` copy, so that they go when it is erased, also after an edit.
    """

    __tablename__ = "fires"
    __table_args__ = (
        one_of("state", FireState),
        UniqueConstraint("conversation", "message_id", "intent_key"),
        Index("ix_fires_intent", "intent_key", "fired_at"),
        partial("ix_fires_reserved", "fired_at", where="state = 'reserved'"),
        partial("ix_fires_entry", "entry_id", where="entry_id IS NOT NULL"),
        CheckConstraint("number >= 1", name="number"),
    )

    id: str = text_column(primary_key=True)
    intent_key: int = key_reference("standing_intents.key")
    number: int = small_column()
    conversation: int = key_reference("places.id")
    message_id: str = text_column()
    link: str = text_column()
    sender: int = key_reference("principals.id")
    sender_name: str = text_column()
    entry: str = text_column()
    terms: str = text_column()
    fired_at: int = big_column()
    state: str = text_column()
    previous_status: str = text_column()
    previous_fired_at: int | None = big_column(nullable=True)
    previous_fire_id: str | None = text_column(nullable=True)
    settled_at: int | None = big_column(nullable=True)
    entry_id: str | None = text_column(nullable=True)
    acknowledged_at: int | None = big_column(nullable=True)


class OutboxRow(Base, table=True):
    """One message that a bot owes. `due_at` of a live one is the earliest instant at which it may be sent."""

    __tablename__ = "outbox"
    __table_args__ = (
        one_of("state", OutboxState),
        partial("ix_outbox_live", "created_at", where=LIVE_OUTBOX),
        partial("ix_outbox_due", "due_at", where=LIVE_OUTBOX),
        Index("ix_outbox_fire", "fire_id"),
        partial("ix_outbox_recipient", "recipient", "created_at", where="recipient IS NOT NULL"),
        CheckConstraint("attempts >= 0", name="attempts"),
    )

    id: str = text_column(primary_key=True)
    kind: str = text_column()
    conversation: int = key_reference("places.id")
    fire_id: str | None = text_reference("fires.id", nullable=True)
    reply_to: str = text_column()
    body: str = text_column()
    state: str = text_column()
    due_at: int | None = big_column(nullable=True)
    created_at: int | None = big_column(nullable=True)
    marked_at: int | None = big_column(nullable=True)
    attempts: int = small_column()
    recipient: int | None = key_reference("principals.id", nullable=True)
    error: str = text_column(**defaulted(""))


class FactRow(Base, table=True):
    """A fact about the store itself."""

    __tablename__ = "facts"

    key: str = text_column(primary_key=True)
    value: str = text_column()


class ProcessRow(Base, table=True):
    """A running process and the analysis it works with."""

    __tablename__ = "processes"

    id: str = text_column(primary_key=True)
    fingerprint: str = text_column()
    seen_at: int = big_column()

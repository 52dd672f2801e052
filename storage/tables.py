"""Every table, as SQLModel classes. A change here carries a migration (`storage/migrations/versions`).

Times are BIGINT microseconds since the epoch, UTC. Rows refer to places, people and content by key, so that a
migrated chat changes one row and erased words vanish from one place.
"""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Index,
    LargeBinary,
    MetaData,
    SmallInteger,
    Text,
    UniqueConstraint,
)
from sqlalchemy import text as clause
from sqlmodel import Field, SQLModel

from core.standing.intent import ChannelScope, FireState, OutboxState, Priority, Status
from core.turn import PlaceKind, Visibility
from storage.types import EXACT, KEY

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
LIVE_INTENT = "status IN ('pending','armed','fired')"
LIVE_OUTBOX = "state IN ('queued','held')"


class NamespaceKind(StrEnum):
    """What a namespace isolates."""

    SPACE = "space"
    PRIVATE_CHANNEL = "private_channel"
    DIRECT = "direct"
    SYSTEM = "system"


def _one_of(column: str, values: Iterable[StrEnum | IntEnum]) -> CheckConstraint:
    spelt = ",".join(str(int(v)) if isinstance(v, IntEnum) else f"'{v}'" for v in values)
    return CheckConstraint(f"{column} IN ({spelt})", name=column)


def _partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=clause(where), postgresql_where=clause(where))


def _key() -> Any:
    return Field(default=None, primary_key=True, sa_type=KEY)


def _ref(column: str, **more: Any) -> Any:
    """A reference by text (a UUID, a handle)."""
    return Field(foreign_key=column, sa_type=Text, **more)


def _key_of(column: str, **more: Any) -> Any:
    """A reference by surrogate key."""
    return Field(foreign_key=column, sa_type=KEY, **more)


def _text(**more: Any) -> Any:
    return Field(sa_type=Text, **more)


def _big(**more: Any) -> Any:
    return Field(sa_type=BigInteger, **more)


def _small(**more: Any) -> Any:
    return Field(sa_type=SmallInteger, **more)


class Base(SQLModel):
    """Base of all tables: one MetaData of our own, with names for every constraint."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMES)


class NamespaceRow(Base, table=True):
    """A unit of isolation and the head of its chain of operations."""

    __tablename__ = "namespaces"
    __table_args__ = (_one_of("kind", NamespaceKind), CheckConstraint("head_seq >= 0", name="head_seq"))

    id: str = _text(primary_key=True)
    kind: str = _text()
    place_id: int | None = Field(sa_type=KEY, nullable=True)
    head_seq: int = _big()
    head_hash: str = _text()


class PlaceRow(Base, table=True):
    """A space (known by its external id), a channel or a conversation (each known within its parent)."""

    __tablename__ = "places"
    __table_args__ = (
        _one_of("kind", PlaceKind),
        _one_of("visibility", Visibility),
        CheckConstraint("(kind = 'space') = (parent_id IS NULL)", name="parent"),
        UniqueConstraint("parent_id", "kind", "external_id"),
        _partial("ux_places_space", "provider", "account", "external_id", where="kind = 'space'", unique=True),
    )

    id: int | None = _key()
    provider: str = _text()
    account: str = _text()
    kind: str = _text()
    external_id: str = _text()
    parent_id: int | None = _key_of("places.id", nullable=True)
    alias_of: int | None = _key_of("places.id", nullable=True)
    name: str = _text()
    visibility: str = _text()
    namespace_id: str = _ref("namespaces.id")


class PrincipalRow(Base, table=True):
    """A person of one provider and account; `name` is for display only."""

    __tablename__ = "principals"
    __table_args__ = (UniqueConstraint("provider", "account", "user_id"),)

    id: int | None = _key()
    provider: str = _text()
    account: str = _text()
    user_id: str = _text()
    name: str = _text()


class SpaceSettingRow(Base, table=True):
    """One stored setting of a space, as canonical JSON."""

    __tablename__ = "space_settings"

    space: int = _key_of("places.id", primary_key=True)
    key: str = _text(primary_key=True)
    value: str = _text()


class ContentRow(Base, table=True):
    """Words that can be erased: text and salt go together."""

    __tablename__ = "content"
    __table_args__ = (CheckConstraint("(salt IS NULL) = (text IS NULL)", name="erased"),)

    id: str = _text(primary_key=True)
    salt: bytes | None = Field(sa_type=LargeBinary, nullable=True)
    text: str | None = _text(nullable=True)


class EventRow(Base, table=True):
    """Evidence: a turn that created or changed something."""

    __tablename__ = "events"

    id: str = _text(primary_key=True)
    ts: int = _big()
    stream: str = _text()
    actor_id: str = _text()
    actor_type: str = _text()
    role: str = _text()
    content_id: str = _ref("content.id")
    content_hash: str = _text()
    namespace_id: str = _ref("namespaces.id")
    meta: str = _text()


class OperationRow(Base, table=True):
    """One link of a chain. Triggers refuse UPDATE, DELETE and the replacing of a row."""

    __tablename__ = "operations"
    __table_args__ = (
        UniqueConstraint("namespace_id", "sequence_num"),
        Index("ix_operations_target", "target_id", "ts"),
        CheckConstraint("sequence_num >= 1", name="sequence_num"),
    )

    id: str = _text(primary_key=True)
    ts: int = _big()
    op_type: str = _text()
    actor_id: str = _text()
    actor_type: str = _text()
    namespace_id: str = _ref("namespaces.id")
    target_id: str | None = _text(nullable=True)
    target_type: str = _text()
    payload: str = _text()
    policy_version: str = _text()
    sequence_num: int = _big()
    prev_hash: str = _text()
    hash: str = _text()


class HandleRow(Base, table=True):
    """Every handle ever given out. Rows are never deleted, so that no handle is used twice."""

    __tablename__ = "handles"

    handle: str = _text(primary_key=True)


class StandingIntentRow(Base, table=True):
    """A standing intent. The description lies in `content`, the entries in `standing_entries`."""

    __tablename__ = "standing_intents"
    __table_args__ = (
        _one_of("channel_scope", ChannelScope),
        _one_of("status", Status),
        _one_of("priority", Priority),
        CheckConstraint("max_fires BETWEEN 1 AND 1000", name="max_fires"),
        CheckConstraint("fire_count BETWEEN 0 AND max_fires", name="fire_count"),
        CheckConstraint("cooldown >= 0", name="cooldown"),
        CheckConstraint("version >= 1", name="version"),
        Index("ix_standing_intents_list", "namespace_id", "created_at"),
        _partial("ix_standing_intents_creator", "creator", where=LIVE_INTENT),
        _partial("ix_standing_intents_space", "space", where=LIVE_INTENT),
        _partial("ix_standing_intents_expiring", "expires_at", where=LIVE_INTENT),
        _partial("ix_standing_intents_cooled", "ready_at", where="status = 'fired'"),
    )

    key: int | None = _key()
    id: str = _text(unique=True)
    handle: str = _ref("handles.handle", unique=True)
    namespace_id: str = _ref("namespaces.id")
    space: int = _key_of("places.id")
    channel: int = _key_of("places.id")
    conversation: int = _key_of("places.id")
    description_id: str = _ref("content.id")
    creator: int = _key_of("principals.id")
    creator_name: str = _text()
    channel_scope: str = _text()
    watches: int | None = _key_of("principals.id", nullable=True)
    watches_name: str = _text()
    status: str = _text()
    created_at: int = _big()
    armed_at: int | None = _big(nullable=True)
    expires_at: int = _big()
    max_fires: int = _small()
    cooldown: int = _big()
    priority: int = _small()
    options: str = _text()
    on_edits: bool
    fire_count: int = _small()
    last_fired_at: int | None = _big(nullable=True)
    last_fire_id: str | None = _text(nullable=True)
    ready_at: int | None = _big(nullable=True)
    source_message_id: str = _text()
    renewed_from: str | None = _text(nullable=True)
    version: int = _big()


class StandingEntryRow(Base, table=True):
    """The words of one trigger entry, by content id."""

    __tablename__ = "standing_entries"
    __table_args__ = (Index("ix_standing_entries_content", "content_id"), {"sqlite_with_rowid": False})

    intent_key: int = _key_of("standing_intents.key", primary_key=True)
    entry_no: int = _small(primary_key=True)
    content_id: str = _ref("content.id")


class AnalysisVersionRow(Base, table=True):
    """A small number for each analysis fingerprint that ever filed a row."""

    __tablename__ = "analysis_versions"

    id: int | None = _key()
    fingerprint: str = _text(unique=True)


class TrigRow(Base, table=True):
    """The trigger index: one row for each reading of an entry, clustered under (scope, anchor)."""

    __tablename__ = "trig"
    __table_args__ = (Index("ix_trig_intent", "intent_key", "analysis"), {"sqlite_with_rowid": False})

    scope_key: int = Field(primary_key=True, sa_type=KEY)
    anchor: str = Field(primary_key=True, sa_type=EXACT)
    intent_key: int = _key_of("standing_intents.key", primary_key=True)
    entry_no: int = _small(primary_key=True)
    reading: int = _small(primary_key=True)
    need: str = _text()
    source: str = _text()
    options: str = _text()
    sender: int = Field(sa_type=KEY)
    priority: int = _small()
    created_at: int = _big()
    analysis: int = _key_of("analysis_versions.id")


class ScopeRow(Base, table=True):
    """How many rows of `trig` stand under a scope, and how often that changed.

    An empty scope is not probed; `generation` tells what is remembered of it from what is out of date.
    """

    __tablename__ = "scopes"
    __table_args__ = (CheckConstraint("rows >= 0", name="rows"),)

    scope_key: int = Field(primary_key=True, sa_type=KEY, sa_column_kwargs={"autoincrement": False})
    rows: int = _big()
    generation: int = _big()


class FireRow(Base, table=True):
    """One fire: receipt, reservation and history in one row."""

    __tablename__ = "fires"
    __table_args__ = (
        _one_of("state", FireState),
        UniqueConstraint("conversation", "message_id", "intent_key"),
        Index("ix_fires_intent", "intent_key", "fired_at"),
        _partial("ix_fires_reserved", "fired_at", where="state = 'reserved'"),
        CheckConstraint("number >= 1", name="number"),
    )

    id: str = _text(primary_key=True)
    intent_key: int = _key_of("standing_intents.key")
    number: int = _small()
    conversation: int = _key_of("places.id")
    message_id: str = _text()
    link: str = _text()
    sender: int = _key_of("principals.id")
    sender_name: str = _text()
    entry: str = _text()
    terms: str = _text()
    fired_at: int = _big()
    state: str = _text()
    previous_status: str = _text()
    previous_fired_at: int | None = _big(nullable=True)
    previous_fire_id: str | None = _text(nullable=True)
    settled_at: int | None = _big(nullable=True)


class OutboxRow(Base, table=True):
    """One message that a bot owes."""

    __tablename__ = "outbox"
    __table_args__ = (
        _one_of("state", OutboxState),
        _partial("ix_outbox_live", "created_at", where=LIVE_OUTBOX),
        Index("ix_outbox_fire", "fire_id"),
        CheckConstraint("attempts >= 0", name="attempts"),
    )

    id: str = _text(primary_key=True)
    kind: str = _text()
    conversation: int = _key_of("places.id")
    fire_id: str | None = _ref("fires.id", nullable=True)
    reply_to: str = _text()
    body: str = _text()
    state: str = _text()
    due_at: int | None = _big(nullable=True)
    created_at: int | None = _big(nullable=True)
    marked_at: int | None = _big(nullable=True)
    attempts: int = _small()


class FactRow(Base, table=True):
    """A fact about the store itself."""

    __tablename__ = "facts"

    key: str = _text(primary_key=True)
    value: str = _text()


class ProcessRow(Base, table=True):
    """A running process and the analysis it works with."""

    __tablename__ = "processes"

    id: str = _text(primary_key=True)
    fingerprint: str = _text()
    seen_at: int = _big()

"""The standing intent and what belongs to it: drafts, fires and outbox items."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum

from core.limits import DEFAULT_COOLDOWN, DEFAULT_LIFETIME, DEFAULT_MAX_FIRES
from core.text.analyse import TextOptions
from core.turn import Principal, Where


class Status(StrEnum):
    """Lifecycle of a standing intent (`core.standing.lifecycle` holds the table of moves)."""

    PENDING = "pending"
    ARMED = "armed"
    FIRED = "fired"
    DONE = "done"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


LIVE = frozenset({Status.PENDING, Status.ARMED, Status.FIRED})
INDEXED = frozenset({Status.ARMED, Status.FIRED})


class ChannelScope(StrEnum):
    """How far from its place of creation an intent listens."""

    CONVERSATION = "conversation"
    CHANNEL = "channel"
    SPACE = "space"
    ANYWHERE = "anywhere"


class Priority(IntEnum):
    """Order among several hits, high first."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2
    CRITICAL = 3


class CooldownPer(StrEnum):
    """What a cooldown is counted by: the intent as a whole, or each conversation or sender apart."""

    INTENT = "intent"
    CONVERSATION = "conversation"
    SENDER = "sender"


class Deliver(StrEnum):
    """Where a reminder goes: a reply to the trigger message, a direct message to the creator, a named place."""

    HERE = "here"
    DIRECT = "direct"
    PLACE = "place"


class FireState(StrEnum):
    """`reserved` by the matcher, then `delivered` or `refunded`, once."""

    RESERVED = "reserved"
    DELIVERED = "delivered"
    REFUNDED = "refunded"


class OutboxState(StrEnum):
    """`queued` and `held` are live; `sent` and `failed` are final."""

    QUEUED = "queued"
    HELD = "held"
    SENT = "sent"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Draft:
    """What an owner asked for, before validation. Nothing of it is stored until it is confirmed.

    `triggers` is the text as typed (entries separated by newline or `;`). `sender` None with `anyone`
    False means the creator. `except_in` are channels or conversations in which it stays quiet; `deliver_to`
    is the place of `Deliver.PLACE`, in the same space.
    """

    triggers: str
    description: str
    channel_scope: ChannelScope = ChannelScope.CHANNEL
    anyone: bool = False
    sender: Principal | None = None
    sender_name: str = ""
    max_fires: int = DEFAULT_MAX_FIRES
    cooldown: timedelta = DEFAULT_COOLDOWN
    expires_in: timedelta | None = DEFAULT_LIFETIME
    expires_at: datetime | None = None
    priority: Priority = Priority.MEDIUM
    word_forms: bool = True
    on_edits: bool = False
    cooldown_per: CooldownPer = CooldownPer.INTENT
    except_in: tuple[Where, ...] = ()
    deliver: Deliver = Deliver.HERE
    deliver_to: Where | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What an owner wants changed in an intent; None leaves a field as it is."""

    triggers: str | None = None
    description: str | None = None
    expires_in: timedelta | None = None
    expires_at: datetime | None = None
    max_fires: int | None = None
    cooldown: timedelta | None = None
    priority: Priority | None = None
    word_forms: bool | None = None
    on_edits: bool | None = None
    anyone: bool | None = None
    cooldown_per: CooldownPer | None = None
    except_in: tuple[Where, ...] | None = None
    deliver: Deliver | None = None
    deliver_to: Where | None = None


@dataclass(frozen=True, slots=True)
class StandingIntent:
    """One row. Times are aware UTC; `key` is the store's integer key (0 before it is stored).

    `space`, `channel`, `conversation` are surrogate place ids of where it was created; `watches` None means
    anyone's words count. `except_in` holds place ids of channels or conversations, `deliver_to` that of a
    conversation (0 unless `deliver` is PLACE). `unconfirmed` rows are pending until their creator confirms them:
    resuming does not replace that. `goal_id` is the goal it is linked to: while that is closed (`goal_closed`) the row
    does not fire. `expiry_asked_at` is when the creator was asked whether to keep an unused row.
    `version` grows by one a change and guards every update.
    """

    id: str
    handle: str
    namespace_id: str
    space: int
    channel: int
    conversation: int
    description: str
    entries: tuple[str, ...]
    creator: Principal
    creator_name: str
    channel_scope: ChannelScope
    watches: Principal | None
    watches_name: str
    status: Status
    created_at: datetime
    armed_at: datetime | None
    expires_at: datetime
    max_fires: int
    cooldown: timedelta
    priority: Priority
    options: TextOptions
    on_edits: bool = False
    fire_count: int = 0
    last_fired_at: datetime | None = None
    last_fire_id: str | None = None
    source_message_id: str = ""
    renewed_from: str | None = None
    description_id: str = ""
    cooldown_per: CooldownPer = CooldownPer.INTENT
    except_in: tuple[int, ...] = ()
    deliver: Deliver = Deliver.HERE
    deliver_to: int = 0
    expiry_asked_at: datetime | None = None
    unconfirmed: bool = False
    goal_id: str | None = None
    goal_closed: bool = False
    key: int = 0
    version: int = 1

    @property
    def ready_at(self) -> datetime | None:
        """When the running cooldown of the intent as a whole ends; None before the first fire.

        None also where the cooldown is counted by conversation or sender: those are read from the fires.
        """
        if self.last_fired_at is None or self.cooldown_per is not CooldownPer.INTENT:
            return None
        return self.last_fired_at + self.cooldown

    def scope_key(self, private: bool = False) -> int:
        """The index scope it is filed under: a place id, or 0 for anywhere.

        In a private channel or a direct message (`private`) a space scope narrows to the channel.
        """
        match self.channel_scope:
            case ChannelScope.ANYWHERE:
                return 0
            case ChannelScope.SPACE:
                return self.channel if private else self.space
            case ChannelScope.CHANNEL:
                return self.channel
            case ChannelScope.CONVERSATION:
                return self.conversation


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One row of the trigger index to be filed: the entry `entry_no` under `anchor`, `need` beside it."""

    entry_no: int
    anchor: str
    need: str
    source: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row of the trigger index as probed: enough to run the trigger test without touching the intent."""

    intent_key: int
    entry_no: int
    need: str
    source: str
    options: TextOptions
    priority: Priority
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Fire:
    """One use of the budget. Keeps message id, link and matched entry, never a bystander's words.

    `entry_no` tells which of the entries that is when a fire is stored, and is not read back. `acknowledged_at`: when
    somebody said that it is done, which leaves the state as it is.
    """

    id: str
    intent_id: str
    intent_key: int
    number: int
    conversation: int
    message_id: str
    link: str
    sender: Principal
    sender_name: str
    entry: str
    terms: tuple[str, ...]
    fired_at: datetime
    state: FireState
    previous_status: Status
    previous_fired_at: datetime | None
    previous_fire_id: str | None
    settled_at: datetime | None = None
    entry_no: int = 0
    acknowledged_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """One message that a bot owes. `body` holds canonical values and ids only, never words that could be erased.

    `fire_id` None for notices. With a `recipient` it is a direct message to that person; `conversation` is then
    the place it is about. `due_at` is the earliest instant at which it may be sent (again); a `held` item waits for
    the end of quiet hours. `error` is a short code of its last failure.
    """

    id: str
    kind: str
    conversation: int
    fire_id: str | None
    reply_to: str
    body: dict[str, object] = field(default_factory=dict)
    state: OutboxState = OutboxState.QUEUED
    due_at: datetime | None = None
    created_at: datetime | None = None
    attempts: int = 0
    recipient: Principal | None = None
    error: str = ""

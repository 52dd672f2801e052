"""What the delivery loop sends: parcels, made of outbox rows. One kind of row is one entry of `KINDS`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.operations.log import OpType
from core.ports import Tx
from core.services import notices
from core.services.context import Context
from core.services.deliver import owed_reminder, refund, reserved_by, settle_delivered
from core.services.fire_timed import KIND as TIMED
from core.services.notices import Notice, person_in
from core.services.outgoing import REMINDER, quiet_end, space_of, where_of
from core.services.timed_delivery import is_late, settle_timed, timed_of
from core.settings import Setting
from core.standing.intent import OutboxItem, OutboxState
from core.standing.outcome import Reminder
from core.turn import PlaceKind, Principal, Visibility, Where

UNREACHED = "unreached"
BLOCKED = "blocked"
UNKNOWN_KIND = "unknown kind"
MOOT = "moot"


@dataclass(frozen=True, slots=True)
class Unreached:
    """Somebody who cannot be written to is asked, where others read it, to open a private chat. It says no more."""

    who: Principal
    name: str


@dataclass(frozen=True, slots=True)
class Parcel:
    """One message to send, taken until `lease`. `chat` is its channel by key, or a person by their negative key.

    `items` are its rows in the outbox, one but for notices; `attempts` counts this one. `zone` is the name of the
    time zone of the space it is about. `content` is what its kind reads.
    """

    items: tuple[str, ...]
    kind: str
    chat: int
    to: Where | Principal
    reply_to: str
    attempts: int
    lease: datetime
    zone: str
    content: object

    @property
    def item_id(self) -> str:
        """The first of its rows."""
        return self.items[0]

    @property
    def reminder(self) -> Reminder | None:
        """The reminder that it carries, if it is one."""
        return self.content if isinstance(self.content, Reminder) else None

    @property
    def notice(self) -> Notice | None:
        """The notices that it carries, if it is of those."""
        return self.content if isinstance(self.content, Notice) else None


Read = Callable[[Context, Tx, OutboxItem], object | None]
Holds = Callable[[Context, OutboxItem], bool]
Sent = Callable[[Context, Tx, OutboxItem, datetime, Sequence[str]], bool]
Failed = Callable[[Context, Tx, OutboxItem, datetime, str], bool]


def mark_sent(_ctx: Context, tx: Tx, item: OutboxItem, now: datetime, _messages: Sequence[str]) -> bool:
    """It was sent, and that is all there is to it; False when it was final before."""
    return tx.outbox.mark(item.id, OutboxState.SENT, now)


def mark_failed(_ctx: Context, tx: Tx, item: OutboxItem, now: datetime, why: str) -> bool:
    """It failed for good, and nobody is told; False when it was final before."""
    return tx.outbox.mark(item.id, OutboxState.FAILED, now, why)


def _is_no_reply(_ctx: Context, item: OutboxItem) -> bool:
    return not item.reply_to


@dataclass(frozen=True, slots=True)
class ParcelKind:
    """How rows of one kind are sent. `read` gives the content, None when there is no reason to send it any more.

    `sent` and `failed` record its end in the caller's transaction. Quiet hours hold what `holds` tells.
    """

    read: Read
    sent: Sent = mark_sent
    failed: Failed = mark_failed
    holds: Holds = _is_no_reply


def _read_reminder(_ctx: Context, tx: Tx, item: OutboxItem) -> Reminder | None:
    owed = reserved_by(tx, item)
    return None if owed is None else owed_reminder(tx, item, *owed)


def _reminder_sent(ctx: Context, tx: Tx, item: OutboxItem, now: datetime, messages: Sequence[str]) -> bool:
    return item.fire_id is not None and settle_delivered(ctx, tx, item.fire_id, now, messages)


def _reminder_failed(ctx: Context, tx: Tx, item: OutboxItem, now: datetime, why: str) -> bool:
    fire = tx.fires.get(item.fire_id) if item.fire_id is not None else None
    refunded = fire is not None and refund(ctx, tx, fire, now, why)
    return tx.outbox.mark(item.id, OutboxState.FAILED, now, why) or refunded


def _read_unreached(_ctx: Context, tx: Tx, item: OutboxItem) -> Unreached | None:
    who = person_in(item)
    return None if who is None else Unreached(who, tx.places.name_of(who))


def _timed_sent(ctx: Context, tx: Tx, item: OutboxItem, _now: datetime, _messages: Sequence[str]) -> bool:
    return settle_timed(ctx, tx, item, OutboxState.SENT, OpType.DELIVERED)


def _timed_failed(ctx: Context, tx: Tx, item: OutboxItem, _now: datetime, why: str) -> bool:
    return settle_timed(ctx, tx, item, OutboxState.FAILED, OpType.REFUNDED, why)


KINDS: Mapping[str, ParcelKind] = {
    REMINDER: ParcelKind(_read_reminder, _reminder_sent, _reminder_failed),
    TIMED: ParcelKind(timed_of, _timed_sent, _timed_failed, is_late),
    UNREACHED: ParcelKind(_read_unreached),
}
"""Every kind that is sent as it lies in the outbox. Notices are merged: `core.services.notices`."""


def target(tx: Tx, item: OutboxItem) -> Where | Principal:
    """Whom or where it goes to."""
    return where_of(tx, item.conversation) if item.recipient is None else item.recipient


def space_about(tx: Tx, item: OutboxItem) -> int:
    """The space whose quiet hours and zone count: that of the rule, else that of the place it is about."""
    owed = reserved_by(tx, item)
    return space_of(tx, item.conversation) if owed is None else owed[1].space


def zone_in(ctx: Context, tx: Tx, space: int) -> str:
    """The name of the zone of a space."""
    return str(ctx.settings(tx.records.settings(space))[Setting.ZONE])


def add_unreached(ctx: Context, tx: Tx, item: OutboxItem, now: datetime) -> bool:
    """Ask somebody who blocks direct messages to open a private chat: in the channel that a message was about.

    A channel stands in for its thread, which may be gone. Once in `reach_gap`; never where only they can read. To be
    called before the message itself is closed.
    """
    who = item.recipient
    last = None if who is None else tx.outbox.last_failed(who, notices.KINDS, BLOCKED, now)
    if who is None or (last is not None and now < last + ctx.limits.reach_gap):
        return False
    place = tx.places.get(item.conversation)
    if place.visibility is Visibility.DIRECT:
        return False
    channel = place.id if place.kind is PlaceKind.CHANNEL or place.parent_id is None else place.parent_id
    until = quiet_end(ctx, tx, space_of(tx, channel), now)
    state = OutboxState.QUEUED if until is None else OutboxState.HELD
    body: dict[str, object] = {"who": notices.as_list(who)}
    tx.outbox.add(OutboxItem(ctx.ids.uuid(), UNREACHED, channel, None, "", body, state, until or now, now))
    return True

"""A timed reminder: one row, and the table of its moves. Pure; instants of occurrences come in as arguments."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from core.catalogue import say
from core.errors import InvalidTransition
from core.timed.when import When
from core.turn import Principal


class TimedStatus(StrEnum):
    """`active` has an occurrence to come, `done` had its last one, `cancelled` is final."""

    ACTIVE = "active"
    DONE = "done"
    CANCELLED = "cancelled"


MOVES: dict[TimedStatus, frozenset[TimedStatus]] = {
    TimedStatus.ACTIVE: frozenset(TimedStatus),
    TimedStatus.DONE: frozenset({TimedStatus.CANCELLED}),
    TimedStatus.CANCELLED: frozenset(),
}


@dataclass(frozen=True, slots=True)
class RemindDraft:
    """What somebody asked for, before it is checked. `target` None: for themselves.

    `for_all`: for everybody in the place, nobody is pinged. `direct`: told by direct message.
    """

    when: When
    text: str
    target: Principal | None = None
    target_name: str = ""
    target_is_bot: bool = False
    for_all: bool = False
    direct: bool = False


@dataclass(frozen=True, slots=True)
class TimedReminder:
    """One row. Times but `when.local` are aware UTC; `key` is the store's integer key (0 before it is stored).

    `space`, `channel`, `conversation` are surrogate place ids. `due_at` is the next due instant, None unless it is
    active; `fired` counts the reminders, `last_due_at` is the occurrence of the newest. `acknowledged_at` is when that
    one was marked as done, or put off. `outbox_id` is the message that carries the newest. `snoozed_from` is the id of
    the timed reminder that was put off, `fire_id` that of a standing intent's fire. The notes of `when` are for the
    read-back and are not kept. `version` grows by one a change and guards every update.
    """

    id: str
    handle: str
    namespace_id: str
    space: int
    channel: int
    conversation: int
    text: str
    creator: Principal
    creator_name: str
    target: Principal
    target_name: str
    when: When
    created_at: datetime
    due_at: datetime | None
    status: TimedStatus = TimedStatus.ACTIVE
    for_all: bool = False
    direct: bool = False
    fired: int = 0
    last_due_at: datetime | None = None
    acknowledged_at: datetime | None = None
    outbox_id: str | None = None
    source_message_id: str = ""
    reply_to: str = ""
    snoozed_from: str | None = None
    fire_id: str | None = None
    text_id: str = ""
    key: int = 0
    version: int = 1

    @property
    def recurring(self) -> bool:
        """Does it repeat?"""
        return bool(self.when.rule)

    @property
    def waiting(self) -> bool:
        """Did it come, and was not marked as done since?"""
        return self.last_due_at is not None and self.acknowledged_at is None


def move(row: TimedReminder, new: TimedStatus) -> TimedReminder:
    """The row in its new state; InvalidTransition for a pair that the table does not have."""
    if new not in MOVES[row.status]:
        raise _refusal(row, new, f"timed.moved.{row.status}")
    return replace(row, status=new)


def _refusal(row: TimedReminder, new: TimedStatus, key: str) -> InvalidTransition:
    return InvalidTransition(
        say(key, handle=row.handle),
        say(f"{key}.hint", handle=row.handle),
        kind="timed reminder",
        old=row.status,
        new=new,
    )


def is_due(row: TimedReminder, now: datetime) -> bool:
    """Is there an occurrence that has come and was not fired?"""
    return row.status is TimedStatus.ACTIVE and row.due_at is not None and row.due_at <= now


def came_due(row: TimedReminder, following: datetime | None, outbox_id: str) -> TimedReminder:
    """After it fired: on to the occurrence `following`, over when there is none."""
    moved = move(row, TimedStatus.ACTIVE if following is not None else TimedStatus.DONE)
    return replace(
        moved,
        fired=row.fired + 1,
        last_due_at=row.due_at,
        due_at=following,
        acknowledged_at=None,
        outbox_id=outbox_id,
    )


def cancelled(row: TimedReminder) -> TimedReminder:
    """For good: it never comes again."""
    return replace(move(row, TimedStatus.CANCELLED), due_at=None)


def acknowledged(row: TimedReminder, now: datetime) -> TimedReminder:
    """The newest one is done; a recurring reminder goes on. InvalidTransition before the first, and a second time."""
    _require_fired(row)
    if row.acknowledged_at is not None:
        raise _refusal(row, row.status, "timed.moved.acknowledged")
    return replace(row, acknowledged_at=now)


def put_off(row: TimedReminder, now: datetime) -> TimedReminder:
    """What was put off is dealt with; one that was done can be had again, too. InvalidTransition before the first."""
    _require_fired(row)
    return replace(row, acknowledged_at=row.acknowledged_at or now)


def _require_fired(row: TimedReminder) -> None:
    if row.status is TimedStatus.CANCELLED:
        raise _refusal(row, row.status, f"timed.moved.{row.status}")
    if row.last_due_at is None:
        raise _refusal(row, row.status, "timed.moved.early")

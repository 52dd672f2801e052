"""The table of timed reminders, and its rows to domain objects and back.

`local` is the wall time of the first occurrence as ISO text, in `zone`; `fold` tells which one of a doubled hour.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field

from core.timed.reminder import TimedReminder, TimedStatus
from core.timed.when import Resolution, When
from core.turn import Principal
from storage.columns import (
    Base,
    big_column,
    key_column,
    key_reference,
    one_of,
    partial,
    small_column,
    text_column,
    text_reference,
)
from storage.types import micros, micros_or_none, moment, moment_or_none, shown

ACTIVE = "status = 'active'"


class TimedReminderRow(Base, table=True):
    """A timed reminder. Its words lie in `content`."""

    __tablename__ = "timed_reminders"
    __table_args__ = (
        one_of("status", TimedStatus),
        one_of("resolution", Resolution),
        CheckConstraint("(status = 'active') = (due_at IS NOT NULL)", name="due_at"),
        CheckConstraint("fold IN (0,1)", name="fold"),
        CheckConstraint("fired >= 0", name="fired"),
        CheckConstraint("version >= 1", name="version"),
        Index("ix_timed_reminders_namespace", "namespace_id"),
        Index("ix_timed_reminders_target", "target"),
        Index("ix_timed_reminders_creator", "creator"),
        partial("ix_timed_reminders_due", "due_at", where=ACTIVE),
    )

    key: int | None = key_column()
    id: str = text_column(unique=True)
    handle: str = text_reference("handles.handle", unique=True)
    namespace_id: str = text_reference("namespaces.id")
    space: int = key_reference("places.id")
    channel: int = key_reference("places.id")
    conversation: int = key_reference("places.id")
    text_id: str = text_reference("content.id")
    creator: int = key_reference("principals.id")
    creator_name: str = text_column()
    target: int = key_reference("principals.id")
    target_name: str = text_column()
    for_all: bool = Field()
    direct: bool = Field()
    local: str = text_column()
    fold: int = small_column()
    zone: str = text_column()
    resolution: str = text_column()
    rule: str = text_column()
    created_at: int = big_column()
    source_message_id: str = text_column()
    reply_to: str = text_column()
    snoozed_from: str | None = text_column(nullable=True)
    fire_id: str | None = text_column(nullable=True)
    status: str = text_column()
    due_at: int | None = big_column(nullable=True)
    fired: int = big_column()
    last_due_at: int | None = big_column(nullable=True)
    acknowledged_at: int | None = big_column(nullable=True)
    outbox_id: str | None = text_column(nullable=True)
    version: int = big_column()


_COLUMNS = tuple(TimedReminderRow.model_fields)
FIXED = _COLUMNS[1 : _COLUMNS.index("status")]
MUTABLE = _COLUMNS[_COLUMNS.index("status") : -1]


def fixed_values(row: TimedReminder, creator: int, target: int) -> tuple[object, ...]:
    """Values of `FIXED` for a new row; people by their keys."""
    when = row.when
    return (
        row.id,
        row.handle,
        row.namespace_id,
        row.space,
        row.channel,
        row.conversation,
        row.text_id,
        creator,
        shown(row.creator_name),
        target,
        shown(row.target_name),
        row.for_all,
        row.direct,
        when.local.replace(fold=0).isoformat(),
        when.local.fold,
        when.zone,
        when.resolution.value,
        when.rule,
        micros(row.created_at),
        row.source_message_id,
        row.reply_to,
        row.snoozed_from,
        row.fire_id,
    )


def mutable_values(row: TimedReminder) -> tuple[object, ...]:
    """Values of `MUTABLE`."""
    return (
        row.status.value,
        micros_or_none(row.due_at),
        row.fired,
        micros_or_none(row.last_due_at),
        micros_or_none(row.acknowledged_at),
        row.outbox_id,
    )


SELECTED = tuple(name for name in _COLUMNS if name not in {"creator", "target"})


def reminder(row: Sequence[Any]) -> TimedReminder:
    """`SELECTED`, then provider, account and id of creator and target, then the words. Erased ones come out empty."""
    (key, id_, handle, namespace, space, channel, conversation, text_id, creator_name, target_name) = row[:10]
    (for_all, direct, local, fold, zone, resolution, rule, created_at, source, reply_to, snoozed, fire_id) = row[10:22]
    (status, due_at, fired, last_due_at, acknowledged_at, outbox_id, version) = row[22:29]
    return TimedReminder(
        id=id_,
        handle=handle,
        namespace_id=namespace,
        space=space,
        channel=channel,
        conversation=conversation,
        text=row[35] or "",
        creator=Principal(*row[29:32]),
        creator_name=creator_name,
        target=Principal(*row[32:35]),
        target_name=target_name,
        when=When(datetime.fromisoformat(local).replace(fold=fold), zone, Resolution(resolution), rule),
        created_at=moment(created_at),
        due_at=moment_or_none(due_at),
        status=TimedStatus(status),
        for_all=bool(for_all),
        direct=bool(direct),
        fired=fired,
        last_due_at=moment_or_none(last_due_at),
        acknowledged_at=moment_or_none(acknowledged_at),
        outbox_id=outbox_id,
        source_message_id=source,
        reply_to=reply_to,
        snoozed_from=snoozed,
        fire_id=fire_id,
        text_id=text_id,
        key=key,
        version=version,
    )


def keyed(row: TimedReminder, key: int) -> TimedReminder:
    """The reminder as stored under `key`; the notes of its time are not kept."""
    return replace(row, key=key, when=replace(row.when, notes=()))

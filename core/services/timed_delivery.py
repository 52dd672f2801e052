"""Timed reminders on their way: what the outbox owes, ready to be rendered, and what became of it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial

from core.operations.log import OpType
from core.ports import Tx
from core.services import notices
from core.services.context import Context
from core.services.fire_timed import KIND
from core.services.notices import NoticeKind
from core.services.outgoing import in_pages, quiet_end, where_of
from core.services.record import EPOCH, MICROSECOND, log
from core.services.timed_rows import TARGET_TYPE
from core.standing.intent import OutboxItem, OutboxState
from core.timed.due import DueReminder
from core.timed.reminder import TimedReminder, TimedStatus
from core.turn import SYSTEM, Principal, Where


def read_timed(ctx: Context, tx: Tx, item: OutboxItem) -> DueReminder | None:
    """An outbox row of the kind `timed` as what is to be rendered.

    None for one that is not to be sent: it was cancelled, or erased; and for one that quiet hours hold back now.
    """
    due = timed_of(ctx, tx, item)
    quiet = due is not None and due.late and quiet_end(ctx, tx, due.reminder.space, ctx.clock.now()) is not None
    return None if quiet else due


def timed_of(ctx: Context, tx: Tx, item: OutboxItem) -> DueReminder | None:
    """The same, whatever the quiet hours: None only for one that is never to be sent."""
    row = tx.timed.by_id(str(item.body.get("timed"))) if item.kind == KIND else None
    if row is None or row.status is TimedStatus.CANCELLED or not row.text:
        return None
    return _due(tx, item, row, _due_at(item), is_late(ctx, item))


def is_late(ctx: Context, item: OutboxItem) -> bool:
    """Does it come so late that quiet hours hold it?"""
    return ctx.clock.now() - _due_at(item) >= ctx.limits.on_time


def _due_at(item: OutboxItem) -> datetime:
    return EPOCH + _number(item, "due") * MICROSECOND


def _due(tx: Tx, item: OutboxItem, row: TimedReminder, due_at: datetime, late: bool) -> DueReminder:
    number = _number(item, "number")
    return DueReminder(
        item.id,
        row,
        where_of(tx, item.conversation),
        item.recipient,
        due_at,
        late,
        _number(item, "missed"),
        number,
        last=row.recurring and row.status is TimedStatus.DONE and number == row.fired,
        reply_to=item.reply_to,
    )


def _number(item: OutboxItem, name: str) -> int:
    value = item.body.get(name)
    return value if isinstance(value, int) else 0


@dataclass(frozen=True, slots=True)
class PendingTimed:
    """Timed reminders that are owed now, oldest first; `owed_pages` are looked through."""

    ctx: Context

    def to_places(self, provider: str, known: Callable[[Where], bool]) -> tuple[DueReminder, ...]:
        """Those to be posted in places of a provider that are `known`."""
        with self.ctx.store.read() as tx:
            there = cache(lambda conversation: known(where_of(tx, conversation)))
            items = in_pages(self.ctx.limits, partial(tx.outbox.due, [], provider=provider))
            return tuple(self._all(tx, (item for item in items if item.kind == KIND and there(item.conversation))))

    def to_person(self, person: Principal) -> tuple[DueReminder, ...]:
        """Those owed to a person as direct messages."""
        with self.ctx.store.read() as tx:
            return tuple(self._all(tx, in_pages(self.ctx.limits, partial(tx.outbox.owed, person))))

    def _all(self, tx: Tx, items: Iterable[OutboxItem]) -> Iterator[DueReminder]:
        return (due for item in items if (due := read_timed(self.ctx, tx, item)) is not None)


@dataclass(frozen=True, slots=True)
class TimedDelivery:
    """Record what became of a message. Each answers False when it was settled before."""

    ctx: Context

    def delivered(self, item_id: str) -> bool:
        """The platform accepted it: one DELIVERED."""
        return self._settle(item_id, OutboxState.SENT, OpType.DELIVERED)

    def failed(self, item_id: str, why: str) -> bool:
        """It cannot be sent, for good: one REFUNDED, and its creator is told at once. `why` is a short code.

        A recurring reminder goes on with its next occurrence; one that came once stays in the list as not done.
        """
        return self._settle(item_id, OutboxState.FAILED, OpType.REFUNDED, why)

    def _settle(self, item_id: str, state: OutboxState, op_type: OpType, why: str = "") -> bool:
        with self.ctx.store.write() as tx:
            item = tx.outbox.get(item_id)
            done = item is not None and settle_timed(self.ctx, tx, item, state, op_type, why)
            if done:
                tx.commit()
            return done


def settle_timed(ctx: Context, tx: Tx, item: OutboxItem, state: OutboxState, op_type: OpType, why: str = "") -> bool:
    """What became of a message, in the caller's transaction; False when it was settled before."""
    now = ctx.clock.now()
    row = tx.timed.by_id(str(item.body.get("timed"))) if item.kind == KIND else None
    if row is None:
        return False
    tx.operations.lock([row.namespace_id])
    if not tx.outbox.mark(item.id, state, now, why):
        return False
    payload = {"item": item.id, "number": _number(item, "number")} | ({"why": why} if why else {})
    log(tx, ctx.ids, now, SYSTEM, op_type, row.namespace_id, row.id, payload, TARGET_TYPE)
    if state is OutboxState.FAILED:
        notices.add_timed(ctx, tx, NoticeKind.TIMED_FAILED, row, SYSTEM, urgent=True)
    return True

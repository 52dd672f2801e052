"""Timed reminders that have come due: each fires exactly once, whoever notices first."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from core.operations.log import OpType
from core.ports import Tx
from core.services.chunks import Chunks
from core.services.context import Context
from core.services.outgoing import quiet_end
from core.services.record import log, maybe_micros, micros
from core.services.timed_rows import TARGET_TYPE, store_change
from core.services.whens import following, occurrences
from core.standing.intent import OutboxItem, OutboxState
from core.timed.reminder import TimedReminder, came_due, is_due
from core.turn import SYSTEM

KIND = "timed"
"""What the outbox calls a timed reminder."""


@dataclass(frozen=True, slots=True)
class FireTimed:
    """Fire what is due, in chunks: the row goes on to its next occurrence, one outbox row carries the message.

    However many occurrences were missed, it fires once for all of them, and for the message of an earlier occurrence
    that nobody got yet. Answers how many fired. Any number of processes may call it at any time.
    """

    ctx: Context
    rest: Callable[[], object] = lambda: None

    def __call__(self) -> int:
        chunks = Chunks(self.ctx, self.rest)

        def fire(tx: Tx, rows: tuple[TimedReminder, ...]) -> int:
            locked = tx.timed.by_keys(sorted(row.key for row in rows), lock=True)
            tx.operations.lock(row.namespace_id for row in locked)
            return chunks.each(locked, lambda row: self._fire(tx, row))

        return chunks(lambda tx, limit: tx.timed.due(self.ctx.clock.now(), limit), fire)

    def _fire(self, tx: Tx, old: TimedReminder) -> bool:
        ctx, now = self.ctx, self.ctx.clock.now()
        if not is_due(old, now) or old.due_at is None:
            return False
        missed = self._missed(old, old.due_at, now) + self._overtaken(tx, old, now)
        new = came_due(old, following(ctx, old.when, now), ctx.ids.uuid())
        item = self._item(tx, new, old.due_at, missed, now)
        tx.outbox.add(item)
        store_change(tx, old, new)
        payload = {
            "item": item.id,
            "number": new.fired,
            "due_at": [micros(old.due_at), maybe_micros(new.due_at)],
            "missed": missed,
            "from": str(old.status),
            "to": str(new.status),
        }
        log(tx, ctx.ids, now, SYSTEM, OpType.FIRED, new.namespace_id, new.id, payload, TARGET_TYPE)
        return True

    def _missed(self, row: TimedReminder, due_at: datetime, now: datetime) -> int:
        """How many more occurrences have come since, counted up to `missed_counted`."""
        count = 0
        for later in occurrences(self.ctx, row.when, due_at):
            if later > now or count >= self.ctx.limits.missed_counted:
                break
            count += 1
        return count

    def _overtaken(self, tx: Tx, row: TimedReminder, now: datetime) -> int:
        """Close the message of an earlier occurrence that was not delivered; how many occurrences it stood for."""
        item = tx.outbox.get(row.outbox_id) if row.outbox_id is not None else None
        if item is None or not tx.outbox.mark(item.id, OutboxState.FAILED, now):
            return 0
        missed = item.body.get("missed")
        return 1 + (missed if isinstance(missed, int) else 0)

    def _item(self, tx: Tx, row: TimedReminder, due_at: datetime, missed: int, now: datetime) -> OutboxItem:
        """The message. Quiet hours hold one that comes late, not one that was asked for at that very time."""
        assert row.outbox_id is not None, "came_due set it"  # noqa: S101
        late = now - due_at >= self.ctx.limits.on_time
        until = quiet_end(self.ctx, tx, row.space, now) if late else None
        return OutboxItem(
            row.outbox_id,
            KIND,
            row.conversation,
            None,
            row.reply_to,
            {"timed": row.id, "handle": row.handle, "number": row.fired, "due": micros(due_at), "missed": missed},
            OutboxState.QUEUED if until is None else OutboxState.HELD,
            until or now,
            now,
            recipient=row.target if row.direct else None,
        )


@dataclass(frozen=True, slots=True)
class NextDue:
    """When a timed reminder comes due next, aware UTC; None when none waits. In the past where it was not fired yet."""

    ctx: Context

    def __call__(self) -> datetime | None:
        with self.ctx.store.read() as tx:
            return tx.timed.next_due()

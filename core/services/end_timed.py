"""Somebody left a space: the reminders by the clock that they made there, or are for them, end."""

from dataclasses import dataclass

from core.limits import ALL_ROWS
from core.operations.log import OpType
from core.services.context import Context
from core.services.record import log, maybe_micros
from core.services.timed_rows import TARGET_TYPE, store_change
from core.standing.intent import OutboxState
from core.timed.kept import TimedFilter
from core.timed.reminder import TimedStatus, cancelled
from core.turn import Actor, Principal, Where


@dataclass(frozen=True, slots=True)
class EndTimed:
    """Cancel the timed reminders of a person in a space that still come, with what they owe; nobody is told.

    What was made in a direct message stays. One transaction, one operation a reminder; answers how many there were.
    """

    ctx: Context

    def __call__(self, who: Principal, where: Where, actor: Actor) -> int:
        ctx = self.ctx
        with ctx.store.write() as tx:
            space = tx.places.find(where).space
            if not space:
                return 0
            wanted = TimedFilter(tx.places.namespaces(space), who, open_only=True)
            found = [row.key for row in tx.timed.list(wanted, ALL_ROWS, 0) if row.status is TimedStatus.ACTIVE]
            rows = tx.timed.by_keys(sorted(found), lock=True) if found else ()
            tx.operations.lock(row.namespace_id for row in rows)
            now = ctx.clock.now()
            live = [row for row in rows if row.status is TimedStatus.ACTIVE]
            for old in live:
                new = cancelled(old)
                store_change(tx, old, new)
                dropped = old.outbox_id is not None and tx.outbox.mark(old.outbox_id, OutboxState.FAILED, now)
                payload = {
                    "status": [str(old.status), str(new.status)],
                    "due_at": [maybe_micros(old.due_at), None],
                    "dropped": dropped,
                    "reason": "left the space",
                }
                log(tx, ctx.ids, now, actor, OpType.EDITED, old.namespace_id, old.id, payload, TARGET_TYPE)
            tx.commit()
            return len(live)

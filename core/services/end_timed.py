"""Somebody left a space: the reminders by the clock that they made there, or are for them, end."""

from dataclasses import dataclass

from core.limits import ALL_ROWS
from core.services.context import Context
from core.services.timed_rows import cancel_row
from core.timed.kept import TimedFilter
from core.timed.reminder import TimedStatus
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
            live = [row for row in rows if row.status is TimedStatus.ACTIVE]
            for old in live:
                cancel_row(ctx, tx, old, actor, "left the space")
            tx.commit()
            return len(live)

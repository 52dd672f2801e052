"""Cancelling every live intent of one person."""

from dataclasses import dataclass

from core.audit.recorded import standing_change
from core.limits import ALL_ROWS
from core.operations.log import OpType
from core.services import notices
from core.services.change_intent import store_change
from core.services.context import Context
from core.services.of_person import lock_all
from core.services.owed import by_intent, drop_owed
from core.services.record import log
from core.services.rights import of_person
from core.standing import lifecycle
from core.standing.intent import LIVE, StandingIntent, Status
from core.turn import Actor, Principal, Where


@dataclass(frozen=True, slots=True)
class CancelAll:
    """Cancel the live intents of a person that the actor may cancel here, for good; answers how many.

    An owner reaches the namespace they stand in, an operator in a direct message and an administrator all of
    them; anybody their own. What these intents, and those that are over, still owe is dropped. One transaction, one
    operation an intent and one a dropped fire; the creator is told once. Raises NotAllowed.
    """

    ctx: Context

    def count(self, who: Principal, actor: Actor, where: Where | None) -> int:
        """How many a call would cancel now."""
        with self.ctx.store.read() as tx:
            wanted = of_person(tx, actor, where, who, tuple(sorted(LIVE)))
            return len(self._live(tx.intents.list(wanted, ALL_ROWS, 0)))

    def __call__(self, who: Principal, actor: Actor, where: Where | None) -> int:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            rows, open_fires = lock_all(tx, of_person(tx, actor, where, who, tuple(sorted(LIVE))), who)
            owed = by_intent(open_fires)
            rows = tuple(drop_owed(ctx, tx, row, owed.get(row.key, ()), actor, now, "cancelled") for row in rows)
            live = self._live(rows)
            for old in live:
                new = store_change(ctx, tx, old, lifecycle.move(lifecycle.settled(old, now), Status.CANCELLED))
                payload = {"from": str(old.status), "to": str(new.status), "reason": "all of a person cancelled"}
                told = standing_change(payload, old, new)
                log(tx, ctx.ids, now, actor, OpType.STANDING_TRANSITION, old.namespace_id, old.id, told)
            notices.add_cancelled(ctx, tx, live, actor)
            tx.commit()
            return len(live)

    def _live(self, rows: tuple[StandingIntent, ...]) -> tuple[StandingIntent, ...]:
        now = self.ctx.clock.now()
        return tuple(row for row in rows if lifecycle.effective_status(row, now) in LIVE)

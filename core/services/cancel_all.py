"""Cancelling every live intent of one person."""

from dataclasses import dataclass

from core.operations.log import OpType
from core.ports import Tx
from core.services import notices
from core.services.change_intent import store_change
from core.services.context import Context
from core.services.record import log
from core.services.rights import of_person
from core.standing import lifecycle
from core.standing.intent import LIVE, StandingIntent, Status
from core.turn import Actor, Principal, Where


@dataclass(frozen=True, slots=True)
class CancelAll:
    """Cancel the live intents of a person that the actor may cancel here, for good; answers how many.

    An owner reaches the namespace they stand in, an operator in a direct message and an administrator all of
    them; anybody their own. One transaction, one operation an intent; the creator is told once. Raises NotAllowed.
    """

    ctx: Context

    def count(self, who: Principal, actor: Actor, where: Where | None) -> int:
        """How many a call would cancel now."""
        with self.ctx.store.read() as tx:
            return len(self._live(self._found(tx, who, actor, where)))

    def __call__(self, who: Principal, actor: Actor, where: Where | None) -> int:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            found = self._found(tx, who, actor, where)
            locked = tx.intents.by_keys(sorted(row.key for row in found), lock=True) if found else ()
            tx.operations.lock(row.namespace_id for row in locked)
            live = self._live(locked)
            for old in live:
                new = store_change(ctx, tx, old, lifecycle.move(lifecycle.settled(old, now), Status.CANCELLED))
                payload = {"from": str(old.status), "to": str(new.status), "reason": "all of a person cancelled"}
                log(tx, ctx.ids, now, actor, OpType.STANDING_TRANSITION, old.namespace_id, old.id, payload)
            notices.add_cancelled(ctx, tx, live, actor)
            tx.commit()
            return len(live)

    def _found(self, tx: Tx, who: Principal, actor: Actor, where: Where | None) -> tuple[StandingIntent, ...]:
        wanted = of_person(tx, actor, where, who, tuple(sorted(LIVE)))
        return tx.intents.list(wanted, tx.intents.count(wanted), 0)

    def _live(self, rows: tuple[StandingIntent, ...]) -> tuple[StandingIntent, ...]:
        now = self.ctx.clock.now()
        return tuple(row for row in rows if lifecycle.effective_status(row, now) in LIVE)

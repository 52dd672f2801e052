"""Keeping an intent that is about to expire unused."""

from dataclasses import dataclass, replace

from core.audit.recorded import standing_change
from core.limits import DEFAULT_LIFETIME
from core.operations.log import OpType
from core.services.change_intent import changeable, store_change
from core.services.context import Context
from core.services.record import log, maybe_micros, micros
from core.services.rights import lookup
from core.standing.intent import StandingIntent
from core.turn import Actor, Where


@dataclass(frozen=True, slots=True)
class KeepIntent:
    """Let a live intent end 90 days from now, never earlier than it would; one EDITED operation if that changes it.

    Whoever may edit it may keep it. Raises NotFound, NotAllowed, or InvalidTransition when it is no longer live.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> StandingIntent:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            old, row = changeable(tx, lookup(tx, handle, actor, where, change=True), actor, now)
            new = replace(row, expires_at=max(row.expires_at, now + DEFAULT_LIFETIME), expiry_asked_at=None)
            payload = _differences(old, new)
            if not payload:
                return old
            if new.status is not old.status:
                payload["status"] = [str(old.status), str(new.status)]
            stored = store_change(ctx, tx, old, new)
            told = standing_change(payload, old, stored)
            log(tx, ctx.ids, now, actor, OpType.EDITED, old.namespace_id, old.id, told)
            tx.commit()
            return stored


def _differences(old: StandingIntent, new: StandingIntent) -> dict[str, object]:
    pairs: dict[str, list[int | None]] = {
        "expires_at": [micros(old.expires_at), micros(new.expires_at)],
        "expiry_asked_at": [maybe_micros(old.expiry_asked_at), maybe_micros(new.expiry_asked_at)],
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

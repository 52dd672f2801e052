"""The end of a membership: the intents of somebody who left a space, or owns it no more, are paused."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.operations.log import OpType
from core.ports import Tx
from core.services import notices
from core.services.audit import SYSTEM_NAMESPACE
from core.services.change_intent import store_change
from core.services.context import Context
from core.services.notices import NoticeKind
from core.services.record import log
from core.services.rights import require_end
from core.standing import lifecycle
from core.standing.intent import INDEXED
from core.stored import IntentFilter
from core.turn import Actor, Principal, Where


@dataclass(frozen=True, slots=True)
class EndMembership:
    """Pause every armed or quiet intent that a person made in a space, its private channels included.

    One transaction, one operation an intent; `owners` of the space are told how many. Answers that number. An
    owner of the space can wake what was paused. Raises NotAllowed unless the person themselves, an owner, an
    operator or the system asks.
    """

    ctx: Context

    def __call__(self, who: Principal, where: Where, owners: Sequence[Principal], actor: Actor) -> int:
        require_end(actor, who)
        with self.ctx.store.write() as tx:
            paused = end_membership(self.ctx, tx, who, where, owners, actor)
            tx.commit()
            return paused


def end_membership(
    ctx: Context, tx: Tx, who: Principal, where: Where, owners: Iterable[Principal], actor: Actor
) -> int:
    """The same in the caller's transaction, without a check of rights. The system's chain is locked too."""
    now, space = ctx.clock.now(), tx.places.find(where).space
    wanted = IntentFilter(space=space, creator=who, statuses=tuple(sorted(INDEXED)))
    found = tx.intents.list(wanted, tx.intents.count(wanted), 0) if space else ()
    locked = tx.intents.by_keys(sorted(row.key for row in found), lock=True) if found else ()
    tx.operations.lock({SYSTEM_NAMESPACE, *(row.namespace_id for row in locked)})
    paused = 0
    for old in locked:
        row = lifecycle.settled(old, now)
        if row.status not in INDEXED:
            continue
        new = store_change(ctx, tx, old, lifecycle.paused(row))
        payload = {"from": str(old.status), "to": str(new.status), "reason": "creator left"}
        log(tx, ctx.ids, now, actor, OpType.STANDING_TRANSITION, old.namespace_id, old.id, payload)
        paused += 1
    if paused:
        body = {"who": [who.provider, who.account, who.user_id], "count": paused}
        for owner in owners:
            if owner != who:
                notices.add(ctx, tx, NoticeKind.LEFT, owner, locked[0].conversation, body)
    return paused

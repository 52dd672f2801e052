"""The end of a membership: the intents of somebody who left a space, or owns it no more, are paused."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.audit.recorded import standing_change
from core.operations.log import OpType
from core.ports import Tx
from core.services import notices
from core.services.change_intent import store_change
from core.services.context import Context
from core.services.notices import NoticeKind
from core.services.of_person import lock_all
from core.services.owed import by_intent, drop_owed
from core.services.record import log
from core.services.rights import require_end
from core.standing import lifecycle
from core.standing.intent import INDEXED, ChannelScope, StandingIntent
from core.stored import IntentFilter
from core.turn import Actor, Principal, Visibility, Where


@dataclass(frozen=True, slots=True)
class EndMembership:
    """Pause every armed or quiet intent that a person made in a space, its private channels included.

    What they, and those that are over, still owe is dropped. One transaction, one operation an intent and one a
    dropped fire. Answers how many were paused; `owners` of the space are told how many of these they can see, and
    can wake them. Raises NotAllowed unless the person themselves, an owner, an operator or the system asks.
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
    """The same in the caller's transaction, without a check of rights."""
    now, space = ctx.clock.now(), tx.places.find(where).space
    wanted = IntentFilter(space=space, creator=who, statuses=tuple(sorted(INDEXED)))
    locked, open_fires = lock_all(tx, wanted, who) if space else ((), ())
    owed, paused = by_intent(open_fires), []
    for found in locked:
        old = drop_owed(ctx, tx, found, owed.get(found.key, ()), actor, now, "creator left")
        row = lifecycle.settled(old, now)
        if row.status not in INDEXED:
            continue
        new = store_change(ctx, tx, old, lifecycle.paused(row))
        payload = {"from": str(old.status), "to": str(new.status), "reason": "creator left"}
        told = standing_change(payload, old, new)
        log(tx, ctx.ids, now, actor, OpType.STANDING_TRANSITION, old.namespace_id, old.id, told)
        paused.append(new)
    _tell(ctx, tx, who, owners, [row for row in paused if _is_open(tx, row)])
    return len(paused)


def _tell(ctx: Context, tx: Tx, who: Principal, owners: Iterable[Principal], rows: Sequence[StandingIntent]) -> None:
    if not rows:
        return
    body = {"who": who.parts, "count": len(rows)}
    for owner in owners:
        if owner != who:
            notices.add(ctx, tx, NoticeKind.LEFT, owner, rows[0].conversation, body)


def _is_open(tx: Tx, row: StandingIntent) -> bool:
    """Do the owners of the space see it? Not what was made in private, nor what listens everywhere."""
    everywhere = row.channel_scope is ChannelScope.ANYWHERE
    return not everywhere and tx.places.get(row.channel).visibility is Visibility.PUBLIC

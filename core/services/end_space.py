"""What becomes of a space that the bot was removed from, and of one that it comes back to."""

from dataclasses import dataclass

from core.audit.recorded import standing_change
from core.catalogue import say
from core.errors import NotAllowed
from core.limits import ALL_ROWS
from core.operations.log import OpType
from core.ports import Tx
from core.services.change_intent import store_change
from core.services.context import Context
from core.services.left import left_at, mark_back, mark_left
from core.services.owed import by_intent, drop_owed
from core.services.record import log
from core.standing import lifecycle
from core.standing.intent import INDEXED, LIVE, ChannelScope, Status
from core.stored import IntentFilter
from core.turn import SYSTEM, Actor, ActorType, Where

REASON = "bot removed"


@dataclass(frozen=True, slots=True)
class EndSpace:
    """Pause every armed or quiet intent of a space that the bot was removed from, and drop what is owed to it.

    One transaction, one operation an intent, a dropped fire and the mark of the space; nobody is told. What is owed
    to people as direct messages stays. Answers how many were paused: 0 for an unknown space, the second time, and for
    the former id of a chat, which ends when the chat gets another one. Raises NotAllowed unless an owner, an operator
    or the system asks.
    """

    ctx: Context

    def __call__(self, where: Where, actor: Actor) -> int:
        by_system = actor.principal is None and actor.type is not ActorType.HUMAN_USER
        if not (by_system or actor.is_owner or actor.is_operator):
            raise NotAllowed(say("rights.end_space"), say("rights.create.hint"))
        with self.ctx.store.write() as tx:
            spot = tx.places.find(where)
            if not spot.space or spot.moved_from:
                return 0
            paused = end_space(self.ctx, tx, spot.space, actor)
            tx.commit()
            return paused


def end_space(ctx: Context, tx: Tx, space: int, actor: Actor) -> int:
    """The same in the caller's transaction."""
    now = ctx.clock.now()
    live = tx.intents.list(IntentFilter(space=space, statuses=tuple(sorted(INDEXED))), ALL_ROWS, 0)
    keys = {row.key for row in live} | {fire.intent_key for fire in tx.fires.open_in(space)}
    rows = tx.intents.by_keys(sorted(keys), lock=True) if keys else ()
    tx.operations.lock({tx.places.get(space).namespace_id, *(row.namespace_id for row in rows)})
    owed, paused = by_intent(tx.fires.open_in(space)), 0
    for found in rows:
        old = drop_owed(ctx, tx, found, owed.get(found.key, ()), actor, now, REASON)
        row = lifecycle.settled(old, now)
        if row.space != space or row.status not in INDEXED:
            continue
        new = store_change(ctx, tx, old, lifecycle.paused(row))
        payload = {"from": str(old.status), "to": str(new.status), "reason": REASON}
        told = standing_change(payload, old, new)
        log(tx, ctx.ids, now, actor, OpType.STANDING_TRANSITION, old.namespace_id, old.id, told)
        paused += 1
    mark_left(ctx, tx, space, now, actor)
    return paused


@dataclass(frozen=True, slots=True)
class CompareSpaces:
    """Compare the stored spaces of a bot login with those that it is in now, where it was away while that changed.

    What it is no longer in is ended as by `EndSpace`, what it is in again is as after `ReturnSpace`; one transaction
    each. Answers the external ids of both, so that nobody is surprised: (ended, returned).
    """

    ctx: Context

    def __call__(self, provider: str, account: str, here: frozenset[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        with self.ctx.store.read() as tx:
            known = [(where, self._has_left(tx, where)) for where in tx.places.spaces(provider, account)]
        ended = [where for where, left in known if not left and where.space not in here]
        returned = [where for where, left in known if left and where.space in here]
        for where in ended:
            EndSpace(self.ctx)(where, SYSTEM)
        for where in returned:
            ReturnSpace(self.ctx)(where)
        return tuple(where.space for where in ended), tuple(where.space for where in returned)

    def _has_left(self, tx: Tx, where: Where) -> bool:
        return left_at(tx, tx.places.find(where).space) is not None


@dataclass(frozen=True, slots=True)
class ReturnSpace:
    """The bot is in a space (again): the mark that it was removed goes, with one operation if there was one.

    Wakes nothing. Answers how many intents of the space are paused and wait for somebody to resume them; those of
    private channels, of direct messages and what listens everywhere are not counted.
    """

    ctx: Context

    def __call__(self, where: Where) -> int:
        with self.ctx.store.write() as tx:
            spot = tx.places.find(where)
            if not spot.space or spot.moved_from:
                return 0
            namespace = tx.places.get(spot.space).namespace_id
            tx.operations.lock([namespace])
            back, waiting = mark_back(self.ctx, tx, spot.space, SYSTEM), self._waiting(tx, namespace)
            if back:
                tx.commit()
            return waiting

    def _waiting(self, tx: Tx, namespace: str) -> int:
        now, wanted = self.ctx.clock.now(), IntentFilter((namespace,), statuses=(Status.PENDING,))
        rows = tx.intents.list(wanted, ALL_ROWS, 0)
        here = (row for row in rows if row.channel_scope is not ChannelScope.ANYWHERE and not row.unconfirmed)
        return sum(lifecycle.effective_status(row, now) in LIVE for row in here)

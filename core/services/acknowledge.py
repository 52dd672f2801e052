"""[Done] under a reminder: somebody says that it is done. The state of the rule stays as it is."""

from dataclasses import dataclass

from core.catalogue import say
from core.errors import NotAllowed, NotFound
from core.operations.log import OpType
from core.ports import Tx
from core.services.context import Context
from core.services.record import log
from core.services.rights import lookup, may_see_fire, spot_of
from core.standing.intent import Fire, StandingIntent
from core.turn import Actor, Where


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The rule whose reminder is done; `first` tells that nobody had said so before."""

    intent: StandingIntent
    first: bool


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Record, once, that what a fire reminded of is done; one ACKNOWLEDGED operation.

    The creator, owners of the space (`where` is a place of it) and operators may. Raises NotFound, the same for a
    reminder that does not exist and for one that is not theirs.
    """

    ctx: Context

    def __call__(self, fire_id: str, actor: Actor, where: Where | None) -> Acknowledged:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            fire, intent = fire_seen(tx, fire_id, actor, where)
            tx.operations.lock([intent.namespace_id])
            first = tx.fires.acknowledge(fire.id, now)
            if first:
                log(tx, ctx.ids, now, actor, OpType.ACKNOWLEDGED, intent.namespace_id, intent.id, {"fire": fire.id})
                tx.commit()
            return Acknowledged(intent, first)


def fire_seen(tx: Tx, fire_id: str, actor: Actor, where: Where | None) -> tuple[Fire, StandingIntent]:
    """A fire and its intent, for who may change that intent. Raises NotFound."""
    fire = tx.fires.get(fire_id)
    intent = tx.intents.by_id(fire.intent_id) if fire is not None else None
    if fire is not None and intent is not None:
        try:
            seen = lookup(tx, intent.handle, actor, where, change=True)
            if may_see_fire(tx, actor, seen, spot_of(tx, where), fire):
                return fire, seen
        except (NotFound, NotAllowed):
            pass
    raise NotFound(say("fire.unknown"), say("fire.unknown.hint"))

"""One fire with its rule and the place where it was said, for the buttons under a reminder."""

from dataclasses import dataclass

from core.catalogue import say
from core.errors import NotFound
from core.services.acknowledge import fire_seen
from core.services.context import Context
from core.services.outgoing import where_of
from core.services.rights import lookup
from core.standing.intent import Fire, StandingIntent
from core.turn import Actor, Where


@dataclass(frozen=True, slots=True)
class SeenFire:
    """A fire, the rule that fired, and where it was said."""

    fire: Fire
    intent: StandingIntent
    where: Where


@dataclass(frozen=True, slots=True)
class ReadFire:
    """Read what a button is about, for who may change the rule. Raises NotFound."""

    ctx: Context

    def __call__(self, fire_id: str, actor: Actor, where: Where | None) -> SeenFire:
        with self.ctx.store.read() as tx:
            fire, intent = fire_seen(tx, fire_id, actor, where)
            return SeenFire(fire, intent, where_of(tx, fire.conversation))

    def place(self, id_: str) -> Where | None:
        """Where a fire was said, or a rule or a timed reminder was made; None for an unknown id."""
        with self.ctx.store.read() as tx:
            fire = tx.fires.get(id_)
            if fire is not None:
                return where_of(tx, fire.conversation)
            found = tx.intents.by_id(id_) or tx.timed.by_id(id_)
            return None if found is None else where_of(tx, found.conversation)

    def handle(self, intent_id: str, actor: Actor, where: Where | None) -> str:
        """The handle of a rule that the actor may change."""
        with self.ctx.store.read() as tx:
            intent = tx.intents.by_id(intent_id)
            if intent is None:
                raise NotFound(say("fire.unknown"), say("fire.unknown.hint"))
            return lookup(tx, intent.handle, actor, where, change=True).handle

    def is_own(self, id_: str, actor: Actor) -> bool:
        """Did the actor make the rule that fired, or the timed reminder, or is that one for them?"""
        with self.ctx.store.read() as tx:
            fire, timed = tx.fires.get(id_), tx.timed.by_id(id_)
            rule = tx.intents.by_id(fire.intent_id) if fire is not None else None
            people = {rule.creator} if rule is not None else set()
            people |= {timed.creator, timed.target} if timed is not None else set()
            return actor.principal in people

    def timed_handle(self, reminder_id: str) -> str:
        """The handle of a timed reminder; who may do something with it, is asked when it is done."""
        with self.ctx.store.read() as tx:
            row = tx.timed.by_id(reminder_id)
            if row is None:
                raise NotFound(say("fire.unknown"), say("fire.unknown.hint"))
            return row.handle

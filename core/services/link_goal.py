"""Linking a standing intent to a goal, and freeing it again."""

from dataclasses import dataclass, replace

from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded, NotFound
from core.goals.objects import IntentObject
from core.ports import Tx
from core.services.change_intent import changeable
from core.services.context import Context
from core.services.goal_links import CLOSED, store_link
from core.services.goal_rights import as_here, require_change, require_confirmed
from core.services.goal_rights import lookup as lookup_goal
from core.services.goal_rows import lock_goal
from core.services.rights import lookup, normal_handle
from core.standing.intent import StandingIntent
from core.turn import Actor, Where


@dataclass(frozen=True, slots=True)
class LinkGoal:
    """Link a standing intent to a goal of the same namespace, or free it (`goal` ""): one EDITED.

    Who may change both may. Raises NotFound (also for a goal of another namespace), NotAllowed, InvalidTransition for
    a rule that is over, InvalidInput where nothing would change, LimitExceeded beyond `goal_links`.
    """

    ctx: Context

    def __call__(self, rule: str, goal: str, actor: Actor, where: Where | None) -> StandingIntent:
        ctx = self.ctx
        with ctx.store.write() as tx:
            old, row = changeable(tx, lookup(tx, rule, actor, where, change=True), actor, ctx.clock.now())
            if not goal:
                if old.goal_id is None:
                    raise InvalidInput(say("goal.link.none", handle=old.handle), say("goal.link.none.hint"))
                freed = store_link(ctx, tx, old, replace(old, goal_id=None, goal_closed=False), actor)
                tx.commit()
                return freed
            found = lock_goal(tx, lookup_goal(tx, goal, actor, where))
            wanted = normal_handle(goal, "g")
            if found.namespace_id != old.namespace_id:
                raise NotFound(say("goal.unknown", handle=wanted), say("goal.unknown.hint"), handle=wanted)
            require_change(as_here(tx, actor, found, where), found)
            require_confirmed(found)
            if found.id == old.goal_id:
                raise InvalidInput(say("goal.link.same", handle=old.handle, goal=wanted), say("goal.link.none.hint"))
            _check_room(ctx, tx, found)
            new = replace(old, goal_id=found.id, goal_closed=found.intent_state in CLOSED)
            linked = store_link(ctx, tx, old, new, actor)
            tx.commit()
            return replace(linked, status=row.status)


def _check_room(ctx: Context, tx: Tx, goal: IntentObject) -> None:
    used, limit = len(tx.intents.linked(goal.id)), ctx.limits.goal_links
    if used >= limit:
        raise LimitExceeded(
            say("goal.limit.goal_links", handle=goal.handle, limit=limit),
            say("goal.limit.goal_links.hint"),
            name="goal_links",
            used=used,
            limit=limit,
        )

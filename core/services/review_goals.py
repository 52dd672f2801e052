"""The review of what a machine proposed: yes, or no and never again (RFC-0013, section 5)."""

from dataclasses import dataclass, replace

from core.goals import review, salience
from core.goals.objects import IntentObject, LifecycleState
from core.operations.log import OpType
from core.ports import Tx
from core.services.add_goal import check_room
from core.services.context import Context
from core.services.goal_moves import settle, transition
from core.services.goal_rights import as_here, lookup, require_review
from core.services.goal_rows import lock_goal, log_goal, store_goal
from core.settings import SPEAKERS, Setting
from core.turn import Actor, Where


@dataclass(frozen=True, slots=True)
class ConfirmGoal:
    """Say yes to a proposal: INFERRED to ASSERTED, one EPISTEMIC_TRANSITION; one that age archived comes back.

    Owners of the space may, and a speaker for their own words where the space's setting `review` says so. Raises
    NotFound, NotAllowed, InvalidTransition for a second yes and for what was dismissed.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> IntentObject:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            old = settle(ctx, tx, lock_goal(tx, lookup(tx, handle, actor, where)))
            require_review(as_here(tx, actor, old, where), old, speakers_may(ctx, tx, old))
            new = review.confirmed(old, now)
            check_room(ctx, tx, old.space)
            if new.lifecycle_state is LifecycleState.ARCHIVED:
                new = replace(new, lifecycle_state=LifecycleState.ACTIVE)
            stored = store_goal(tx, old, salience.touched(new, now), now)
            payload = {
                "from_type": str(old.epistemic_type),
                "to_type": str(stored.epistemic_type),
                "reason": "confirmed",
                "evidence_ids": list(stored.evidence_ids),
                "triggered_by": actor.id,
                "trigger_type": review.CONFIRMED,
            }
            log_goal(ctx, tx, actor, OpType.EPISTEMIC_TRANSITION, old, stored, payload)
            tx.commit()
            return stored


@dataclass(frozen=True, slots=True)
class DismissGoal:
    """Say no to a proposal: CANCELLED, one INTENT_TRANSITION and one REVIEW_DISMISSED. It is not proposed again.

    Who may confirm may; an administrator may, too. Raises NotFound, NotAllowed, InvalidTransition for what is no open
    proposal.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> IntentObject:
        ctx = self.ctx
        with ctx.store.write() as tx:
            old = settle(ctx, tx, lock_goal(tx, lookup(tx, handle, actor, where)))
            require_review(as_here(tx, actor, old, where), old, speakers_may(ctx, tx, old), dismiss=True)
            gone = transition(ctx, tx, old, review.dismissed(old), actor, "dismissed")
            payload = {"type": str(gone.intent_type)}
            log_goal(ctx, tx, actor, OpType.REVIEW_DISMISSED, gone, gone, payload)
            tx.commit()
            return gone


def speakers_may(ctx: Context, tx: Tx, row: IntentObject) -> bool:
    """Does the space let people review what was concluded from their own words?"""
    return ctx.settings(tx.records.settings(row.space))[Setting.REVIEW] == SPEAKERS

"""The owner's answer when something that an intent waits for is over (RFC-0013, section 6; D9)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.catalogue import say
from core.errors import InvalidInput
from core.goals import states
from core.goals.objects import OPEN, IntentObject, IntentState
from core.ports import Tx
from core.services import goal_notices
from core.services.context import Context
from core.services.goal_edges import beside, relate, unrelate
from core.services.goal_links import hold_links
from core.services.goal_moves import cancel, settle, transition
from core.services.goal_rights import as_here, lookup, require_change
from core.services.goal_rows import lock_goal
from core.services.rights import normal_handle
from core.turn import Actor, Where


class Answer(StrEnum):
    """What can be done with an intent whose prerequisite is over."""

    KEEP = "keep"
    REPLACE = "replace"
    HOLD = "hold"
    CANCEL = "cancel"


OVER = frozenset({IntentState.CANCELLED, IntentState.EXPIRED, IntentState.SUPERSEDED})
"""Prerequisites in one of these are asked about as long as the edge stands."""


@dataclass(frozen=True, slots=True)
class AnswerDependency:
    """Keep an intent without what is over, wait for something else instead, put it on hold, or cancel it.

    The edge to what is over is taken away, but for REPLACE with what takes its place put in. `prerequisite` tells which
    one where several are over. Raises NotFound, NotAllowed, InvalidInput where nothing is asked, DependencyCycle,
    LimitExceeded, InvalidTransition.
    """

    ctx: Context

    def __call__(
        self,
        handle: str,
        answer: Answer,
        actor: Actor,
        where: Where | None,
        *,
        prerequisite: str = "",
        replacement: str = "",
    ) -> IntentObject:
        ctx = self.ctx
        with ctx.store.write() as tx:
            found = lookup(tx, handle, actor, where)
            actor = as_here(tx, actor, found, where)
            links = hold_links(tx, found) if answer is Answer.CANCEL else ()
            row = settle(ctx, tx, lock_goal(tx, found))
            require_change(actor, row)
            for one in tx.goals.prerequisites(row.key):
                settle(ctx, tx, one)  # what is overdue is over on record before it is answered
            unrelate(ctx, tx, actor, row, self._asked(tx, row, prerequisite))
            if answer is Answer.REPLACE:
                if not replacement:
                    raise InvalidInput(
                        say("goal.answer.with", handle=row.handle), say("goal.answer.with.hint", handle=row.handle)
                    )
                relate(ctx, tx, actor, row, beside(tx, row, replacement, actor, where))
            if answer is Answer.HOLD and row.intent_state is not IntentState.ON_HOLD:
                row = transition(ctx, tx, row, states.move(row, IntentState.ON_HOLD), actor, "prerequisite is over")
                goal_notices.add_changed(ctx, tx, row, actor)
            elif answer is Answer.CANCEL:
                row = cancel(ctx, tx, row, actor, links, "prerequisite is over").intent
            tx.commit()
            return row

    def _asked(self, tx: Tx, row: IntentObject, handle: str) -> IntentObject:
        """The prerequisite that the answer is about."""
        over = asked_about(tx, row, self.ctx.clock.now())
        wanted = normal_handle(handle, "g") if handle else ""
        chosen = [one for one in over if wanted in {"", one.handle}]
        if not chosen:
            raise InvalidInput(
                say("goal.answer.none", handle=row.handle), say("goal.answer.none.hint", handle=row.handle)
            )
        if len(chosen) > 1:
            names = ", ".join(one.handle for one in chosen)
            hint = say("goal.answer.which.hint", handle=row.handle, other=chosen[0].handle)
            raise InvalidInput(say("goal.answer.which", handle=row.handle, names=names), hint)
        return chosen[0]


def asked_about(tx: Tx, row: IntentObject, now: datetime) -> tuple[IntentObject, ...]:
    """What an open intent waits for and that is over: each is a question to its owner."""
    if row.intent_state not in OPEN:
        return ()
    found = tx.goals.prerequisites(row.key)
    return tuple(one for one in found if states.effective(one, now).intent_state in OVER)

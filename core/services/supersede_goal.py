"""Replacing an intent by another one, which takes its place in the graph (D16)."""

from dataclasses import dataclass, replace

from core.catalogue import say
from core.errors import InvalidInput
from core.goals import risks, states
from core.goals.objects import GoalDraft, IntentObject, IntentState, IntentType
from core.ports import Tx
from core.services import goal_notices
from core.services.add_goal import make_goal
from core.services.answer_goal import OVER
from core.services.context import Context
from core.services.goal_edges import relate, unrelate
from core.services.goal_links import hold_links, move_links
from core.services.goal_moves import log_dependency, settle, still_open, transition
from core.services.goal_rights import as_here, lookup, require_change, require_confirmed
from core.services.goal_rows import lock_goal
from core.services.outgoing import where_of
from core.standing.intent import Priority
from core.turn import Actor, Where


@dataclass(frozen=True, slots=True)
class Superseded:
    """The old intent and its successor. `moved` wait for the successor now; the owners of `left` are asked."""

    old: IntentObject
    new: IntentObject
    moved: tuple[IntentObject, ...] = ()
    left: tuple[IntentObject, ...] = ()


@dataclass(frozen=True, slots=True)
class SupersedeGoal:
    """Replace an intent: a new one is made, the old one is SUPERSEDED by it, in one transaction.

    The successor inherits stakeholders, what the old one waited for, what waits for it, and the rules linked to it. An
    edge that would close a circle stays as it is, and its owner is asked. A CRITICAL risk needs a CRITICAL risk as its
    successor, or is downgraded first (D10). Raises as `AddGoal`, and NotFound, NotAllowed, InvalidTransition.
    """

    ctx: Context

    def __call__(
        self, handle: str, draft: GoalDraft, actor: Actor, where: Where, message_id: str = "", said: str = ""
    ) -> Superseded:
        ctx = self.ctx
        with ctx.store.write() as tx:
            found = lookup(tx, handle, actor, where)
            actor = as_here(tx, actor, found, where)
            links = hold_links(tx, found)
            old = settle(ctx, tx, lock_goal(tx, found))
            require_change(actor, old)
            require_confirmed(old)
            states.move(old, IntentState.SUPERSEDED)
            _refuse_lesser(old, draft)
            people = {one.who: one for one in (*old.stakeholders, *draft.stakeholders)}
            draft = replace(draft, stakeholders=tuple(people.values()), owner=draft.owner or old.owner)
            new = make_goal(ctx, tx, draft, actor, where_of(tx, old.conversation), message_id, said, leaving=old)
            self._inherit_prerequisites(tx, old, new, actor)
            closed = replace(states.move(old, IntentState.SUPERSEDED), superseded_by=new.id)
            gone = transition(ctx, tx, old, closed, actor, "superseded")
            move_links(ctx, tx, gone, new, links, actor)
            moved, left = self._inherit_dependents(tx, gone, new, actor)
            goal_notices.add_changed(ctx, tx, gone, actor)
            tx.commit()
            return Superseded(gone, new, moved, left)

    def _inherit_prerequisites(self, tx: Tx, old: IntentObject, new: IntentObject, actor: Actor) -> None:
        """What it waited for; a question about what is over goes over to the successor, unanswered."""
        for prerequisite in tx.goals.prerequisites(old.key):
            row = settle(self.ctx, tx, prerequisite)
            if row.intent_state is IntentState.COMPLETED:
                continue
            unrelate(self.ctx, tx, actor, old, row)
            over = row.intent_state in OVER
            relate(self.ctx, tx, actor, new, row, asked=over)
            if over:
                goal_notices.add_dependency(self.ctx, tx, new, row)

    def _inherit_dependents(
        self, tx: Tx, old: IntentObject, new: IntentObject, actor: Actor
    ) -> tuple[tuple[IntentObject, ...], tuple[IntentObject, ...]]:
        """Dependents that wait for the successor now, and those for which that would close a circle."""
        moved: list[IntentObject] = []
        left: list[IntentObject] = []
        for dependent in still_open(tx.goals.dependents(old.key), self.ctx.clock.now()):
            successor = None if tx.goals.path(new.key, dependent.key) else new.id
            if successor is None:
                left.append(dependent)
                goal_notices.add_dependency(self.ctx, tx, dependent, old)
            else:
                unrelate(self.ctx, tx, actor, dependent, old)
                relate(self.ctx, tx, actor, dependent, new)
                moved.append(dependent)
            log_dependency(self.ctx, tx, old, dependent, actor, {"successor": successor})
        return tuple(moved), tuple(left)


def _refuse_lesser(old: IntentObject, draft: GoalDraft) -> None:
    """Raises InvalidInput for a critical risk whose successor is none."""
    same = draft.intent_type is IntentType.RISK and draft.priority is Priority.CRITICAL
    if risks.is_critical(old) and not same:
        raise InvalidInput(
            say("goal.supersede.critical", handle=old.handle), say("goal.supersede.critical.hint", handle=old.handle)
        )

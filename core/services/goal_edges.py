"""What waits for what: edges checked in the transaction that writes them (RFC-0013, section 6)."""

from dataclasses import dataclass

from core.catalogue import say
from core.errors import InvalidInput, NotFound
from core.goals import dependencies as rules
from core.goals import states
from core.goals.objects import OPEN, Edge, IntentObject
from core.operations.log import OpType
from core.ports import Tx
from core.services.context import Context
from core.services.goal_rights import as_here, lookup, require_change, require_confirmed
from core.services.goal_rows import lock_goal, log_edge
from core.services.rights import normal_handle
from core.turn import Actor, Where


@dataclass(frozen=True, slots=True)
class DependGoal:
    """Let one intent wait for others: one RELATE an edge. Edges that there are already change nothing.

    `handles` are prerequisites; with `blocks` they are what waits for it, which is the same edge read backwards (D7).
    Returns the intent. Raises NotFound (also for an intent of another namespace, D8), NotAllowed, DependencyCycle,
    LimitExceeded; then nothing is written.
    """

    ctx: Context

    def __call__(
        self, handle: str, handles: tuple[str, ...], actor: Actor, where: Where | None, *, blocks: bool = False
    ) -> IntentObject:
        with self.ctx.store.write() as tx:
            row = lock_goal(tx, lookup(tx, handle, actor, where))
            here = as_here(tx, actor, row, where)
            require_change(here, row)
            others = [beside(tx, row, other, actor, where) for other in dict.fromkeys(handles)]
            for other in others:
                dependent, prerequisite = (other, row) if blocks else (row, other)
                require_change(here, dependent)
                relate(self.ctx, tx, actor, dependent, prerequisite)
            tx.commit()
            return row


@dataclass(frozen=True, slots=True)
class FreeGoal:
    """Take edges away again, all or none: one UNRELATE each.

    `handles` are prerequisites; with `blocks` they are what waits for it. Raises NotFound, NotAllowed, InvalidInput
    where there is no edge.
    """

    ctx: Context

    def __call__(
        self, handle: str, handles: tuple[str, ...], actor: Actor, where: Where | None, *, blocks: bool = False
    ) -> IntentObject:
        with self.ctx.store.write() as tx:
            row = lock_goal(tx, lookup(tx, handle, actor, where))
            here = as_here(tx, actor, row, where)
            require_change(here, row)
            for other in dict.fromkeys(handles):
                found = beside(tx, row, other, actor, where)
                dependent, prerequisite = (found, row) if blocks else (row, found)
                require_change(here, dependent)
                if not unrelate(self.ctx, tx, actor, dependent, prerequisite):
                    raise InvalidInput(
                        say("goal.edge.none", handle=dependent.handle, other=prerequisite.handle),
                        say("goal.edge.none.hint", handle=dependent.handle),
                    )
            tx.commit()
            return row


def beside(tx: Tx, row: IntentObject, handle: str, actor: Actor, where: Where | None) -> IntentObject:
    """Another intent of the same namespace. NotFound for any other, in the words for one that does not exist (D8)."""
    other = lookup(tx, handle, actor, where)
    if other.namespace_id != row.namespace_id:
        wanted = normal_handle(handle, "g")
        raise NotFound(say("goal.unknown", handle=wanted), say("goal.unknown.hint"), handle=wanted)
    return other


def relate(
    ctx: Context, tx: Tx, actor: Actor, dependent: IntentObject, prerequisite: IntentObject, asked: bool = False
) -> bool:
    """Check and store an edge: one RELATE; False when it was there. The caller holds the lock of the chain.

    A cycle is reported before a limit. With `asked` the prerequisite is over, and the edge is the question about it.
    Raises DependencyCycle, LimitExceeded, InvalidInput for one that is over.
    """
    limits, now = ctx.limits, ctx.clock.now()
    rules.refuse_cycle(dependent, tx.goals.path(prerequisite.key, dependent.key))
    known = {one.key for one in tx.goals.prerequisites(dependent.key)}
    if prerequisite.key in known:
        return False
    for one in (dependent, prerequisite):
        require_confirmed(one)
        if states.effective(one, now).intent_state not in OPEN and not (asked and one is prerequisite):
            raise InvalidInput(say("goal.edge.over", handle=one.handle), say("goal.edge.over.hint"))
    rules.refuse_many(dependent, len(known) + 1, limits.goal_prerequisites)
    waiting = sum(one.intent_state in OPEN for one in tx.goals.dependents(prerequisite.key))
    rules.refuse_crowd(prerequisite, waiting + 1, limits.goal_dependents)
    above = tx.goals.levels(dependent.key, below=False, limit=limits.goal_depth)
    below = tx.goals.levels(prerequisite.key, below=True, limit=limits.goal_depth)
    rules.refuse_depth(above + 2 + below, limits.goal_depth)
    tx.goals.relate(dependent.key, prerequisite.key, now)
    log_edge(ctx, tx, actor, OpType.RELATE, dependent.namespace_id, Edge(dependent.id, prerequisite.id))
    return True


def unrelate(ctx: Context, tx: Tx, actor: Actor, dependent: IntentObject, prerequisite: IntentObject) -> bool:
    """Take an edge away: one UNRELATE; False when there was none. The caller holds the lock of the chain."""
    if not tx.goals.unrelate(dependent.key, prerequisite.key):
        return False
    log_edge(ctx, tx, actor, OpType.UNRELATE, dependent.namespace_id, Edge(dependent.id, prerequisite.id))
    return True

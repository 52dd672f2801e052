"""How an intent changes its state, and what that means for what waits for it. One transition, one INTENT_TRANSITION."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidInput
from core.goals import salience, states
from core.goals.objects import OPEN, IntentObject, IntentState, LifecycleState
from core.operations.goal_replay import GOAL
from core.operations.log import OpType
from core.ports import Tx
from core.services import goal_notices
from core.services.add_goal import check_room
from core.services.context import Context
from core.services.goal_links import close_links, hold_links
from core.services.goal_rights import as_here, lookup, require_change, require_confirmed
from core.services.goal_rows import add_evidence, cited, lock_goal, log_goal, store_goal, touch
from core.services.goal_summary import add_summary
from core.services.record import log, maybe_micros
from core.stored import Event
from core.turn import SYSTEM, Actor, Where

DEPENDENCY: dict[IntentState, OpType] = {
    IntentState.CANCELLED: OpType.DEPENDENCY_CANCELLED,
    IntentState.EXPIRED: OpType.DEPENDENCY_EXPIRED,
    IntentState.SUPERSEDED: OpType.DEPENDENCY_SUPERSEDED,
    IntentState.COMPLETED: OpType.DEPENDENCY_COMPLETED,
}
"""What is put on record for each open dependent of an intent that went there (D9)."""


def transition(
    ctx: Context,
    tx: Tx,
    old: IntentObject,
    new: IntentObject,
    actor: Actor,
    reason: str,
    evidence: Sequence[Event] = (),
) -> IntentObject:
    """Store an intent that was moved, with one INTENT_TRANSITION; the row as stored. The chain is locked."""
    now = ctx.clock.now()
    over = new.lifecycle_state in {LifecycleState.ARCHIVED, LifecycleState.SUPERSEDED}
    moved = replace(
        new,
        fades_at=salience.next_fading(new, now),
        evidence_ids=(*old.evidence_ids, *(event.id for event in evidence)),
        valid_to=now if over else new.valid_to,
    )
    stored = store_goal(tx, old, moved, now)
    payload = {
        "from": str(old.intent_state),
        "to": str(stored.intent_state),
        "reason": reason,
        **cited(evidence),
    }
    log_goal(ctx, tx, actor, OpType.INTENT_TRANSITION, old, stored, payload)
    return stored


def tell_dependents(ctx: Context, tx: Tx, closed: IntentObject, actor: Actor) -> tuple[IntentObject, ...]:
    """One operation for each direct dependent that is still open, and a question or good news for its owner.

    Nothing that depends on it changes its state (RFC-0013, section 6). Answers those that are open.
    """
    told = still_open(tx.goals.dependents(closed.key), ctx.clock.now())
    for dependent in told:
        log_dependency(ctx, tx, closed, dependent, actor, {})
        goal_notices.add_dependency(ctx, tx, dependent, closed)
    return told


def log_dependency(
    ctx: Context, tx: Tx, closed: IntentObject, dependent: IntentObject, actor: Actor, more: dict[str, object]
) -> None:
    """The operation of one dependent."""
    payload = {"prerequisite": closed.id, "dependent": dependent.id, **more}
    now, kind = ctx.clock.now(), DEPENDENCY[closed.intent_state]
    log(tx, ctx.ids, now, actor, kind, dependent.namespace_id, dependent.id, payload, GOAL)


def settle(ctx: Context, tx: Tx, old: IntentObject) -> IntentObject:
    """The row moved to its effective state: what is overdue expires now, with everything that belongs to it."""
    return expire(ctx, tx, old) if states.overdue(old, ctx.clock.now()) else old


def expire(ctx: Context, tx: Tx, old: IntentObject) -> IntentObject:
    """The organiser's one act: EXPIRED after the deadline; a risk is alerted of and one level more urgent, once.

    Dependents' owners are asked. A proposal expires and escalates in the log alone (D18). The chain is locked.
    """
    now = ctx.clock.now()
    moved = transition(ctx, tx, old, states.move(old, IntentState.EXPIRED), SYSTEM, "deadline passed")
    if moved.is_risk:
        more = replace(moved, priority=states.escalated(moved.priority))
        raised = store_goal(tx, moved, more, now)
        payload = {
            "intent": moved.id,
            "priority_from": moved.priority.name,
            "priority_to": raised.priority.name,
            "target_completion": maybe_micros(moved.target_completion),
        }
        log_goal(ctx, tx, SYSTEM, OpType.EXPIRED_RISK_ALERT, moved, raised, payload)
        moved = raised
    if not moved.is_proposal:
        goal_notices.add_expired(ctx, tx, moved, old.priority)
    tell_dependents(ctx, tx, moved, SYSTEM)
    return moved


@dataclass(frozen=True, slots=True)
class Done:
    """What became of an intent: as stored, what is open and waited for it, what it still waited for, its summary."""

    intent: IntentObject
    dependents: tuple[IntentObject, ...] = ()
    waited_for: tuple[IntentObject, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class CompleteGoal:
    """Mark an intent as completed: COMPLETED and ARCHIVED, its dependents told, a summary kept.

    Its owner, whoever made it, owners of the space and stakeholders may. One that still waits for something is
    completed only with `early`. `said` are the words that tell it, kept as evidence. Raises NotFound, NotAllowed,
    InvalidTransition, InvalidInput (`waits=True` in the details) without `early`.
    """

    ctx: Context

    def __call__(
        self,
        handle: str,
        actor: Actor,
        where: Where | None,
        *,
        early: bool = False,
        said: str = "",
        message_id: str = "",
    ) -> Done:
        ctx = self.ctx
        with ctx.store.write() as tx:
            found = lookup(tx, handle, actor, where)
            actor = as_here(tx, actor, found, where)
            links = hold_links(tx, found)
            old = settle(ctx, tx, lock_goal(tx, found))
            require_change(actor, old, complete=True)
            require_confirmed(old)
            new = states.move(old, IntentState.COMPLETED)
            waiting = still_open(tx.goals.prerequisites(old.key), ctx.clock.now())
            if waiting and not early:
                raise _waits(old, waiting)
            left = salience.salience_at(old, ctx.clock.now())
            evidence = (add_evidence(ctx, tx, actor, old, said, message_id),) if said else ()
            done = transition(ctx, tx, old, new, actor, "completed", evidence)
            close_links(ctx, tx, done, links, actor)
            told = tell_dependents(ctx, tx, done, actor)
            for dependent in told:
                touch(ctx, tx, dependent, actor, "prerequisite completed")
            kept = add_summary(ctx, tx, done, left, actor)
            goal_notices.add_changed(ctx, tx, done, actor)
            tx.commit()
            return Done(done, told, waiting, "" if kept is None else kept.text)


def still_open(rows: Sequence[IntentObject], now: datetime) -> tuple[IntentObject, ...]:
    """Those that are open as of now."""
    return tuple(row for row in rows if states.effective(row, now).intent_state in OPEN)


def _waits(row: IntentObject, waiting: Sequence[IntentObject]) -> InvalidInput:
    handles = tuple(one.handle for one in waiting)
    sentence = say("goal.done.waits", handle=row.handle, names=", ".join(handles))
    return InvalidInput(sentence, say("goal.done.waits.hint", handle=row.handle), waits=True, handles=handles)


@dataclass(frozen=True, slots=True)
class HoldGoal:
    """Pause an intent: ON_HOLD. It is in no bundle and does not expire until it is resumed (D4)."""

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> IntentObject:
        ctx = self.ctx
        with ctx.store.write() as tx:
            old = settle(ctx, tx, lock_goal(tx, lookup(tx, handle, actor, where)))
            require_change(as_here(tx, actor, old, where), old)
            require_confirmed(old)
            held = transition(ctx, tx, old, states.move(old, IntentState.ON_HOLD), actor, "on hold")
            goal_notices.add_changed(ctx, tx, held, actor)
            tx.commit()
            return held


@dataclass(frozen=True, slots=True)
class ResumeGoal:
    """Take an intent up again: from ON_HOLD to ACTIVE, or out of the archive where age alone put it.

    One whose deadline has passed meanwhile expires at once (D4); the answer tells its state.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> IntentObject:
        ctx = self.ctx
        with ctx.store.write() as tx:
            now = ctx.clock.now()
            old = lock_goal(tx, lookup(tx, handle, actor, where))
            require_change(as_here(tx, actor, old, where), old)
            require_confirmed(old)
            faded = states.is_faded(old)
            if faded:
                check_room(ctx, tx, old.space)
                new = salience.touched(replace(old, lifecycle_state=LifecycleState.ACTIVE), now)
                stored = store_goal(tx, old, new, now)
                log_goal(ctx, tx, actor, OpType.EDITED, old, stored, {"reason": "resumed from the archive"})
                old = stored
            if not faded or old.intent_state is IntentState.ON_HOLD:
                awake = salience.touched(states.move(old, IntentState.ACTIVE), now)
                old = transition(ctx, tx, old, awake, actor, "resumed")
            old = settle(ctx, tx, old)
            tx.commit()
            return old


@dataclass(frozen=True, slots=True)
class CancelGoal:
    """Give an intent up: CANCELLED and ARCHIVED. What depends on it stays as it is, and its owners are asked.

    One on hold goes by way of ACTIVE (D1): two transitions. An administrator may, too.
    """

    ctx: Context

    def __call__(self, handle: str, actor: Actor, where: Where | None) -> Done:
        ctx = self.ctx
        with ctx.store.write() as tx:
            found = lookup(tx, handle, actor, where)
            actor = as_here(tx, actor, found, where)
            links = hold_links(tx, found)
            old = lock_goal(tx, found)
            require_change(actor, old, cancel=True)
            done = cancel(ctx, tx, old, actor, links)
            tx.commit()
            return done


def cancel(
    ctx: Context, tx: Tx, old: IntentObject, actor: Actor, links: Sequence[int], reason: str = "cancelled"
) -> Done:
    """What `CancelGoal` does, in the caller's transaction; `links` are from `hold_links`."""
    require_confirmed(old)
    row = settle(ctx, tx, old)
    if row.intent_state is IntentState.ON_HOLD:
        row = transition(ctx, tx, row, states.move(row, IntentState.ACTIVE), actor, reason)
    gone = transition(ctx, tx, row, states.move(row, IntentState.CANCELLED), actor, reason)
    close_links(ctx, tx, gone, links, actor)
    told = tell_dependents(ctx, tx, gone, actor)
    goal_notices.add_changed(ctx, tx, gone, actor)
    return Done(gone, told)

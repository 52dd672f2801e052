"""Making intents of goal memory: at an owner's word, or proposed by a machine."""

from dataclasses import dataclass, replace
from datetime import datetime

from core.catalogue import say
from core.errors import InvalidInput, LimitExceeded
from core.goals import salience, states
from core.goals.drafts import check_draft, check_due
from core.goals.kept import GoalFilter
from core.goals.objects import (
    CONFIDENCE,
    EpistemicType,
    GoalDraft,
    IntentObject,
    LifecycleState,
    Person,
    SourceType,
)
from core.goals.recorded import recorded
from core.goals.review import fold_key
from core.operations.goal_replay import GOAL
from core.operations.log import OpType
from core.operations.recorded import FIELDS
from core.ports import Tx
from core.services import goal_notices
from core.services.context import Context
from core.services.elsewhere import require_there
from core.services.goal_edges import beside, relate
from core.services.goal_rights import require_maker
from core.services.goal_rows import add_evidence, cited
from core.services.new_row import with_free_handle
from core.services.record import log
from core.services.whens import first_due
from core.timed.when import When
from core.turn import Actor, Principal, Spot, Where, machine_kind


@dataclass(frozen=True, slots=True)
class AddGoal:
    """Store what an owner wants remembered: ASSERTED, USER_STATED, with its evidence, one ASSERT, one RELATE an edge.

    `message_id` and `said` are the message that asked for it. Raises NotAllowed, InvalidInput, LimitExceeded,
    DependencyCycle, NotFound for an intent that it is to depend on.
    """

    ctx: Context

    def __call__(
        self, draft: GoalDraft, actor: Actor, where: Where, message_id: str = "", said: str = ""
    ) -> IntentObject:
        with self.ctx.store.write() as tx:
            made = make_goal(self.ctx, tx, draft, actor, where, message_id, said)
            tx.commit()
            return made


def make_goal(
    ctx: Context,
    tx: Tx,
    draft: GoalDraft,
    actor: Actor,
    where: Where,
    message_id: str,
    said: str,
    leaving: IntentObject | None = None,
) -> IntentObject:
    """What `AddGoal` does, in the caller's transaction. `leaving` makes room: the new one takes its place."""
    maker = require_maker(actor, tx.places.find(where).visibility, replaces=leaving is not None)
    draft = check_draft(draft, ctx.limits)
    spot = tx.places.ensure(where, ctx.ids.uuid())
    tx.operations.lock([spot.namespace_id])
    require_there(tx, where, spot)
    if leaving is None or states.is_faded(leaving):
        check_room(ctx, tx, spot.space)
    creator = Person(maker, actor.name or maker.user_id)
    row = new_row(ctx, draft, creator, spot, actor)
    made = add_row(ctx, tx, row, actor, said or draft.value, message_id)
    for other in dict.fromkeys(draft.depends_on):
        relate(ctx, tx, actor, made, beside(tx, made, other, actor, where))
    for other in dict.fromkeys(draft.blocks):
        relate(ctx, tx, actor, beside(tx, made, other, actor, where), made)
    goal_notices.add_owned(ctx, tx, made, actor)
    return made


@dataclass(frozen=True, slots=True)
class ProposeGoal:
    """Store what a machine concluded from somebody's words: INFERRED, for an owner to review; one ASSERT.

    None when the same was proposed or made there before, in any state: nobody is asked twice. `speaker` said it, in the
    message `message_id`; `actor` is the machine; `reviewer` is asked, once. Raises InvalidInput, LimitExceeded.
    """

    ctx: Context

    def __call__(
        self,
        draft: GoalDraft,
        speaker: Person,
        actor: Actor,
        where: Where,
        message_id: str = "",
        said: str = "",
        reviewer: Principal | None = None,
    ) -> IntentObject | None:
        ctx = self.ctx
        if actor.principal is not None and machine_kind(actor.principal) is None:
            raise InvalidInput(say("goal.propose.person"), say("goal.propose.person.hint"))
        with ctx.store.write() as tx:
            draft = check_draft(draft, ctx.limits)
            spot = tx.places.ensure(where, ctx.ids.uuid())
            tx.operations.lock([spot.namespace_id])
            require_there(tx, where, spot)
            if tx.goals.same(spot.namespace_id, fold_key(draft.intent_type, draft.value)) is not None:
                return None
            _check_queue(ctx, tx, spot)
            source = SourceType.SYSTEM_INFERRED
            asserted = new_row(ctx, draft, speaker, spot, actor)
            row = replace(
                asserted,
                epistemic_type=EpistemicType.INFERRED,
                source_type=source,
                confidence=CONFIDENCE[source],
                valid_from=None,
            )
            row = replace(row, fades_at=salience.next_fading(row, row.created_at))
            made = add_row(ctx, tx, row, actor, said or draft.value, message_id)
            goal_notices.add_proposed(ctx, tx, made, reviewer)
            tx.commit()
            return made


def check_room(ctx: Context, tx: Tx, space: int) -> None:
    """Raises LimitExceeded when the space has as many open goals as it may."""
    used, limit = tx.goals.open_of_space(space), ctx.limits.open_goals_per_space
    if used >= limit:
        raise LimitExceeded(
            say("goal.limit.open_goals_per_space", limit=limit),
            say("goal.limit.open_goals_per_space.hint"),
            name="open_goals_per_space",
            used=used,
            limit=limit,
        )


def _check_queue(ctx: Context, tx: Tx, spot: Spot) -> None:
    """Raises LimitExceeded when as many proposals wait there as may."""
    waiting = GoalFilter((spot.namespace_id,), lifecycles=(LifecycleState.ACTIVE,), proposals=True)
    used, limit = tx.goals.count(waiting), ctx.limits.goal_proposals
    if used >= limit:
        raise LimitExceeded(
            say("goal.limit.goal_proposals", limit=limit),
            say("goal.limit.goal_proposals.hint"),
            name="goal_proposals",
            used=used,
            limit=limit,
        )


def due_at(ctx: Context, due: When | None, now: datetime) -> datetime | None:
    """The instant of a deadline. Raises InvalidInput for the past and for one that repeats, LimitExceeded."""
    if due is None:
        return None
    if due.rule:
        raise InvalidInput(say("goal.due.repeats"), say("goal.due.repeats.hint"))
    return check_due(first_due(ctx, due), now, ctx.limits)


def new_row(ctx: Context, draft: GoalDraft, creator: Person, spot: Spot, actor: Actor) -> IntentObject:
    """The row that a checked draft asks for, before it has a handle."""
    now, ids = ctx.clock.now(), ctx.ids
    row = IntentObject(
        id=ids.uuid(),
        handle="",
        namespace_id=spot.namespace_id,
        space=spot.space,
        channel=spot.channel,
        conversation=spot.conversation,
        intent_type=draft.intent_type,
        value=draft.value,
        creator=creator,
        owner=draft.owner or creator,
        created_at=now,
        last_modified_at=now,
        touched_at=now,
        priority=draft.priority,
        stakeholders=draft.stakeholders,
        due=draft.due,
        target_completion=due_at(ctx, draft.due, now),
        criteria=draft.criteria,
        note=draft.note,
        structured=draft.structured,
        asserted_by=actor.id,
        valid_from=now,
        fold=fold_key(draft.intent_type, draft.value),
        value_id=ids.uuid(),
        criteria_id=ids.uuid() if draft.criteria else None,
        note_id=ids.uuid() if draft.note else None,
        structured_id=ids.uuid() if draft.structured else None,
    )
    return salience.weighed(row, now)


def add_row(ctx: Context, tx: Tx, row: IntentObject, actor: Actor, said: str, message_id: str) -> IntentObject:
    """Store a row under the first free handle, with its evidence and one ASSERT. The chain is locked."""
    event = add_evidence(ctx, tx, actor, row, said, message_id)
    row = replace(row, evidence_ids=(event.id,))
    made = with_free_handle(ctx, "g", lambda handle: tx.goals.add(replace(row, handle=handle), ctx.ids.salt()))
    payload = {FIELDS: recorded(made, tx.goals.wordings(made.key)), **cited((event,))}
    log(tx, ctx.ids, made.created_at, actor, OpType.ASSERT, made.namespace_id, made.id, payload, GOAL)
    return made

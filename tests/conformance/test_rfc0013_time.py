"""RFC-0013 (`test_rfc0013.py`): deadlines, risks, fading and completion."""

import dataclasses

import pytest

from core.goals import objects, salience
from core.goals.objects import EpistemicType, GoalChange, IntentState, IntentType, LifecycleState
from core.operations.log import OpType
from core.services.change_goal import EditGoal, PinGoal
from core.services.goal_moves import CompleteGoal, HoldGoal, ResumeGoal
from core.services.read_goals import SearchGoals, ShowGoal
from core.services.supersede_goal import SupersedeGoal
from core.standing.intent import Priority
from tests.builders import ADA, BOB, HOME, an_owner
from tests.builders_goals import (
    DAY,
    HOUR,
    SECOND,
    a_chain,
    a_goal,
    a_person,
    add,
    beat,
    dependents,
    due,
    kinds_told,
    log_length,
    operations,
    payloads,
    prerequisites,
    propose,
    risk,
    stored,
)

A, C, X, H, E, S = (
    IntentState[name] for name in ("ACTIVE", "COMPLETED", "CANCELLED", "ON_HOLD", "EXPIRED", "SUPERSEDED")
)
LOW, MEDIUM, HIGH, CRITICAL = Priority
OWNER = an_owner()


@pytest.mark.parametrize("kind", [IntentType.RISK, IntentType.GOAL])
def test_r24_overdue_is_expired_and_a_risk_has_its_alert(ctx, kind):
    row, free = add(ctx, intent_type=kind, due=due(ctx, HOUR)), add(ctx, "free", intent_type=kind)
    held = add(ctx, "held", intent_type=kind, due=due(ctx, HOUR))
    HoldGoal(ctx)(held.handle, OWNER, HOME)
    ctx.clock.advance(HOUR - SECOND)
    beat(ctx)
    assert stored(ctx, row).intent_state is A
    ctx.clock.advance(SECOND)
    beat(ctx)
    assert [stored(ctx, one).intent_state for one in (row, free, held)] == [E, A, H]
    assert operations(ctx, row).count("EXPIRED_RISK_ALERT") == (kind is IntentType.RISK)


@pytest.mark.parametrize(("before", "after"), [(LOW, MEDIUM), (MEDIUM, HIGH), (HIGH, CRITICAL), (CRITICAL, CRITICAL)])
def test_r25_one_level_once_by_the_organiser_and_a_goal_never(ctx, before, after):
    danger, goal = risk(ctx, priority=before, due=due(ctx, HOUR)), add(ctx, priority=before, due=due(ctx, HOUR))
    ctx.clock.advance(8 * DAY)
    for _ in range(3):
        beat(ctx)
    assert (stored(ctx, danger).priority, stored(ctx, goal).priority) == (after, before)
    with ctx.store.read() as tx:
        alerts = [one for one in tx.operations.of_target(danger.id, 99) if one.op_type == "EXPIRED_RISK_ALERT"]
    assert [one.actor_id for one in alerts] == ["system"]


def test_r26_each_alert_is_one_notice_to_its_owner(ctx):
    risk(ctx, priority=LOW, due=due(ctx, HOUR))
    ctx.clock.advance(HOUR)
    beat(ctx)
    beat(ctx)
    assert kinds_told(ctx, ADA) == ["notice.goal.risk"]


def test_r23_a_risk_never_fades_and_a_goal_beside_it_does(ctx):
    danger, goal = risk(ctx), add(ctx, priority=HIGH)
    seen = []
    for _ in range(73):
        ctx.clock.advance(5 * DAY)
        beat(ctx)
        seen.append(ShowGoal(ctx)(goal.handle, OWNER, HOME).salience)
        assert ShowGoal(ctx)(danger.handle, OWNER, HOME).salience == danger.salience == 500_000
    assert seen == sorted(set(seen), reverse=True)


def test_d13_nothing_of_a_risk_fades_its_confidence_neither(ctx):
    row = risk(ctx)
    ctx.clock.advance(365 * DAY)
    beat(ctx)
    assert stored(ctx, row) == row


@pytest.mark.parametrize(
    ("fields", "kept"), [({}, False), ({"priority": HIGH}, True), ({"priority": CRITICAL}, True), ({"due": 200}, True)]
)
def test_d14_what_is_urgent_or_ahead_is_not_archived_by_age_and_the_rest_can_be_resumed(ctx, fields, kept):
    given = fields | ({"due": due(ctx, fields["due"] * DAY)} if "due" in fields else {})
    row = add(ctx, **given)
    for _ in range(4):
        ctx.clock.advance(30 * DAY)
        beat(ctx)
    assert (stored(ctx, row).lifecycle_state is LifecycleState.ACTIVE) == kept
    if not kept:
        assert "notice.goal.faded" in kinds_told(ctx, ADA)
        assert ResumeGoal(ctx)(row.handle, OWNER, HOME).lifecycle_state is LifecycleState.ACTIVE


def test_d15_fading_never_deprecates(ctx):
    row = add(ctx, priority=LOW)
    for _ in range(12):
        ctx.clock.advance(30 * DAY)
        beat(ctx)
    after = stored(ctx, row)
    assert (after.intent_state, after.epistemic_type) == (A, EpistemicType.ASSERTED)
    assert after.lifecycle_state is LifecycleState.ARCHIVED
    assert salience.POLICY == "decay-v1"


def test_r27_a_summary_has_half_the_salience_and_the_events(ctx):
    row = PinGoal(ctx)(add(ctx).handle, True, OWNER, HOME)
    CompleteGoal(ctx)(row.handle, OWNER, HOME, said="done!")
    view = ShowGoal(ctx)(row.handle, OWNER, HOME)
    assert (view.summary.salience, view.summary.epistemic_type) == (500_000, EpistemicType.OBSERVED)
    assert view.summary.text == "Goal 'Ship the API' was completed on 2026-11-30."
    assert view.summary.evidence_ids == view.intent.evidence_ids
    assert SearchGoals(ctx)("ship the api", OWNER, HOME).summaries == (view.summary,)


def test_d16_superseding_takes_the_new_one_in_the_same_call_and_it_inherits(ctx):
    before, row = a_chain(ctx, 2)
    row = EditGoal(ctx)(row.handle, GoalChange(stakeholders=(a_person(BOB),)), OWNER, HOME)
    after = add(ctx, "after", depends_on=(row.handle,))
    made = SupersedeGoal(ctx)(row.handle, a_goal("better"), OWNER, HOME)
    assert made.old.superseded_by == made.new.id
    assert [one.who for one in made.new.stakeholders] == [BOB]
    assert (prerequisites(ctx, made.new), dependents(ctx, made.new)) == ([before.handle], [after.handle])


def test_r33_no_feelings_no_execution_no_workflow(ctx):
    fields = {one.name for one in dataclasses.fields(objects.IntentObject)}
    feelings = {"emotion", "mood", "feeling", "sentiment", "valence", "anger"}
    assert not {name for name in fields for word in feelings if word in name}
    row = propose(ctx, "I'm furious about the deadline")
    assert "furious" not in str({**payloads(ctx, row, OpType.ASSERT)[0]})
    length = log_length(ctx)
    ctx.clock.advance(DAY)
    beat(ctx)
    assert log_length(ctx) == length

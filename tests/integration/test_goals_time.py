"""What time does to goal memory: deadlines, fading, and proposals nobody looked at."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput
from core.goals import salience
from core.goals.objects import GoalChange, IntentState, IntentType, LifecycleState
from core.limits import LIMITS
from core.operations.log import OpType
from core.services.change_goal import EditGoal, PinGoal
from core.services.goal_moves import CompleteGoal, HoldGoal, ResumeGoal
from core.services.read_goals import ListGoals, ShowGoal, Wanted
from core.services.review_goals import ConfirmGoal
from core.standing.intent import Priority
from tests.builders import ADA, BOB, HOME, NOW, an_owner
from tests.builders_goals import (
    AGENT,
    AWAY,
    CYD,
    DAY,
    SECOND,
    a_person,
    add,
    beat,
    due,
    kinds_told,
    log_length,
    operations,
    payloads,
    propose,
    risk,
    stored,
    told,
)
from tests.fakes.reminding import a_context

HOUR = timedelta(hours=1)
E, A = IntentState.EXPIRED, IntentState.ACTIVE
LOW, MEDIUM, HIGH, CRITICAL = Priority


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


# deadlines


@pytest.mark.parametrize("kind", list(IntentType))
@pytest.mark.parametrize(("late", "state"), [(-SECOND, A), (timedelta(0), E), (SECOND, E)])
def test_a_deadline_comes_at_its_second_and_for_readers_at_once(ctx, kind, late, state):
    row = add(ctx, intent_type=kind, due=due(ctx, HOUR))
    ctx.clock.advance(HOUR + late)
    assert ShowGoal(ctx)(row.handle, an_owner(), HOME).intent.intent_state is state
    assert stored(ctx, row).intent_state is A
    assert beat(ctx).expired == (state is E)
    assert stored(ctx, row).intent_state is state
    assert operations(ctx, row).count("INTENT_TRANSITION") == (state is E)


def test_what_the_heartbeat_stores_is_what_readers_saw_before(ctx):
    row = risk(ctx, priority=MEDIUM, due=due(ctx, HOUR))
    ctx.clock.advance(HOUR)
    shown = ShowGoal(ctx)(row.handle, an_owner(), HOME).intent
    beat(ctx)
    after = stored(ctx, row)
    assert (shown.intent_state, shown.priority, shown.lifecycle_state) == (E, HIGH, LifecycleState.ACTIVE)
    assert (after.intent_state, after.priority, after.lifecycle_state) == (E, HIGH, LifecycleState.ACTIVE)


def test_what_has_no_deadline_or_is_on_hold_does_not_expire(ctx):
    free, held = risk(ctx), risk(ctx, "held", due=due(ctx, HOUR))
    HoldGoal(ctx)(held.handle, an_owner(), HOME)
    ctx.clock.advance(days=400)
    assert beat(ctx).expired == 0
    assert [stored(ctx, row).intent_state for row in (free, held)] == [A, IntentState.ON_HOLD]


@pytest.mark.parametrize("priority", list(Priority))
def test_an_overdue_risk_is_one_level_more_urgent_once_with_one_alert(ctx, priority):
    row = risk(ctx, priority=priority, due=due(ctx, HOUR))
    ctx.clock.advance(days=7)  # the heartbeat was off for a week
    for _ in range(3):
        beat(ctx)
        ctx.clock.advance(days=3)
    after = stored(ctx, row)
    level = min(priority + 1, CRITICAL)
    assert (after.intent_state, after.priority) == (E, level)
    [alert] = payloads(ctx, row, OpType.EXPIRED_RISK_ALERT)
    assert (alert["intent"], alert["priority_from"], alert["priority_to"]) == (
        row.id,
        priority.name,
        Priority(level).name,
    )
    assert alert["target_completion"] is not None
    assert operations(ctx, row).count("PRIORITY_CHANGED") == 0


@pytest.mark.parametrize("kind", [kind for kind in IntentType if kind is not IntentType.RISK])
def test_nothing_but_a_risk_changes_its_priority_by_itself(ctx, kind):
    row = add(ctx, intent_type=kind, priority=LOW, due=due(ctx, HOUR))
    ctx.clock.advance(days=7)
    beat(ctx)
    assert stored(ctx, row).priority is LOW
    assert operations(ctx, row).count("EXPIRED_RISK_ALERT") == 0


def test_the_alert_is_told_once_to_its_owner_and_to_each_stakeholder(ctx):
    people = (a_person(BOB), a_person(CYD), a_person(AGENT))
    risk(ctx, owner=a_person(BOB), stakeholders=people, due=due(ctx, HOUR))
    for who in (ADA, BOB, CYD):
        told(ctx, who)
    ctx.clock.advance(hours=2)
    beat(ctx)
    beat(ctx)
    assert [kinds_told(ctx, who).count("notice.goal.risk") for who in (ADA, BOB, CYD)] == [0, 1, 1]
    ctx.clock.advance(days=3)
    beat(ctx)
    assert [kinds_told(ctx, who).count("notice.goal.risk") for who in (ADA, BOB, CYD)] == [0, 0, 0]


def test_of_a_goal_the_owner_alone_is_told(ctx):
    add(ctx, owner=a_person(BOB), stakeholders=(a_person(CYD),), due=due(ctx, HOUR))
    told(ctx, BOB)
    ctx.clock.advance(hours=2)
    beat(ctx)
    assert (kinds_told(ctx, BOB), kinds_told(ctx, CYD), kinds_told(ctx, ADA)) == (["notice.goal.expired"], [], [])


def test_an_expired_risk_takes_no_new_deadline(ctx):
    row = risk(ctx, priority=LOW, due=due(ctx, HOUR))
    ctx.clock.advance(hours=1)
    beat(ctx)
    expired = stored(ctx, row)
    with pytest.raises(InvalidInput, match="takes no other one"):
        EditGoal(ctx)(row.handle, GoalChange(due=due(ctx, HOUR)), an_owner(), HOME)
    ctx.clock.advance(hours=1)
    beat(ctx)
    assert stored(ctx, row).priority is expired.priority is MEDIUM
    assert operations(ctx, row).count("EXPIRED_RISK_ALERT") == 1


def test_an_expired_risk_stays_a_risk(ctx):
    row = risk(ctx, priority=LOW, due=due(ctx, HOUR))
    ctx.clock.advance(hours=1)
    with pytest.raises(Exception, match="is over"):
        EditGoal(ctx)(row.handle, GoalChange(intent_type=IntentType.GOAL), an_owner(), HOME)


def test_many_overdue_ones_are_worked_off_a_chunk_at_a_time(store, clock, ids):
    ctx = a_context(store, clock, ids, replace(LIMITS, chunk=2))
    rows = [risk(ctx, f"risk {number}", priority=LOW, due=due(ctx, HOUR)) for number in range(5)]
    ctx.clock.advance(hours=1)
    assert beat(ctx).expired == 5
    assert [operations(ctx, row).count("EXPIRED_RISK_ALERT") for row in rows] == [1] * 5


# fading


def test_salience_is_that_of_the_priority_and_a_pin_is_one(ctx):
    rows = [add(ctx, f"goal {priority}", priority=priority) for priority in Priority]
    assert [row.salience for row in rows] == [300_000, 500_000, 700_000, 900_000]
    pinned = PinGoal(ctx)(rows[0].handle, True, an_owner(), HOME)
    assert (pinned.salience, pinned.pinned) == (1_000_000, True)
    with pytest.raises(Exception, match="is pinned already"):
        PinGoal(ctx)(rows[0].handle, True, an_owner(), HOME)
    assert PinGoal(ctx)(rows[0].handle, False, an_owner(), HOME).salience == 300_000


def shown(ctx, row):
    return ShowGoal(ctx)(row.handle, an_owner(), HOME).salience


def test_a_goal_fades_as_the_policy_says_and_a_risk_never(ctx):
    goal, danger, pin = add(ctx), risk(ctx), add(ctx, "pinned")
    PinGoal(ctx)(pin.handle, True, an_owner(), HOME)
    for days, expected in ((0, 500_000), (10, 409_365), (30, 274_406)):
        ctx.clock.set(NOW + days * DAY)
        beat(ctx)
        assert shown(ctx, goal) == pytest.approx(expected, abs=2)
        assert (shown(ctx, danger), shown(ctx, pin)) == (500_000, 1_000_000)
    assert salience.faded(500_000, "INFERRED", 10 * DAY) < salience.faded(500_000, "ASSERTED", 10 * DAY)


def decays(ctx, row):
    with ctx.store.read() as tx:
        found = [one for one in tx.operations.chain(row.namespace_id) if one.op_type == OpType.DECAY_APPLIED]
    return [one.payload for one in found]


def test_below_the_first_threshold_it_is_put_on_record_and_below_the_second_it_is_archived(ctx):
    row = add(ctx)
    warn, archive = salience.crossing(row, salience.WARN), salience.crossing(row, salience.ARCHIVE)
    ctx.clock.set(warn - SECOND)
    assert beat(ctx).faded == 0
    assert shown(ctx, row) >= salience.WARN
    ctx.clock.set(warn)
    assert beat(ctx).faded == 1
    assert shown(ctx, row) < salience.WARN
    assert f'"warned":["{row.id}"]' in decays(ctx, row)[0]
    assert '"policy":"decay-v1"' in decays(ctx, row)[0]
    assert stored(ctx, row).lifecycle_state is LifecycleState.ACTIVE
    ctx.clock.set(archive - SECOND)
    beat(ctx)
    assert stored(ctx, row).lifecycle_state is LifecycleState.ACTIVE
    ctx.clock.set(archive)
    beat(ctx)
    after = stored(ctx, row)
    assert (after.lifecycle_state, after.intent_state) == (LifecycleState.ARCHIVED, A)
    assert f'"archived":["{row.id}"]' in decays(ctx, row)[1]
    assert kinds_told(ctx, ADA) == ["notice.goal.faded"]
    assert ListGoals(ctx)(an_owner(), HOME).total == 0


def test_what_faded_is_resumed_and_stands_out_as_at_the_beginning(ctx):
    row = add(ctx)
    ctx.clock.advance(days=90)
    beat(ctx)
    back = ResumeGoal(ctx)(row.handle, an_owner(), HOME)
    assert (back.lifecycle_state, back.intent_state) == (LifecycleState.ACTIVE, A)
    assert operations(ctx, row) == ["ASSERT", "EDITED"]
    assert shown(ctx, row) == 500_000
    ctx.clock.advance(days=90)
    beat(ctx)
    assert stored(ctx, row).lifecycle_state is LifecycleState.ARCHIVED


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ({"priority": HIGH}, True),
        ({"priority": CRITICAL}, True),
        ({"priority": LOW}, False),
        ({"ahead": 200}, True),
        ({}, False),
        ({"intent_type": IntentType.RISK, "priority": LOW}, True),
    ],
)
def test_what_is_urgent_or_has_its_deadline_ahead_is_not_archived_by_age(ctx, fields, kept):
    ahead = fields.get("ahead")
    wanted = {name: value for name, value in fields.items() if name != "ahead"}
    row = add(ctx, **wanted, due=None if ahead is None else due(ctx, ahead * DAY))
    for _ in range(5):
        ctx.clock.advance(days=30)
        beat(ctx)
    assert (stored(ctx, row).lifecycle_state is LifecycleState.ACTIVE) == kept


def test_one_on_hold_whose_deadline_has_passed_is_archived_then(ctx):
    row = add(ctx, due=due(ctx, 100 * DAY))
    HoldGoal(ctx)(row.handle, an_owner(), HOME)
    ctx.clock.advance(days=99)
    beat(ctx)
    assert stored(ctx, row).lifecycle_state is LifecycleState.ACTIVE
    ctx.clock.advance(days=2)
    beat(ctx)
    after = stored(ctx, row)
    assert (after.lifecycle_state, after.intent_state) == (LifecycleState.ARCHIVED, IntentState.ON_HOLD)
    assert ResumeGoal(ctx)(row.handle, an_owner(), HOME).intent_state is E


def test_fading_is_put_on_record_once_a_day_for_a_namespace(ctx):
    first, second, away = add(ctx), add(ctx, "second"), add(ctx, "away", where=AWAY)
    ctx.clock.advance(hours=1)
    late = add(ctx, "late")
    ctx.clock.set(salience.crossing(first, salience.WARN))
    beat(ctx)
    ctx.clock.set(salience.crossing(late, salience.WARN))
    assert beat(ctx).faded == 0
    assert (len(decays(ctx, first)), len(decays(ctx, away))) == (1, 1)
    assert second.id in decays(ctx, first)[0]
    ctx.clock.advance(days=1)
    assert beat(ctx).faded == 1
    assert late.id in decays(ctx, first)[1]


def test_a_change_and_a_child_that_is_done_touch_it(ctx):
    child = add(ctx, "child")
    row = add(ctx, depends_on=(child.handle,))
    ctx.clock.advance(days=10)
    EditGoal(ctx)(child.handle, GoalChange(note="Looked at."), an_owner(), HOME)
    assert (shown(ctx, child), shown(ctx, row)) == (500_000, pytest.approx(409_365, abs=2))
    CompleteGoal(ctx)(child.handle, an_owner(), HOME)
    assert shown(ctx, row) == 500_000


def test_a_goal_that_becomes_a_risk_fades_no_more_and_the_other_way_round(ctx):
    row = add(ctx)
    changed = EditGoal(ctx)(row.handle, GoalChange(intent_type=IntentType.RISK), an_owner(), HOME)
    assert changed.fades_at is None
    ctx.clock.advance(days=365)
    assert beat(ctx).faded == 0
    assert shown(ctx, row) == 500_000
    again = EditGoal(ctx)(row.handle, GoalChange(intent_type=IntentType.GOAL), an_owner(), HOME)
    assert again.fades_at is not None


def test_a_summary_has_half_the_salience_at_completion(ctx):
    row = add(ctx)
    pinned = add(ctx, "pinned")
    PinGoal(ctx)(pinned.handle, True, an_owner(), HOME)
    ctx.clock.advance(days=10)
    CompleteGoal(ctx)(row.handle, an_owner(), HOME, said="it is done")
    CompleteGoal(ctx)(pinned.handle, an_owner(), HOME)
    view = ShowGoal(ctx)(row.handle, an_owner(), HOME)
    assert view.summary.salience == pytest.approx(204_682, abs=2)
    assert view.summary.text == "Goal 'Ship the API' was completed on 2026-12-10."
    assert view.summary.evidence_ids == view.intent.evidence_ids
    assert len(view.summary.evidence_ids) == 2
    assert ShowGoal(ctx)(pinned.handle, an_owner(), HOME).summary.salience == 500_000


# proposals


def test_a_proposal_nobody_looked_at_is_archived_after_two_weeks_and_can_be_confirmed(ctx):
    row = propose(ctx)
    ctx.clock.advance(LIMITS.goal_review)
    assert beat(ctx).aged == 0
    ctx.clock.advance(SECOND)
    assert beat(ctx).aged == 1
    assert beat(ctx).aged == 0
    assert stored(ctx, row).lifecycle_state is LifecycleState.ARCHIVED
    assert ListGoals(ctx)(an_owner(), HOME, Wanted(proposals=True)).total == 0
    assert ListGoals(ctx)(an_owner(), HOME, Wanted(proposals=True, everything=True)).rows[0].id == row.id
    yes = ConfirmGoal(ctx)(row.handle, an_owner(), HOME)
    assert (yes.lifecycle_state, yes.is_proposal) == (LifecycleState.ACTIVE, False)


@pytest.mark.parametrize("kind", [IntentType.RISK, IntentType.GOAL])
@pytest.mark.parametrize("priority", list(Priority))
def test_urgent_risks_alone_stay_in_the_queue(ctx, kind, priority):
    row = propose(ctx, intent_type=kind, priority=priority)
    ctx.clock.advance(days=60)
    beat(ctx)
    living = stored(ctx, row).lifecycle_state is LifecycleState.ACTIVE
    assert living == (kind is IntentType.RISK and priority >= HIGH)


def test_a_proposed_risk_expires_and_escalates_in_the_log_alone(ctx):
    row = propose(ctx, intent_type=IntentType.RISK, priority=MEDIUM, due=due(ctx, HOUR))
    ctx.clock.advance(hours=2)
    beat(ctx)
    after = stored(ctx, row)
    assert (after.intent_state, after.priority, after.is_proposal) == (E, HIGH, True)
    assert operations(ctx, row).count("EXPIRED_RISK_ALERT") == 1
    assert (kinds_told(ctx, ADA), kinds_told(ctx, BOB)) == ([], [])
    ctx.clock.advance(days=60)
    beat(ctx)
    assert stored(ctx, row).lifecycle_state is LifecycleState.ACTIVE


def test_what_is_overdue_is_confirmed_no_more_but_for_risks(ctx):
    goal = propose(ctx, due=due(ctx, HOUR))
    danger = propose(ctx, "danger", intent_type=IntentType.RISK, priority=LOW, due=due(ctx, HOUR))
    ctx.clock.advance(hours=1)
    length = log_length(ctx)
    with pytest.raises(Exception, match="reviewed no more"):
        ConfirmGoal(ctx)(goal.handle, an_owner(), HOME)
    assert log_length(ctx) == length
    yes = ConfirmGoal(ctx)(danger.handle, an_owner(), HOME)
    assert (yes.intent_state, yes.priority, yes.is_proposal) == (E, MEDIUM, False)


def test_one_that_was_put_on_hold_after_it_faded_and_before_a_heartbeat_is_archived(ctx):
    row = add(ctx, priority=LOW)
    ctx.clock.advance(days=60)
    HoldGoal(ctx)(row.handle, an_owner(), HOME)
    beat(ctx)
    assert stored(ctx, row).lifecycle_state is LifecycleState.ARCHIVED

"""The table of moves of goal memory on a real store: what is legal is one operation, what is not writes nothing."""

from datetime import timedelta

import pytest

from core.errors import InvalidInput, InvalidTransition
from core.goals import states
from core.goals.objects import IntentState, IntentType, LifecycleState
from core.operations.log import OpType
from core.services.audit import VerifyAudit
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal, ResumeGoal
from core.services.goal_rows import lock_goal
from core.services.goal_tick import TickGoals
from core.services.read_goals import ListGoals, ShowGoal, Wanted
from core.services.supersede_goal import SupersedeGoal
from core.turn import ADMIN
from tests.builders import HOME, NOW, an_owner
from tests.builders_goals import (
    a_goal,
    a_risk,
    add,
    beat,
    due,
    in_state,
    log_length,
    operations,
    payloads,
    propose,
    stored,
)
from tests.fakes.reminding import a_context

A, C, X, H, E, S = (
    IntentState.ACTIVE,
    IntentState.COMPLETED,
    IntentState.CANCELLED,
    IntentState.ON_HOLD,
    IntentState.EXPIRED,
    IntentState.SUPERSEDED,
)
LEGAL = {(A, C), (A, X), (A, H), (A, E), (A, S), (H, A)}
RISKS_TOO = LEGAL | {(E, C), (E, X)}
PAIRS = [(old, new) for old in IntentState for new in IntentState]
ARCHIVED, LIVING = LifecycleState.ARCHIVED, LifecycleState.ACTIVE


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def go(ctx, row, new):
    """Ask the service whose business it is for that state; EXPIRED is the heartbeat's."""
    handle, owner = row.handle, an_owner()
    match new:
        case IntentState.ACTIVE:
            ResumeGoal(ctx)(handle, owner, HOME)
        case IntentState.COMPLETED:
            CompleteGoal(ctx)(handle, owner, HOME)
        case IntentState.CANCELLED:
            CancelGoal(ctx)(handle, owner, HOME)
        case IntentState.ON_HOLD:
            HoldGoal(ctx)(handle, owner, HOME)
        case IntentState.SUPERSEDED:
            draft = a_risk("The next one") if row.is_risk else a_goal("The next one")
            SupersedeGoal(ctx)(handle, draft, owner, HOME)
        case IntentState.EXPIRED:
            TickGoals(ctx)()
    return stored(ctx, row)


def brought(ctx, kind, old, new):
    """One in the old state; where it is to expire, with a deadline that has come."""
    if new is E and old is A:
        made = add(ctx, a_goal(intent_type=kind, due=due(ctx, timedelta(hours=1))))
        ctx.clock.advance(hours=1)
        return made
    return in_state(ctx, old, a_goal(intent_type=kind))


def table():
    for kind, legal in ((IntentType.GOAL, LEGAL), (IntentType.RISK, RISKS_TOO)):
        for old, new in PAIRS:
            yield kind, old, new, (old, new) in legal


ROWS = list(table())


@pytest.mark.parametrize(("kind", "old", "new"), [row[:3] for row in ROWS if row[3]])
def test_a_legal_move_is_one_transition_on_record(ctx, kind, old, new):
    row = brought(ctx, kind, old, new)
    before = operations(ctx, row).count("INTENT_TRANSITION")
    moved = go(ctx, row, new)
    assert moved.intent_state is new
    assert operations(ctx, row).count("INTENT_TRANSITION") == before + 1
    told = payloads(ctx, row, OpType.INTENT_TRANSITION)[-1]
    assert (told["from"], told["to"]) == (old, new)
    assert told["reason"]
    assert told["fields"]["state"] == [old, new]
    assert all(report.bad is None for report in VerifyAudit(ctx)())


HELD_GOES = {(H, X)}  # D1: one call, two steps
NOT_ASKED = {(old, E) for old in IntentState}  # nobody can ask for it: the heartbeat leaves it alone


@pytest.mark.parametrize(
    ("kind", "old", "new"), [row[:3] for row in ROWS if not row[3] and row[1:3] not in HELD_GOES | NOT_ASKED]
)
def test_an_illegal_move_is_refused_and_writes_nothing(ctx, kind, old, new):
    row = brought(ctx, kind, old, new)
    length = log_length(ctx)
    with pytest.raises(InvalidTransition) as refusal:
        go(ctx, row, new)
    assert refusal.value.details["old"] is old
    assert refusal.value.details["new"] is new
    assert states.state_name(old) in refusal.value.sentence
    assert states.state_name(new) in refusal.value.sentence
    assert refusal.value.hint
    assert stored(ctx, row) == row
    assert log_length(ctx) == length


@pytest.mark.parametrize(("kind", "old", "new"), [row[:3] for row in ROWS if not row[3] and row[1:3] in NOT_ASKED])
def test_the_heartbeat_expires_only_what_is_active(ctx, kind, old, new):
    row = brought(ctx, kind, old, new)
    ctx.clock.advance(days=400)
    beat(ctx)
    assert stored(ctx, row).intent_state is old
    with pytest.raises(InvalidTransition):
        states.move(row, E)


@pytest.mark.parametrize("kind", [IntentType.GOAL, IntentType.RISK])
def test_the_table_of_a_type_has_just_these_pairs(kind):
    legal = RISKS_TOO if kind is IntentType.RISK else LEGAL
    found = {(old, new) for old, news in states.moves_of(kind).items() for new in news}
    assert found == legal
    assert len(PAIRS) - len(found) == (28 if kind is IntentType.RISK else 30)


@pytest.mark.parametrize("kind", [IntentType.GOAL, IntentType.RISK])
def test_cancelling_one_on_hold_is_two_transitions(ctx, kind):
    row = in_state(ctx, H, a_goal(intent_type=kind))
    gone = go(ctx, row, X)
    steps = [(one["from"], one["to"]) for one in payloads(ctx, row, OpType.INTENT_TRANSITION)]
    assert steps == [(A, H), (H, A), (A, X)]
    assert gone.version == row.version + 2


@pytest.mark.parametrize(
    ("kind", "state", "lifecycle"),
    [
        (IntentType.GOAL, C, ARCHIVED),
        (IntentType.GOAL, X, ARCHIVED),
        (IntentType.GOAL, E, ARCHIVED),
        (IntentType.GOAL, H, LIVING),
        (IntentType.GOAL, S, LifecycleState.SUPERSEDED),
        (IntentType.RISK, C, ARCHIVED),
        (IntentType.RISK, X, ARCHIVED),
        (IntentType.RISK, E, LIVING),
        (IntentType.RISK, H, LIVING),
        (IntentType.RISK, S, LifecycleState.SUPERSEDED),
    ],
)
def test_the_lifecycle_follows_the_state(ctx, kind, state, lifecycle):
    row = in_state(ctx, state, a_goal(intent_type=kind))
    assert (row.intent_state, row.lifecycle_state) == (state, lifecycle)
    assert (row.valid_to is not None) == (lifecycle is not LIVING)


@pytest.mark.parametrize("kind", list(IntentType))
def test_every_type_is_made_listed_shown_and_completed(ctx, kind):
    row = add(ctx, a_goal(intent_type=kind))
    assert ShowGoal(ctx)(row.handle, an_owner(), HOME).intent == row
    assert ListGoals(ctx)(an_owner(), HOME, Wanted(types=(kind,))).rows == (row,)
    done = CompleteGoal(ctx)(row.handle, an_owner(), HOME)
    assert done.intent.intent_state is C


def test_an_expired_risk_that_is_completed_is_archived(ctx):
    row = in_state(ctx, E, a_risk())
    assert go(ctx, row, C).lifecycle_state is ARCHIVED


def test_resuming_one_whose_deadline_passed_on_hold_expires_it_at_once(ctx):
    row = add(ctx, due=due(ctx, timedelta(hours=1)))
    go(ctx, row, H)
    ctx.clock.advance(hours=2)
    beat(ctx)
    assert stored(ctx, row).intent_state is H
    assert ResumeGoal(ctx)(row.handle, an_owner(), HOME).intent_state is E
    steps = [(one["from"], one["to"]) for one in payloads(ctx, row, OpType.INTENT_TRANSITION)]
    assert steps == [(A, H), (H, A), (A, E)]


def test_an_overdue_goal_is_expired_for_every_act_before_the_heartbeat_comes(ctx):
    row = add(ctx, due=due(ctx, timedelta(hours=1)))
    ctx.clock.advance(hours=1)
    length = log_length(ctx)
    for new in (C, X, H, S):
        with pytest.raises(InvalidTransition) as refusal:
            go(ctx, row, new)
        assert refusal.value.details["old"] is E
    assert log_length(ctx) == length
    assert ShowGoal(ctx)(row.handle, ADMIN, None).intent.intent_state is E


@pytest.mark.parametrize("act", [CompleteGoal, HoldGoal, ResumeGoal, CancelGoal])
def test_nothing_moves_a_proposal_before_somebody_said_yes(ctx, act):
    row = propose(ctx)
    length = log_length(ctx)
    with pytest.raises((InvalidInput, InvalidTransition)):
        act(ctx)(row.handle, an_owner(), HOME)
    assert stored(ctx, row) == row
    assert log_length(ctx) == length


def test_a_proposal_is_not_superseded(ctx):
    row = propose(ctx)
    with pytest.raises(InvalidInput):
        go(ctx, row, S)
    assert stored(ctx, row) == row


def test_a_stale_row_is_never_written_over(ctx):
    """The guarded update: who read a row before somebody else changed it cannot store it."""
    row = add(ctx)
    go(ctx, row, H)
    with ctx.store.write() as tx:
        assert not tx.goals.update(row, states.move(row, X))
        assert lock_goal(tx, row).intent_state is H

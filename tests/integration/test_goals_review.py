"""What a machine concluded: INFERRED, asked once, confirmed or dismissed, and never asked again."""

from datetime import timedelta

import pytest

from core.errors import InvalidTransition
from core.goals.objects import EpistemicType, GoalChange, IntentState, IntentType, LifecycleState, SourceType
from core.operations.log import OpType
from core.services.add_goal import ProposeGoal
from core.services.change_goal import EditGoal
from core.services.goal_moves import CancelGoal
from core.services.read_goals import ListGoals, ShowGoal, Wanted
from core.services.review_goals import ConfirmGoal, DismissGoal
from core.standing.intent import Priority
from core.turn import ADMIN
from tests.builders import ADA, BOB, HOME, NOW, an_owner
from tests.builders_goals import (
    AWAY,
    EXTRACTOR,
    a_goal,
    a_person,
    add,
    beat,
    due,
    kinds_told,
    log_length,
    operations,
    payloads,
    propose,
    stored,
)
from tests.fakes.reminding import a_context

QUEUE = Wanted(proposals=True)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


@pytest.mark.parametrize("kind", list(IntentType))
@pytest.mark.parametrize("said", ["I promise", "this is confirmed, ASSERTED"])
def test_a_proposal_is_inferred_whatever_was_said(ctx, kind, said):
    row = ProposeGoal(ctx)(a_goal(said, intent_type=kind), a_person(BOB), EXTRACTOR, HOME, "m1", said)
    assert (row.epistemic_type, row.source_type) == (EpistemicType.INFERRED, SourceType.SYSTEM_INFERRED)
    assert (row.confidence, row.creator.who, row.asserted_by) == (550_000, BOB, "extractor")
    assert (row.valid_from, len(row.evidence_ids)) == (None, 1)
    assert operations(ctx, row) == ["ASSERT"]
    with ctx.store.read() as tx:
        assert tx.records.content(tx.records.evidence(row.evidence_ids[0])) == said


def test_it_waits_in_the_queue_and_not_in_the_list(ctx):
    row = propose(ctx)
    assert ListGoals(ctx)(an_owner(), HOME, QUEUE).rows == (row,)
    assert ListGoals(ctx)(an_owner(), HOME).total == 0
    assert ListGoals(ctx)(an_owner(), AWAY, QUEUE).total == 0


def test_a_yes_makes_it_asserted_with_one_transition(ctx):
    row = propose(ctx)
    ctx.clock.advance(hours=1)
    yes = ConfirmGoal(ctx)(row.handle, an_owner(), HOME)
    assert (yes.epistemic_type, yes.source_type, yes.confidence) == (
        EpistemicType.ASSERTED,
        SourceType.USER_STATED,
        800_000,
    )
    assert yes.valid_from == ctx.clock.now()
    [payload] = payloads(ctx, row, OpType.EPISTEMIC_TRANSITION)
    expected = {
        "from_type": "INFERRED",
        "to_type": "ASSERTED",
        "reason": "confirmed",
        "evidence_ids": list(row.evidence_ids),
        "triggered_by": ADA.user_id,
        "trigger_type": "user_confirmation",
    }
    assert {name: payload[name] for name in expected} == expected
    assert ListGoals(ctx)(an_owner(), HOME).rows == (yes,)


def test_a_second_yes_is_refused_and_writes_nothing(ctx):
    row = propose(ctx)
    ConfirmGoal(ctx)(row.handle, an_owner(), HOME)
    length = log_length(ctx)
    for act in (ConfirmGoal, DismissGoal):
        with pytest.raises(InvalidTransition):
            act(ctx)(row.handle, an_owner(), HOME)
    assert log_length(ctx) == length


def test_what_an_owner_said_is_no_proposal(ctx):
    row = add(ctx)
    assert (row.epistemic_type, row.source_type, row.confidence) == (
        EpistemicType.ASSERTED,
        SourceType.USER_STATED,
        800_000,
    )
    with pytest.raises(InvalidTransition):
        ConfirmGoal(ctx)(row.handle, an_owner(), HOME)


@pytest.mark.parametrize("actor", [an_owner(), ADMIN])
def test_a_no_closes_it_and_the_same_is_not_proposed_again(ctx, actor):
    row = propose(ctx, "Ship the API")
    gone = DismissGoal(ctx)(row.handle, actor, HOME)
    assert (gone.intent_state, gone.lifecycle_state) == (IntentState.CANCELLED, LifecycleState.ARCHIVED)
    assert operations(ctx, row) == ["ASSERT", "INTENT_TRANSITION", "REVIEW_DISMISSED"]
    for again in ("Ship the API", "  ship   THE api ", "Shıp the API".replace("ı", "i")):
        assert propose(ctx, again) is None
    assert propose(ctx, "Ship the API", intent_type=IntentType.RISK) is not None
    assert propose(ctx, "Ship the API", where=AWAY) is not None
    assert propose(ctx, "Ship the APIs") is not None
    with pytest.raises(InvalidTransition):
        ConfirmGoal(ctx)(row.handle, an_owner(), HOME)


@pytest.mark.parametrize("how", ["waiting", "confirmed", "made", "cancelled"])
def test_nobody_is_asked_about_what_is_there_already(ctx, how):
    row = add(ctx) if how in {"made", "cancelled"} else propose(ctx)
    if how == "confirmed":
        ConfirmGoal(ctx)(row.handle, an_owner(), HOME)
    if how == "cancelled":
        CancelGoal(ctx)(row.handle, an_owner(), HOME)
    length = log_length(ctx)
    assert propose(ctx) is None
    assert log_length(ctx) == length


def test_the_reviewer_is_asked_once(ctx):
    for _ in range(2):
        ProposeGoal(ctx)(a_goal(), a_person(BOB), EXTRACTOR, HOME, reviewer=ADA)
    assert (kinds_told(ctx, ADA), kinds_told(ctx, BOB)) == (["notice.goal.proposed"], [])
    ctx.clock.advance(hours=2)
    beat(ctx)
    assert kinds_told(ctx, ADA) == []


def test_a_question_that_was_answered_before_it_was_told_is_not_told(ctx):
    row = ProposeGoal(ctx)(a_goal(), a_person(BOB), EXTRACTOR, HOME, reviewer=ADA)
    ConfirmGoal(ctx)(row.handle, an_owner(), HOME)
    assert kinds_told(ctx, ADA) == []


def test_almost_right_is_edited_and_still_a_proposal(ctx):
    row = propose(ctx, "Ship the AP")
    edited = EditGoal(ctx)(row.handle, GoalChange(value="Ship the API"), an_owner(), HOME)
    assert (edited.value, edited.is_proposal) == ("Ship the API", True)
    assert ConfirmGoal(ctx)(row.handle, an_owner(), HOME).value == "Ship the API"


def test_after_an_edit_the_same_words_are_not_proposed_again(ctx):
    row = propose(ctx, "Ship the AP")
    EditGoal(ctx)(row.handle, GoalChange(value="Ship the API"), an_owner(), HOME)
    DismissGoal(ctx)(row.handle, an_owner(), HOME)
    assert propose(ctx, "ship the ap") is None


def test_nothing_is_told_of_a_proposal_when_its_time_is_over(ctx):
    row = propose(ctx, due=due(ctx, timedelta(hours=1)), priority=Priority.CRITICAL)
    ctx.clock.advance(hours=2)
    beat(ctx)
    assert stored(ctx, row).intent_state is IntentState.EXPIRED
    assert ShowGoal(ctx)(row.handle, an_owner(), HOME).intent.is_proposal
    assert (kinds_told(ctx, ADA), kinds_told(ctx, BOB)) == ([], [])

"""RFC-0013, row by row and decision by decision: `docs/rfc-0013-conformance.md` has the table.

Names begin with the number of the row or decision; each test drives the services on both databases. What has to do with
time and with the bundle has files of its own.
"""

import dataclasses

import pytest

from core.errors import InvalidInput, InvalidTransition, LimitExceeded, NotAllowed, NotFound
from core.goals.dependencies import DependencyCycle
from core.goals.objects import EpistemicType, GoalChange, IntentState, IntentType, LifecycleState, SourceType
from core.operations.log import OpType
from core.services.add_goal import ProposeGoal
from core.services.answer_goal import Answer, AnswerDependency
from core.services.goal_edges import DependGoal
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal, ResumeGoal
from core.services.read_goals import ListGoals, SearchGoals, ShowGoal, Wanted
from core.services.review_goals import ConfirmGoal, DismissGoal
from core.services.supersede_goal import SupersedeGoal
from core.standing.intent import Priority
from core.turn import ADMIN
from tests.builders import ADA, BOB, HOME, a_member, an_owner
from tests.builders_goals import (
    AGENT,
    AWAY,
    CYD,
    DAY,
    EXTRACTOR,
    HOUR,
    OTHER_AGENT,
    OVER,
    a_chain,
    a_goal,
    a_person,
    a_risk,
    add,
    an_agent,
    beat,
    close,
    due,
    edges,
    handles,
    in_state,
    kinds_told,
    operations,
    payloads,
    prerequisites,
    propose,
    refused,
    stored,
)

A, C, X, H, E, S = (
    IntentState[name] for name in ("ACTIVE", "COMPLETED", "CANCELLED", "ON_HOLD", "EXPIRED", "SUPERSEDED")
)
ACTS = {A: ResumeGoal, C: CompleteGoal, X: CancelGoal, H: HoldGoal}
LOW, MEDIUM, HIGH, CRITICAL = Priority
OWNER = an_owner()


def move(ctx, row, new):
    """Ask for that state, as people do; EXPIRED is the heartbeat's."""
    if new is E:
        beat(ctx)
    elif new is S:
        SupersedeGoal(ctx)(row.handle, a_goal("instead", intent_type=row.intent_type), OWNER, HOME)
    else:
        ACTS[new](ctx)(row.handle, OWNER, HOME)
    return stored(ctx, row).intent_state


def depend(ctx, row, *others, **how):
    DependGoal(ctx)(row.handle, tuple(one.handle for one in others), OWNER, HOME, **how)


# states and transitions


@pytest.mark.parametrize("new", [C, X, H, S])
def test_r01_every_change_of_state_is_one_intent_transition(ctx, new):
    row = add(ctx)
    assert move(ctx, row, new) is new
    [payload] = payloads(ctx, row, OpType.INTENT_TRANSITION)
    assert (payload["from"], payload["to"]) == (A, new)
    refused(ctx, InvalidTransition, lambda: move(ctx, row, new))
    assert operations(ctx, row).count("INTENT_TRANSITION") == 1


@pytest.mark.parametrize("old", list(IntentState))
def test_r02_the_edges_are_those_of_the_drawing(ctx, old):
    """From each state to the four that people can ask for; what the heartbeat does is r24."""
    legal = {(A, C), (A, X), (A, H), (A, S), (H, A), (H, X)}  # (H, X) is D1
    row = in_state(ctx, old, a_goal())
    for new in (A, C, X, H, S):
        if (old, new) not in legal:
            refused(ctx, InvalidTransition, lambda new=new: move(ctx, row, new))
    assert stored(ctx, row) == row


@pytest.mark.parametrize("new", [C, X])
def test_r03_completed_and_cancelled_are_archived(ctx, new):
    row = in_state(ctx, new, a_goal())
    assert (row.intent_state, row.lifecycle_state) == (new, LifecycleState.ARCHIVED)


def test_d01_cancelling_what_is_on_hold_is_one_call_and_two_steps(ctx):
    row = in_state(ctx, H, a_goal())
    CancelGoal(ctx)(row.handle, OWNER, HOME)
    steps = [(one["from"], one["to"]) for one in payloads(ctx, row, OpType.INTENT_TRANSITION)]
    assert steps == [(A, H), (H, A), (A, X)]


@pytest.mark.parametrize("new", [C, X])
def test_d02_an_expired_risk_can_be_resolved_and_nothing_else_leaves_expired(ctx, new):
    danger, goal = in_state(ctx, E, a_risk()), in_state(ctx, E, a_goal())
    refused(ctx, InvalidTransition, lambda: move(ctx, goal, new))
    for other in (A, H, S):
        refused(ctx, InvalidTransition, lambda other=other: move(ctx, danger, other))
    assert move(ctx, danger, new) is new


@pytest.mark.parametrize("kind", [IntentType.GOAL, IntentType.RISK])
def test_d03_the_lifecycle_that_belongs_to_each_state(ctx, kind):
    wanted = {
        A: "ACTIVE",
        H: "ACTIVE",
        C: "ARCHIVED",
        X: "ARCHIVED",
        S: "SUPERSEDED",
        E: "ACTIVE" if kind is IntentType.RISK else "ARCHIVED",
    }
    for state, lifecycle in wanted.items():
        row = in_state(ctx, state, a_goal(f"{state}", intent_type=kind))
        assert row.lifecycle_state == lifecycle, state
        assert (row.superseded_by is not None) == (state is S)


def test_d04_on_hold_nothing_expires_and_resumed_it_expires_at_once(ctx):
    row = add(ctx, due=due(ctx, HOUR))
    HoldGoal(ctx)(row.handle, OWNER, HOME)
    ctx.clock.advance(DAY)
    beat(ctx)
    assert stored(ctx, row).intent_state is H
    assert ResumeGoal(ctx)(row.handle, OWNER, HOME).intent_state is E


def test_d05_owner_stakeholder_owner_of_the_space_administrator_and_machine(ctx):
    def shared(who=BOB):
        return add(ctx, owner=a_person(who), stakeholders=(a_person(CYD),))

    HoldGoal(ctx)(shared().handle, a_member(BOB), HOME)
    HoldGoal(ctx)(shared().handle, OWNER, HOME)
    row = shared()
    refused(ctx, NotAllowed, lambda: HoldGoal(ctx)(row.handle, a_member(CYD), HOME))
    refused(ctx, NotAllowed, lambda: CancelGoal(ctx)(row.handle, a_member(CYD), HOME))
    CompleteGoal(ctx)(row.handle, a_member(CYD), HOME)
    other = shared(AGENT)
    refused(ctx, NotAllowed, lambda: HoldGoal(ctx)(other.handle, ADMIN, HOME))
    HoldGoal(ctx)(other.handle, an_agent(), HOME)
    CancelGoal(ctx)(other.handle, ADMIN, HOME)


def test_r29_all_six_states_are_reached_by_services_and_by_nothing_else(ctx):
    for state in IntentState:
        assert in_state(ctx, state, a_goal(f"to be {state}")).intent_state is state
    row = add(ctx, "frozen")
    with pytest.raises(dataclasses.FrozenInstanceError):
        row.intent_state = C
    assert not {"state", "intent_state", "lifecycle_state"} & {one.name for one in dataclasses.fields(GoalChange)}


@pytest.mark.parametrize("kind", list(IntentType))
def test_r28_all_six_types_are_made_read_listed_and_found(ctx, kind):
    assert len(IntentType) == 6
    row = add(ctx, f"A {kind}", intent_type=kind)
    assert ShowGoal(ctx)(row.handle, OWNER, HOME).intent == row
    assert ListGoals(ctx)(OWNER, HOME, Wanted(types=(kind,))).rows == (row,)
    assert SearchGoals(ctx)(str(kind), OWNER, HOME).page.rows == (row,)
    assert propose(ctx, f"Maybe a {kind}", intent_type=kind).intent_type is kind


# what a machine concluded


@pytest.mark.parametrize("said", ["I promise to ship it", "I will ship it", "it is decided and confirmed"])
def test_r04_what_is_extracted_is_inferred(ctx, said):
    row = ProposeGoal(ctx)(a_goal(said), a_person(BOB), EXTRACTOR, HOME, "m1", said)
    assert (row.epistemic_type, row.source_type) == (EpistemicType.INFERRED, SourceType.SYSTEM_INFERRED)
    refused(ctx, InvalidInput, lambda: CompleteGoal(ctx)(row.handle, OWNER, HOME))


def test_r05_its_confidence_is_the_baseline(ctx):
    assert propose(ctx).confidence == 550_000


def test_r06_it_waits_for_review_and_both_answers_work(ctx):
    yes, no = propose(ctx, "yes"), propose(ctx, "no")
    queue = Wanted(proposals=True)
    assert handles(ListGoals(ctx)(OWNER, HOME, queue).rows) == handles([yes, no])
    ConfirmGoal(ctx)(yes.handle, OWNER, HOME)
    DismissGoal(ctx)(no.handle, OWNER, HOME)
    assert ListGoals(ctx)(OWNER, HOME, queue).rows == ()
    assert propose(ctx, "  NO ") is None  # not proposed again


def test_r07_confirm_promotes(ctx):
    row = propose(ctx)
    assert ConfirmGoal(ctx)(row.handle, OWNER, HOME).epistemic_type is EpistemicType.ASSERTED
    [payload] = payloads(ctx, row, OpType.EPISTEMIC_TRANSITION)
    assert {name: payload[name] for name in ("from_type", "to_type", "triggered_by", "trigger_type")} == {
        "from_type": "INFERRED",
        "to_type": "ASSERTED",
        "triggered_by": "ada",
        "trigger_type": "user_confirmation",
    }
    assert payload["evidence_ids"] == list(row.evidence_ids)
    assert payload["reason"]
    refused(ctx, InvalidTransition, lambda: ConfirmGoal(ctx)(row.handle, OWNER, HOME))


def test_d06_a_confirmed_one_is_as_sure_as_one_that_was_said(ctx):
    row = propose(ctx)
    yes = ConfirmGoal(ctx)(row.handle, OWNER, HOME)
    assert (yes.confidence, yes.source_type) == (800_000, SourceType.USER_STATED)
    assert add(ctx, "said").confidence == yes.confidence


def test_r08_nothing_is_made_without_a_machine_that_concluded_it(ctx):
    """No service takes words alone: a proposal needs a draft with its type, and a person cannot propose."""
    refused(ctx, InvalidInput, lambda: ProposeGoal(ctx)(a_goal("The Deadline"), a_person(BOB), OWNER, HOME))
    assert ListGoals(ctx)(OWNER, HOME, Wanted(proposals=True, everything=True)).total == 0


def test_d18_a_proposed_risk_expires_and_escalates_in_the_log_and_does_not_age_when_urgent(ctx):
    urgent = propose(ctx, "urgent", intent_type=IntentType.RISK, priority=MEDIUM, due=due(ctx, HOUR))
    calm = propose(ctx, "calm", intent_type=IntentType.RISK, priority=MEDIUM)
    ctx.clock.advance(2 * HOUR)
    beat(ctx)
    assert (stored(ctx, urgent).intent_state, stored(ctx, urgent).priority) == (E, HIGH)
    assert operations(ctx, urgent).count("EXPIRED_RISK_ALERT") == 1
    assert kinds_told(ctx, BOB) == kinds_told(ctx, ADA) == []
    ctx.clock.advance(15 * DAY)
    beat(ctx)
    assert stored(ctx, urgent).lifecycle_state is LifecycleState.ACTIVE
    assert stored(ctx, calm).lifecycle_state is LifecycleState.ARCHIVED


# dependencies


def test_r09_each_new_edge_is_checked_for_a_circle(ctx):
    chain = a_chain(ctx, 10)
    first, second, last = chain[0], chain[1], chain[-1]
    refused(ctx, DependencyCycle, lambda: depend(ctx, first, first))
    refused(ctx, DependencyCycle, lambda: depend(ctx, first, second))
    refused(ctx, DependencyCycle, lambda: depend(ctx, second, first, blocks=True))
    error = refused(ctx, DependencyCycle, lambda: depend(ctx, first, last))
    assert list(error.details["path"]) == [first.handle, *(row.handle for row in reversed(chain))]


def test_r10_a_circle_is_refused_with_an_error_and_a_diamond_is_not(ctx):
    top = add(ctx, "top")
    left, right = (add(ctx, name, depends_on=(top.handle,)) for name in ("left", "right"))
    bottom = add(ctx, "bottom", depends_on=(left.handle, right.handle))
    error = refused(ctx, DependencyCycle, lambda: depend(ctx, top, bottom))
    assert error.sentence.endswith(f"{bottom.handle} → {left.handle} → {top.handle}.")
    assert len(edges(ctx)) == 4


def test_r11_cancelling_never_cascades(ctx):
    chain = a_chain(ctx, 4)
    CancelGoal(ctx)(chain[0].handle, OWNER, HOME)
    ctx.clock.advance(DAY)
    beat(ctx)
    assert [stored(ctx, row).intent_state for row in chain] == [X, A, A, A]


def test_r12_each_direct_dependent_has_one_event_and_a_closed_one_none(ctx):
    first = add(ctx, "first")
    near, gone = (add(ctx, name, depends_on=(first.handle,)) for name in ("near", "gone"))
    far = add(ctx, "far", depends_on=(near.handle,))
    CompleteGoal(ctx)(gone.handle, OWNER, HOME, early=True)
    CancelGoal(ctx)(first.handle, OWNER, HOME)
    assert [operations(ctx, row).count("DEPENDENCY_CANCELLED") for row in (near, gone, far)] == [1, 0, 0]
    [payload] = payloads(ctx, near, OpType.DEPENDENCY_CANCELLED)
    assert (payload["prerequisite"], payload["dependent"]) == (first.id, near.id)


@pytest.mark.parametrize("answer", list(Answer))
def test_r13_the_owner_or_the_owning_agent_decides_and_another_agent_does_not(ctx, answer):
    first, other = add(ctx, "first"), add(ctx, "other", stakeholders=(a_person(AGENT),))
    row = add(ctx, "waiting", owner=a_person(AGENT), depends_on=(first.handle,))
    CancelGoal(ctx)(first.handle, OWNER, HOME)

    def decide(actor):
        AnswerDependency(ctx)(row.handle, answer, actor, HOME, replacement=other.handle)

    refused(ctx, NotFound, lambda: decide(an_agent(OTHER_AGENT)))
    refused(ctx, NotFound, lambda: decide(a_member(CYD)))
    decide(an_agent())
    assert first.handle not in prerequisites(ctx, row)


def test_r14_at_most_ten_in_a_row_and_twenty_that_wait_for_one(ctx):
    chain, extra = a_chain(ctx, 10), add(ctx, "extra")
    assert refused(ctx, LimitExceeded, lambda: depend(ctx, extra, chain[-1])).details["name"] == "goal_depth"
    first = add(ctx, "first")
    for number in range(20):
        add(ctx, f"later {number}", depends_on=(first.handle,))
    assert refused(ctx, LimitExceeded, lambda: depend(ctx, extra, first)).details["name"] == "goal_dependents"


def test_d07_blocks_is_the_same_edge_read_backwards(ctx):
    one, two = add(ctx, "one"), add(ctx, "two")
    depend(ctx, one, two, blocks=True)
    assert edges(ctx) == ((two.id, one.id),)
    assert handles(ShowGoal(ctx)(one.handle, OWNER, HOME).blocks) == [two.handle]
    assert handles(ShowGoal(ctx)(two.handle, OWNER, HOME).depends_on) == [one.handle]


def test_d08_edges_stay_inside_one_namespace(ctx):
    row, foreign = add(ctx), add(ctx, "elsewhere", where=AWAY)
    error = refused(ctx, NotFound, lambda: depend(ctx, row, foreign))
    assert error.sentence == f"There is nothing called {foreign.handle} here."


@pytest.mark.parametrize("state", [*OVER, C])
def test_d09_the_same_question_for_what_expired_and_good_news_for_what_is_done(ctx, state):
    first = add(ctx, "first")
    row = add(ctx, "waiting", depends_on=(first.handle,))
    close(ctx, first, state)
    questions = ShowGoal(ctx)(row.handle, OWNER, HOME).questions
    assert handles(questions) == ([] if state is C else [first.handle])
    assert operations(ctx, row).count(f"DEPENDENCY_{state}") == 1
    assert "notice.goal.dependency" in kinds_told(ctx, ADA)

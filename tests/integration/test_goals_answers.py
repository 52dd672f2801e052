"""When what an intent waits for is over: who is told, what can be answered, and who takes whose place."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, InvalidTransition, LimitExceeded, NotFound
from core.goals.dependencies import DependencyCycle
from core.goals.objects import GoalChange, IntentState, IntentType
from core.limits import LIMITS
from core.operations.log import OpType
from core.services.answer_goal import Answer, AnswerDependency
from core.services.change_goal import EditGoal
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal, ResumeGoal
from core.services.notices import NoticeKind
from core.services.read_goals import GraphGoals, ListGoals, ShowGoal
from core.services.supersede_goal import SupersedeGoal
from core.standing.intent import Priority
from tests.builders import ADA, BOB, HOME, NOW, an_owner
from tests.builders_goals import (
    AGENT,
    CYD,
    DAY,
    OVER,
    a_chain,
    a_goal,
    a_person,
    a_risk,
    add,
    beat,
    close,
    dependents,
    due,
    edges,
    handles,
    kinds_told,
    operations,
    payloads,
    prerequisites,
    refused,
    risk,
    stored,
    told,
)
from tests.fakes.reminding import a_context


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


@pytest.mark.parametrize("state", [*OVER, IntentState.COMPLETED])
def test_direct_dependents_that_are_open_are_told_of_once_and_nothing_else_moves(ctx, state):
    first = add(ctx, "first")
    direct, held, gone = (add(ctx, name, owner=a_person(BOB), depends_on=(first.handle,)) for name in "abc")
    far = add(ctx, "far", owner=a_person(CYD), depends_on=(direct.handle,))
    HoldGoal(ctx)(held.handle, an_owner(), HOME)
    CancelGoal(ctx)(gone.handle, an_owner(), HOME)
    told(ctx, BOB)
    told(ctx, CYD)
    before = {row.id: stored(ctx, row).intent_state for row in (direct, held, gone, far)}
    ctx.clock.advance(hours=2)
    close(ctx, first, state)
    kind = f"DEPENDENCY_{state}"
    assert {row.id: stored(ctx, row).intent_state for row in (direct, held, gone, far)} == before
    counts = [operations(ctx, row).count(kind) for row in (direct, held, gone, far)]
    assert counts == [1, 1, 0, 0]
    payload = payloads(ctx, direct, OpType(kind))[0]
    assert (payload["prerequisite"], payload["dependent"]) == (first.id, direct.id)
    news = [one for one in told(ctx, BOB) if one.kind is NoticeKind.GOAL_DEPENDENCY]
    assert sorted(one.goals[0].handle for one in news) == sorted([direct.handle, held.handle])
    assert {(one.other.handle, one.state) for one in news} == {(first.handle, state)}
    assert kinds_told(ctx, CYD) == []


def test_cancelling_never_reaches_what_waits_at_any_distance(ctx):
    chain = a_chain(ctx, 4)
    CancelGoal(ctx)(chain[0].handle, an_owner(), HOME)
    assert {stored(ctx, row).intent_state for row in chain[1:]} == {IntentState.ACTIVE}
    assert [operations(ctx, row).count("DEPENDENCY_CANCELLED") for row in chain[1:]] == [1, 0, 0]


def test_the_question_about_what_a_machine_owns_goes_to_who_made_it(ctx):
    first = add(ctx, "first", owner=a_person(BOB))
    add(ctx, "the agent's", owner=a_person(AGENT), depends_on=(first.handle,))
    CancelGoal(ctx)(first.handle, an_owner(BOB), HOME)
    assert kinds_told(ctx, ADA) == ["notice.goal.dependency"]


def test_one_overdue_itself_is_not_asked_about_what_it_waited_for(ctx):
    first = add(ctx, "first", due=due(ctx, timedelta(hours=1)))
    late = add(ctx, "late", due=due(ctx, timedelta(hours=1)), depends_on=(first.handle,))
    ctx.clock.advance(hours=1)
    beat(ctx)
    assert operations(ctx, late).count("DEPENDENCY_EXPIRED") == 0


def test_one_that_still_waits_is_completed_only_with_a_yes(ctx):
    first, second = a_chain(ctx, 2)
    error = refused(ctx, InvalidInput, lambda: CompleteGoal(ctx)(second.handle, an_owner(), HOME))
    assert error.details["waits"] is True
    assert error.details["handles"] == (first.handle,)
    done = CompleteGoal(ctx)(second.handle, an_owner(), HOME, early=True)
    assert handles(done.waited_for) == [first.handle]
    assert done.intent.intent_state is IntentState.COMPLETED


def test_what_it_waits_for_is_over_when_it_is_overdue(ctx):
    first = add(ctx, "first", due=due(ctx, timedelta(hours=1)))
    second = add(ctx, "second", depends_on=(first.handle,))
    ctx.clock.advance(hours=1)
    view = ShowGoal(ctx)(second.handle, an_owner(), HOME)
    assert [one.intent_state for one in view.questions] == [IntentState.EXPIRED]
    assert ListGoals(ctx)(an_owner(), HOME).waits == {}
    AnswerDependency(ctx)(second.handle, Answer.KEEP, an_owner(), HOME)
    assert edges(ctx) == ()


# answers


def a_question(ctx, state=IntentState.CANCELLED):
    """One whose prerequisite is over, and another open one."""
    first, other = add(ctx, "first"), add(ctx, "other")
    row = add(ctx, "waiting", owner=a_person(BOB), depends_on=(first.handle,))
    close(ctx, first, state)
    assert handles(ShowGoal(ctx)(row.handle, an_owner(), HOME).questions) == [first.handle]
    return first, other, row


@pytest.mark.parametrize("state", OVER)
@pytest.mark.parametrize("answer", list(Answer))
def test_each_answer_does_what_it_says_and_ends_the_question(ctx, state, answer):
    first, other, row = a_question(ctx, state)
    replacement = other.handle if answer is Answer.REPLACE else ""
    after = AnswerDependency(ctx)(row.handle, answer, an_owner(BOB), HOME, replacement=replacement)
    expected = {Answer.HOLD: IntentState.ON_HOLD, Answer.CANCEL: IntentState.CANCELLED}
    assert after.intent_state is expected.get(answer, IntentState.ACTIVE)
    assert prerequisites(ctx, row) == ([other.handle] if answer is Answer.REPLACE else [])
    assert operations(ctx, row).count("UNRELATE") == 1
    assert ShowGoal(ctx)(row.handle, an_owner(), HOME).questions == ()
    assert stored(ctx, first).intent_state is state
    refused(ctx, InvalidInput, lambda: AnswerDependency(ctx)(row.handle, Answer.KEEP, an_owner(), HOME))


def test_a_completed_one_is_no_question(ctx):
    first, second = a_chain(ctx, 2)
    CompleteGoal(ctx)(first.handle, an_owner(), HOME)
    assert ShowGoal(ctx)(second.handle, an_owner(), HOME).questions == ()
    refused(ctx, InvalidInput, lambda: AnswerDependency(ctx)(second.handle, Answer.KEEP, an_owner(), HOME))


def test_where_several_are_over_the_answer_names_one(ctx):
    one, two = add(ctx, "one"), add(ctx, "two")
    row = add(ctx, "waiting", depends_on=(one.handle, two.handle))
    for gone in (one, two):
        CancelGoal(ctx)(gone.handle, an_owner(), HOME)
    error = refused(ctx, InvalidInput, lambda: AnswerDependency(ctx)(row.handle, Answer.KEEP, an_owner(), HOME))
    assert one.handle in error.sentence
    assert two.handle in error.sentence
    AnswerDependency(ctx)(row.handle, Answer.KEEP, an_owner(), HOME, prerequisite=two.handle)
    assert prerequisites(ctx, row) == [one.handle]
    refused(
        ctx,
        InvalidInput,
        lambda: AnswerDependency(ctx)(row.handle, Answer.KEEP, an_owner(), HOME, prerequisite=two.handle),
    )


def test_a_replacement_is_checked_like_any_edge(ctx):
    first, _, row = a_question(ctx)
    after = add(ctx, "after", depends_on=(row.handle,))
    ask = AnswerDependency(ctx)

    def replace_by(handle):
        return lambda: ask(row.handle, Answer.REPLACE, an_owner(), HOME, replacement=handle)

    refused(ctx, InvalidInput, replace_by(""))
    refused(ctx, DependencyCycle, replace_by(after.handle))
    refused(ctx, DependencyCycle, replace_by(row.handle))
    refused(ctx, InvalidInput, replace_by(first.handle))  # it is over
    refused(ctx, NotFound, replace_by("g-zzzz"))
    assert prerequisites(ctx, row) == [first.handle]


def test_holding_one_that_is_on_hold_only_ends_the_question(ctx):
    _, _, row = a_question(ctx)
    HoldGoal(ctx)(row.handle, an_owner(), HOME)
    held = AnswerDependency(ctx)(row.handle, Answer.HOLD, an_owner(), HOME)
    assert held.intent_state is IntentState.ON_HOLD
    assert operations(ctx, row).count("INTENT_TRANSITION") == 1
    assert prerequisites(ctx, row) == []


def test_a_closed_one_is_asked_nothing(ctx):
    _, _, row = a_question(ctx)
    CancelGoal(ctx)(row.handle, an_owner(), HOME)
    assert ShowGoal(ctx)(row.handle, an_owner(), HOME).questions == ()
    refused(ctx, InvalidInput, lambda: AnswerDependency(ctx)(row.handle, Answer.KEEP, an_owner(), HOME))


def test_a_question_that_was_answered_is_not_told_any_more(ctx):
    _, _, row = a_question(ctx)
    AnswerDependency(ctx)(row.handle, Answer.KEEP, an_owner(), HOME)
    assert "notice.goal.dependency" not in kinds_told(ctx, BOB)


# superseding


def test_a_successor_inherits_people_edges_and_the_way_back(ctx):
    before, done = add(ctx, "before"), add(ctx, "done before")
    old = add(ctx, "old", owner=a_person(BOB), stakeholders=(a_person(CYD),), depends_on=(before.handle, done.handle))
    CompleteGoal(ctx)(done.handle, an_owner(), HOME)
    after = add(ctx, "after", depends_on=(old.handle,))
    gone = add(ctx, "gone", depends_on=(old.handle,))
    CancelGoal(ctx)(gone.handle, an_owner(), HOME)
    made = SupersedeGoal(ctx)(old.handle, a_goal("new", stakeholders=(a_person(ADA),)), an_owner(), HOME)
    assert made.old.superseded_by == made.new.id
    assert made.new.owner.who == BOB
    assert {one.who for one in made.new.stakeholders} == {CYD, ADA}
    assert prerequisites(ctx, made.new) == [before.handle]
    assert (dependents(ctx, made.new), handles(made.moved), made.left) == ([after.handle], [after.handle], ())
    assert prerequisites(ctx, after) == [made.new.handle]
    assert prerequisites(ctx, gone) == [old.handle]
    [payload] = payloads(ctx, after, OpType.DEPENDENCY_SUPERSEDED)
    assert (payload["prerequisite"], payload["successor"]) == (old.id, made.new.id)
    assert ShowGoal(ctx)(old.handle, an_owner(), HOME).successor == made.new
    assert ShowGoal(ctx)(after.handle, an_owner(), HOME).questions == ()


def test_a_dependent_that_would_close_a_circle_stays_and_its_owner_is_asked(ctx):
    old = add(ctx, "old")
    after = add(ctx, "after", owner=a_person(BOB), depends_on=(old.handle,))
    told(ctx, BOB)
    ctx.clock.advance(hours=2)
    made = SupersedeGoal(ctx)(old.handle, a_goal("new", depends_on=(after.handle,)), an_owner(), HOME)
    assert (made.moved, handles(made.left)) == ((), [after.handle])
    assert payloads(ctx, after, OpType.DEPENDENCY_SUPERSEDED)[0]["successor"] is None
    assert handles(ShowGoal(ctx)(after.handle, an_owner(), HOME).questions) == [old.handle]
    assert kinds_told(ctx, BOB) == ["notice.goal.dependency"]


@pytest.mark.parametrize(
    ("draft", "allowed"),
    [
        (a_risk("next", priority=Priority.CRITICAL), True),
        (a_risk("next", priority=Priority.HIGH), False),
        (a_goal("next", priority=Priority.CRITICAL), False),
    ],
)
def test_a_critical_risk_is_followed_by_a_critical_risk(ctx, draft, allowed):
    old = risk(ctx, priority=Priority.CRITICAL)
    if allowed:
        assert SupersedeGoal(ctx)(old.handle, draft, an_owner(), HOME).new.priority is Priority.CRITICAL
        return
    refused(ctx, InvalidInput, lambda: SupersedeGoal(ctx)(old.handle, draft, an_owner(), HOME))
    EditGoal(ctx)(old.handle, GoalChange(priority=Priority.HIGH), an_owner(), HOME)
    assert SupersedeGoal(ctx)(old.handle, draft, an_owner(), HOME).old.intent_state is IntentState.SUPERSEDED


def test_in_a_full_space_one_can_still_take_anothers_place(store, clock, ids):
    ctx = a_context(store, clock, ids, replace(LIMITS, open_goals_per_space=2))
    old = add(ctx, "one")
    add(ctx, "two")
    refused(ctx, LimitExceeded, lambda: add(ctx, "three"))
    SupersedeGoal(ctx)(old.handle, a_goal("three"), an_owner(), HOME)
    refused(ctx, LimitExceeded, lambda: add(ctx, "four"))


def test_what_is_over_is_not_superseded(ctx):
    row = add(ctx)
    CompleteGoal(ctx)(row.handle, an_owner(), HOME)
    refused(ctx, InvalidTransition, lambda: SupersedeGoal(ctx)(row.handle, a_goal("next"), an_owner(), HOME))


def test_the_graph_has_what_is_open_and_what_that_waits_for(ctx):
    first, second = a_chain(ctx, 2)
    lonely, over = add(ctx, "lonely"), add(ctx, "over")
    CancelGoal(ctx)(first.handle, an_owner(), HOME)
    CancelGoal(ctx)(over.handle, an_owner(), HOME)
    found = GraphGoals(ctx)(an_owner(), HOME)
    assert handles(found.nodes) == handles([first, second, lonely])
    assert [(one.dependent, one.prerequisite) for one in found.edges] == [(second.id, first.id)]
    assert handles(GraphGoals(ctx)(an_owner(), HOME, lonely.handle).nodes) == [lonely.handle]


def test_resuming_frees_nothing_and_asks_nothing(ctx):
    first, second = a_chain(ctx, 2)
    HoldGoal(ctx)(first.handle, an_owner(), HOME)
    assert ListGoals(ctx)(an_owner(), HOME).waits[second.id] == (first.handle,)
    ResumeGoal(ctx)(first.handle, an_owner(), HOME)
    assert prerequisites(ctx, second) == [first.handle]
    ctx.clock.advance(DAY)
    assert IntentType.GOAL is stored(ctx, first).intent_type

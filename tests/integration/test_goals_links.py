"""Standing intents that belong to a goal: they sleep when it is closed, follow its successor, and let it stand out."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, InvalidTransition, LimitExceeded, NotAllowed, NotFound
from core.goals.objects import IntentState
from core.limits import LIMITS
from core.services.answer_goal import Answer, AnswerDependency
from core.services.change_intent import CancelIntent
from core.services.explain_turn import ExplainTurn
from core.services.goal_moves import CancelGoal, CompleteGoal, HoldGoal
from core.services.link_goal import LinkGoal
from core.services.read_goals import ShowGoal
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.supersede_goal import SupersedeGoal
from core.standing.gates import Reason
from core.turn import ADMIN
from tests.builders import ADA, BOB, HOME, NOW, a_member, a_turn, an_owner
from tests.builders_goals import (
    AWAY,
    CYD,
    VAULT,
    a_goal,
    add,
    beat,
    close,
    due,
    kinds_told,
    log_length,
    operations,
    propose,
    risk,
    stored,
    told,
)
from tests.fakes.notices import create
from tests.fakes.reminding import a_context


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def link(ctx, rule, goal, actor=None):
    return LinkGoal(ctx)(rule.handle, goal and goal.handle, actor or an_owner(), HOME)


def rule_of(ctx, rule):
    return ShowIntent(ctx)(rule.handle, ADMIN, None).intent


def a_pair(ctx, who=ADA, **fields):
    """A rule of somebody and the goal that it belongs to."""
    rule, goal = create(ctx, who=who, cooldown=timedelta(0), max_fires=10), add(ctx, **fields)
    link(ctx, rule, goal)
    return rule, goal


def fires(ctx):
    ctx.clock.advance(minutes=1)
    return [fire.handle for fire in ReceiveTurn(ctx)(a_turn(at=ctx.clock.now())).fires]


def test_a_rule_is_linked_and_freed_with_one_operation_each(ctx):
    rule, goal = a_pair(ctx)
    assert rule_of(ctx, rule).goal_id == goal.id
    assert [one.handle for one in ShowGoal(ctx)(goal.handle, an_owner(), HOME).rules] == [rule.handle]
    link(ctx, rule, "")
    assert rule_of(ctx, rule).goal_id is None
    assert operations(ctx, rule) == ["ASSERT", "EDITED", "EDITED"]
    with pytest.raises(InvalidInput):
        link(ctx, rule, "")


@pytest.mark.parametrize("state", [IntentState.COMPLETED, IntentState.CANCELLED])
def test_a_rule_of_a_closed_goal_does_not_fire_and_why_says_so(ctx, state):
    rule, goal = a_pair(ctx, who=BOB)
    assert fires(ctx) == [rule.handle]
    close(ctx, goal, state)
    assert rule_of(ctx, rule).goal_closed
    assert fires(ctx) == []
    [row] = ExplainTurn(ctx)(a_turn(at=ctx.clock.now()), ADMIN, None).intents
    assert (row.fires, row.reason) == (False, Reason.GOAL_CLOSED)
    news = [one for one in told(ctx, BOB) if one.kind == "notice.goal.rule"]
    assert [(one.intent.handle, one.state, one.goals[0].handle) for one in news] == [(rule.handle, state, goal.handle)]
    link(ctx, rule, "")
    assert fires(ctx) == [rule.handle]


def test_a_goal_cancelled_as_an_answer_closes_its_rules_too(ctx):
    first = add(ctx, "first")
    rule, goal = a_pair(ctx, depends_on=(first.handle,))
    CancelGoal(ctx)(first.handle, an_owner(), HOME)
    AnswerDependency(ctx)(goal.handle, Answer.CANCEL, an_owner(), HOME)
    assert rule_of(ctx, rule).goal_closed


def test_while_a_goal_is_open_its_rules_fire(ctx):
    rule, goal = a_pair(ctx, due=due(ctx, timedelta(hours=1)))
    HoldGoal(ctx)(goal.handle, an_owner(), HOME)
    assert fires(ctx) == [rule.handle]
    ctx.clock.advance(hours=2)
    beat(ctx)
    assert fires(ctx) == [rule.handle]


def test_a_rule_linked_to_what_is_closed_sleeps_at_once(ctx):
    goal, rule = add(ctx), create(ctx)
    CompleteGoal(ctx)(goal.handle, an_owner(), HOME)
    assert link(ctx, rule, goal).goal_closed
    assert fires(ctx) == []


def test_superseding_moves_the_links(ctx):
    rule, goal = a_pair(ctx)
    made = SupersedeGoal(ctx)(goal.handle, a_goal("next"), an_owner(), HOME)
    assert rule_of(ctx, rule).goal_id == made.new.id
    assert not rule_of(ctx, rule).goal_closed
    assert fires(ctx) == [rule.handle]
    assert "notice.goal.rule" not in kinds_told(ctx, ADA)


def test_a_fire_lets_its_goal_stand_out_again(ctx):
    rule, goal = a_pair(ctx)
    ctx.clock.advance(days=10)
    faded = ShowGoal(ctx)(goal.handle, an_owner(), HOME).salience
    assert fires(ctx) == [rule.handle]
    assert faded < ShowGoal(ctx)(goal.handle, an_owner(), HOME).salience == 500_000
    assert operations(ctx, goal) == ["ASSERT", "EDITED"]


def test_a_rule_that_is_over_is_left_alone(ctx):
    rule, goal = a_pair(ctx)
    CancelIntent(ctx)(rule.handle, an_owner(), HOME)
    before = rule_of(ctx, rule)
    CompleteGoal(ctx)(goal.handle, an_owner(), HOME)
    assert rule_of(ctx, rule) == before
    assert kinds_told(ctx, ADA) == []
    with pytest.raises(InvalidTransition):
        link(ctx, rule, add(ctx, "other"))


def test_a_goal_elsewhere_looks_as_if_there_were_none(ctx):
    rule, goal = create(ctx), add(ctx, where=AWAY)
    length = log_length(ctx)
    for handle in (goal.handle, "g-zzzz"):
        with pytest.raises(NotFound) as refusal:
            LinkGoal(ctx)(rule.handle, handle, an_owner(is_operator=True), HOME)
        assert refusal.value.sentence == f"There is nothing called {handle} here."
    assert log_length(ctx) == length


def test_linking_takes_the_rights_of_both(ctx):
    rule, goal = create(ctx), add(ctx)
    with pytest.raises(NotFound):
        link(ctx, rule, goal, a_member(BOB))
    with pytest.raises(NotAllowed):
        link(ctx, rule, goal, ADMIN)
    with pytest.raises(InvalidInput):
        link(ctx, rule, propose(ctx, "maybe"))
    link(ctx, rule, goal, an_owner(CYD))
    with pytest.raises(InvalidInput):
        link(ctx, rule, goal)


def test_fifty_rules_belong_to_a_goal_and_no_fifty_first(store, clock, ids):
    ctx = a_context(store, clock, ids, replace(LIMITS, goal_links=2))
    goal = add(ctx)
    for number in range(2):
        link(ctx, create(ctx, triggers=f"word {number}"), goal)
    with pytest.raises(LimitExceeded) as refusal:
        link(ctx, create(ctx, triggers="one more"), goal)
    assert (refusal.value.details["name"], LIMITS.goal_links) == ("goal_links", 50)
    assert stored(ctx, goal).version == 1


# named in a message


def say(ctx, text):
    ReceiveTurn(ctx)(a_turn(text, at=ctx.clock.now(), message_id=text))


def test_a_goal_that_a_message_names_stands_out_again_once_a_day(ctx, clock):
    goal, risk_row = add(ctx, "Ship the API"), risk(ctx)
    clock.advance(timedelta(days=10))
    say(ctx, f"what about {goal.handle.upper()}, and {risk_row.handle}?")
    touched = stored(ctx, goal)
    assert touched.touched_at == clock.now()
    assert stored(ctx, risk_row) == risk_row
    clock.advance(timedelta(days=1) - timedelta(microseconds=1))
    say(ctx, f"({goal.handle})")
    assert stored(ctx, goal) == touched
    clock.advance(timedelta(microseconds=1))
    say(ctx, f"({goal.handle})")
    assert stored(ctx, goal).touched_at == clock.now()


def test_a_goal_named_elsewhere_or_within_a_word_fades_on(ctx, clock):
    goal = add(ctx, "Ship the API")
    clock.advance(timedelta(days=10))
    say(ctx, f"x{goal.handle} {goal.handle}-2")
    ReceiveTurn(ctx)(a_turn(goal.handle, at=clock.now(), where=VAULT))
    assert stored(ctx, goal) == goal

"""Buttons about goals: what they carry, and which of them stand below what."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.base.buttons import DATA_BYTES
from adapters.base.collected import CollectedDesk
from adapters.base.goal_buttons import (
    ASKED,
    SHOWN,
    GoalPress,
    below_goal,
    below_news,
    below_proposal,
    carry_out,
    goal_press_of,
    is_about,
)
from core.errors import NotFound
from core.goals.objects import IntentState, LifecycleState
from core.goals.typed import Answering, OneGoal
from core.services.context import Context
from core.services.notices import News, NoticeKind
from core.services.read_goals import ShowGoal
from core.standing.intent import Priority
from core.turn import ADMIN
from core.wording.readback import Choice
from tests.builders import HOME, an_owner
from tests.builders_goals import a_risk, add


@pytest.fixture
def ctx(sqlite_store, clock, ids):
    return Context(sqlite_store, clock, ids, zone_of=ZoneInfo)


HANDLES = st.from_regex(r"g-[0-9a-z]{4,6}", fullmatch=True)
NOBODY_MADE = [
    "", "goal", "goal:", "goal:done", "goal:done:", "goal:done:i-7k2m", "goal:done:g-7k", "goal:delete:g-7k2m",
    "goal:keep:g-7k2m", "goal:done:g-7k2m:g-9a1c", "goal:keep:g-7k2m:g-9a1c:g-4tq9", "goal:DONE:g-7k2m",
    "goal:done:g-7k2m ", "goal:done:g-7k2m:", "goals:done:g-7k2m", "goalask:show:g-7k2m", "goal:done:G-7K2M",
]  # fmt: skip


@given(st.sampled_from(["done", "hold", "resume", "cancel", "confirm", "dismiss"]), HANDLES, st.booleans())
def test_a_press_about_one_is_read_back(verb, handle, shown):
    press = GoalPress(verb, handle, shown=shown)
    assert goal_press_of(press.data) == press
    assert press.wanted == OneGoal(verb, handle)


@given(st.sampled_from(["keep", "replace", "hold", "cancel"]), HANDLES, HANDLES, st.booleans())
def test_an_answer_is_read_back(verb, handle, other, shown):
    press = GoalPress(verb, handle, other, shown=shown)
    assert goal_press_of(press.data) == press
    assert press.wanted == Answering(handle, verb, other)
    assert press.asks_on is (verb == "replace")


def test_the_longest_one_fits_into_64_bytes():
    press = GoalPress("replace", "g-7k2m5r", "g-9a1c3w", "g-4tq9zz")
    assert goal_press_of(press.data) == press
    assert len(press.data.encode()) < DATA_BYTES
    assert press.said == "/goal answer g-7k2m5r replace g-4tq9zz --of g-9a1c3w"


@pytest.mark.parametrize("data", NOBODY_MADE)
def test_what_nobody_made_is_no_press(data):
    assert goal_press_of(data) is None


@given(st.text(max_size=70))
def test_whatever_comes_is_refused_or_written_the_same(data):
    for text in (data, f"{SHOWN}:{data}", f"{ASKED}:{data}"):
        press = goal_press_of(text)
        assert press is None or press.data == text


def test_buttons_that_ask_the_same_are_told_from_others():
    press = GoalPress("keep", "g-7k2m", "g-9a1c")
    same = GoalPress("cancel", "g-7k2m", "g-9a1c").data
    others = [GoalPress("keep", "g-7k2m", "g-4tq9").data, GoalPress("done", "g-7k2m").data, "told:"]
    assert is_about(same, press)
    assert not any(is_about(one, press) for one in others)


# below what


def verbs(buttons):
    return [(press.verb, press.prerequisite) for one in buttons if (press := goal_press_of(one.data))]


def viewed(ctx, row, **fields):
    view = ShowGoal(ctx)(row.handle, ADMIN, None)
    return replace(view, intent=replace(view.intent, **fields))


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({}, ["done", "hold", "cancel"]),
        ({"intent_state": IntentState.ON_HOLD}, ["resume", "cancel"]),
        ({"lifecycle_state": LifecycleState.ARCHIVED}, ["resume"]),
        *(
            ({"intent_state": state, "lifecycle_state": LifecycleState.ARCHIVED}, [])
            for state in (IntentState.COMPLETED, IntentState.CANCELLED, IntentState.EXPIRED)
        ),
        ({"intent_state": IntentState.SUPERSEDED, "lifecycle_state": LifecycleState.SUPERSEDED}, []),
    ],
)
def test_what_can_be_done_is_offered_below_one_that_is_shown(ctx, fields, found):
    assert verbs(below_goal(viewed(ctx, add(ctx), **fields))) == [(verb, "") for verb in found]


def test_a_risk_whose_deadline_passed_can_be_dealt_with(ctx):
    view = viewed(ctx, add(ctx, a_risk()), intent_state=IntentState.EXPIRED)
    assert verbs(below_goal(view)) == [("done", ""), ("cancel", "")]


def test_a_question_brings_its_four_answers_in_the_place_of_what_would_leave_it_open(ctx):
    other = add(ctx, "Sign the contract")
    row = add(ctx, depends_on=(other.handle,))
    view = replace(viewed(ctx, row), questions=(replace(other, intent_state=IntentState.CANCELLED),))
    asked = [(verb, other.handle) for verb in ("keep", "replace", "hold", "cancel")]
    assert verbs(below_goal(view)) == [("done", ""), *asked]


@pytest.mark.parametrize("state", ["CANCELLED", "EXPIRED", "SUPERSEDED"])
def test_a_notice_that_asks_brings_four_answers(ctx, state):
    other = add(ctx, "Sign the contract")
    row = add(ctx)
    news = News(NoticeKind.GOAL_DEPENDENCY, HOME, goals=(row,), other=other, state=state)
    buttons = below_news(news)
    assert verbs(buttons) == [(verb, other.handle) for verb in ("keep", "replace", "hold", "cancel")]
    assert all(row.handle in one.label and len(one.label) <= 80 for one in buttons)


def test_a_notice_that_tells_brings_none(ctx):
    row, other = add(ctx), add(ctx, "Sign the contract")
    assert below_news(News(NoticeKind.GOAL_DEPENDENCY, HOME, goals=(row,), other=other, state="COMPLETED")) == ()
    assert below_news(News(NoticeKind.GOAL_DEPENDENCY, HOME, goals=(row,), state="CANCELLED")) == ()
    assert below_news(News(NoticeKind.GOAL_EXPIRED, HOME, goals=(row,))) == ()
    assert below_proposal(row) == ()


# what is pressed


def at_desk(ctx, who=None):
    return CollectedDesk(ctx, HOME, who or an_owner())


def state(ctx, row):
    return ShowGoal(ctx)(row.handle, ADMIN, None).intent.intent_state


def test_what_ends_one_for_good_is_asked_about_first(ctx):
    row, desk = add(ctx), at_desk(ctx)
    asked = carry_out(desk, GoalPress("cancel", row.handle), lambda: None)
    assert asked.question.choices == (Choice.CANCEL, Choice.NO)
    asked.answer(Choice.NO)
    assert state(ctx, row) is IntentState.ACTIVE
    asked.answer(Choice.CANCEL)
    assert state(ctx, row) is IntentState.CANCELLED


def test_everything_else_is_done_at_once(ctx):
    row, desk, told = add(ctx, priority=Priority.HIGH), at_desk(ctx), []
    assert carry_out(desk, GoalPress("hold", row.handle), lambda: told.append(1)) is None
    assert (state(ctx, row), told) == (IntentState.ON_HOLD, [1])


def test_one_that_there_is_not_is_refused(ctx):
    for verb in ("cancel", "done", "confirm"):
        with pytest.raises(NotFound):
            carry_out(at_desk(ctx), GoalPress(verb, "g-zzzz"), lambda: None)

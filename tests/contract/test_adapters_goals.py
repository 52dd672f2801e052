"""The contract of adapters for goal memory: every platform passes the same tests."""

import re

import pytest

from core.goals.objects import IntentState, IntentType
from core.services.read_goals import ListGoals, ShowGoal
from core.turn import ADMIN
from tests.contract.adapters.kits import every, having

GOAL = re.compile(r"\bg-[0-9a-z]{4,6}\b")


def goal(kit, text, **options):
    """One that ada made; its handle."""
    return GOAL.findall(kit.goal("ada", "add", text=text, **options))[0]


def waits_for(kit, handle):
    """What a goal waits for."""
    return [one.handle for one in ShowGoal(kit.ctx)(handle, ADMIN, None).depends_on]


@every
def test_a_goal_is_made_listed_shown_and_completed(kit):
    first = goal(kit, "Sign the contract", type="risk", priority="high", due="in 3 days")
    second = goal(kit, "Ship the API", depends=first)
    listed = kit.goal("ada", "list")
    assert all(words in listed for words in (first, second, "Sign the contract", "Ship the API", f"waits for {first}"))
    shown = kit.goal("ada", "show", handle=second)
    assert "Ship the API" in shown and "Sign the contract" in shown
    assert "completed" in kit.goal("ada", "done", handle=first)
    assert "Sign the contract" not in kit.goal("ada", "list")
    assert "Sign the contract" in kit.goal("ada", "search", text="contract")
    row = ShowGoal(kit.ctx)(first, ADMIN, None).intent
    assert (row.intent_type, row.intent_state) == (IntentType.RISK, IntentState.COMPLETED)
    assert (row.owner.who, row.evidence_ids != ()) == (kit.people["ada"], True)


@every
def test_one_that_still_waits_is_completed_after_a_yes(kit):
    first = goal(kit, "Sign the contract")
    second = goal(kit, "Ship the API", depends=first)
    assert f"still waits for {first}" in kit.goal("ada", "done", handle=second)
    assert ShowGoal(kit.ctx)(second, ADMIN, None).intent.intent_state is IntentState.ACTIVE


@every
@pytest.mark.parametrize("answer", ["keep", "replace", "hold", "cancel"])
def test_who_waits_for_what_is_cancelled_is_asked_and_answers(kit, answer):
    first, other = goal(kit, "Sign the contract"), goal(kit, "Find another vendor")
    second = goal(kit, "Ship the API", depends=first)
    kit.goal("ada", "cancel", handle=first)
    assert ShowGoal(kit.ctx)(second, ADMIN, None).intent.intent_state is IntentState.ACTIVE
    kit.goal("ada", "answer", handle=second, answer=answer, **({"by": other} if answer == "replace" else {}))
    assert waits_for(kit, second) == ([other] if answer == "replace" else [])
    states = {"hold": IntentState.ON_HOLD, "cancel": IntentState.CANCELLED}
    row = ShowGoal(kit.ctx)(second, ADMIN, None).intent
    assert row.intent_state is states.get(answer, IntentState.ACTIVE)


@having("buttons")
def test_the_question_of_a_notice_is_answered_by_its_button(kit):
    first = goal(kit, "Sign the contract")
    second = goal(kit, "Ship the API", depends=first)
    kit.goal("ada", "cancel", handle=first)
    asked = kit.notified("ada")
    label = f"{second}: go on without {first}"
    assert asked.place == "direct" and label in asked.buttons
    kit.presses("ada", asked, label)
    assert waits_for(kit, second) == []
    assert label not in [text for one in kit.sent() for text in one.buttons]


@every
def test_who_owns_nothing_makes_no_goal_and_sees_none(kit):
    made = goal(kit, "Ship the API")
    assert not GOAL.search(kit.goal("bob", "add", text="Another"))
    for verb in ("show", "done", "cancel"):
        assert "Ship the API" not in kit.goal("bob", verb, handle=made)
    [row] = ListGoals(kit.ctx)(ADMIN, None).rows
    assert (row.handle, row.intent_state) == (made, IntentState.ACTIVE)

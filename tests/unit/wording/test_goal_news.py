"""What people are told of goal memory, in words."""

from datetime import UTC

import pytest

from core.goals.objects import EpistemicType, IntentState
from core.services.notices import News, Notice, NoticeKind
from core.standing.intent import Priority
from core.wording.goal_news import risk_lines
from core.wording.notices import notice_lines
from core.wording.shown import Clockface
from tests.builders import BOB, HOME, NOW, an_intent
from tests.builders_goal_rows import BOB_NAMED, a_risk_row, a_row, on

FACE = Clockface(NOW, UTC)
HIGH, CRITICAL = Priority.HIGH, Priority.CRITICAL


def told(*news):
    return "\n".join(line.text for line in notice_lines(Notice(news), FACE, lambda who: who.user_id))


def news(kind, *rows, **fields):
    return News(kind, HOME, goals=rows, **fields)


def test_who_was_made_responsible_is_told_by_whom_and_what_to_do():
    shown = told(news(NoticeKind.GOAL_OWNED, a_row(), who=BOB))
    assert shown.startswith("@bob made you responsible for g-7k2m (goal): Ship the API.")
    assert "/goal done g-7k2m" in shown


def test_a_proposal_is_asked_about_with_three_answers():
    row = a_row(epistemic_type=EpistemicType.INFERRED, creator=BOB_NAMED)
    shown = told(news(NoticeKind.GOAL_PROPOSED, row))
    assert "@bob said something that looks like a new goal. As g-7k2m: Ship the API." in shown
    assert all(f"/goal {verb} g-7k2m" in shown for verb in ("confirm", "edit", "dismiss"))


def test_what_somebody_else_did_is_told_with_the_state_of_then():
    row = a_row(intent_state=IntentState.COMPLETED)
    shown = told(news(NoticeKind.GOAL_CHANGED, row, who=BOB, state="ON_HOLD"))
    assert shown == "@bob set g-7k2m to on hold: Ship the API."
    assert told(news(NoticeKind.GOAL_CHANGED, row, state="CANCELLED")).startswith("An administrator set g-7k2m")


def test_a_deadline_that_passed_is_told_with_its_time():
    shown = told(news(NoticeKind.GOAL_EXPIRED, a_row(due=on(1))))
    assert "The deadline of g-7k2m has passed (Tue 1 Dec 2026 12:00 UTC), so it is expired" in shown


@pytest.mark.parametrize("state", ["CANCELLED", "EXPIRED", "SUPERSEDED"])
def test_the_question_names_what_happened_and_the_four_answers_as_commands(state):
    other = a_row("g-9a1c", "rent a database", intent_state=IntentState(state))
    shown = told(news(NoticeKind.GOAL_DEPENDENCY, a_row(), other=other, state=state))
    assert f"waits for g-9a1c, which is {state.lower()}: Rent a database. What now?" in shown
    for answer in ("keep", "replace g-…", "hold", "cancel"):
        assert f"/goal answer g-7k2m {answer} --of g-9a1c" in shown


def test_a_completed_prerequisite_tells_that_the_way_is_free():
    other = a_row("g-9a1c", intent_state=IntentState.COMPLETED)
    shown = told(news(NoticeKind.GOAL_DEPENDENCY, a_row(), other=other, state="COMPLETED"))
    assert shown == "The way is free for g-7k2m (Ship the API.): g-9a1c is completed."


def test_nothing_is_told_of_what_is_gone():
    assert told(news(NoticeKind.GOAL_DEPENDENCY, a_row(), state="CANCELLED")) == ""
    assert (
        told(news(NoticeKind.GOAL_EXPIRED)) == told(news(NoticeKind.RULE_CLOSED)) == told(news(NoticeKind.RISKS)) == ""
    )


def test_what_age_archived_says_how_to_take_it_up_again():
    assert "/goal resume g-7k2m" in told(news(NoticeKind.GOAL_FADED, a_row()))


@pytest.mark.parametrize(
    ("old", "words"),
    [
        (Priority.LOW, "Its priority was low, now it is medium."),
        (Priority.MEDIUM, "Its priority was medium, now it is high."),
        (HIGH, "Its priority was high, now it is critical."),
        (CRITICAL, "Its priority stays critical."),
    ],
)
def test_an_expired_risk_tells_its_old_and_its_new_priority(old, words):
    assert words in told(news(NoticeKind.RISK_EXPIRED, a_risk_row(priority=Priority.LOW), state=old.name))


def test_risks_are_one_list_the_most_urgent_first():
    high = a_risk_row("g-high", priority=HIGH, due=on(4))
    held = a_risk_row("g-held", priority=CRITICAL, intent_state=IntentState.ON_HOLD)
    past = a_risk_row("g-past", priority=CRITICAL, intent_state=IntentState.EXPIRED, due=NOW)
    shown = told(news(NoticeKind.RISKS, high, held, past)).splitlines()
    assert shown[0] == "Open risks that are high or critical: 3"
    assert shown[1:4] == [
        "  g-held (critical, on hold) Vendor contract ends.",
        "  g-past (critical, was due Mon 30 Nov 10:00) Vendor contract ends.",
        "  g-high (high, due Fri 4 Dec 12:00) Vendor contract ends.",
    ]
    assert risk_lines((high,), FACE)[0].text.startswith("A risk is open")


def test_a_risk_that_has_just_expired_is_told_of_once():
    past, high = a_risk_row("g-past", priority=HIGH), a_risk_row("g-high", priority=HIGH)
    both = told(news(NoticeKind.RISK_EXPIRED, past, state="MEDIUM"), news(NoticeKind.RISKS, past, high))
    assert both.count("(high) Vendor") == 1 and "  g-high (high)" in both
    assert "open" not in told(news(NoticeKind.RISK_EXPIRED, past, state="MEDIUM"), news(NoticeKind.RISKS, past))


def test_a_rule_that_sleeps_says_since_when_its_goal_is_closed_and_how_to_free_it():
    rule = an_intent()
    shown = told(news(NoticeKind.RULE_CLOSED, intent=rule, state="COMPLETED"))
    assert f"Your rule {rule.handle} sleeps: the goal that it belongs to is completed." in shown
    assert f"/goal link --off {rule.handle}" in shown

"""Goal memory in words."""

from dataclasses import replace
from datetime import UTC

import pytest

from core.goals.objects import EpistemicType, IntentState, IntentType, LifecycleState, Summary
from core.goals.salience import WARN
from core.goals.typed import GoalListing
from core.services.answer_goal import Answer
from core.services.goal_moves import Done
from core.services.read_goals import Found
from core.services.supersede_goal import Superseded
from core.standing.intent import Priority
from core.timed.when import Note
from core.wording.goal_acts import answered_lines, cancelled_lines, done_lines, moved_line, superseded_lines
from core.wording.goals import (
    goal_page_lines,
    goal_view_lines,
    is_fading,
    made_goal_lines,
    search_lines,
    spelt,
    waiting_line,
    what_words,
)
from core.wording.shown import Clockface
from tests.builders import ADA, BOB, NOW, an_intent
from tests.builders_goal_rows import BOB_NAMED, a_page, a_risk_row, a_row, a_view, on

FACE = Clockface(NOW, UTC)
EXPIRED, ON_HOLD, CANCELLED = IntentState.EXPIRED, IntentState.ON_HOLD, IntentState.CANCELLED
PERCENT = 10_000


def words(lines):
    return "\n".join(line.text for line in lines)


# the read-back


def test_the_read_back_says_what_was_made_with_everything_that_was_said_of_it():
    row = a_row(
        priority=Priority.HIGH, stakeholders=(BOB_NAMED,), due=on(4), criteria="it runs\nit is read", note="ask Dana"
    )
    shown = words(made_goal_lines(a_view(row, depends_on=(a_row("g-9a1c", "rent a database"),)), None, FACE))
    assert shown.startswith("Goal g-7k2m is saved: Ship the API.\nPriority: high. Owner: @ada.\nTogether with: @bob\n")
    assert "Due: Fri 4 Dec 2026 12:00 UTC\n" in shown
    assert "It is done when:\n  - it runs\n  - it is read\nNote: ask Dana\n" in shown
    assert "g-7k2m waits for:\n  g-9a1c (active) Rent a database.\n" in shown
    assert shown.endswith("Change: /goal edit g-7k2m …    Done: /goal done g-7k2m    End it: /goal cancel g-7k2m")


def test_what_was_assumed_of_a_deadline_is_said():
    row = a_row(due=on(4, 23))
    due = replace(row.due, notes=(Note.DEFAULT_HOUR,))
    assert "You named no hour, so it is 23:00." in words(made_goal_lines(a_view(row), due, FACE))


def test_a_risk_without_a_deadline_is_told_how_to_get_one():
    assert "/goal edit g-4tq9 --due friday" in words(made_goal_lines(a_view(a_risk_row()), None, FACE))
    assert "--due" not in words(made_goal_lines(a_view(a_row()), None, FACE))


# lists


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({}, "goal"),
        ({"intent_type": IntentType.OPEN_QUESTION}, "open question"),
        ({"priority": Priority.CRITICAL}, "goal, critical"),
        ({"priority": Priority.LOW, "intent_state": ON_HOLD}, "goal, low, on hold"),
        ({"intent_type": IntentType.RISK, "intent_state": EXPIRED}, "risk, expired"),
        ({"epistemic_type": EpistemicType.INFERRED}, "goal, proposed, not confirmed"),
        ({"lifecycle_state": LifecycleState.ARCHIVED}, "goal, archived by age"),
        ({"intent_state": CANCELLED, "lifecycle_state": LifecycleState.ARCHIVED}, "goal, cancelled"),
    ],
)
def test_what_goes_without_saying_is_left_out(fields, shown):
    assert what_words(a_row(**fields)) == shown


def test_a_list_has_two_lines_for_each_with_deadline_owner_and_what_it_waits_for():
    row = a_row(due=on(4), owner=BOB_NAMED, pinned=True)
    page = a_page(row, a_risk_row(intent_state=EXPIRED, due=NOW, channel=3), waits={"g-7k2m": ("g-1", "g-2")})
    page = replace(page, channels={2: "general", 3: "ops"})
    assert words(goal_page_lines(page, GoalListing(), FACE)).splitlines() == [
        "g-7k2m  goal  Ship the API.",
        "        due Fri 4 Dec 12:00 · owner @bob · waits for g-1, g-2 · pinned",
        "g-4tq9  risk, expired  Vendor contract ends.",
        "        was due Mon 30 Nov 10:00 · owner @ada · in #ops",
        "2 in all.",
    ]


def test_what_lives_in_a_direct_message_says_so():
    assert "in a direct message" in words(goal_page_lines(a_page(a_row(channel=9)), GoalListing(), FACE))


def test_what_is_over_shows_no_deadline_any_more():
    row = a_row(intent_state=IntentState.COMPLETED, lifecycle_state=LifecycleState.ARCHIVED, due=on(4))
    assert "due" not in words(goal_page_lines(a_page(row), GoalListing(everything=True), FACE))


@pytest.mark.parametrize(("salience", "warned"), [(WARN, False), (WARN - PERCENT // 2 - 1, True), (WARN - 1, False)])
def test_a_list_warns_of_what_is_shown_as_below_the_threshold(salience, warned):
    row = a_row()
    assert is_fading(row, salience) is warned
    page = a_page(row, salience={row.id: salience})
    assert ("It fades (0.29)" in words(goal_page_lines(page, GoalListing(), FACE))) is warned


@pytest.mark.parametrize(
    "fields",
    [{"pinned": True}, {"intent_type": IntentType.RISK}, {"lifecycle_state": LifecycleState.ARCHIVED}],
)
def test_what_does_not_fade_is_not_warned_of(fields):
    assert not is_fading(a_row(**fields), 0)


def test_a_proposal_is_marked_and_says_how_to_answer():
    row = a_row(epistemic_type=EpistemicType.INFERRED)
    shown = words(goal_page_lines(a_page(row), GoalListing(review=True), FACE))
    assert "proposed, not confirmed" in shown and "/goal confirm g-7k2m" in shown and "/goal dismiss g-7k2m" in shown
    assert "No proposals wait" in words(goal_page_lines(a_page(), GoalListing(review=True), FACE))


def test_pages_say_how_to_see_the_next_one_of_the_same_list():
    wanted = GoalListing(types=(IntentType.RISK,), states=(EXPIRED,), everything=True, text="launch")
    page = a_page(a_row(), total=11)
    assert words(goal_page_lines(page, wanted, FACE)).endswith(
        "11 in all, page 1 of 2. Next: /goal list launch --type risk --state expired --all --page 2"
    )
    last = words(goal_page_lines(replace(page, number=2), wanted, FACE))
    assert last.endswith("11 in all, page 2 of 2.")
    assert spelt(GoalListing(review=True)) == "review "


def test_one_proposal_and_several_are_counted():
    assert waiting_line(1).text.startswith("1 proposal waits")
    assert waiting_line(2).text.startswith("2 proposals wait")


def test_words_that_were_erased_are_said_to_be():
    assert "(its words were erased)" in words(goal_page_lines(a_page(a_row(value="")), GoalListing(), FACE))


# one in full


def test_the_full_view_has_every_field():
    row = a_row(
        priority=Priority.HIGH, stakeholders=(BOB_NAMED,), due=on(4), criteria="it runs", note="ask", pinned=True
    )
    over = a_row("g-9a1c", "rent it", intent_state=CANCELLED, lifecycle_state=LifecycleState.ARCHIVED)
    view = a_view(
        row,
        depends_on=(over,),
        blocks=(a_row("g-5r3w", "sell it"),),
        questions=(over,),
        rules=(an_intent(),),
        salience=712_345,
    )
    shown = words(goal_view_lines(view, FACE))
    for expected in (
        "g-7k2m: Ship the API.\nGoal, active, high priority, pinned\n",
        "Owner: @ada; made by @ada on Mon 30 Nov 2026 10:00 UTC\nTogether with: @bob\n",
        "Due: Fri 4 Dec 2026 12:00 UTC (said in UTC)\n",
        "It is done when:\n  - it runs\nNote: ask\n",
        "g-7k2m waits for:\n  g-9a1c (cancelled) Rent it.\nThese wait for g-7k2m:\n  g-5r3w (active) Sell it.\n",
        "g-7k2m (Ship the API.) waits for g-9a1c, which is cancelled: Rent it. What now?\n",
        "/goal answer g-7k2m keep\n",
        "/goal answer g-7k2m replace g-…\n",
        "/goal answer g-7k2m hold\n",
        "/goal answer g-7k2m cancel\n",
        f"Rules that belong to it:\n  {an_intent().handle} ",
        "Said by a person, confidence 0.80, salience 0.71; pieces of evidence: 1",
    ):
        assert expected in shown


def test_with_several_questions_each_command_says_which_one_it_answers():
    over = [a_row(handle, intent_state=CANCELLED) for handle in ("g-1", "g-2")]
    shown = words(goal_view_lines(a_view(a_row(), questions=tuple(over)), FACE))
    assert "keep --of g-1" in shown and "keep --of g-2" in shown


def test_successor_summary_and_age_are_shown():
    row = a_row(intent_state=IntentState.SUPERSEDED, due=NOW)
    kept = Summary("s", "n", row.id, row.handle, "Goal 'x' was completed.", NOW, 1, ())
    shown = words(goal_view_lines(a_view(row, successor=a_row("g-new1", "ship it all"), summary=kept), FACE))
    assert "Replaced by g-new1: Ship it all." in shown and "Remembered: Goal 'x' was completed." in shown
    assert "Was due: Mon 30 Nov 2026 10:00 UTC" in shown
    faded = a_row(lifecycle_state=LifecycleState.ARCHIVED)
    assert "/goal resume g-7k2m" in words(goal_view_lines(a_view(faded), FACE))
    assert "/goal pin g-7k2m" in words(goal_view_lines(a_view(a_row(), salience=200_000), FACE))


def test_a_proposal_in_full_says_from_whose_words_it_is():
    row = a_row(epistemic_type=EpistemicType.INFERRED, confidence=550_000, creator=BOB_NAMED)
    shown = words(goal_view_lines(a_view(row), FACE))
    assert "from the words of @bob" in shown and "Concluded by a machine, confidence 0.55" in shown


# searching, and what was done


def test_a_search_shows_intents_then_summaries():
    kept = Summary("s", "n", "x", "g-old1", "Goal 'ship' was completed on 2026-11-01.", NOW, 1, ())
    shown = words(search_lines(Found(a_page(a_row(), total=12), (kept, replace(kept, text=""))), "ship", FACE))
    assert "Next: /goal search ship --page 2" in shown
    assert "  g-old1: Goal 'ship' was completed on 2026-11-01." in shown and "erased" in shown
    assert words(search_lines(Found(a_page(), ()), "ship", FACE)) == "Nothing here holds “ship”."
    assert "in all" not in words(search_lines(Found(a_page(), (kept,)), "ship", FACE))


def test_completing_tells_what_was_kept_and_whose_way_is_free():
    done = Done(a_row(), (a_row("g-1"), a_row("g-2")), (), "Goal 'ship' was completed.")
    shown = words(done_lines(done))
    assert "Kept in memory: Goal 'ship' was completed." in shown and "free now for g-1, g-2" in shown
    assert words(done_lines(Done(a_row()))) == "g-7k2m is completed: Ship the API."


def test_cancelling_names_what_waits_for_it_ones_own_apart():
    gone = a_row(intent_state=CANCELLED)
    mine, theirs = a_row("g-mine", "go on"), a_row("g-they", owner=BOB_NAMED)
    shown = words(cancelled_lines(Done(gone, (mine, theirs)), ADA))
    assert "What to do with that: /goal show g-mine" in shown and "what to do: g-they" in shown
    assert "/goal show g-they" not in shown
    assert "/goal show" not in words(cancelled_lines(Done(gone, (theirs,)), None))
    assert "/goal show g-they" in words(cancelled_lines(Done(gone, (theirs,)), BOB))


def test_moves_say_where_it_went():
    assert "on hold" in moved_line(a_row(intent_state=ON_HOLD)).text
    assert "active again" in moved_line(a_row()).text
    assert "expired at once" in moved_line(a_row(intent_state=EXPIRED)).text


def test_a_successor_that_would_close_a_circle_is_said_for_whom():
    found = Superseded(a_row(), a_row("g-new1"), (), (a_row("g-1"),))
    assert words(superseded_lines(found)).splitlines() == [
        "g-7k2m is replaced by g-new1.",
        "That would close a circle for g-1; their owners are asked what to do.",
    ]


@pytest.mark.parametrize("answer", Answer)
def test_each_answer_says_what_it_did_and_asks_on(answer):
    left = a_row("g-1", intent_state=EXPIRED)
    view = a_view(a_row(), depends_on=(a_row("g-2", "rent it"),), questions=(left,))
    shown = words(answered_lines(view, answer))
    assert shown.startswith("g-7k2m ") and "/goal answer g-7k2m keep" in shown
    assert ("  g-2 (active) Rent it." in shown) is (answer is Answer.REPLACE)

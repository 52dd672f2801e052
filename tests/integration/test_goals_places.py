"""Goal memory where a chat moves or the bot is removed, and beside reminders, on a real store."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.goals.objects import GoalChange, IntentState, LifecycleState, Person
from core.limits import LIMITS
from core.services.answer_goal import Answer, AnswerDependency
from core.services.change_goal import EditGoal
from core.services.context import Context
from core.services.end_space import EndSpace, ReturnSpace
from core.services.goal_moves import CancelGoal, CompleteGoal
from core.services.link_goal import LinkGoal
from core.services.read_goals import ListGoals, SearchGoals, ShowGoal, Wanted
from core.services.supersede_goal import SupersedeGoal
from core.services.tick import Tick
from core.services.touch_mentioned import TouchMentioned
from core.standing.intent import ChannelScope, Priority
from core.turn import ADMIN, SYSTEM
from core.wording.reminders import reminder_line
from tests.builders import NOW, a_member, a_turn
from tests.builders_goals import a_goal, a_risk, add, due, kinds_told, operations, stored, told
from tests.fakes.chats import ADA, BOB, NEW, OLD, create, hear, move, owner

AWAY = LIMITS.left_purge
ACTIVE, ARCHIVED = LifecycleState.ACTIVE, LifecycleState.ARCHIVED


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def made_in(ctx, where, draft, **fields):
    return add(ctx, draft, owner(), where, **fields)


def shown(ctx, row, where):
    return ShowGoal(ctx)(row.handle, owner(), where)


# a chat that gets another id


def test_goals_of_a_chat_that_moves_are_there_under_both_ids(ctx):
    made = made_in(ctx, OLD, a_goal("Ship the API"))
    move(ctx)
    assert [shown(ctx, made, where).intent.handle for where in (OLD, NEW)] == [made.handle] * 2


def test_what_is_merged_brings_its_goals_edges_and_summaries_along(ctx):
    kept = made_in(ctx, OLD, a_goal("Ship the API"))
    first, second = made_in(ctx, NEW, a_goal("Sign the contract")), made_in(ctx, NEW, a_goal("Pay the vendor"))
    later = made_in(ctx, NEW, a_goal("Send the goods", depends_on=(second.handle,)))
    CompleteGoal(ctx)(first.handle, owner(), NEW)
    move(ctx)
    home = stored(ctx, kept)
    assert {stored(ctx, row).namespace_id for row in (first, second, later)} == {home.namespace_id}
    assert {stored(ctx, row).space for row in (first, second, later)} == {home.space}
    rows = ListGoals(ctx)(owner(), NEW).rows
    assert {row.handle for row in rows} == {kept.handle, second.handle, later.handle}
    assert [one.handle for one in shown(ctx, later, NEW).depends_on] == [second.handle]
    [summary] = SearchGoals(ctx)("contract", owner(), OLD).summaries
    assert summary.namespace_id == home.namespace_id
    CancelGoal(ctx)(second.handle, owner(), NEW)
    assert [one.handle for one in shown(ctx, later, NEW).questions] == [second.handle]


# the bot is removed


def test_nobody_is_told_of_risks_in_a_space_that_the_bot_was_removed_from(ctx, clock):
    made_in(ctx, OLD, a_risk("Vendor contract ends", priority=Priority.CRITICAL))
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(timedelta(days=1))
    Tick(ctx)()
    assert "notice.goal.risks" not in kinds_told(ctx, ADA)
    ReturnSpace(ctx)(OLD)
    clock.advance(timedelta(days=1, seconds=1))
    Tick(ctx)()
    assert "notice.goal.risks" in kinds_told(ctx, ADA)


def test_words_of_goals_are_erased_a_month_after_the_bot_was_removed(ctx, clock):
    goal = made_in(ctx, OLD, a_goal("Ship the API", criteria="it runs", note="for Dana"))
    done = made_in(ctx, OLD, a_goal("Sign the contract"))
    EditGoal(ctx)(goal.handle, GoalChange(value="Ship the new API"), owner(), OLD)
    CompleteGoal(ctx)(done.handle, owner(), OLD, said="/goal done")
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(AWAY - timedelta(microseconds=1))
    Tick(ctx)()
    assert stored(ctx, goal).value == "Ship the new API"
    clock.advance(timedelta(microseconds=1))
    Tick(ctx)()
    row = stored(ctx, goal)
    assert (row.value, row.criteria, row.note, row.fold) == ("", "", "", "")
    assert row.intent_state is IntentState.CANCELLED
    assert stored(ctx, done).intent_state is IntentState.COMPLETED
    assert operations(ctx, goal)[-1] == "ERASED"
    cited = [event for one in (row, stored(ctx, done)) for event in one.evidence_ids]
    with ctx.store.read() as tx:
        summary = tx.goals.summary_of(done.id)
        assert summary is not None and summary.text == ""
        events = [tx.records.evidence(event) for event in cited]
        assert len(events) == 3
        assert [tx.records.content(content_id) for content_id in events if content_id] == [None] * 3
    assert SearchGoals(ctx)("contract", ADMIN, None).summaries == ()


def test_goals_that_were_made_since_keep_all_words(ctx, clock):
    made_in(ctx, OLD, a_goal("Ship the API"))
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(timedelta(days=1))
    later = made_in(ctx, OLD, a_goal("Pay the vendor"))
    clock.advance(AWAY)
    Tick(ctx)()
    assert stored(ctx, later).value == "Pay the vendor"


# beside reminders


def test_a_reminder_names_the_goal_of_its_rule(ctx):
    goal, rule = made_in(ctx, OLD, a_goal("Ship the API")), create(ctx, OLD)
    LinkGoal(ctx)(rule.handle, goal.handle, owner(), OLD)
    [reminder] = hear(ctx, OLD, "1").fires
    assert reminder_line(reminder, NOW, NOW.tzinfo).text.endswith(f"{rule.handle} · for {goal.handle}: Ship the API.")


def test_a_reminder_of_a_rule_that_listens_everywhere_names_no_goal(ctx):
    goal = made_in(ctx, OLD, a_goal("Ship the API"))
    rule = create(ctx, OLD, channel_scope=ChannelScope.ANYWHERE, operator=True)
    LinkGoal(ctx)(rule.handle, goal.handle, replace(owner(), is_operator=True), OLD)
    [reminder] = hear(ctx, OLD, "1").fires
    assert reminder.goal == ""


# what another one is about


def test_the_words_of_a_goal_that_somebody_may_not_see_are_in_no_question_and_no_notice(ctx):
    secret = made_in(ctx, OLD, a_goal("Fire Dana quietly"))
    shared = made_in(ctx, OLD, a_goal("Reorganise", owner=Person(BOB, "Bob"), depends_on=(secret.handle,)))
    CancelGoal(ctx)(secret.handle, owner(), OLD)
    [question] = ShowGoal(ctx)(shared.handle, a_member(BOB), OLD).questions
    assert "Dana" not in question.value
    [asked] = [news for news in told(ctx, BOB) if news.other is not None]
    assert "Dana" not in asked.other.value
    assert shown(ctx, shared, OLD).questions[0].value == "Fire Dana quietly"


def test_what_is_kept_of_erased_words_does_not_tell_them(ctx, clock):
    goal = made_in(ctx, OLD, a_goal("Launch codename Zebra"))
    key = stored(ctx, goal).fold
    EndSpace(ctx)(OLD, SYSTEM)
    clock.advance(AWAY)
    Tick(ctx)()
    with ctx.store.read() as tx:
        log = [one.payload for name in tx.operations.namespaces() for one in tx.operations.chain(name)]
    assert key and not any(key in payload or "Zebra" in payload for payload in log)


def test_a_question_goes_over_to_the_successor(ctx):
    gone = made_in(ctx, OLD, a_goal("Set up the database"))
    old = made_in(ctx, OLD, a_goal("Ship the API", depends_on=(gone.handle,)))
    CancelGoal(ctx)(gone.handle, owner(), OLD)
    new = SupersedeGoal(ctx)(old.handle, a_goal("Ship the new API"), owner(), OLD).new
    assert [one.handle for one in shown(ctx, new, OLD).questions] == [gone.handle]


def test_an_answer_before_the_heartbeat_leaves_the_end_of_the_deadline_on_record(ctx, clock):
    late = made_in(ctx, OLD, a_goal("Set up the database", due=due(ctx, timedelta(hours=1))))
    waits = made_in(ctx, OLD, a_goal("Ship the API", depends_on=(late.handle,)))
    clock.advance(timedelta(hours=1))
    AnswerDependency(ctx)(waits.handle, Answer.KEEP, owner(), OLD)
    assert stored(ctx, late).intent_state is IntentState.EXPIRED
    assert "DEPENDENCY_EXPIRED" in operations(ctx, waits)


def test_a_list_by_state_is_as_of_now(ctx, clock):
    late = made_in(ctx, OLD, a_goal("Ship the API", due=due(ctx, timedelta(hours=1))))
    clock.advance(timedelta(hours=1))

    def listed(*states):
        return [row.handle for row in ListGoals(ctx)(owner(), OLD, Wanted(states=states)).rows]

    assert listed(IntentState.EXPIRED) == [late.handle]
    assert listed(IntentState.ACTIVE) == listed() == []


def test_a_clock_that_was_ahead_silences_no_risk(ctx, clock):
    made_in(ctx, OLD, a_risk("Vendor contract ends", priority=Priority.CRITICAL))
    clock.advance(timedelta(days=7))
    Tick(ctx)()
    assert "notice.goal.risks" in kinds_told(ctx, ADA)
    clock.set(NOW + timedelta(days=1))
    Tick(ctx)()
    assert "notice.goal.risks" in kinds_told(ctx, ADA)


# bounds


@pytest.mark.parametrize("more", [0, 1])
def test_a_notice_names_so_many_risks_and_counts_the_rest(store, clock, ids, more):
    clock.set(NOW)
    ctx = Context(store, clock, ids, replace(LIMITS, risks_told=2))
    for number in range(2 + more):
        made_in(ctx, OLD, a_risk(f"risk {number}", priority=Priority.HIGH))
    Tick(ctx)()
    [news] = [one for one in told(ctx, ADA) if one.kind == "notice.goal.risks"]
    assert (len(news.goals), news.count) == (2, 2 + more)


def test_of_the_handles_in_a_message_the_first_ones_count(store, clock, ids):
    clock.set(NOW)
    ctx = Context(store, clock, ids, replace(LIMITS, goals_named=2))
    rows = [made_in(ctx, OLD, a_goal(f"goal {number}")) for number in range(3)]
    clock.advance(timedelta(days=2))
    hear(ctx, OLD, "1", " ".join(row.handle for row in (rows[0], *rows)))
    assert [stored(ctx, row).touched_at == clock.now() for row in rows] == [True, True, False]


def test_a_goal_is_not_touched_once_the_deadline_of_the_message_has_passed(ctx, clock):
    goal = made_in(ctx, OLD, a_goal("Ship the API"))
    clock.advance(timedelta(days=2))
    turn = a_turn(goal.handle, at=clock.now(), where=OLD)
    clock.advance(LIMITS.turn_deadline)
    assert TouchMentioned(ctx)(turn) == ()
    clock.advance(-timedelta(microseconds=1))
    assert TouchMentioned(ctx)(turn) == (goal.handle,)


def test_what_fades_within_a_day_of_the_last_pass_waits_for_the_next(ctx, clock):
    first = made_in(ctx, OLD, a_goal("Ship the API", priority=Priority.LOW))
    clock.advance(timedelta(hours=12))
    second = made_in(ctx, OLD, a_goal("Pay the vendor", priority=Priority.LOW))
    clock.advance(timedelta(days=54, hours=19))
    Tick(ctx)()
    assert [stored(ctx, row).lifecycle_state for row in (first, second)] == [ARCHIVED, ACTIVE]
    clock.advance(LIMITS.decay_gap - timedelta(microseconds=1))
    Tick(ctx)()
    assert stored(ctx, second).lifecycle_state is ACTIVE
    clock.advance(timedelta(microseconds=1))
    Tick(ctx)()
    assert stored(ctx, second).lifecycle_state is ARCHIVED

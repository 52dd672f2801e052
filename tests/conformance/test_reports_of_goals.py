"""What was reported of promises that got lost: each row is a test that bears its id."""

from datetime import timedelta

from core.goals.objects import IntentState, IntentType
from core.services.read_goals import ListGoals, ShowGoal
from core.services.review_goals import ConfirmGoal
from core.turn import ADMIN
from storage.unit_of_work import open_store
from tests.builders import BOB, HOME, a_member, a_place, an_owner
from tests.builders_goals import HOUR, a_person, add, beat, due, propose, told
from tests.fakes.ids import SeededIds
from tests.fakes.reminding import a_context

THREAD = a_place(thread="launch")


def test_t039_a_promise_outlives_a_restart_and_comes_back_with_the_thread_it_was_made_in(ctx, database, clock):
    promise = propose(
        ctx,
        "Post the numbers",
        who=BOB,
        where=THREAD,
        intent_type=IntentType.COMMITMENT,
        due=due(ctx, timedelta(minutes=5)),
    )
    ConfirmGoal(ctx)(promise.handle, an_owner(), THREAD)
    store = open_store(database.url, schema=database.schema, migrate=False)
    again = a_context(store, clock, SeededIds(2))
    clock.advance(minutes=5)
    beat(again)
    row = ShowGoal(again)(promise.handle, ADMIN, None).intent
    [news] = told(again, BOB)
    store.close()
    assert (row.intent_state, row.owner.who) == (IntentState.EXPIRED, BOB)
    assert (news.kind, news.goals[0].handle) == ("notice.goal.expired", promise.handle)
    assert (news.where.channel, news.where.conversation) == ("general", "launch")


def test_t041_a_follow_up_is_an_item_with_deadline_owner_and_place(ctx):
    row = add(
        ctx,
        "Ping Bob after the call",
        where=THREAD,
        intent_type=IntentType.FOLLOW_UP,
        owner=a_person(BOB),
        due=due(ctx, 5 * HOUR),
    )
    [listed] = ListGoals(ctx)(a_member(BOB), HOME).rows
    assert (listed.intent_type, listed.owner.who) == (IntentType.FOLLOW_UP, BOB)
    assert listed.target_completion == ctx.clock.now() + 5 * HOUR
    assert (listed.channel, listed.conversation) == (row.channel, row.conversation)
    assert row.conversation != row.channel

"""What was reported of other bots' timed reminders: each row is a test that bears its id."""

import time
from datetime import timedelta

import pytest

from bots.alarm import Alarm
from bots.runtime import ShiftedClock, SystemClock
from core.services.fire_timed import FireTimed, NextDue
from core.services.notices import NoticeKind, TakeNotices
from core.services.remind import SnoozeTimed
from core.services.timed import AcknowledgeTimed, CancelTimed, ListTimed
from core.services.timed_delivery import PendingTimed
from core.timed.reminder import TimedStatus
from tests.builders import ADA, BOB, HOME, NOW, a_member
from tests.fakes.reminding import a_context, owed, remind, stored, told
from tests.unit.bots.test_heartbeat import run, until

HOUR = timedelta(hours=1)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def test_t037_past_ones_that_were_not_done_stay_in_the_list_and_can_be_had_again(ctx, clock):
    row, other = remind(ctx), remind(ctx)
    clock.advance(2 * HOUR)
    told(ctx)
    clock.advance(timedelta(days=30))
    listed = ListTimed(ctx)(a_member(), HOME).rows
    assert {one.handle for one in listed} == {row.handle, other.handle}
    again = SnoozeTimed(ctx)(row.handle, HOUR, a_member(), HOME)
    AcknowledgeTimed(ctx)(other.handle, a_member(), HOME)
    assert [one.handle for one in ListTimed(ctx)(a_member(), HOME).rows] == [again.handle]
    clock.advance(HOUR)
    assert [due.reminder.text for due in told(ctx)] == [row.text]


def test_t037_the_list_shows_how_to_have_one_again(chat):
    chat("/remind in 1h look", "/time +2h")
    shown = chat("/remind list")
    assert "past, not done" in shown and "remind again: /remind again r-" in shown


def test_t045_the_name_in_a_list_is_that_of_the_row_whatever_the_list_leaves_out(chat):
    def listed(*options):
        rows = [line.split(" · ") for line in chat(" ".join(["/remind list", *options])).splitlines()]
        return {row[0].split()[1]: row[-1] for row in rows if row[0].startswith("│ r-")}

    chat(*(f"/remind in {number}h thing number {number}" for number in range(1, 6)), "/time +1h")
    everything = listed("--all")
    assert len(everything) == 5
    past = next(handle for handle, words in everything.items() if "number 1" in words)
    chat(f"/remind done {past}")
    left = listed()
    assert left == {handle: words for handle, words in everything.items() if handle != past}
    victim = list(left)[2]
    assert left[victim] in chat(f"/remind show {victim}")
    chat(f"/remind cancel {victim}")
    assert listed() == {handle: words for handle, words in left.items() if handle != victim}


def test_t049_somebody_else_is_mentioned_once_by_a_name_that_works(chat):
    chat("/as dana", "/as ada")
    assert "I will remind @dana by the clock" in chat("/remind @dana in 1h water the plants")
    shown = chat("/time +1h")
    assert "Reminder for @dana, from ada: Water the plants." in shown
    assert shown.count("@") == 1


def test_t051_a_reminder_for_somebody_else_goes_to_them_and_not_to_its_maker(ctx, clock):
    row = remind(ctx, timedelta(minutes=1), target=ADA, target_name="Ada")
    clock.advance(timedelta(minutes=1))
    [due] = told(ctx)
    assert (due.reminder.target, due.reminder.creator) == (ADA, BOB)
    SnoozeTimed(ctx)(row.handle, HOUR, a_member(ADA), HOME)
    clock.advance(HOUR)
    assert [due.reminder.target for due in told(ctx)] == [ADA]


def test_t133_who_is_reminded_may_end_it_and_its_maker_is_told(ctx):
    row = remind(ctx, target=ADA, target_name="Ada")
    assert CancelTimed(ctx)(row.handle, a_member(ADA), HOME).status is TimedStatus.CANCELLED
    [news] = TakeNotices(ctx)(BOB).news
    assert (news.kind, news.who, news.timed.handle) == (NoticeKind.TIMED_CANCELLED, ADA, row.handle)
    own = remind(ctx)
    CancelTimed(ctx)(own.handle, a_member(), HOME)
    assert TakeNotices(ctx)(BOB) is None


def test_t133_the_notice_names_who_and_what(chat):
    chat("/as bob", "/as ada", "/remind @bob in 1h water the plants")
    handle = next(word for word in chat("/remind list").split() if word.startswith("r-"))
    chat("/as bob", f"/remind cancel {handle}")
    assert f"@bob cancelled your reminder {handle}: Water the plants." in chat("/as ada")


def test_t141_the_same_reminder_never_comes_twice(ctx, clock):
    remind(ctx)
    clock.advance(2 * HOUR)
    came = [told(ctx) for _ in range(5)]
    clock.advance(timedelta(days=7))
    assert [len(one) for one in [*came, told(ctx)]] == [1, 0, 0, 0, 0, 0]


def test_t143_a_time_that_cannot_be_read_is_said_stores_nothing_and_blocks_nothing(chat):
    shown = chat("remind me in purple to look", "/remind in purple look")
    assert "✗" in shown and "I will remind you" not in shown
    assert "No timed reminders here." in chat("/remind list")
    assert "I will remind you by the clock: Look." in chat("/remind in 1h look")
    assert "Reminder for @ada: Look." in chat("/time +1h")


@pytest.mark.parametrize(("hours", "report"), [(2, "t145"), (3, "t147")])
def test_t145_t147_a_reminder_outlives_its_process(database, store, clock, ids, hours, report):
    row = remind(a_context(store, clock, ids), hours * HOUR)
    clock.advance(HOUR)
    again = a_context(database.open(), clock, ids)
    assert told(again) == ()
    assert NextDue(again)() == row.due_at
    clock.set(row.due_at)
    [due] = told(again)
    assert (due.reminder.handle, due.late) == (row.handle, False)


def test_t157_t159_t161_several_schedulers_on_one_store_send_one_message(database, ctx, clock):
    remind(ctx)
    clock.advance(2 * HOUR)
    others = [a_context(database.open(), clock, ctx.ids) for _ in range(3)]
    assert sum(FireTimed(one)() for one in [ctx, *others]) == 1
    assert len(owed(ctx)) == 1


def test_t163_a_reminder_that_is_late_by_two_seconds_still_fires(store, ids):
    clock = ShiftedClock(SystemClock())
    ctx = a_context(store, clock, ids)

    async def story():
        remind(ctx, timedelta(seconds=0.3))
        alarm = Alarm(FireTimed(ctx), NextDue(ctx), clock, SystemClock())
        alarm.start()
        await until(lambda: alarm.planned is not None)
        time.sleep(2)  # the loop is busy over the due time
        await until(lambda: bool(owed(ctx)))
        await alarm.stop()

    run(story)
    [row] = stored(ctx)
    assert (row.status, row.fired) == (TimedStatus.DONE, 1)


def test_t169_a_reminder_is_ids_text_and_numbers_and_no_code(database, ctx):
    remind(ctx, rule="FREQ=DAILY")
    [row] = database.execute("SELECT * FROM timed_reminders")
    assert {type(value) for value in row} <= {int, str, bool, type(None)}


def test_t171_a_cancelled_reminder_is_cancelled_after_a_restart(database, ctx, clock):
    row = remind(ctx, rule="FREQ=DAILY")
    CancelTimed(ctx)(row.handle, a_member(), HOME)
    again = a_context(database.open(), clock, ctx.ids)
    clock.advance(timedelta(days=3))
    assert NextDue(again)() is None
    assert told(again) == ()
    assert PendingTimed(again).to_person(BOB) == ()

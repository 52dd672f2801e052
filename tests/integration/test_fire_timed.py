"""Timed reminders that come due: once, never early, late with what was missed, held by quiet hours."""

from datetime import UTC, datetime, timedelta

import pytest

from core.operations.log import OpType
from core.services.audit import VerifyAudit
from core.services.fire_timed import FireTimed, NextDue
from core.services.notices import NoticeKind, TakeNotices
from core.services.remind import SnoozeFire, SnoozeTimed
from core.services.space_settings import ChangeSetting
from core.services.tick import Tick
from core.services.timed import AcknowledgeTimed, CancelTimed
from core.services.timed_delivery import PendingTimed, TimedDelivery, read_timed
from core.settings import Setting
from core.standing.intent import OutboxState
from core.timed.reminder import TimedStatus
from core.turn import ADMIN, Visibility, Where
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_member, a_turn, an_owner
from tests.fakes.reminding import a_context, owed, remind, stored, told

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
DIRECT = Where("console", "local", "dm:bob", "dm:bob", "dm:bob", Visibility.DIRECT)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return a_context(store, clock, ids)


def operations(ctx, row):
    with ctx.store.read() as tx:
        return [operation.op_type for operation in tx.operations.of_target(row.id, 50)][::-1]


def item(ctx, row):
    with ctx.store.read() as tx:
        return tx.outbox.get(tx.timed.by_id(row.id).outbox_id)


def test_it_fires_once_at_its_time_and_is_over(ctx, clock):
    row = remind(ctx)
    clock.advance(2 * HOUR - timedelta(microseconds=1))
    assert FireTimed(ctx)() == 0
    clock.advance(timedelta(microseconds=1))
    assert FireTimed(ctx)() == 1
    assert FireTimed(ctx)() == Tick(ctx)().reminded == 0
    [due] = owed(ctx)
    assert (due.reminder.handle, due.due_at, due.late, due.missed, due.last) == (
        row.handle,
        row.due_at,
        False,
        0,
        False,
    )
    assert (due.where.channel, due.recipient, due.reply_to, due.number) == ("general", None, "asked", 1)
    assert TimedDelivery(ctx).delivered(due.item_id)
    assert not TimedDelivery(ctx).delivered(due.item_id)
    assert not TimedDelivery(ctx).failed(due.item_id, "gone")
    assert owed(ctx) == ()
    [over] = stored(ctx)
    assert (over.status, over.due_at, over.fired, over.last_due_at) == (TimedStatus.DONE, None, 1, row.due_at)
    assert operations(ctx, row) == [OpType.ASSERT, OpType.FIRED, OpType.DELIVERED]
    assert all(report.bad is None for report in VerifyAudit(ctx)())


def test_the_outbox_row_holds_ids_and_numbers_and_no_words(ctx, clock):
    row = remind(ctx, text="secret")
    clock.advance(2 * HOUR)
    FireTimed(ctx)()
    found = item(ctx, row)
    due = int(row.due_at.timestamp()) * 1_000_000
    assert found.body == {"timed": row.id, "handle": row.handle, "number": 1, "due": due, "missed": 0}
    assert (found.kind, found.fire_id, found.state, found.recipient) == ("timed", None, OutboxState.QUEUED, None)
    assert found.due_at == clock.now()


def test_the_heartbeat_fires_what_no_alarm_did(ctx, clock):
    remind(ctx)
    clock.advance(3 * HOUR)
    assert Tick(ctx)().reminded == 1
    [due] = owed(ctx)
    assert due.late


def test_one_that_was_missed_comes_once_and_says_when_it_was_due(ctx, clock):
    row = remind(ctx, rule="FREQ=DAILY")
    clock.advance(2 * HOUR + 3 * DAY + HOUR)
    [due] = told(ctx)
    assert (due.due_at, due.late, due.missed) == (row.due_at, True, 3)
    assert stored(ctx)[0].due_at == row.due_at + 4 * DAY
    clock.advance(DAY)
    [again] = told(ctx)
    assert (again.due_at, again.late, again.missed, again.number) == (row.due_at + 4 * DAY, True, 0, 2)


def test_what_was_missed_is_counted_up_to_a_bound(ctx, clock):
    remind(ctx, rule="FREQ=HOURLY")
    clock.advance(2 * HOUR + ctx.limits.missed_counted * HOUR)
    assert told(ctx)[0].missed == ctx.limits.missed_counted
    clock.advance((ctx.limits.missed_counted + 50) * HOUR)
    assert told(ctx)[0].missed == ctx.limits.missed_counted
    assert stored(ctx)[0].due_at > clock.now()


def test_a_rule_that_ends_says_that_this_was_the_last(ctx, clock):
    remind(ctx, rule="FREQ=DAILY;COUNT=2")
    clock.advance(2 * HOUR)
    assert not told(ctx)[0].last
    clock.advance(DAY)
    assert told(ctx)[0].last
    assert stored(ctx)[0].status is TimedStatus.DONE


def test_a_weekday_rule_keeps_its_wall_time_over_the_change_of_the_clock(ctx, clock):
    clock.set(datetime(2027, 3, 26, 6, 0, tzinfo=UTC))  # a Friday; the clock changes on Sunday 28 March
    first = datetime(2027, 3, 26, 8, 30, tzinfo=UTC)  # 09:30 in Berlin
    remind(ctx, first, rule="FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", zone="Europe/Berlin")
    clock.set(first)
    assert len(told(ctx)) == 1
    assert stored(ctx)[0].due_at == datetime(2027, 3, 29, 7, 30, tzinfo=UTC)


def test_a_clock_that_is_set_back_repeats_nothing(ctx, clock):
    row = remind(ctx, rule="FREQ=DAILY")
    clock.advance(2 * HOUR)
    told(ctx)
    clock.advance(-HOUR)
    assert told(ctx) == ()
    clock.advance(HOUR)
    assert told(ctx) == ()
    clock.advance(DAY)
    assert [due.due_at for due in told(ctx)] == [row.due_at + DAY]


def test_a_newer_one_takes_the_place_of_one_that_nobody_got(ctx, clock):
    row = remind(ctx, rule="FREQ=DAILY")
    clock.advance(2 * HOUR)
    FireTimed(ctx)()
    first = item(ctx, row)
    clock.advance(DAY)
    FireTimed(ctx)()
    [due] = owed(ctx)
    assert (due.number, due.missed, due.late) == (2, 1, False)
    assert not TimedDelivery(ctx).delivered(first.id)


def quiet(ctx, hours="22:00-07:00"):
    ChangeSetting(ctx)(Setting.QUIET_HOURS, hours, an_owner(), HOME)


def test_t047_one_asked_for_at_night_comes_at_night_and_a_late_one_waits_for_the_morning(ctx, clock):
    quiet(ctx)
    remind(ctx, datetime(2026, 12, 1, 3, 0, tzinfo=UTC), text="at night")
    remind(ctx, datetime(2026, 11, 30, 20, 0, tzinfo=UTC), text="in the evening")
    clock.set(datetime(2026, 12, 1, 3, 0, tzinfo=UTC))
    assert [due.reminder.text for due in told(ctx)] == ["at night"]
    on_time = next(row for row in stored(ctx) if row.text == "at night")
    assert item(ctx, on_time).due_at == clock.now()
    late = next(row for row in stored(ctx) if row.text == "in the evening")
    assert (item(ctx, late).state, item(ctx, late).due_at) == (OutboxState.HELD, datetime(2026, 12, 1, 7, tzinfo=UTC))
    clock.set(datetime(2026, 12, 1, 7, 0, tzinfo=UTC))
    [due] = told(ctx)
    assert (due.reminder.text, due.late) == ("in the evening", True)


def test_t047_what_could_not_be_sent_at_night_waits_for_the_morning_too(ctx, clock):
    quiet(ctx)
    remind(ctx, datetime(2026, 11, 30, 23, 0, tzinfo=UTC))
    clock.set(datetime(2026, 11, 30, 23, 0, tzinfo=UTC))
    FireTimed(ctx)()
    assert len(owed(ctx)) == 1
    clock.advance(MINUTE)
    assert owed(ctx) == ()
    clock.advance(8 * HOUR)
    assert len(owed(ctx)) == 1


def test_a_direct_one_is_owed_to_its_person_alone(ctx, clock):
    remind(ctx, where=DIRECT)
    remind(ctx, direct=True)
    clock.advance(2 * HOUR)
    FireTimed(ctx)()
    assert owed(ctx) == PendingTimed(ctx).to_person(ADA) == ()
    assert [due.recipient for due in PendingTimed(ctx).to_person(BOB)] == [BOB, BOB]


def test_a_cancelled_one_never_comes_and_what_it_owes_is_dropped(ctx, clock):
    row, other = remind(ctx), remind(ctx)
    CancelTimed(ctx)(row.handle, a_member(), HOME)
    clock.advance(2 * HOUR)
    FireTimed(ctx)()
    waiting = item(ctx, other)
    CancelTimed(ctx)(other.handle, a_member(), HOME)
    assert owed(ctx) == ()
    with ctx.store.read() as tx:
        assert read_timed(ctx, tx, waiting) is None
    assert item(ctx, other).state is OutboxState.FAILED
    assert operations(ctx, other) == [OpType.ASSERT, OpType.FIRED, OpType.EDITED]


def test_one_whose_words_were_erased_says_nothing(ctx, clock):
    row = remind(ctx)
    with ctx.store.write() as tx:
        tx.records.erase_content(row.text_id)
        tx.commit()
    clock.advance(2 * HOUR)
    assert told(ctx) == ()


def test_when_it_cannot_be_sent_for_good_its_creator_is_told_at_once_and_the_next_one_stays(ctx, clock):
    row = remind(ctx, rule="FREQ=DAILY")
    clock.advance(2 * HOUR)
    FireTimed(ctx)()
    [due] = owed(ctx)
    assert TimedDelivery(ctx).failed(due.item_id, "kicked")
    [news] = TakeNotices(ctx)(BOB).news
    assert (news.kind, news.timed.handle) == (NoticeKind.TIMED_FAILED, row.handle)
    assert stored(ctx)[0].due_at == row.due_at + DAY
    assert operations(ctx, row) == [OpType.ASSERT, OpType.FIRED, OpType.REFUNDED]


def test_the_next_due_time_is_the_earliest_of_all(ctx, clock):
    assert NextDue(ctx)() is None
    remind(ctx, 5 * HOUR)
    first = remind(ctx, HOUR)
    assert NextDue(ctx)() == first.due_at
    clock.advance(2 * HOUR)
    assert NextDue(ctx)() == first.due_at < clock.now()
    FireTimed(ctx)()
    assert NextDue(ctx)() == NOW + 5 * HOUR


@pytest.mark.usefixtures("tampered")
def test_a_row_whose_rule_nobody_reads_fires_and_blocks_no_other(database, ctx, clock):
    bad, good = remind(ctx, rule="FREQ=DAILY"), remind(ctx)
    database.execute("UPDATE timed_reminders SET rule = 'nonsense' WHERE handle = ?", bad.handle)
    clock.advance(2 * HOUR)
    assert {due.reminder.handle for due in told(ctx)} == {bad.handle, good.handle}


def test_many_due_at_once_are_fired_in_chunks(ctx, clock):
    for _ in range(ctx.limits.chunk // 2):
        remind(ctx)
        remind(ctx, actor=an_owner())
    remind(ctx, actor=a_member(ADA))
    rests = []
    clock.advance(2 * HOUR)
    assert FireTimed(ctx, lambda: rests.append(1))() == ctx.limits.chunk + 1
    assert len(rests) == 1


# -- putting off ------------------------------------------------------------------------------------------------------


def test_putting_off_makes_a_new_row_with_the_same_words_and_deals_with_the_old(ctx, clock):
    row = remind(ctx, target=ADA, target_name="Ada")
    clock.advance(2 * HOUR)
    told(ctx)
    again = SnoozeTimed(ctx)(row.handle, HOUR, a_member(ADA), HOME)
    assert (again.text, again.snoozed_from, again.due_at) == (row.text, row.id, clock.now() + HOUR)
    assert (again.target, again.creator, again.creator_name) == (ADA, ADA, "Ada")
    old = next(one for one in stored(ctx) if one.id == row.id)
    assert old.acknowledged_at == clock.now()
    assert operations(ctx, row)[-1:] == [OpType.SNOOZED]
    assert operations(ctx, again) == [OpType.ASSERT]
    clock.advance(HOUR)
    assert [due.reminder.handle for due in told(ctx)] == [again.handle]


def test_a_repeating_one_goes_on_beside_the_one_that_was_put_off(ctx, clock):
    row = remind(ctx, rule="FREQ=DAILY")
    clock.advance(2 * HOUR)
    told(ctx)
    again = SnoozeTimed(ctx)(row.handle, HOUR, a_member(), HOME)
    assert not again.recurring
    clock.advance(DAY)
    assert {due.reminder.handle for due in told(ctx)} == {row.handle, again.handle}


def test_later_on_a_rule_says_its_words_once_more_where_it_said_them(ctx, clock):
    from core.services.create_intent import CreateIntent
    from core.services.receive_turn import ReceiveTurn

    rule = CreateIntent(ctx)(a_draft(), an_owner(), HOME, "made")
    clock.advance(MINUTE)
    [reminder] = ReceiveTurn(ctx)(a_turn(at=clock.now())).fires
    row = SnoozeFire(ctx)(reminder.fire_id, HOUR, an_owner())
    assert (row.fire_id, row.text, row.target, row.conversation) == (reminder.fire_id, rule.description, ADA, 3)
    assert row.reply_to == reminder.reply_to
    assert operations(ctx, row) == [OpType.ASSERT]
    with ctx.store.read() as tx:
        assert tx.operations.of_target(rule.id, 1)[0].op_type == OpType.SNOOZED
    clock.advance(HOUR)
    assert [due.reminder.text for due in told(ctx)] == [rule.description]


def test_done_is_recorded_once_and_a_repeating_one_goes_on(ctx, clock):
    row = remind(ctx, rule="FREQ=DAILY")
    clock.advance(2 * HOUR)
    told(ctx)
    done = AcknowledgeTimed(ctx)(row.handle, a_member(), HOME)
    assert (done.waiting, done.due_at) == (False, row.due_at + DAY)
    clock.advance(DAY)
    told(ctx)
    assert stored(ctx)[0].waiting
    assert operations(ctx, row).count(OpType.ACKNOWLEDGED) == 1
    CancelTimed(ctx)(row.handle, ADMIN, None)

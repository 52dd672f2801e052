"""What the delivery loop takes, and what becomes of it, on a real store."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.limits import LIMITS
from core.services import parcels
from core.services.change_intent import CancelIntent
from core.services.context import Context
from core.services.dispatch import (
    ClaimParcels,
    NextDue,
    ParcelBack,
    ParcelFailed,
    ParcelLater,
    ParcelSent,
    back_off,
)
from core.services.notices import NoticeKind
from core.services.parcels import ParcelKind, Unreached
from core.services.space_settings import ChangeSetting
from core.services.tick import Tick
from core.settings import Setting
from core.standing.intent import ChannelScope, Deliver, FireState, OutboxItem, OutboxState, Status
from core.turn import Visibility
from tests.builders import NOW, an_owner
from tests.fakes.notices import owe
from tests.fakes.platform import (
    ADA,
    BOB,
    GROUP,
    LOGIN,
    a_chat,
    claim,
    claim_one,
    create,
    fire,
    fire_of,
    item_of,
    operations,
    owed,
    topic,
)

SECOND = timedelta(seconds=1)
MANY = {"cooldown": timedelta(0), "max_fires": 99, "channel_scope": ChannelScope.SPACE}
NIGHT, MORNING = datetime(2026, 11, 30, 23, 30, tzinfo=UTC), datetime(2026, 12, 1, 7, 0, tzinfo=UTC)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids, zone_of=ZoneInfo)


def state(ctx, intent):
    with ctx.store.read() as tx:
        row = tx.intents.by_id(intent.id)
    return row.status, row.fire_count


# -- what is taken


def test_a_reminder_is_taken_sent_and_on_record_once(ctx):
    row = create(ctx, max_fires=1)
    reminder = fire(ctx)
    parcel = claim_one(ctx)
    assert (parcel.reminder.fire_id, parcel.to.channel, parcel.reply_to) == (
        reminder.fire_id,
        "group",
        reminder.reply_to,
    )
    assert (parcel.attempts, parcel.lease, parcel.zone) == (1, NOW + LIMITS.send_lease, "UTC")
    assert claim(ctx) == ()
    assert ParcelSent(ctx)(parcel, ["m1", "m2"])
    assert not ParcelSent(ctx)(parcel, ["m1", "m2"])
    assert (fire_of(ctx, reminder.fire_id).state, item_of(ctx, parcel.item_id).state) == (
        FireState.DELIVERED,
        OutboxState.SENT,
    )
    assert operations(ctx, row) == ["ASSERT", "FIRED", "DELIVERED"]
    with ctx.store.read() as tx:
        assert '"messages":["m1","m2"]' in tx.operations.of_target(row.id, 1)[0].payload


def test_one_parcel_a_chat_in_order_and_topics_are_of_their_chat(ctx, clock):
    create(ctx, **MANY)
    create(ctx, a_chat("other"), **MANY)
    said = []
    for where in (topic("t"), GROUP, a_chat("other")):
        said.append(fire(ctx, where).fire_id)
        clock.advance(SECOND)
    first, other = claim(ctx)
    assert [first.reminder.fire_id, other.reminder.fire_id] == [said[0], said[2]]
    ParcelSent(ctx)(first, ["m"])
    assert claim_one(ctx).reminder.fire_id == said[1]


def test_a_busy_chat_is_left_alone_and_no_more_is_taken_than_asked_for(ctx):
    chats = [a_chat(name) for name in "abc"]
    for where in chats:
        create(ctx, where)
        fire(ctx, where)
    taken = claim(ctx, limit=2)
    assert len(taken) == 2
    for parcel in taken:
        ParcelBack(ctx)(parcel)
    busy = frozenset(parcel.chat for parcel in taken)
    assert [parcel.to.channel for parcel in claim(ctx, busy=busy)] == ["c"]


def test_another_login_gets_nothing(ctx):
    create(ctx)
    fire(ctx)
    assert ClaimParcels(ctx)("telegram", "other") == ClaimParcels(ctx)("discord", "bot") == ()


def test_what_waits_for_its_retry_keeps_the_later_ones_of_its_chat_back(ctx, clock):
    create(ctx, **MANY)
    first = fire(ctx)
    clock.advance(SECOND)
    fire(ctx)
    assert ParcelLater(ctx)(claim_one(ctx), None, "network")
    assert claim(ctx) == ()
    assert NextDue(ctx)(*LOGIN) == LIMITS.retry_first
    clock.advance(LIMITS.retry_first)
    assert claim_one(ctx).reminder.fire_id == first.fire_id


def test_what_quiet_hours_hold_stays_held_and_keeps_nothing_back(ctx, clock):
    create(ctx, deliver=Deliver.DIRECT, triggers="zebra")
    create(ctx, who=BOB)
    clock.set(NIGHT - timedelta(hours=2))
    held = fire(ctx, text="a zebra")
    ChangeSetting(ctx)(Setting.QUIET_HOURS, "22:00-07:00", an_owner(ADA), GROUP)
    clock.set(NIGHT)
    reply = fire(ctx)
    assert claim_one(ctx).reminder.fire_id == reply.fire_id
    item = item_of(ctx, held.outbox_id)
    assert (item.state, item.due_at, item.attempts) == (OutboxState.HELD, MORNING, 0)
    clock.set(MORNING)
    [parcel] = [one for one in claim(ctx) if one.to == ADA]
    assert (parcel.reminder.fire_id, parcel.reminder.late_since) == (held.fire_id, NIGHT - timedelta(hours=2))


def test_what_was_cancelled_is_not_sent(ctx):
    row = create(ctx)
    reminder = fire(ctx)
    parcel = claim_one(ctx)
    CancelIntent(ctx)(row.handle, an_owner(ADA), GROUP)
    assert not ParcelLater(ctx)(parcel, None, "network") and claim(ctx) == ()
    assert not ParcelSent(ctx)(parcel, ["m"]) and not ParcelFailed(ctx)(parcel, "gone")
    assert fire_of(ctx, reminder.fire_id).state is FireState.REFUNDED
    assert owed(ctx, ADA) == []


@pytest.mark.usefixtures("tampered")
def test_a_row_whose_fire_was_settled_already_is_closed_on_the_way(ctx, clock):
    create(ctx, **MANY)
    reminder = fire(ctx)
    with ctx.store.write() as tx:
        tx.fires.settle(reminder.fire_id, FireState.DELIVERED, NOW)
        tx.commit()
    clock.advance(SECOND)
    next_one = fire(ctx)
    assert claim_one(ctx).reminder.fire_id == next_one.fire_id
    item = item_of(ctx, reminder.outbox_id)
    assert (item.state, item.error) == (OutboxState.FAILED, parcels.MOOT)


# -- the lease


def test_what_a_process_that_ended_had_taken_comes_back_when_its_lease_ends(ctx, clock):
    create(ctx)
    reminder = fire(ctx)
    claim_one(ctx)
    clock.advance(LIMITS.send_lease - SECOND)
    assert claim(ctx) == ()
    clock.advance(SECOND)
    again = claim_one(ctx)
    assert (again.reminder.fire_id, again.attempts) == (reminder.fire_id, 2)


def test_who_lost_the_lease_changes_nothing_but_a_message_that_was_sent(ctx, clock):
    create(ctx)
    reminder = fire(ctx)
    old = claim_one(ctx)
    clock.advance(LIMITS.send_lease)
    new = claim_one(ctx)
    assert not ParcelLater(ctx)(old, None, "network") and not ParcelFailed(ctx)(old, "gone")
    ParcelBack(ctx)(old)
    assert item_of(ctx, new.item_id).due_at == new.lease
    assert ParcelSent(ctx)(old, ["m"]) and not ParcelSent(ctx)(new, ["n"])
    assert fire_of(ctx, reminder.fire_id).state is FireState.DELIVERED


def test_what_was_taken_and_not_sent_is_due_at_once_and_counts_no_attempt(ctx):
    create(ctx)
    fire(ctx)
    ParcelBack(ctx)(claim_one(ctx))
    assert claim_one(ctx).attempts == 1


# -- waits


@pytest.mark.parametrize(("attempts", "seconds"), [(0, 2), (1, 2), (2, 4), (8, 256), (9, 512), (10, 600), (9**9, 600)])
def test_the_wait_doubles_up_to_its_bound(attempts, seconds):
    assert back_off(attempts, LIMITS) == seconds * SECOND


def test_attempts_end_at_their_bound_with_a_refund_and_a_notice(ctx, clock):
    row = create(ctx, max_fires=1)
    reminder = fire(ctx)
    for number in range(1, LIMITS.send_attempts):
        parcel = claim_one(ctx)
        assert parcel.attempts == number
        assert ParcelLater(ctx)(parcel, None, "network")
        clock.advance(NextDue(ctx)(*LOGIN))
    assert not ParcelLater(ctx)(claim_one(ctx), None, "network")
    item = item_of(ctx, reminder.outbox_id)
    assert (item.state, item.error, item.attempts) == (OutboxState.FAILED, "network", LIMITS.send_attempts)
    assert (state(ctx, row), owed(ctx, ADA)) == ((Status.ARMED, 0), [NoticeKind.REFUNDED])
    assert operations(ctx, row) == ["ASSERT", "FIRED", "REFUNDED"]


def test_t195_the_wait_of_the_platform_is_waited_and_counts_no_attempt(ctx, clock):
    create(ctx)
    fire(ctx)
    for _ in range(LIMITS.send_attempts + 2):
        parcel = claim_one(ctx)
        assert parcel.attempts == 1
        assert ParcelLater(ctx)(parcel, 40 * SECOND, "flood")
        clock.advance(39 * SECOND)
        assert claim(ctx) == ()
        clock.advance(SECOND)
    assert ParcelSent(ctx)(claim_one(ctx), ["m"])


@pytest.mark.parametrize(("short", "goes_on"), [(SECOND, True), (timedelta(0), False)])
def test_waits_of_the_platform_are_bounded_by_age(ctx, clock, short, goes_on):
    create(ctx)
    reminder = fire(ctx)
    clock.advance(LIMITS.send_age - short)
    assert ParcelLater(ctx)(claim_one(ctx), SECOND, "flood") is goes_on
    left = FireState.RESERVED if goes_on else FireState.REFUNDED
    assert fire_of(ctx, reminder.fire_id).state is left


@pytest.mark.parametrize(("short", "failed"), [(timedelta(0), 0), (-SECOND, 1)])
def test_what_is_too_old_fails_in_the_heartbeat_even_if_no_bot_runs(ctx, clock, short, failed):
    row = create(ctx, max_fires=1)
    reminder = fire(ctx)
    clock.advance(LIMITS.send_age - short)
    assert Tick(ctx)().failed == failed
    assert Tick(ctx)().failed == 0
    assert (owed(ctx, ADA) == [NoticeKind.REFUNDED]) is bool(failed)
    assert state(ctx, row)[0] is (Status.ARMED if failed else Status.DONE)
    assert item_of(ctx, reminder.outbox_id).error == ("too old" if failed else "")


def test_the_heartbeat_leaves_alone_what_is_being_sent(ctx, clock):
    create(ctx)
    fire(ctx)
    clock.advance(LIMITS.send_age + SECOND)
    parcel = claim_one(ctx)
    assert Tick(ctx)().failed == 0
    assert ParcelSent(ctx)(parcel, ["m"])


@pytest.mark.parametrize(("over", "failed"), [(timedelta(0), 0), (SECOND, 1)])
def test_notices_live_longer_than_reminders(ctx, clock, over, failed):
    create(ctx)
    fire(ctx)
    ParcelFailed(ctx)(claim_one(ctx), "gone")
    clock.advance(LIMITS.notice_age + over)
    assert Tick(ctx)().failed == failed


# -- the end


def test_what_fails_for_good_is_refunded_and_its_creator_told_by_direct_message(ctx):
    row = create(ctx, max_fires=1)
    fire(ctx)
    assert ParcelFailed(ctx)(claim_one(ctx), "kicked")
    assert state(ctx, row) == (Status.ARMED, 0)
    notice = claim_one(ctx)
    assert (notice.to, [news.kind for news in notice.notice.news]) == (ADA, [NoticeKind.REFUNDED])
    assert claim(ctx) == ()
    assert ParcelSent(ctx)(notice, ["m"])
    assert owed(ctx, ADA) == []


def test_notices_that_were_not_recorded_as_told_are_told_again(ctx, clock):
    create(ctx)
    fire(ctx)
    ParcelFailed(ctx)(claim_one(ctx), "gone")
    lost = claim_one(ctx)
    clock.advance(LIMITS.send_lease)
    assert claim_one(ctx).items == lost.items


def test_all_notices_of_a_person_are_one_parcel_and_the_next_waits_for_the_gap(ctx, clock):
    row = create(ctx, **MANY)
    for _ in range(2):
        fire(ctx)
        ParcelFailed(ctx)(next(one for one in claim(ctx) if one.reminder), "gone")
    clock.advance(LIMITS.send_lease)
    parcel = claim_one(ctx)
    assert len(parcel.items) == 2
    ParcelSent(ctx)(parcel, ["m"])
    owe(ctx, row, who=ADA)
    assert claim(ctx) == ()
    assert NextDue(ctx)(*LOGIN) == LIMITS.notice_gap
    clock.advance(LIMITS.notice_gap)
    assert claim_one(ctx).to == ADA


def blocked(ctx):
    fire(ctx)
    ParcelFailed(ctx)(claim_one(ctx), "gone")
    ParcelFailed(ctx)(claim_one(ctx), "blocked")


def test_t011_who_cannot_be_written_to_is_asked_once_in_the_channel_and_nothing_leaks(ctx, clock):
    create(ctx, topic("deleted"), **MANY)
    blocked(ctx)
    line = claim_one(ctx)
    assert (line.content, line.to.channel, line.to.conversation) == (Unreached(ADA, "Ada"), "group", "group")
    assert ParcelSent(ctx)(line, ["m"])
    clock.advance(LIMITS.reach_gap - SECOND)
    blocked(ctx)
    assert claim(ctx) == ()
    clock.advance(LIMITS.reach_gap)
    blocked(ctx)
    assert claim_one(ctx).content == Unreached(ADA, "Ada")


def test_t009_a_direct_reminder_that_is_blocked_is_refunded_and_its_creator_asked_in_public(ctx):
    row = create(ctx, deliver=Deliver.DIRECT)
    fire(ctx)
    ParcelFailed(ctx)(claim_one(ctx), "blocked")
    assert state(ctx, row) == (Status.ARMED, 0)
    ParcelFailed(ctx)(claim_one(ctx), "blocked")
    line = claim_one(ctx)
    assert line.content == Unreached(ADA, "Ada")
    assert ParcelFailed(ctx)(line, "kicked")
    assert claim(ctx) == () and owed(ctx, ADA) == []


def test_nobody_is_asked_where_only_they_can_read(ctx):
    chat = replace(a_chat("ada"), visibility=Visibility.DIRECT)
    create(ctx, chat)
    fire(ctx, chat, ADA)
    ParcelFailed(ctx)(claim_one(ctx), "gone")
    ParcelFailed(ctx)(claim_one(ctx), "blocked")
    assert claim(ctx) == ()


# -- kinds


def test_another_kind_is_plugged_in_by_what_it_reads(ctx):
    create(ctx)
    reminder = fire(ctx)
    first = claim_one(ctx)
    item = OutboxItem(ctx.ids.uuid(), "timed", reminder.conversation, None, "", {"n": 1}, due_at=NOW, created_at=NOW)
    ParcelSent(ctx)(first, ["m"])
    with ctx.store.write() as tx:
        tx.outbox.add(item)
        tx.commit()
    kinds = {"timed": ParcelKind(lambda _ctx, _tx, item: item.body.get("n"))}
    [parcel] = ClaimParcels(ctx, kinds)(*LOGIN)
    assert (parcel.kind, parcel.content, parcel.to.channel) == ("timed", 1, "group")
    assert ParcelSent(ctx, kinds)(parcel, ["m"]) and item_of(ctx, item.id).state is OutboxState.SENT


def test_t165_a_row_of_a_kind_that_is_not_known_is_parked_with_its_error_and_keeps_nothing_back(ctx, clock, database):
    create(ctx, **MANY)
    old = fire(ctx)
    database.execute("UPDATE outbox SET kind = 'renamed' WHERE id = ?", old.outbox_id)
    clock.advance(SECOND)
    good = fire(ctx)
    assert claim_one(ctx).reminder.fire_id == good.fire_id
    item = item_of(ctx, old.outbox_id)
    assert (item.state, item.error) == (OutboxState.HELD, parcels.UNKNOWN_KIND)
    clock.advance(LIMITS.send_age * 2)
    Tick(ctx)()
    assert item_of(ctx, old.outbox_id).state is OutboxState.HELD, "no version that does not know it throws it away"

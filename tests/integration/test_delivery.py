"""Reminders that go elsewhere, and what quiet hours hold, on a real store."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery, PendingReminders
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.space_settings import ChangeSetting
from core.services.tick import Tick
from core.settings import Setting
from core.standing.intent import ChannelScope, Deliver, FireState, Status
from core.turn import ADMIN, Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_draft, a_place, a_turn, an_owner

OPS = a_place("ops", channel_name="ops")
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
NOW_OR_OLDER = timedelta(0)
NIGHT, MORNING = datetime(2026, 11, 30, 23, 30, tzinfo=UTC), datetime(2026, 12, 1, 7, 0, tzinfo=UTC)


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids, zone_of=ZoneInfo)


def create(ctx, where=HOME, **fields):
    return CreateIntent(ctx)(a_draft(**fields), an_owner(), where, "created")


def say(ctx, where=HOME, **fields):
    return ReceiveTurn(ctx)(a_turn(at=ctx.clock.now(), where=where, **fields)).fires


def outbox(ctx, reminder):
    with ctx.store.read() as tx:
        return tx.outbox.of_fire(reminder.fire_id)


def in_ops(ctx, **fields):
    """A rule of #general whose reminders go to #ops."""
    say(ctx, OPS)  # #ops is known
    with ctx.store.write() as tx:
        tx.places.ensure(OPS, ctx.ids.uuid())
        tx.commit()
    return create(ctx, deliver=Deliver.PLACE, deliver_to=OPS, **fields)


def quiet(ctx, hours="22:00-07:00", where=HOME):
    ChangeSetting(ctx)(Setting.QUIET_HOURS, hours, an_owner(), where)


def test_a_reply_is_posted_where_it_was_said(ctx):
    create(ctx)
    [reminder] = say(ctx)
    assert (reminder.recipient, reminder.post_in, reminder.said_in) == (None, None, None)
    assert reminder.reply_to and outbox(ctx, reminder).recipient is None


def test_t007_a_direct_message_goes_to_the_creator_alone_and_says_where_it_was_said(ctx):
    create(ctx, deliver=Deliver.DIRECT)
    [reminder] = say(ctx)
    item = outbox(ctx, reminder)
    assert (reminder.recipient, item.recipient, reminder.post_in) == (ADA, ADA, None)
    assert (reminder.said_in.channel, reminder.reply_to) == ("general", "")
    assert PendingReminders(ctx)(HOME) == () and PendingReminders(ctx).to_places(NOW_OR_OLDER) == ()
    assert PendingReminders(ctx).to_person(BOB) == ()
    [owed] = PendingReminders(ctx).to_person(ADA)
    assert (owed.fire_id, owed.late_since, owed.said_in.channel) == (reminder.fire_id, NOW, "general")


def test_t007_a_reminder_for_a_named_channel_goes_there(ctx):
    in_ops(ctx)
    [reminder] = say(ctx)
    assert (reminder.post_in.channel, reminder.said_in.channel, reminder.recipient) == ("ops", "general", None)
    assert PendingReminders(ctx)(HOME) == ()
    [owed] = PendingReminders(ctx)(OPS)
    assert owed.fire_id == reminder.fire_id and owed.post_in == reminder.post_in


def test_said_in_the_very_channel_it_goes_to_it_is_a_reply(ctx):
    in_ops(ctx, channel_scope=ChannelScope.SPACE)
    [reminder] = say(ctx, OPS)
    assert reminder.post_in is None and reminder.reply_to


@pytest.mark.parametrize("deliver", [Deliver.DIRECT, Deliver.HERE])
def test_t007_delivery_is_on_record_and_settles_once(ctx, deliver):
    row = create(ctx, deliver=deliver)
    [reminder] = say(ctx)
    assert ConfirmDelivery(ctx).delivered(reminder.fire_id)
    assert not ConfirmDelivery(ctx).delivered(reminder.fire_id)
    assert PendingReminders(ctx).to_person(ADA) == ()
    [fire] = ShowIntent(ctx)(row.handle, ADMIN, None).fires
    assert (fire.state, fire.settled_at) == (FireState.DELIVERED, NOW)
    with ctx.store.read() as tx:
        assert [row.op_type for row in tx.operations.of_target(row.id, 9)] == ["DELIVERED", "FIRED", "ASSERT"]


def test_what_is_made_in_a_direct_message_is_delivered_to_its_creator_alone(ctx):
    dm = replace(HOME, space="dm", channel="dm", conversation="dm", visibility=Visibility.DIRECT)
    create(ctx, dm)
    [reminder] = say(ctx, dm, sender=ADA)
    assert (reminder.recipient, outbox(ctx, reminder).recipient) == (ADA, ADA)
    assert PendingReminders(ctx)(dm) == ()
    assert [owed.fire_id for owed in PendingReminders(ctx).to_person(ADA)] == [reminder.fire_id]


def test_people_are_talking_where_a_reply_goes_so_quiet_hours_do_not_hold_it(ctx, clock):
    create(ctx)
    quiet(ctx)
    clock.set(NIGHT)
    [reminder] = say(ctx)
    assert reminder.held_until is None and outbox(ctx, reminder).due_at == NIGHT


def test_quiet_hours_do_not_hold_what_is_said_in_a_direct_message(ctx, clock):
    dm = replace(HOME, space="dm", channel="dm", conversation="dm", visibility=Visibility.DIRECT)
    create(ctx, dm)
    quiet(ctx, where=dm)
    clock.set(NIGHT)
    [reminder] = say(ctx, dm, sender=ADA)
    assert reminder.held_until is None and len(PendingReminders(ctx).to_person(ADA)) == 1


def test_t047_quiet_hours_hold_a_direct_message_until_morning_and_it_says_when_it_was_triggered(ctx, clock):
    create(ctx, deliver=Deliver.DIRECT)
    quiet(ctx)
    clock.set(NIGHT)
    [reminder] = say(ctx)
    assert reminder.held_until == MORNING
    clock.set(MORNING - SECOND)
    assert PendingReminders(ctx).to_person(ADA) == ()
    clock.set(MORNING)
    [owed] = PendingReminders(ctx).to_person(ADA)
    assert (owed.fire_id, owed.late_since, owed.held_until) == (reminder.fire_id, NIGHT, None)


def test_t047_quiet_hours_hold_a_post_in_a_named_channel(ctx, clock):
    in_ops(ctx)
    quiet(ctx)
    clock.set(NIGHT)
    [reminder] = say(ctx)
    assert reminder.held_until == MORNING
    assert PendingReminders(ctx).to_places(NOW_OR_OLDER) == PendingReminders(ctx)(OPS) == ()
    clock.set(MORNING)
    [owed] = PendingReminders(ctx).to_places(timedelta(days=1))
    assert (owed.fire_id, owed.post_in.channel, owed.late_since) == (reminder.fire_id, "ops", NIGHT)


def test_quiet_hours_are_those_of_the_zone_of_the_space(ctx, clock):
    create(ctx, deliver=Deliver.DIRECT)
    quiet(ctx)
    ChangeSetting(ctx)(Setting.ZONE, "Asia/Tokyo", an_owner(), HOME)
    clock.set(NIGHT - timedelta(hours=9))
    [reminder] = say(ctx)
    assert reminder.held_until == MORNING - timedelta(hours=9)


def test_what_was_queued_before_the_night_waits_for_its_end_too(ctx, clock):
    create(ctx, deliver=Deliver.DIRECT)
    quiet(ctx)
    assert say(ctx)[0].held_until is None
    clock.set(NIGHT)
    assert PendingReminders(ctx).to_person(ADA) == ()
    clock.set(MORNING)
    assert len(PendingReminders(ctx).to_person(ADA)) == 1


def test_what_is_held_is_owed_at_once_when_the_quiet_hours_are_switched_off(ctx, clock):
    create(ctx, deliver=Deliver.DIRECT)
    in_ops(ctx, triggers="zebra")
    quiet(ctx)
    clock.set(NIGHT)
    say(ctx, text="a zebra")
    say(ctx)
    pending = PendingReminders(ctx)
    assert pending.to_person(ADA) == pending(OPS) == ()
    quiet(ctx, "off")
    assert [len(found) for found in (pending.to_person(ADA), pending(OPS), pending.to_places(HOUR))] == [1, 1, 1]


def test_what_is_held_is_owed_at_once_when_the_clock_goes_back_to_the_day(ctx, clock):
    create(ctx, deliver=Deliver.DIRECT)
    in_ops(ctx, triggers="zebra")
    quiet(ctx)
    clock.set(NIGHT)
    say(ctx, text="a zebra")
    say(ctx)
    clock.set(NIGHT - 2 * HOUR)
    pending = PendingReminders(ctx)
    assert [len(found) for found in (pending.to_person(ADA), pending(OPS), pending.to_places(HOUR))] == [1, 1, 1]


def test_a_held_reminder_is_not_stale(ctx, clock):
    row = create(ctx, deliver=Deliver.DIRECT, max_fires=1)
    quiet(ctx)
    clock.set(NIGHT)
    [reminder] = say(ctx)
    clock.set(MORNING + timedelta(days=30))
    assert Tick(ctx)().refunded == 0
    assert ShowIntent(ctx)(row.handle, ADMIN, None).intent.status is Status.DONE
    assert [owed.fire_id for owed in PendingReminders(ctx).to_person(ADA)] == [reminder.fire_id]


def test_quiet_hours_of_another_space_hold_nothing_here(ctx, clock):
    create(ctx, deliver=Deliver.DIRECT)
    quiet(ctx, where=replace(HOME, space="away"))
    clock.set(NIGHT)
    assert say(ctx)[0].held_until is None


def test_a_young_reply_is_left_to_the_process_that_reserved_it(ctx, clock):
    create(ctx)
    say(ctx)
    age = ctx.limits.reservation_age
    clock.advance(age - SECOND)
    assert PendingReminders(ctx).to_places(age) == ()
    clock.advance(SECOND)
    [owed] = PendingReminders(ctx).to_places(age)
    assert owed.post_in.channel == "general"


def test_as_many_owed_reminders_are_read_as_the_bound_says(ctx):
    create(ctx, deliver=Deliver.DIRECT, cooldown=timedelta(0))
    for _ in range(3):
        say(ctx)
    for bound, found in ((2, 2), (3, 3), (4, 3)):
        less = replace(ctx, limits=replace(ctx.limits, owed_rows=bound))
        assert len(PendingReminders(less).to_person(ADA)) == found


def narrow(ctx, rows, pages):
    return replace(ctx, limits=replace(ctx.limits, owed_rows=rows, owed_pages=pages))


@pytest.mark.parametrize(("pages", "found"), [(3, 0), (4, 1)])
def test_as_many_pages_are_looked_through_as_the_bound_says(ctx, clock, pages, found):
    """Six reminders that quiet hours hold lie before the one of another space that is due."""
    away = replace(HOME, space="away")
    for where in (HOME, away):
        create(ctx, where, deliver=Deliver.DIRECT, cooldown=timedelta(0), max_fires=9)
    quiet(ctx)
    clock.set(NIGHT)
    for _ in range(6):
        say(ctx)
        clock.advance(SECOND)
    [due] = say(ctx, away)
    owed = PendingReminders(narrow(ctx, 2, pages)).to_person(ADA)
    assert [reminder.fire_id for reminder in owed] == [due.fire_id][:found]


def test_young_reminders_do_not_hide_one_that_was_held(ctx, clock):
    in_ops(ctx)
    create(ctx, cooldown=timedelta(0), max_fires=9, triggers="zebra")
    quiet(ctx)
    clock.set(NIGHT)
    for _ in range(5):
        say(ctx, text="a zebra")
        clock.advance(SECOND)
    [held] = say(ctx)
    quiet(ctx, "off")
    [owed] = PendingReminders(narrow(ctx, 2, 9)).to_places(HOUR)
    assert owed.fire_id == held.fire_id


def test_reminders_for_places_that_are_not_known_do_not_hide_one_that_is_due(ctx, clock):
    create(ctx, cooldown=timedelta(0), max_fires=9, channel_scope=ChannelScope.SPACE)
    for where in (OPS, OPS, OPS, HOME):
        say(ctx, where)
        clock.advance(SECOND)
    pending = PendingReminders(narrow(ctx, 1, 4))
    [owed] = pending.to_places(timedelta(0), known=lambda where: where.channel == HOME.channel)
    assert owed.post_in.channel == HOME.channel

"""The delivery loop against a platform that fails: real asyncio, a real store, time that jumps."""

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from adapters.base.contract import NeverSent, RetryLater
from adapters.base.delivery import LEASE_USED, STALLED, DeliveryLoop
from adapters.base.render import post_of
from core.errors import StorageError
from core.limits import LIMITS
from core.services.context import Context
from core.services.deliver import ConfirmDelivery
from core.standing.intent import ChannelScope, FireState, OutboxState
from tests.fakes.fasttime import JumpingLoop, LoopClock, run
from tests.fakes.platform import GROUP, a_chat, claim, create, fire, fire_of, item_of
from tests.fakes.sender import FakeSender

MANY = {"cooldown": timedelta(0), "max_fires": 99, "channel_scope": ChannelScope.SPACE}
LEASE = LIMITS.send_lease / timedelta(seconds=1)


@pytest.fixture
def loop():
    return JumpingLoop()


@pytest.fixture
def ctx(sqlite_store, loop, ids):
    return Context(sqlite_store, LoopClock(loop), ids)


async def on_this_thread(work, /):
    return work()


def deliver(ctx, loop, sender, seconds=1.0, runner=on_this_thread, during=None, **options):
    """Let the loop run so long."""

    async def work():
        delivery = DeliveryLoop(ctx, sender, partial(render, ctx), runner, **options)
        await delivery.start()
        if during is not None:
            await during(delivery)
        await asyncio.sleep(seconds)
        await delivery.stop()

    run(loop, work())


def render(ctx, parcel):
    return post_of(parcel, ctx.clock.now(), ctx.zone_of(parcel.zone))


def test_what_is_owed_is_sent_in_the_order_of_each_chat_and_recorded(ctx, loop):
    chats = [a_chat(name) for name in "abc"]
    for where in chats:
        create(ctx, where, **MANY)
    owed = [(where.channel, fire(ctx, where)) for _ in range(3) for where in chats]
    sender = FakeSender(takes=0.5)
    deliver(ctx, loop, sender, 5)
    assert len(sender.sent) == 9
    for where in chats:
        mine = [reminder.fire_id for channel, reminder in owed if channel == where.channel]
        sent = [post for _, post in sender.sent if post.to.channel == where.channel]
        assert [post.reply_to for post in sent] == [
            reminder.reply_to for channel, reminder in owed if channel == where.channel
        ]
        assert [fire_of(ctx, fire_id).state for fire_id in mine] == [FireState.DELIVERED] * 3
    assert sender.most_at_once == 3


@pytest.mark.parametrize("chats", [8, 9])
def test_as_many_chats_are_served_at_once_as_the_bound_says(ctx, loop, chats):
    for number in range(chats):
        where = a_chat(f"c{number}")
        create(ctx, where)
        fire(ctx, where)
    sender = FakeSender(takes=1.0)
    deliver(ctx, loop, sender, 5)
    assert (len(sender.sent), sender.most_at_once) == (chats, 8)


def test_a_wake_makes_it_look_at_once_and_without_one_it_polls(ctx, loop):
    create(ctx, **MANY)
    sender = FakeSender()

    async def later(delivery):
        await asyncio.sleep(1)
        fire(ctx)
        delivery.wake()
        await asyncio.sleep(0.5)
        fire(ctx)

    deliver(ctx, loop, sender, 10, during=later, poll=5.0)
    first, second = sender.tried
    assert first == 1.0 and 1.5 < second <= 6.5


def test_it_sleeps_until_something_is_due_and_is_never_busy(ctx, loop):
    create(ctx)
    fire(ctx)
    rounds = []

    async def counting(work, /):
        rounds.append(loop.time())
        return work()

    deliver(ctx, loop, FakeSender(RetryLater("flood", timedelta(seconds=40))), 60, counting, poll=5.0)
    assert len(rounds) < 60, "a look or two in five seconds"


def test_t153_an_error_of_the_platform_once_is_tried_again_and_the_loop_lives(ctx, loop):
    create(ctx, **MANY)
    first, second = fire(ctx), fire(ctx)
    sender = FakeSender(RetryLater("server"))
    deliver(ctx, loop, sender, 5)
    assert [post.reply_to for _, post in sender.sent] == [first.reply_to, second.reply_to]
    assert sender.tried[:2] == [0.0, 2.0]


def test_t155_a_line_that_is_down_for_90_seconds_loses_nothing(ctx, loop):
    create(ctx, **MANY)
    create(ctx, a_chat("b"))
    said = [fire(ctx) for _ in range(3)] + [fire(ctx, a_chat("b"))]
    sender = FakeSender()
    sender.down_until, sender.down = 90.0, RetryLater("network")
    deliver(ctx, loop, sender, 200)
    assert len(sender.sent) == 4 and min(at for at, _ in sender.sent) >= 90
    assert [fire_of(ctx, one.fire_id).state for one in said] == [FireState.DELIVERED] * 4


@pytest.mark.parametrize(("seconds", "told"), [(STALLED - 1, 0), (STALLED + 1, 1)])
def test_t155_a_store_that_hangs_is_told_of_once_and_the_loop_goes_on_after_it(ctx, loop, caplog, seconds, told):
    create(ctx)
    fire(ctx)
    sender, hangs = FakeSender(), iter([seconds])

    async def hanging(work, /):
        await asyncio.sleep(next(hangs, 0))
        return work()

    deliver(ctx, loop, sender, seconds + 5, hanging)
    assert [record.message for record in caplog.records].count("delivery.stalled") == told
    assert [at for at, _ in sender.sent] == [seconds]


def test_t195_t197_the_wait_of_the_platform_is_kept_and_other_chats_go_on(ctx, loop):
    create(ctx)
    create(ctx, a_chat("b"), **MANY)
    limited = fire(ctx)
    sender = FakeSender(RetryLater("flood", timedelta(seconds=40)))

    async def talk(delivery):
        for _ in range(3):
            await asyncio.sleep(5)
            fire(ctx, a_chat("b"))
            delivery.wake()

    deliver(ctx, loop, sender, 60, during=talk)
    assert [at for at, post in sender.sent if post.to.channel == "b"] == [5.0, 10.0, 15.0]
    [at] = [at for at, post in sender.sent if post.to.channel == "group"]
    assert 40.0 <= at < 41.0
    assert fire_of(ctx, limited.fire_id).state is FireState.DELIVERED


def test_what_will_never_work_is_refunded_and_the_loop_goes_on(ctx, loop):
    create(ctx, **MANY)
    first, second = fire(ctx), fire(ctx)
    deliver(ctx, loop, FakeSender(NeverSent("gone")), 5)
    assert [fire_of(ctx, one.fire_id).state for one in (first, second)] == [FireState.REFUNDED, FireState.DELIVERED]


@pytest.mark.parametrize("what", ["sender", "render"])
def test_a_defect_is_logged_and_tried_again(ctx, loop, caplog, what):
    create(ctx)
    reminder = fire(ctx)
    sender = FakeSender(*([ZeroDivisionError("sender")] if what == "sender" else []))
    broken = [ZeroDivisionError("render")] if what == "render" else []

    def rendering(parcel):
        if broken:
            raise broken.pop()
        return render(ctx, parcel)

    async def work():
        delivery = DeliveryLoop(ctx, sender, rendering, on_this_thread)
        await delivery.start()
        await asyncio.sleep(5)
        await delivery.stop()

    run(loop, work())
    assert fire_of(ctx, reminder.fire_id).state is FireState.DELIVERED
    assert [record.message for record in caplog.records] == ["delivery.defect"]
    assert caplog.records[0].exc_info is not None


def test_a_store_that_fails_is_logged_and_asked_again(ctx, loop, caplog):
    create(ctx)
    reminder = fire(ctx)
    failures = [StorageError("locked", retry=True)] * 3

    async def failing(work, /):
        if failures:
            raise failures.pop()
        return work()

    deliver(ctx, loop, FakeSender(), 10, failing)
    assert fire_of(ctx, reminder.fire_id).state is FireState.DELIVERED
    assert {record.message for record in caplog.records} == {"delivery.store"}


def test_what_was_sent_and_cannot_be_recorded_is_not_sent_again_however_long_the_store_fails(ctx, loop, caplog):
    caplog.set_level(logging.CRITICAL, "adapters.base.delivery")
    create(ctx)
    reminder = fire(ctx)
    sender = FakeSender()

    async def failing(work, /):
        if sender.sent and loop.time() < 5 * LEASE:
            raise StorageError("full")
        return work()

    deliver(ctx, loop, sender, 6 * LEASE, failing)
    assert len(sender.sent) == 1
    assert fire_of(ctx, reminder.fire_id).state is FireState.DELIVERED


def test_a_send_that_hangs_is_broken_off_within_its_lease_and_tried_again(ctx, loop):
    create(ctx)
    fire(ctx)
    sender = FakeSender(takes=9 * LEASE)

    async def mend(_delivery):
        await asyncio.sleep(LEASE / 2)
        sender.takes = 0

    deliver(ctx, loop, sender, LEASE, during=mend)
    assert sender.tried == [0.0, LEASE * LEASE_USED + 2.0]
    assert len(sender.sent) == 1


def test_a_parcel_whose_lease_ran_out_before_it_was_begun_is_not_sent_then(ctx, loop, caplog):
    create(ctx)
    fire(ctx)
    slow = [True]

    async def stuck(work, /):
        found = work()
        if slow and isinstance(found, tuple) and found:
            slow.clear()
            await asyncio.sleep(LEASE)
        return found

    sender = FakeSender()
    deliver(ctx, loop, sender, LEASE + 1, stuck)
    assert [record.message for record in caplog.records] == ["delivery.stalled", "delivery.lease"]
    assert len(sender.sent) == 1, "it came back by itself"


def test_stopping_lets_a_send_end_and_takes_nothing_more(ctx, loop):
    create(ctx, **MANY)
    first, second = fire(ctx), fire(ctx)
    sender = FakeSender(takes=3.0)
    deliver(ctx, loop, sender, 1.0)
    assert fire_of(ctx, first.fire_id).state is FireState.DELIVERED
    assert len(sender.tried) == 1
    item = item_of(ctx, second.outbox_id)
    assert (item.state, item.attempts) == (OutboxState.QUEUED, 0)


def test_stopping_breaks_off_what_takes_longer_than_its_bound_and_that_comes_back(ctx, loop):
    create(ctx)
    reminder = fire(ctx)

    async def work():
        delivery = DeliveryLoop(ctx, FakeSender(takes=30.0), partial(render, ctx), on_this_thread)
        await delivery.start()
        await asyncio.sleep(1)
        await delivery.stop(within=2.0)
        assert loop.time() == 3.0
        assert claim(ctx) == ()
        await asyncio.sleep(LEASE)
        [again] = claim(ctx)
        assert again.reminder.fire_id == reminder.fire_id

    run(loop, work())


def test_what_was_taken_while_it_stopped_goes_back(ctx, loop):
    create(ctx)
    reminder = fire(ctx)
    held: list[DeliveryLoop] = []

    async def slowly(work, /):
        found = work()
        await asyncio.sleep(1)
        return found

    async def work():
        delivery = DeliveryLoop(ctx, FakeSender(), partial(render, ctx), slowly)
        held.append(delivery)
        await delivery.start()
        await asyncio.sleep(0.5)
        await delivery.stop()

    run(loop, work())
    item = item_of(ctx, reminder.outbox_id)
    assert (item.attempts, item.state) == (0, OutboxState.QUEUED) and item.due_at <= ctx.clock.now()


def test_what_somebody_else_settled_meanwhile_is_left(ctx, loop):
    create(ctx)
    reminder = fire(ctx)
    sender = FakeSender(takes=1.0)

    async def confirm(_delivery):
        await asyncio.sleep(0.5)
        ConfirmDelivery(ctx).delivered(reminder.fire_id)

    deliver(ctx, loop, sender, 5, during=confirm)
    assert len(sender.tried) == 1


def test_more_parallel_sends_are_a_setting(ctx, loop):
    for number in range(4):
        create(ctx, a_chat(f"c{number}"))
        fire(ctx, a_chat(f"c{number}"))
    sender = FakeSender(takes=1.0)
    deliver(replace(ctx), loop, sender, 5, parallel=2)
    assert sender.most_at_once == 2
    assert GROUP.channel not in {post.to.channel for _, post in sender.sent}

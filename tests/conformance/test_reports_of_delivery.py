"""Public reports about delivery, through the loop to what a platform is given. Time jumps."""

import asyncio
from datetime import timedelta
from functools import partial

import pytest

from adapters.base.contract import NeverSent, RetryLater
from adapters.base.delivery import DeliveryLoop
from adapters.base.render import post_of
from core.services.context import Context
from core.standing.intent import Deliver, FireState
from tests.fakes.fasttime import JumpingLoop, LoopClock, run
from tests.fakes.platform import ADA, GROUP, create, fire, fire_of, item_of, operations, topic
from tests.fakes.sender import FakeSender


@pytest.fixture
def loop():
    return JumpingLoop()


@pytest.fixture
def ctx(sqlite_store, loop, ids):
    return Context(sqlite_store, LoopClock(loop), ids)


def deliver(ctx, loop, sender, seconds=10.0):
    async def on_this_thread(work, /):
        return work()

    async def work():
        delivery = DeliveryLoop(ctx, sender, partial(render, ctx), on_this_thread)
        await delivery.start()
        await asyncio.sleep(seconds)
        await delivery.stop()

    run(loop, work())


def render(ctx, parcel):
    return post_of(parcel, ctx.clock.now(), ctx.zone_of(parcel.zone))


@pytest.mark.parametrize(("chosen", "to"), [(Deliver.HERE, GROUP.channel), (Deliver.DIRECT, ADA)])
def test_t007_what_fired_while_away_comes_the_way_that_was_chosen_and_is_on_record(ctx, loop, chosen, to):
    row = create(ctx, triggers="outage", deliver=chosen)
    reminder = fire(ctx, text="outage in eu")
    sender = FakeSender()
    deliver(ctx, loop, sender)
    [(_, post)] = sender.sent
    assert (post.to if chosen is Deliver.DIRECT else post.to.channel) == to
    assert "@Bob said *outage*" in post.lines[0].text
    assert fire_of(ctx, reminder.fire_id).state is FireState.DELIVERED
    assert operations(ctx, row) == ["ASSERT", "FIRED", "DELIVERED"]


def test_t009_who_cannot_be_reached_directly_is_asked_where_others_read_and_nothing_is_spent(ctx, loop):
    row = create(ctx, deliver=Deliver.DIRECT, max_fires=1, description="the secret")
    reminder = fire(ctx)
    sender = FakeSender(NeverSent("blocked"), NeverSent("blocked"))
    deliver(ctx, loop, sender)
    assert fire_of(ctx, reminder.fire_id).state is FireState.REFUNDED
    assert [post.to.channel for _, post in sender.sent] == ["group"]
    assert sender.texts() == [
        "@Ada: I have something to tell you and cannot write to you. Open a private chat with me."
    ]
    assert operations(ctx, row) == ["ASSERT", "FIRED", "REFUNDED"]


@pytest.mark.parametrize("reachable", [True, False])
def test_t011_the_creator_learns_that_a_thread_is_gone_and_no_private_text_leaks(ctx, loop, reachable):
    create(ctx, topic("deleted"), description="the secret")
    fire(ctx, topic("deleted"))
    sender = FakeSender(NeverSent("gone"), *([] if reachable else [NeverSent("blocked")]))
    deliver(ctx, loop, sender)
    [(_, post)] = sender.sent
    if reachable:
        assert post.to == ADA and "could not be delivered" in post.lines[0].text
    else:
        assert (post.to.channel, post.to.conversation) == ("group", "group")
        assert "secret" not in post.lines[0].text


def test_t153_t197_one_error_or_limit_does_not_end_the_loop(ctx, loop):
    create(ctx, cooldown=timedelta(0))
    said = [fire(ctx), fire(ctx)]
    deliver(ctx, loop, FakeSender(RetryLater("server"), RetryLater("flood", timedelta(seconds=5)), OSError("line")), 60)
    assert [fire_of(ctx, one.fire_id).state for one in said] == [FireState.DELIVERED] * 2


def test_t195_a_wait_of_40_seconds_is_waited_once(ctx, loop):
    create(ctx)
    reminder = fire(ctx)
    sender = FakeSender(RetryLater("flood", timedelta(seconds=40)))
    deliver(ctx, loop, sender, 60)
    assert sender.tried == [0.0, 40.0]
    assert item_of(ctx, reminder.outbox_id).attempts == 1

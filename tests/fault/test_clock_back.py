"""The clock goes back an hour or a day: nothing fires too soon or twice, nothing ended comes back, nobody is stuck."""

import asyncio
import time
from datetime import datetime, timedelta

import apscheduler.executors.base
import apscheduler.schedulers.base
import pytest

from bots import doctor
from bots.heartbeat import Heartbeat
from core.errors import StorageError
from core.services.change_intent import PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery, PendingReminders
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.tick import LAST_SUCCESS, Tick
from core.standing.intent import CooldownPer, Status
from core.turn import ADMIN
from storage.repositories.processes import LIFETIME
from tests.builders import HOME, a_draft, a_turn, an_owner
from tests.fault.story import wrong_in

BACK = pytest.mark.parametrize("back", [timedelta(hours=1), timedelta(days=1)], ids=["hour", "day"])
MINUTE = timedelta(minutes=1)


@pytest.fixture
def ctx(store, clock, ids):
    return Context(store, clock, ids)


def made(ctx, words="golf", **fields):
    row = CreateIntent(ctx)(a_draft(words, **fields), an_owner(), HOME, "created")
    ctx.clock.advance(MINUTE)
    return row


def fires(ctx, text="golf", **fields):
    return [fire.handle for fire in ReceiveTurn(ctx)(a_turn(text, at=ctx.clock.now(), **fields)).fires]


def status(ctx, row):
    return ShowIntent(ctx)(row.handle, ADMIN, None).intent.status


@BACK
@pytest.mark.parametrize("per", CooldownPer)
def test_a_cooldown_is_never_shortened(ctx, clock, database, back, per):
    cooldown = timedelta(hours=2)
    clock.advance(days=2)
    row = made(ctx, cooldown=cooldown, cooldown_per=per)
    clock.advance(days=2)
    assert fires(ctx) == [row.handle]
    fired = clock.now()
    clock.advance(hours=3)
    Tick(ctx)()
    for moment in (fired - back, fired - MINUTE, fired, fired + cooldown - MINUTE):
        clock.set(moment)
        assert fires(ctx) == []
        Tick(ctx)()
    clock.set(fired + cooldown)
    assert fires(ctx) == [row.handle]
    assert wrong_in(database, ctx.store) == []


@BACK
def test_a_message_delivered_again_after_the_clock_went_back_fires_nothing(ctx, clock, back):
    clock.advance(days=2)
    made(ctx, cooldown=timedelta(0), max_fires=9)
    clock.advance(days=2)
    turn = a_turn("golf", at=clock.now())
    assert len(ReceiveTurn(ctx)(turn).fires) == 1
    for step in (-back, back, MINUTE):
        clock.advance(step)
        assert ReceiveTurn(ctx)(turn).fires == ()
    assert len(fires(ctx)) == 1


@BACK
def test_a_rule_that_the_heartbeat_ended_stays_ended(ctx, clock, back):
    row = made(ctx, expires_in=timedelta(days=2))
    clock.advance(days=2)
    Tick(ctx)()
    clock.advance(-back)
    Tick(ctx)()
    assert status(ctx, row) is Status.EXPIRED
    assert fires(ctx) == []


@BACK
def test_a_rule_that_nothing_has_moved_yet_waits_until_its_end_comes_again(ctx, clock, back):
    """Only a row that was moved is final: what a clock that ran ahead would have ended goes on."""
    row = made(ctx, expires_in=timedelta(days=2))
    clock.advance(days=2)
    assert fires(ctx) == []
    clock.advance(-back)
    assert fires(ctx) == [row.handle]


@BACK
def test_a_rule_made_by_a_clock_that_ran_ahead_is_woken_by_pausing_and_resuming(ctx, clock, back):
    row = made(ctx)
    clock.advance(-back)
    assert fires(ctx) == []
    for step in (PauseIntent, ResumeIntent):
        step(ctx)(row.handle, an_owner(), HOME)
    assert fires(ctx) == [row.handle]


@BACK
def test_what_is_owed_is_due_at_once_and_settled_once(ctx, clock, database, back):
    clock.advance(days=2)
    row = made(ctx)
    clock.advance(days=2)
    assert fires(ctx) == [row.handle]
    clock.advance(-back)
    assert Tick(ctx)().refunded == 0
    [owed] = PendingReminders(ctx)(HOME)
    assert ConfirmDelivery(ctx).delivered(owed.fire_id)
    assert not ConfirmDelivery(ctx).failed(owed.fire_id, "gone")
    assert wrong_in(database, ctx.store) == []


def test_a_message_from_the_future_fires_once(ctx, clock):
    row = made(ctx, cooldown=timedelta(0), max_fires=9)
    ahead = clock.now() + timedelta(hours=3)
    turn = a_turn("golf", at=ahead)
    assert [fire.handle for fire in ReceiveTurn(ctx)(turn).fires] == [row.handle]
    clock.set(ahead)
    assert ReceiveTurn(ctx)(turn).fires == ()


@BACK
def test_the_doctor_says_that_the_last_heartbeat_lies_ahead_until_the_next_one(ctx, clock, back):
    def seen():
        with ctx.store.read() as tx:
            return doctor.heartbeat(tx.records.fact(LAST_SUCCESS), clock.now(), 60)

    Tick(ctx)()
    clock.advance(-back)
    assert (seen().state, "future" in seen().found or "ahead" in seen().found) == (doctor.State.WARN, True)
    Tick(ctx)()
    assert seen().state is doctor.State.OK
    clock.advance(minutes=5)
    assert seen().state is doctor.State.WARN


@BACK
def test_a_process_seen_in_the_future_keeps_another_analyser_out_only_while_it_lives(store, clock, back):
    def refused(process, fingerprint):
        try:
            store.register_process(process, fingerprint, clock.now())
        except StorageError as error:
            assert "analyses text in another way" in error.sentence
            return True
        return False

    assert not refused("old", "v1")
    clock.advance(-back)
    assert refused("new", "v2")
    clock.advance(LIFETIME - MINUTE)
    assert not refused("old", "v1"), "it lives, and says so by the clock of today"
    clock.advance(MINUTE * 2)
    assert refused("new", "v2")
    clock.advance(LIFETIME + MINUTE)
    assert not refused("new", "v2")
    assert refused("old", "v1"), "the two never run at once"


def test_a_silent_process_of_the_future_ends_in_three_minutes(store, clock):
    store.register_process("old", "v1", clock.now() + timedelta(days=1))
    with pytest.raises(StorageError, match="another way"):
        store.register_process("new", "v2", clock.now())
    clock.advance(LIFETIME + MINUTE)
    store.register_process("new", "v2", clock.now())


def test_the_heartbeat_goes_on_when_the_system_clock_was_set_back(monkeypatch):
    moved = timedelta(0)

    class Moved(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + moved

    class Clock:
        def now(self):
            return Moved.now(doctor.UTC)

    for module in (apscheduler.schedulers.base, apscheduler.executors.base):
        monkeypatch.setattr(module, "datetime", Moved)

    async def story():
        nonlocal moved
        beats = []
        heartbeat = Heartbeat(lambda: beats.append(1), Clock(), 0.05)
        heartbeat.start()
        await until(lambda: len(beats) >= 2)
        moved = -timedelta(days=1)
        before = len(beats)
        await until(lambda: len(beats) >= before + 4)
        await heartbeat.stop()

    async def until(done, seconds=20):
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, "the heartbeat stands still"
            await asyncio.sleep(0.01)

    asyncio.run(story())

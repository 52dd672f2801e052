"""What another process does between the read-only look and the write transaction is seen by the write."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import StorageError
from core.services.audit import VerifyAudit
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery
from core.services.read_intents import ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.standing.gates import Reason
from core.standing.intent import Change
from core.turn import ADMIN
from tests.builders import HOME, NOW, a_draft, a_turn, an_owner
from tests.fakes.interleaved import InterleavedStore


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def during(ctx, happens):
    return replace(ctx, store=InterleavedStore(ctx.store, happens))


def create(ctx, **fields):
    return CreateIntent(ctx)(a_draft(**fields), an_owner(), HOME, "created")


def count(ctx, row):
    return ShowIntent(ctx)(row.handle, ADMIN, None).intent.fire_count


def test_the_same_message_fired_by_another_process_meanwhile_does_not_fire_twice(ctx):
    row, turn = create(ctx, cooldown=timedelta(0)), a_turn()
    first = []
    outcome = ReceiveTurn(during(ctx, lambda: first.append(ReceiveTurn(ctx)(turn))))(turn)
    assert (len(first[0].fires), outcome.fires, count(ctx, row)) == (1, (), 1)


def test_another_message_that_took_the_cooldown_meanwhile_leaves_nothing_to_fire(ctx):
    row = create(ctx)
    outcome = ReceiveTurn(during(ctx, lambda: ReceiveTurn(ctx)(a_turn())))(a_turn())
    assert (outcome.fires, count(ctx, row)) == ((), 1)


@pytest.mark.parametrize(
    "step",
    [
        lambda ctx, row: CancelIntent(ctx)(row.handle, an_owner(), HOME),
        lambda ctx, row: PauseIntent(ctx)(row.handle, an_owner(), HOME),
        lambda ctx, row: EditIntent(ctx)(row.handle, Change(triggers="kiwi"), an_owner(), HOME),
    ],
    ids=["cancel", "pause", "edit"],
)
def test_what_was_cancelled_paused_or_edited_meanwhile_does_not_fire(ctx, step):
    row = create(ctx)
    outcome = ReceiveTurn(during(ctx, lambda: step(ctx, row)))(a_turn())
    assert (outcome.fires, count(ctx, row)) == ((), 0)


def test_what_expired_while_the_lock_was_waited_for_does_not_fire(ctx, clock):
    row = create(ctx, expires_in=timedelta(seconds=1))
    outcome = ReceiveTurn(during(ctx, lambda: clock.advance(timedelta(seconds=1))))(a_turn())
    assert (outcome.fires, count(ctx, row)) == ((), 0)


def test_a_lost_race_is_tried_again_and_then_reported(ctx):
    row, turn = create(ctx), a_turn()

    def busy(times, retry):
        left = iter(range(times))

        def fail():
            if next(left, None) is not None:
                store.between = fail
                raise StorageError("Busy.", retry=retry)

        store = InterleavedStore(ctx.store, fail)
        return replace(ctx, store=store)

    with pytest.raises(StorageError):
        ReceiveTurn(busy(3, retry=True))(turn)
    with pytest.raises(StorageError):
        ReceiveTurn(busy(1, retry=False))(turn)
    assert count(ctx, row) == 0
    assert ReceiveTurn(busy(2, retry=True))(turn).fires
    assert count(ctx, row) == 1


def test_a_lock_that_was_waited_for_past_the_deadline_is_a_missed_deadline(ctx, clock):
    row = create(ctx)

    def busy():
        clock.advance(timedelta(seconds=3))
        raise StorageError("Busy.", retry=True)

    outcome = ReceiveTurn(during(ctx, busy))(a_turn())
    assert (outcome.ignored, outcome.fires, count(ctx, row)) == (Reason.DEADLINE, (), 0)


def test_two_heartbeats_at_once_move_each_row_once(ctx, clock):
    create(ctx)
    ending = create(ctx, triggers="kiwi", expires_in=timedelta(hours=1))
    ReceiveTurn(ctx)(a_turn())
    clock.advance(timedelta(days=2))
    first = []
    second = Tick(during(ctx, lambda: first.append(Tick(ctx)())))()
    assert (first[0].expired, first[0].rearmed) == (1, 1)
    assert (second.expired, second.rearmed) == (0, 0)
    with ctx.store.read() as tx:
        assert len(tx.operations.of_target(ending.id, 9)) == 2
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())


def test_a_fire_settled_meanwhile_is_settled_once(ctx):
    row = create(ctx)
    [reminder] = ReceiveTurn(ctx)(a_turn()).fires
    late = ConfirmDelivery(during(ctx, lambda: ConfirmDelivery(ctx).failed(reminder.fire_id, "gone")))
    assert not late.delivered(reminder.fire_id)
    assert count(ctx, row) == 0

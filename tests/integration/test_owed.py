"""What is still owed of a rule is dropped when the rule is cancelled or its creator leaves."""

import json
from datetime import timedelta

import pytest

from core.services.audit import VerifyAudit
from core.services.cancel_all import CancelAll
from core.services.change_intent import CancelIntent, PauseIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery, PendingReminders
from core.services.end_membership import EndMembership
from core.services.notices import KINDS, NoticeKind
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.standing.intent import FireState, OutboxState, Status
from core.turn import SYSTEM
from storage.repositories.intents import SqlIntents
from tests.builders import BOB, HOME, NOW, a_draft, a_place, a_turn, an_owner

LATER = timedelta(days=1)
ENDS = {
    "cancelled": lambda ctx, row: CancelIntent(ctx)(row.handle, an_owner(), HOME),
    "all cancelled": lambda ctx, row: CancelAll(ctx)(BOB, an_owner(), HOME),
    "creator left": lambda ctx, row: EndMembership(ctx)(BOB, HOME, [], SYSTEM),
}
WHOLE = [name for name in ENDS if name != "cancelled"]


@pytest.fixture
def ctx(store, clock, ids):
    clock.set(NOW)
    return Context(store, clock, ids)


def create(ctx, where=HOME, **fields):
    return CreateIntent(ctx)(a_draft(**fields), an_owner(BOB), where, "created")


def fire(ctx, **fields):
    [reminder] = ReceiveTurn(ctx)(a_turn(at=ctx.clock.now(), **fields)).fires
    return reminder


def stored(ctx, row):
    with ctx.store.read() as tx:
        return tx.intents.by_id(row.id)


def fate(ctx, reminder):
    with ctx.store.read() as tx:
        return tx.fires.get(reminder.fire_id).state, tx.outbox.of_fire(reminder.fire_id).state


def refunds(ctx, row):
    with ctx.store.read() as tx:
        found = tx.operations.of_target(row.id, 20)
        return [json.loads(one.payload) for one in found if one.op_type == "REFUNDED"]


def told(ctx):
    with ctx.store.read() as tx:
        return [item.kind for item in tx.outbox.owed(BOB, 100) if item.kind in KINDS]


@pytest.mark.parametrize("end", ENDS)
def test_what_is_owed_is_dropped_with_one_operation_each(ctx, clock, end):
    row = create(ctx, cooldown=timedelta(0))
    owed = [fire(ctx), fire(ctx)]
    ENDS[end](ctx, row)
    assert [fate(ctx, one) for one in owed] == [(FireState.REFUNDED, OutboxState.FAILED)] * 2
    after = stored(ctx, row)
    assert after.status is (Status.PENDING if end == "creator left" else Status.CANCELLED)
    assert (after.fire_count, after.last_fire_id, after.last_fired_at) == (0, None, None)
    why = "creator left" if end == "creator left" else "cancelled"
    assert [(one["why"], one["fire_count"]) for one in refunds(ctx, row)] == [(why, 0), (why, 1)]
    assert {one["fire"] for one in refunds(ctx, row)} == {one.fire_id for one in owed}
    assert NoticeKind.REFUNDED not in told(ctx)
    clock.advance(LATER)
    assert PendingReminders(ctx)(HOME) == () == PendingReminders(ctx).to_places(timedelta(0))
    assert not any(ConfirmDelivery(ctx).failed(one.fire_id, "gone") for one in owed)
    Tick(ctx)()
    assert stored(ctx, row).status is after.status and len(refunds(ctx, row)) == 2
    assert all(not report.why for report in VerifyAudit(ctx)())


@pytest.mark.parametrize("end", ENDS)
def test_what_was_delivered_still_counts(ctx, end):
    row = create(ctx, cooldown=timedelta(0))
    sent, owed = fire(ctx), fire(ctx)
    assert ConfirmDelivery(ctx).delivered(sent.fire_id)
    ENDS[end](ctx, row)
    after = stored(ctx, row)
    assert (after.fire_count, after.last_fire_id) == (1, sent.fire_id)
    assert fate(ctx, sent) == (FireState.DELIVERED, OutboxState.SENT)
    assert fate(ctx, owed) == (FireState.REFUNDED, OutboxState.FAILED)


@pytest.mark.parametrize("end", WHOLE)
def test_a_rule_that_is_done_stays_done_when_what_it_owes_is_dropped(ctx, end):
    row = create(ctx, max_fires=1)
    owed = fire(ctx)
    assert stored(ctx, row).status is Status.DONE
    ENDS[end](ctx, row)
    assert fate(ctx, owed) == (FireState.REFUNDED, OutboxState.FAILED)
    assert (stored(ctx, row).status, stored(ctx, row).fire_count, len(refunds(ctx, row))) == (Status.DONE, 1, 1)
    assert not ConfirmDelivery(ctx).failed(owed.fire_id, "gone")
    assert stored(ctx, row).status is Status.DONE


@pytest.mark.parametrize("end", WHOLE)
def test_what_is_owed_elsewhere_stays(ctx, end):
    away = a_place("general", space="away")
    row = create(ctx, away)
    owed = fire(ctx, where=away)
    create(ctx)
    ENDS[end](ctx, row)
    assert fate(ctx, owed) == (FireState.RESERVED, OutboxState.QUEUED)
    assert stored(ctx, row).status is Status.FIRED


def test_pausing_leaves_what_is_owed_until_its_creator_leaves(ctx):
    row = create(ctx)
    owed = fire(ctx)
    PauseIntent(ctx)(row.handle, an_owner(BOB), HOME)
    assert fate(ctx, owed) == (FireState.RESERVED, OutboxState.QUEUED)
    assert EndMembership(ctx)(BOB, HOME, [], SYSTEM) == 0
    assert fate(ctx, owed) == (FireState.REFUNDED, OutboxState.FAILED)
    assert (stored(ctx, row).status, stored(ctx, row).fire_count) == (Status.PENDING, 0)


@pytest.mark.parametrize("end", WHOLE)
def test_all_rows_are_found_in_one_statement(ctx, end, monkeypatch):
    def counted(*_args):
        raise AssertionError("a row made after a count would be missed")

    rows = [create(ctx, triggers=f"word{number}") for number in range(12)]
    with monkeypatch.context() as patch:
        patch.setattr(SqlIntents, "count", counted)
        assert ENDS[end](ctx, rows[0]) == 12
    assert not {stored(ctx, row).status for row in rows} & {Status.ARMED, Status.FIRED}

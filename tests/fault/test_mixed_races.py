"""Threads that edit, pause, cancel, create, refund and talk at once on one store: nothing is lost or half done."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from bots.runtime import SystemClock, SystemIds
from core.errors import InvalidInput, InvalidTransition
from core.limits import LIMITS
from core.services.audit import VerifyAudit
from core.services.change_intent import CancelIntent, EditIntent, PauseIntent, ResumeIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.deliver import ConfirmDelivery
from core.services.read_intents import ListIntents, ShowIntent
from core.services.receive_turn import ReceiveTurn
from core.services.refile import index_rows
from core.services.tick import Tick
from core.standing.intent import INDEXED, Change, FireState, OutboxState, Status
from core.turn import ADMIN, Principal
from tests.builders import HOME, a_draft, a_turn, an_owner
from tests.fakes.replayed import differing

ROUNDS = 25
LOST = (InvalidInput, InvalidTransition)  # a fair refusal: somebody else was first


@pytest.fixture
def ctx(store):
    return Context(store, SystemClock(), SystemIds(), replace(LIMITS, turn_deadline=timedelta(minutes=5)))


def together(*jobs):
    """Run the jobs at once; answers what was raised, fair refusals apart: a deadlock is not one."""
    failures = []
    gate = threading.Barrier(len(jobs))

    def run(job):
        gate.wait()
        for number in range(ROUNDS):
            try:
                job(number)
            except LOST:
                continue
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


def agree(ctx, database):
    """Counts, receipts, index and log tell the same story."""
    for row in ListIntents(ctx)(ADMIN, None, size=500).rows:
        with ctx.store.read() as tx:
            stored = tx.intents.by_id(row.id)
            fires = tx.fires.of_intent(row.key, 1_000)
            logged = [operation.op_type for operation in tx.operations.of_target(row.id, 10_000)]
        kept = [fire for fire in fires if fire.state is not FireState.REFUNDED]
        assert stored.fire_count == len(kept)
        assert logged.count("FIRED") == len(fires)
        assert logged.count("REFUNDED") == len(fires) - len(kept)
        filed = database.execute("SELECT anchor FROM trig WHERE intent_key = ? ORDER BY anchor", row.key)
        wanted = sorted(index.anchor for index in index_rows(stored)) if stored.status in INDEXED else []
        assert sorted(anchor for (anchor,) in filed) == wanted
    counts = database.execute("SELECT scope_key, rows FROM scopes WHERE rows <> 0 ORDER BY scope_key")
    assert counts == database.execute("SELECT scope_key, count(*) FROM trig GROUP BY scope_key ORDER BY scope_key")
    assert all(report.bad is None and not report.why for report in VerifyAudit(ctx)())
    assert differing(ctx.store) == []


def test_edits_turns_pauses_and_refunds_at_once_leave_one_story(ctx, database):
    row = CreateIntent(ctx)(a_draft("golf", cooldown=timedelta(0), max_fires=1000), an_owner(), HOME, "created")
    clock, words = ctx.clock, ("golf", "hotel")

    def talk(number):
        for reminder in ReceiveTurn(ctx)(a_turn("golf hotel", at=clock.now())).fires:
            if number % 3 == 0:
                ConfirmDelivery(ctx).failed(reminder.fire_id, "gone")

    def edit(number):
        change = Change(triggers=words[number % 2], description=f"Text {number}.", word_forms=number % 3 == 0)
        EditIntent(ctx)(row.handle, change, an_owner(), HOME)

    def nap(number):
        (PauseIntent if number % 2 else ResumeIntent)(ctx)(row.handle, an_owner(), HOME)

    def beat(_number):
        Tick(ctx)()

    assert together(talk, talk, edit, edit, nap, beat) == []
    agree(ctx, database)


def test_a_cancel_among_edits_is_never_lost(ctx, database):
    rows = [CreateIntent(ctx)(a_draft(f"golf{n}"), an_owner(), HOME, "created") for n in range(ROUNDS)]

    def edit(number):
        EditIntent(ctx)(rows[number].handle, Change(description=f"Other {number}."), an_owner(), HOME)

    def cancel(number):
        CancelIntent(ctx)(rows[number].handle, an_owner(), HOME)

    assert together(edit, cancel) == []
    assert {ShowIntent(ctx)(row.handle, ADMIN, None).intent.status for row in rows} == {Status.CANCELLED}
    agree(ctx, database)


def test_creators_and_talkers_at_once_lose_no_reminder_and_no_rule(ctx, database):
    CreateIntent(ctx)(a_draft("kiwi", cooldown=timedelta(0), max_fires=1000), an_owner(), HOME, "created")
    fired = []

    def talk(_number):
        fired.extend(ReceiveTurn(ctx)(a_turn("a kiwi", at=ctx.clock.now())).fires)

    def maker(name):
        owner = an_owner(Principal("console", "local", name))
        return lambda number: CreateIntent(ctx)(a_draft(f"plum{number}{name}"), owner, HOME, "created")

    assert together(talk, talk, maker("ada"), maker("bob"), maker("cyd")) == []
    assert len(fired) == 2 * ROUNDS
    assert ListIntents(ctx)(ADMIN, None).total == 1 + 3 * ROUNDS
    agree(ctx, database)


def test_a_heartbeat_that_refunds_among_talkers_and_confirmations_leaves_one_story(ctx, database):
    words = ("golf", "hotel", "india")
    for word in words:
        CreateIntent(ctx)(a_draft(word, cooldown=timedelta(0), max_fires=1000), an_owner(), HOME, "created")
    heartbeat = Tick(replace(ctx, limits=replace(ctx.limits, reservation_age=timedelta(0), chunk=7)))

    def talk(number):
        said = " ".join(words if number % 2 else words[::-1])
        for reminder in ReceiveTurn(ctx)(a_turn(said, at=ctx.clock.now())).fires:
            with ctx.store.write() as tx:  # what a sender does that ends before it records the outcome
                tx.outbox.mark(reminder.outbox_id, OutboxState.FAILED, ctx.clock.now())
                tx.commit()
            if number % 3 == 0:
                ConfirmDelivery(ctx).delivered(reminder.fire_id)

    def beat(_number):
        heartbeat()

    assert together(talk, talk, talk, beat, beat) == []
    agree(ctx, database)


def test_a_fire_confirmed_and_failed_at_once_is_settled_once(ctx, database):
    row = CreateIntent(ctx)(a_draft("golf", cooldown=timedelta(0), max_fires=1000), an_owner(), HOME, "created")
    fires = [ReceiveTurn(ctx)(a_turn("golf", at=ctx.clock.now())).fires[0].fire_id for _ in range(ROUNDS)]
    told = []

    def deliver(number):
        told.append(ConfirmDelivery(ctx).delivered(fires[number]))

    def fail(number):
        told.append(ConfirmDelivery(ctx).failed(fires[number], "gone"))

    assert together(deliver, fail) == []
    assert told.count(True) == ROUNDS
    assert ShowIntent(ctx)(row.handle, ADMIN, None).intent.fire_count <= ROUNDS
    agree(ctx, database)

"""Somebody holds the database for longer than anybody waits: turns go on, changes are refused, nothing is half done."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from bots.runtime import SystemClock, SystemIds
from core.errors import StorageError
from core.limits import LIMITS
from core.services.change_intent import CancelIntent
from core.services.context import Context
from core.services.create_intent import CreateIntent
from core.services.read_intents import ListIntents
from core.services.receive_turn import ReceiveTurn
from core.services.tick import Tick
from core.standing.gates import Reason
from core.standing.intent import Status
from core.turn import ADMIN
from storage.unit_of_work import open_store
from tests.builders import HOME, a_draft, a_turn, an_owner
from tests.fault.story import wrong_in

SHORT = replace(LIMITS, turn_deadline=timedelta(milliseconds=300))
BUSY = {"sqlite": "locked by another process", "postgres": "Another transaction was in the way"}


class Late(SystemClock):
    """A system clock that can be set forward."""

    ahead = timedelta(0)

    def now(self):
        return super().now() + self.ahead


@pytest.fixture
def ctx(database):
    store = open_store(database.url, schema=database.schema, migrate=False, busy_timeout=0.2)
    yield Context(store, Late(), SystemIds(), SHORT)
    store.close()


@pytest.fixture
def locked(ctx, database, held):
    """Two rules, one of them past its expiry, and a lock on everything; take it away with `go`."""
    rows = [
        CreateIntent(ctx)(a_draft(word, cooldown=timedelta(0), expires_in=life), an_owner(), HOME, "created")
        for word, life in (("golf", timedelta(days=9)), ("hotel", timedelta(hours=1)))
    ]
    ctx.clock.ahead = timedelta(days=1)
    return rows, held("hold_lock", url=database.url, schema=database.schema)


def state(database):
    return [database.execute(f"SELECT * FROM {name}") for name in ("standing_intents", "fires", "operations", "outbox")]


def test_a_turn_that_would_fire_ends_at_its_deadline_and_is_not_charged(ctx, database, locked):
    rows, holder = locked
    before = state(database)
    turn = a_turn("golf", at=ctx.clock.now())
    outcome = ReceiveTurn(ctx)(turn)
    assert (outcome.fires, outcome.block, outcome.ignored) == ((), "", Reason.DEADLINE)
    assert state(database) == before
    holder.told()
    assert [fire.handle for fire in ReceiveTurn(ctx)(replace(turn, received_at=ctx.clock.now())).fires] == [
        rows[0].handle
    ]
    assert wrong_in(database, ctx.store) == []


def test_a_turn_without_a_hit_and_a_list_do_not_wait(ctx, locked):
    assert ReceiveTurn(ctx)(a_turn("lunch", at=ctx.clock.now())).ignored is None
    assert ListIntents(ctx)(ADMIN, None).total == 2


def test_changes_are_refused_with_a_sentence_and_succeed_afterwards(ctx, database, locked):
    rows, holder = locked
    before = state(database)
    works = (
        lambda: CreateIntent(ctx)(a_draft("india"), an_owner(), HOME, "created"),
        lambda: CancelIntent(ctx)(rows[0].handle, an_owner(), HOME),
        Tick(ctx),
    )
    for work in works:
        with pytest.raises(StorageError, match=BUSY["sqlite" if database.sqlite else "postgres"]) as caught:
            work()
        assert caught.value.details["retry"] is True
        assert caught.value.hint
    assert state(database) == before
    holder.told()
    assert works[1]().status is Status.CANCELLED
    assert works[0]().status is Status.ARMED
    assert works[2]().expired == 1
    assert wrong_in(database, ctx.store) == []


def test_writers_within_ten_milliseconds_both_succeed(store, database):
    ctx, failures = Context(store, SystemClock(), SystemIds()), []

    def write(gate, word):
        gate.wait()
        try:
            CreateIntent(ctx)(a_draft(word), an_owner(), HOME, "created")
        except StorageError as error:
            failures.append(error)

    for number in range(15):
        gate = threading.Barrier(2)
        both = [threading.Thread(target=write, args=(gate, f"golf{number}{side}")) for side in "ab"]
        for one in both:
            one.start()
        for one in both:
            one.join()
    assert failures == []
    assert ListIntents(ctx)(ADMIN, None).total == 30
    assert wrong_in(database, store) == []

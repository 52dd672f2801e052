"""The outbox as the delivery loop uses it: due heads of chats, claims, postponing, what is overdue."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.standing.intent import OutboxItem, OutboxState
from core.turn import Principal, Where
from tests.builders import NOW

SECOND = timedelta(seconds=1)
LEASE = timedelta(minutes=1)
THERE = Where("telegram", "bot", "g", "g", "g")
CARL = Principal("telegram", "bot", "carl")


@pytest.fixture
def put(store, ids):
    """Puts a message for a place or a person into the outbox, due when it is made."""

    def add(where=THERE, at=0, **fields):
        with store.write() as tx:
            spot = tx.places.ensure(where, ids.uuid())
            made = NOW + at * SECOND
            base = OutboxItem(ids.uuid(), "k", spot.conversation, None, "", due_at=made, created_at=made)
            item = replace(base, **fields)
            tx.outbox.add(item)
            tx.commit()
        return item

    return add


@pytest.fixture
def ready(store):
    def read(at=0, limit=9, account="bot"):
        with store.read() as tx:
            return [item.id for _, item in tx.outbox.ready("telegram", account, NOW + at * SECOND, limit)]

    return read


def do(store, work):
    with store.write() as tx:
        found = work(tx.outbox)
        tx.commit()
    return found


def got(store, item):
    with store.read() as tx:
        return tx.outbox.get(item.id)


def topic(name):
    return replace(THERE, conversation=name)


def chat(name):
    return Where("telegram", "bot", name, name, name)


def test_only_the_oldest_due_item_of_a_chat_is_ready(put, ready):
    later, first, other = put(at=2), put(topic("t"), at=1), put(chat("h"), at=3)
    assert ready(5) == [first.id, other.id]
    assert later.id not in ready(5)


def test_as_many_chats_are_read_as_asked_for(put, ready):
    items = [put(chat(name), at=number) for number, name in enumerate("abc")]
    assert [ready(9, limit) for limit in (2, 3, 4)] == [[item.id for item in items][:n] for n in (2, 3, 3)]


def test_a_person_is_a_chat_of_the_login_that_knows_them(put, ready):
    mine = put(recipient=CARL)
    put(recipient=replace(CARL, account="else"))
    put(replace(THERE, account="else"))
    away = put(replace(THERE, account="else"), recipient=CARL, at=1)
    assert ready(1) == [mine.id]
    assert len(ready(1, account="else")) == 2
    assert away.id not in ready(1)


def test_what_waits_for_its_attempt_keeps_its_chat_back_and_what_is_held_does_not(store, put, ready):
    waits, behind, other = put(), put(at=1), put(chat("h"), at=2)
    assert do(store, lambda outbox: outbox.postpone(waits, NOW + 9 * SECOND, "network"))
    assert ready(5) == [other.id]
    assert ready(9) == [waits.id, other.id]
    held = got(store, waits)
    assert do(store, lambda outbox: outbox.postpone(held, NOW + 20 * SECOND, held=True))
    assert ready(9) == [behind.id, other.id]


def test_what_a_clock_that_went_back_made_is_due(store, put, ready):
    item, behind = put(at=3600), put(at=3601)
    assert ready(0) == [item.id]
    assert do(store, lambda outbox: outbox.claim(item.id, 0, NOW + LEASE))
    assert ready(0) == []
    assert do(store, lambda outbox: outbox.mark(item.id, OutboxState.SENT, NOW))
    assert ready(0) == [behind.id]


def test_a_claim_is_for_one_and_counts_an_attempt(store, put, ready):
    item = put(state=OutboxState.HELD)
    assert do(store, lambda outbox: outbox.claim(item.id, 0, NOW + LEASE))
    assert not do(store, lambda outbox: outbox.claim(item.id, 0, NOW + LEASE))
    found = got(store, item)
    assert (found.state, found.attempts, found.due_at) == (OutboxState.QUEUED, 1, NOW + LEASE)
    assert ready(59) == [] and ready(60) == [item.id]


def test_nothing_final_is_claimed_or_postponed(store, put):
    item = put()
    assert do(store, lambda outbox: outbox.mark(item.id, OutboxState.FAILED, NOW, "gone"))
    assert not do(store, lambda outbox: outbox.claim(item.id, 0, NOW))
    assert not do(store, lambda outbox: outbox.postpone(item, NOW))
    assert got(store, item).error == "gone"


def test_who_lost_a_claim_cannot_postpone(store, put):
    item = put()
    do(store, lambda outbox: outbox.claim(item.id, 0, NOW + LEASE))
    mine = got(store, item)
    do(store, lambda outbox: outbox.claim(item.id, 1, NOW + 2 * LEASE))
    assert not do(store, lambda outbox: outbox.postpone(mine, NOW, "network"))
    assert got(store, item).due_at == NOW + 2 * LEASE


@pytest.mark.parametrize(("counted", "attempts"), [(True, 1), (False, 0)])
def test_an_attempt_is_taken_back_where_it_does_not_count(store, put, counted, attempts):
    item = put()
    do(store, lambda outbox: outbox.claim(item.id, 0, NOW + LEASE))
    mine = got(store, item)
    assert do(store, lambda outbox: outbox.postpone(mine, NOW, "flood", counted=counted))
    assert (got(store, item).attempts, got(store, item).error) == (attempts, "flood")
    again = got(store, item)
    assert do(store, lambda outbox: outbox.postpone(again, NOW + SECOND, counted=False))
    assert (got(store, item).attempts, got(store, item).error) == (0, "flood")


def test_the_next_due_time_lies_ahead_and_is_that_of_the_login(store, put):
    put()
    put(at=7)
    put(replace(THERE, account="else"), at=3)
    with store.read() as tx:
        assert tx.outbox.next_due("telegram", "bot", NOW) == NOW + 7 * SECOND
        assert tx.outbox.next_due("telegram", "bot", NOW + 7 * SECOND) is None


def test_the_error_of_the_last_failure_stays_when_it_is_sent(store, put):
    item = put()
    do(store, lambda outbox: outbox.postpone(item, NOW, "network"))
    do(store, lambda outbox: outbox.mark(item.id, OutboxState.SENT, NOW))
    assert got(store, item).error == "network"


def test_overdue_is_what_is_old_of_these_kinds_and_nobody_has(store, put):
    old, young = put(), put(at=1)
    put(kind="other")
    put(replace(THERE, provider="console"))
    taken = put(chat("h"))
    do(store, lambda outbox: outbox.claim(taken.id, 0, NOW + 3 * LEASE))

    def overdue(now, before=NOW + SECOND, limit=9):
        with store.read() as tx:
            found = tx.outbox.overdue(["k"], before, now, LEASE, "console", limit)
        return {item.id for item in found}

    assert overdue(NOW + 2 * LEASE) == {old.id}
    assert overdue(NOW + 3 * LEASE) == {old.id, taken.id}
    assert overdue(NOW) == {old.id, taken.id}, "no claim is as long as that: it waits for a platform"
    assert overdue(NOW + 2 * LEASE, NOW + 2 * SECOND) == {old.id, young.id}
    assert len(overdue(NOW + 3 * LEASE, limit=1)) == 1


def test_when_somebody_was_last_not_reached_is_known_by_reason(store, put):
    for at, error in ((1, "blocked"), (2, "gone"), (9, "blocked")):
        item = put(recipient=CARL)
        do(
            store,
            lambda outbox, item=item, at=at, error=error: outbox.mark(
                item.id, OutboxState.FAILED, NOW + at * SECOND, error
            ),
        )
    with store.read() as tx:
        assert tx.outbox.last_failed(CARL, ["k"], "blocked", NOW + 5 * SECOND) == NOW + SECOND
        assert tx.outbox.last_failed(CARL, ["k"], "kicked", NOW + 5 * SECOND) is None
        assert tx.outbox.last_failed(CARL, ["other"], "blocked", NOW + 5 * SECOND) is None

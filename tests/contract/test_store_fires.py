"""Storage contract: fires and the outbox."""

from datetime import timedelta

import pytest

from core.standing.intent import FireState, OutboxState, Status
from tests.builders import BOB, NOW, a_place
from tests.fakes.stored import an_item, put_fire, put_intent

SECOND = timedelta(seconds=1)


@pytest.fixture
def intent(store, ids):
    with store.write() as tx:
        made = put_intent(tx, ids)
        tx.commit()
    return made


def add(store, ids, intent, **fields):
    with store.write() as tx:
        fire = put_fire(tx, ids, intent, **fields)
        tx.commit()
    return fire


def queue(store, ids, fire, **fields):
    with store.write() as tx:
        item = an_item(ids, fire, **fields)
        tx.outbox.add(item)
        tx.commit()
    return item


def mark(store, item, state, at=NOW):
    with store.write() as tx:
        done = tx.outbox.mark(item.id, state, at)
        tx.commit()
    return done


def test_a_fire_comes_back_equal(store, ids, intent):
    plain = add(store, ids, intent)
    full = add(
        store,
        ids,
        intent,
        number=2,
        link="https://chat.example/1",
        entry='"release candidate" 🚀',
        terms=("release candidate", "🚀"),
        previous_status=Status.FIRED,
        previous_fired_at=NOW - SECOND,
        previous_fire_id=plain.id,
        sender_name="Bob ✨",
    )
    with store.read() as tx:
        assert tx.fires.get(plain.id) == plain
        assert tx.fires.get(full.id) == full
        assert tx.fires.get("nothing") is None


def test_a_message_fires_an_intent_once(store, ids, intent):
    add(store, ids, intent, message_id="1")
    with store.write() as tx:
        other = put_intent(tx, ids)
        again = put_fire(tx, ids, other, message_id="1")
        assert not tx.fires.add(again)
        put_fire(tx, ids, intent, message_id="2")
        thread = tx.places.ensure(a_place(thread="t"), ids.uuid()).conversation
        put_fire(tx, ids, intent, message_id="1", conversation=thread)
        assert tx.fires.of_message(intent.conversation, "1") == {intent.key, other.key}
        assert tx.fires.of_message(thread, "1") == {intent.key}
        assert tx.fires.of_message(thread, "2") == frozenset()


def test_a_refunded_fire_still_counts_for_its_message(store, ids, intent):
    fire = add(store, ids, intent, message_id="1")
    with store.write() as tx:
        assert tx.fires.settle(fire.id, FireState.REFUNDED, NOW)
        assert tx.fires.of_message(intent.conversation, "1") == {intent.key}


def test_a_fire_is_settled_once(store, ids, intent):
    fire = add(store, ids, intent)
    with store.write() as tx:
        assert tx.fires.settle(fire.id, FireState.DELIVERED, NOW)
        assert not tx.fires.settle(fire.id, FireState.REFUNDED, NOW + SECOND)
        assert not tx.fires.settle("nothing", FireState.DELIVERED, NOW)
        stored = tx.fires.get(fire.id)
    assert (stored.state, stored.settled_at) == (FireState.DELIVERED, NOW)


def test_the_history_of_an_intent_is_newest_first_and_paged(store, ids, intent):
    fires = [add(store, ids, intent, fired_at=NOW + n * SECOND, number=n + 1) for n in range(3)]
    with store.write() as tx:
        put_fire(tx, ids, put_intent(tx, ids))
        tx.commit()
    with store.read() as tx:
        assert tx.fires.of_intent(intent.key, 10) == (fires[2], fires[1], fires[0])
        assert tx.fires.of_intent(intent.key, 1, 1) == (fires[1],)
        assert tx.fires.of_intent(intent.key, 10, 3) == ()


def test_stale_means_reserved_before_that_time_oldest_first(store, ids, intent):
    late = add(store, ids, intent, fired_at=NOW - SECOND)
    early = add(store, ids, intent, fired_at=NOW - 2 * SECOND)
    add(store, ids, intent, fired_at=NOW)
    add(store, ids, intent, fired_at=NOW - SECOND, state=FireState.DELIVERED)
    with store.read() as tx:
        assert tx.fires.stale(NOW, 10) == (early, late)
        assert tx.fires.stale(NOW, 1) == (early,)


@pytest.mark.parametrize("state", OutboxState)
def test_a_fire_with_a_live_outbox_row_is_not_stale(store, ids, intent, state):
    fire = add(store, ids, intent, fired_at=NOW - SECOND)
    queue(store, ids, fire, state=state)
    with store.read() as tx:
        live = state in (OutboxState.QUEUED, OutboxState.HELD)
        assert tx.fires.stale(NOW, 10) == (() if live else (fire,))


def test_an_outbox_item_comes_back_equal(store, ids, intent):
    fire = add(store, ids, intent)
    item = queue(store, ids, fire, body={"text": "¿quién? 🚀", "list": [1, True, None]}, due_at=NOW)
    with store.read() as tx:
        assert tx.outbox.of_fire(fire.id) == item
        assert tx.outbox.of_fire("nothing") is None


def test_a_notice_needs_no_fire(store, ids, intent):
    item = queue(store, ids, add(store, ids, intent), fire_id=None, kind="notice")
    with store.read() as tx:
        assert tx.outbox.due([], 10) == (item,)


def test_a_body_that_is_not_canonical_is_refused(store, ids, intent):
    with pytest.raises(TypeError):
        queue(store, ids, add(store, ids, intent), body={"share": 0.5})


def test_live_items_are_oldest_first_by_conversation_in_pages(store, ids, intent):
    fire = add(store, ids, intent)
    with store.write() as tx:
        thread = tx.places.ensure(a_place(thread="t"), ids.uuid()).conversation
        tx.commit()
    second = queue(store, ids, fire, created_at=NOW + SECOND)
    first = queue(store, ids, fire)
    other = queue(store, ids, fire, conversation=thread, created_at=NOW + 2 * SECOND)
    for state in (OutboxState.SENT, OutboxState.FAILED):
        queue(store, ids, fire, state=state)
    with store.read() as tx:
        assert tx.outbox.due([], 10) == (first, second, other)
        assert tx.outbox.due([], 2) == (first, second)
        assert tx.outbox.due([], 2, 2) == (other,)
        assert tx.outbox.due([intent.conversation], 10) == (first, second)
        assert tx.outbox.due([intent.conversation], 10, 1) == (second,)
        assert tx.outbox.due([thread, intent.conversation], 10) == (first, second, other)
        assert tx.outbox.due([999], 10) == ()


def test_a_held_item_is_live_whenever_it_was_to_be_due(store, ids, intent):
    fire = add(store, ids, intent)
    held = queue(store, ids, fire, state=OutboxState.HELD, due_at=NOW + 9 * SECOND)
    with store.read() as tx:
        assert tx.outbox.due([], 10) == (held,)


def test_live_items_of_one_provider_alone(store, ids, intent):
    fire = add(store, ids, intent)
    with store.write() as tx:
        away = tx.places.ensure(a_place(provider="slack", account="t1"), ids.uuid()).conversation
        tx.commit()
    foreign = queue(store, ids, fire, conversation=away)
    own = queue(store, ids, fire, created_at=NOW + SECOND)
    with store.read() as tx:
        assert tx.outbox.due([], 10) == (foreign, own)
        assert tx.outbox.due([], 1, 0, "slack") == (foreign,)
        assert tx.outbox.due([], 1, 0, "console") == (own,)


def test_what_was_sent_in_the_future_is_not_the_last_one_sent(store, ids, intent):
    fire = add(store, ids, intent)
    for at in (NOW, NOW + 9 * SECOND):
        mark(store, queue(store, ids, fire, recipient=BOB, kind="notice"), OutboxState.SENT, at)
    with store.read() as tx:
        sent = [tx.outbox.last_sent(BOB, ["notice"], NOW + seconds * SECOND) for seconds in (-1, 0, 8, 9)]
    assert sent == [None, NOW, NOW, NOW + 9 * SECOND]


def test_what_one_person_is_owed_comes_in_pages(store, ids, intent):
    fire = add(store, ids, intent)
    items = [queue(store, ids, fire, recipient=BOB, created_at=NOW + number * SECOND) for number in range(3)]
    with store.read() as tx:
        assert [tx.outbox.owed(BOB, 2, offset) for offset in (0, 2, 3)] == [tuple(items[:2]), (items[2],), ()]


def test_an_item_is_marked_until_it_is_final_and_marking_is_no_attempt(store, ids, intent):
    fire = add(store, ids, intent)
    item = queue(store, ids, fire)
    assert mark(store, item, OutboxState.HELD)
    assert mark(store, item, OutboxState.QUEUED)
    assert mark(store, item, OutboxState.SENT)
    assert not mark(store, item, OutboxState.FAILED)
    with store.read() as tx:
        stored = tx.outbox.of_fire(fire.id)
    assert (stored.state, stored.attempts) == (OutboxState.SENT, 0)


def test_the_sender_of_a_fire_is_known_by_id_not_by_name(store, ids, intent):
    first = add(store, ids, intent, sender=BOB, sender_name="Bob")
    add(store, ids, intent, sender=BOB, sender_name="Robert")
    with store.read() as tx:
        assert tx.fires.get(first.id).sender == BOB
        assert tx.fires.get(first.id).sender_name == "Bob"

"""Storage contract: standing intents, their words, lists and due rows."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, LimitExceeded
from core.standing.intent import ChannelScope, Priority, Status
from core.stored import IntentFilter
from core.text.analyse import TextOptions
from core.turn import Visibility
from tests.builders import ADA, BOB, HOME, NOW, a_place
from tests.fakes.stored import put_intent

SECOND = timedelta(seconds=1)
FULL = {
    "entries": ("launch checklist", '"release candidate"', "回滚负责人 🚀"),
    "description": "Confirm the rollback owner — ¿quién?",
    "channel_scope": ChannelScope.SPACE,
    "watches": BOB,
    "watches_name": "Bob",
    "status": Status.FIRED,
    "max_fires": 1000,
    "cooldown": timedelta(days=365),
    "priority": Priority.CRITICAL,
    "options": TextOptions("de", False, True),
    "on_edits": True,
    "fire_count": 999,
    "last_fired_at": NOW + timedelta(microseconds=1),
    "last_fire_id": "fire-9",
    "source_message_id": "123",
    "renewed_from": "i-old",
    "created_at": NOW,
    "expires_at": NOW + timedelta(days=5 * 365),
}


def add(store, ids, **fields):
    with store.write() as tx:
        intent = put_intent(tx, ids, **fields)
        tx.commit()
    return intent


def update(store, old, new):
    with store.write() as tx:
        done = tx.intents.update(old, new)
        tx.commit()
    return done


def by_id(store, intent):
    with store.read() as tx:
        return tx.intents.by_id(intent.id)


def test_what_was_stored_comes_back_equal(store, ids):
    plain, full = add(store, ids), add(store, ids, **FULL)
    assert plain.key and full.key > plain.key
    with store.read() as tx:
        assert tx.intents.by_id(plain.id) == plain
        assert tx.intents.by_handle(full.handle) == full
        assert tx.intents.by_keys([full.key, plain.key]) == (plain, full)


def test_an_intent_without_arming_time_or_entries_comes_back_equal(store, ids):
    intent = add(store, ids, armed_at=None, status=Status.PENDING, entries=())
    assert by_id(store, intent) == intent


def test_an_unknown_intent_is_none(store):
    with store.read() as tx:
        assert tx.intents.by_id("nobody") is None
        assert tx.intents.by_handle("i-none") is None
        assert tx.intents.by_keys([1, 2]) == ()
        assert tx.intents.by_keys([]) == ()


def test_a_handle_is_never_given_out_twice(database, store, ids):
    intent = add(store, ids)
    with store.write() as tx, pytest.raises(LimitExceeded) as caught:
        put_intent(tx, ids, handle=intent.handle)
    assert caught.value.details["name"] == "handle"


def test_a_handle_of_a_row_that_is_gone_stays_taken(database, store, ids):
    intent = add(store, ids)
    database.execute("DELETE FROM standing_entries")
    database.execute("DELETE FROM standing_intents")
    with store.write() as tx, pytest.raises(LimitExceeded):
        put_intent(tx, ids, handle=intent.handle)


def test_words_that_no_database_keeps_are_refused(store, ids):
    for text in ("a\0b", "half \ud83d"):
        with store.write() as tx, pytest.raises(InvalidInput):
            put_intent(tx, ids, description=text)


def test_the_words_lie_in_content_with_a_salt_each(database, store, ids):
    intent = add(store, ids, entries=("launch", "launch"))
    rows = database.execute("SELECT id, salt, text FROM content ORDER BY id")
    assert [text for _, _, text in rows] == [intent.description, "launch", "launch"]
    assert len({bytes(salt) for _, salt, _ in rows}) == 3


def test_locking_gives_the_same_rows_in_the_same_order(store, ids):
    one, two = add(store, ids), add(store, ids)
    with store.write() as tx:
        assert tx.intents.by_keys([two.key, one.key], lock=True) == (one, two)


def test_an_update_writes_every_mutable_field(store, ids):
    old = add(store, ids)
    with store.write() as tx:
        tx.intents.reword("text-2", ids.salt(), FULL["description"])
        tx.commit()
    fixed = {"created_at", "source_message_id", "renewed_from"}
    new = replace(old, description_id="text-2", **{k: v for k, v in FULL.items() if k not in fixed})
    assert update(store, old, new)
    assert by_id(store, old) == replace(new, version=2)
    assert update(store, replace(new, version=2), replace(new, watches=None, watches_name=""))
    assert by_id(store, old).watches is None


def test_an_update_with_a_stale_version_writes_nothing(store, ids):
    old = add(store, ids)
    assert update(store, old, replace(old, fire_count=1))
    assert not update(store, old, replace(old, fire_count=2, entries=("other",)))
    assert by_id(store, old) == replace(old, fire_count=1, version=2)


def test_new_entries_replace_the_old_ones(database, store, ids):
    old = add(store, ids, entries=("one", "two", "three"))
    assert update(store, old, replace(old, entries=("two", "four")))
    assert by_id(store, old).entries == ("two", "four")
    assert database.execute("SELECT count(*) FROM standing_entries") == [(2,)]


def test_reworded_text_shows_only_after_the_update(store, ids):
    old = add(store, ids)
    with store.write() as tx:
        tx.intents.reword("text-2", ids.salt(), "New words.")
        assert tx.intents.by_id(old.id).description == old.description
        assert tx.intents.update(old, replace(old, description_id="text-2", description="New words."))
        tx.commit()
    assert by_id(store, old).description == "New words."


def test_more_fires_than_the_budget_are_refused_by_the_table(store, ids):
    old = add(store, ids, max_fires=3)
    with store.write() as tx, pytest.raises(Exception, match="breaks one of its rules"):
        tx.intents.update(old, replace(old, fire_count=4))


def test_a_list_is_newest_first_and_paged(store, ids):
    made = [add(store, ids, created_at=NOW + n * SECOND) for n in (2, 1, 3, 3)]
    expected = (made[3], made[2], made[0], made[1])
    with store.read() as tx:
        everything = IntentFilter()
        assert tx.intents.list(everything, 10, 0) == expected
        assert tx.intents.list(everything, 2, 1) == expected[1:3]
        assert tx.intents.list(everything, 2, 4) == ()
        assert tx.intents.count(everything) == 4


def test_filters_are_anded(store, ids):
    ada = add(store, ids, description="Straße sperren", creator=ADA)
    bob = add(store, ids, description="Open the road", creator=BOB, status=Status.DONE)
    done = add(store, ids, description="Close the ROAD", creator=ADA, status=Status.DONE)
    cases = {
        IntentFilter(creator=ADA): (done, ada),
        IntentFilter(creator=BOB): (bob,),
        IntentFilter(statuses=(Status.DONE,)): (done, bob),
        IntentFilter(statuses=(Status.DONE, Status.ARMED), creator=ADA): (done, ada),
        IntentFilter(text="STRASSE"): (ada,),
        IntentFilter(text="road"): (done, bob),
        IntentFilter(text="road", creator=BOB): (bob,),
        IntentFilter(text="%"): (),
        IntentFilter(creator=replace(ADA, account="other")): (),
    }
    with store.read() as tx:
        for wanted, expected in cases.items():
            assert tx.intents.list(wanted, 10, 0) == expected, wanted
            assert tx.intents.count(wanted) == len(expected), wanted
        assert tx.intents.list(IntentFilter(text="road"), 1, 1) == (bob,)


def test_a_list_of_one_namespace_shows_nothing_of_another(store, ids):
    home = add(store, ids)
    vault = add(store, ids, where=a_place("vault", visibility=Visibility.PRIVATE))
    other = add(store, ids, where=replace(HOME, space="other"))
    login = add(store, ids, where=replace(HOME, account="second"))
    with store.read() as tx:
        for intent in (home, vault, other, login):
            wanted = IntentFilter(namespace_ids=(intent.namespace_id,))
            assert tx.intents.list(wanted, 10, 0) == (intent,)
            assert tx.intents.count(replace(wanted, text="rollback")) == 1
        both = IntentFilter(namespace_ids=(home.namespace_id, vault.namespace_id))
        assert tx.intents.count(both) == 2


def test_live_rows_are_counted_by_creator_and_by_space(store, ids):
    for status in Status:
        add(store, ids, status=status)
    other = add(store, ids, where=replace(HOME, space="other"), creator=BOB)
    with store.read() as tx:
        assert tx.intents.live_of_creator(ADA) == 3
        assert tx.intents.live_of_creator(BOB) == 1
        assert tx.intents.live_of_creator(replace(BOB, account="second")) == 0
        assert tx.intents.live_of_space(other.space) == 1


def test_expired_rows_come_earliest_first_at_their_time_and_not_before(store, ids):
    late = add(store, ids, expires_at=NOW)
    early = add(store, ids, expires_at=NOW - SECOND, status=Status.PENDING)
    add(store, ids, expires_at=NOW + timedelta(microseconds=1))
    add(store, ids, expires_at=NOW - SECOND, status=Status.CANCELLED)
    with store.read() as tx:
        assert tx.intents.expiring(NOW, 10) == (early, late)
        assert tx.intents.expiring(NOW, 1) == (early,)
        assert tx.intents.expiring(NOW - 2 * SECOND, 10) == ()


def test_cooled_rows_come_earliest_first_at_their_time_and_not_before(store, ids):
    day = {"status": Status.FIRED, "cooldown": timedelta(days=1), "fire_count": 1}
    late = add(store, ids, last_fired_at=NOW - timedelta(days=1), **day)
    early = add(store, ids, last_fired_at=NOW - timedelta(days=2), **day)
    add(store, ids, last_fired_at=NOW - timedelta(days=1) + timedelta(microseconds=1), **day)
    add(store, ids, last_fired_at=NOW - timedelta(days=2), **(day | {"status": Status.ARMED}))
    with store.read() as tx:
        assert tx.intents.cooled(NOW, 10) == (early, late)
        assert tx.intents.cooled(NOW, 1) == (early,)

"""Storage contract: timed reminders."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from core.errors import LimitExceeded, StorageError
from core.operations.log import content_hash
from core.timed.kept import TimedFilter
from core.timed.reminder import TimedStatus, acknowledged, came_due, cancelled
from core.timed.when import Note, Resolution, When
from tests.builders import ADA, BOB, HOME, NOW, a_place
from tests.fakes.stored import put_timed

HOUR = timedelta(hours=1)
DOUBLED = datetime.fromisoformat("2026-10-25T02:30:15.250000").replace(fold=1)


def put(store, ids, where=HOME, **fields):
    with store.write() as tx:
        row = put_timed(tx, ids, where, **fields)
        tx.commit()
    return row


def change(store, old, new):
    with store.write() as tx:
        done = tx.timed.update(old, new)
        tx.commit()
    return done


def listed(store, **wanted):
    with store.read() as tx:
        rows = tx.timed.list(TimedFilter(**wanted), 100, 0)
        assert tx.timed.count(TimedFilter(**wanted)) == len(rows)
    return [row.handle for row in rows]


def test_a_reminder_comes_back_equal_by_handle_id_and_key(store, ids):
    plain = put(store, ids)
    full = put(
        store,
        ids,
        text="¿quién? 🚀",
        target=BOB,
        target_name="Bob ✨",
        when=When(DOUBLED, "Europe/Berlin", Resolution.DAY, "FREQ=DAILY"),
        for_all=True,
        direct=True,
        fired=3,
        last_due_at=NOW - HOUR,
        acknowledged_at=NOW,
        outbox_id="item",
        source_message_id="m1",
        reply_to="m2",
        snoozed_from=plain.id,
        fire_id="fire",
    )
    assert full.when.local.fold == 1
    with store.read() as tx:
        for row in (plain, full):
            found = tx.timed.by_handle(row.handle)
            assert found == tx.timed.by_id(row.id) == row
            assert found.when.local.fold == row.when.local.fold
        assert tx.timed.by_keys([full.key, plain.key, 999]) == (plain, full)
        assert tx.timed.by_handle("r-none") is tx.timed.by_id("none") is None


def test_the_notes_of_a_time_are_not_kept(store, ids):
    when = When(NOW.replace(tzinfo=None), "UTC", Resolution.DAY, "", (Note.DEFAULT_HOUR,))
    row = put(store, ids, when=when)
    assert row.when == replace(when, notes=())
    with store.read() as tx:
        assert tx.timed.by_id(row.id) == row


def test_a_handle_is_given_out_once_among_rules_and_reminders(store, ids):
    row = put(store, ids)
    with store.write() as tx, pytest.raises(LimitExceeded):
        put_timed(tx, ids, handle=row.handle)


def test_an_update_is_guarded_by_the_version(store, ids):
    old = put(store, ids)
    new = came_due(old, NOW + HOUR, "item")
    assert change(store, old, new)
    assert not change(store, old, cancelled(old))
    with store.read() as tx:
        assert tx.timed.by_id(old.id) == replace(new, version=old.version + 1)


def test_only_active_rows_are_due_earliest_first(store, ids):
    later, first = put(store, ids, due_at=NOW), put(store, ids, due_at=NOW - HOUR)
    future = put(store, ids, due_at=NOW + timedelta(microseconds=1))
    gone = put(store, ids, due_at=NOW - 2 * HOUR)
    change(store, gone, cancelled(gone))
    with store.read() as tx:
        assert [row.handle for row in tx.timed.due(NOW, 10)] == [first.handle, later.handle]
        assert [row.handle for row in tx.timed.due(NOW, 1)] == [first.handle]
        assert tx.timed.next_due() == NOW - HOUR
    for row in (later, first, future):
        change(store, row, came_due(row, None, "item"))
    with store.read() as tx:
        assert tx.timed.next_due() is None
        assert tx.timed.due(NOW + HOUR, 10) == ()


def test_active_rows_are_counted_by_their_creator(store, ids):
    put(store, ids, creator=ADA, target=BOB)
    over = put(store, ids, creator=ADA)
    put(store, ids, creator=BOB)
    change(store, over, came_due(over, None, "item"))
    with store.read() as tx:
        assert (tx.timed.active_of(ADA), tx.timed.active_of(BOB)) == (1, 1)


def test_a_list_shows_what_is_to_come_and_then_the_past_newest_first(store, ids):
    far, near = put(store, ids, due_at=NOW + 5 * HOUR), put(store, ids, due_at=NOW + HOUR)
    old, new = put(store, ids, due_at=NOW - 5 * HOUR), put(store, ids, due_at=NOW - HOUR)
    done, gone = put(store, ids, due_at=NOW - 9 * HOUR), put(store, ids, due_at=NOW + HOUR)
    for row in (old, new):
        change(store, row, came_due(row, None, "item"))
    change(store, done, acknowledged(came_due(done, None, "item"), NOW))
    change(store, gone, cancelled(gone))
    expected = [row.handle for row in (near, far, new, old)]
    assert listed(store, open_only=True) == expected
    assert set(listed(store)) == {*expected, done.handle, gone.handle}
    with store.read() as tx:
        page = tx.timed.list(TimedFilter(open_only=True), 2, 1)
        assert [row.handle for row in page] == expected[1:3]


def test_a_list_is_narrowed_to_people_namespaces_and_what_is_public(store, ids):
    mine = put(store, ids, creator=ADA, target=ADA)
    for_bob = put(store, ids, creator=ADA, target=BOB)
    bobs = put(store, ids, creator=BOB, target=BOB, direct=True)
    other = put(store, ids, a_place(space="away"), creator=ADA, target=ADA)
    assert set(listed(store, person=ADA)) == {mine.handle, for_bob.handle, other.handle}
    assert set(listed(store, person=BOB)) == {for_bob.handle, bobs.handle}
    assert set(listed(store, namespace_ids=(mine.namespace_id,))) == {mine.handle, for_bob.handle, bobs.handle}
    home = {"namespace_ids": (mine.namespace_id,)}
    assert set(listed(store, **home, but_direct_of=ADA)) == {mine.handle, for_bob.handle}
    assert bobs.handle in listed(store, **home, but_direct_of=BOB)


def test_erased_words_are_empty_text_and_no_hash(store, ids):
    salt = ids.salt()
    with store.write() as tx:
        row = put_timed(tx, ids, salt=salt)
        assert tx.timed.wording(row.key) == (row.text_id, content_hash(salt, row.text))
        tx.records.erase_content(row.text_id)
        assert tx.timed.wording(row.key) == (row.text_id, "")
        assert tx.timed.by_id(row.id) == replace(row, text="")


def test_a_row_that_this_version_cannot_read_is_parked(database, store, ids):
    good, bad = put(store, ids, due_at=NOW), put(store, ids, due_at=NOW)
    database.execute("UPDATE timed_reminders SET local = 'soon' WHERE handle = ?", bad.handle)
    with store.read() as tx:
        assert [row.handle for row in tx.timed.due(NOW, 10)] == [good.handle]
        with pytest.raises(StorageError, match=bad.handle):
            tx.timed.by_handle(bad.handle)


def test_an_active_row_has_a_due_time_and_another_has_none(store, ids):
    with store.write() as tx, pytest.raises(StorageError):
        put_timed(tx, ids, due_at=None)
    with store.write() as tx, pytest.raises(StorageError):
        put_timed(tx, ids, status=TimedStatus.DONE)


def test_an_item_of_the_outbox_is_found_by_its_id(store, ids):
    from core.standing.intent import OutboxItem

    row = put(store, ids)
    item = OutboxItem(ids.uuid(), "timed", row.conversation, None, "", {"timed": row.id}, due_at=NOW, created_at=NOW)
    with store.write() as tx:
        tx.outbox.add(item)
        assert tx.outbox.get(item.id) == item
        assert tx.outbox.get("none") is None

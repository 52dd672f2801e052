"""Storage contract: content, events, settings, facts and processes."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import InvalidInput, StorageError
from core.operations.log import content_hash
from core.stored import Event
from tests.builders import HOME, NOW
from tests.fakes.stored import file_intent, put_fire, put_intent

EVENT = Event(
    id="event-1",
    ts=NOW,
    stream="console/home",
    actor_id="ada",
    actor_type="HUMAN_USER",
    role="USER",
    content_id="words",
    content_hash="hash",
    namespace_id="system",
    metadata={"message": "1", "list": ["a"]},
)


def test_words_are_kept_with_their_salted_hash(store, ids):
    salt = ids.salt()
    with store.write() as tx:
        assert tx.records.put_content("words", salt, "¿quién? 🚀") == content_hash(salt, "¿quién? 🚀")
        tx.commit()
    with store.read() as tx:
        assert tx.records.content("words") == "¿quién? 🚀"
        assert tx.records.content("unknown") is None


def test_erasing_blanks_text_and_salt_once(database, store, ids):
    with store.write() as tx:
        tx.records.put_content("words", ids.salt(), "secret")
        tx.records.put_content("other", ids.salt(), "kept")
        assert tx.records.erase_content("words")
        assert not tx.records.erase_content("words")
        assert not tx.records.erase_content("unknown")
        tx.commit()
    rows = {row[0]: row[1:] for row in database.execute("SELECT id, salt, text FROM content")}
    assert rows["words"] == (None, None)
    assert rows["other"][1] == "kept"
    with store.read() as tx:
        assert tx.records.content("words") is None


def test_an_erased_description_is_empty_text(database, store, ids):
    with store.write() as tx:
        intent = put_intent(tx, ids)
        tx.records.erase_content(intent.description_id)
        tx.commit()
    with store.read() as tx:
        assert tx.intents.by_id(intent.id) == replace(intent, description="")


def test_an_erased_entry_leaves_no_copy_of_its_words(database, store, ids):
    with store.write() as tx:
        intent = put_intent(tx, ids, entries=("secretword",))
        file_intent(tx, intent, "secretword")
        put_fire(tx, ids, intent, entry="secretword", terms=("secretword",))
        tx.commit()
    (content_id,) = database.execute("SELECT content_id FROM standing_entries")[0]
    with store.write() as tx:
        assert tx.records.erase_content(content_id)
        tx.commit()
    for table in ("content", "standing_entries", "trig", "fires"):
        assert "secretword" not in repr(database.execute(f"SELECT * FROM {table}"))
    assert database.execute("SELECT rows FROM scopes WHERE scope_key >= 0") == [(0,)]
    with store.read() as tx:
        assert tx.intents.by_id(intent.id).entries == ("",)


def test_a_fire_loses_the_words_of_its_own_entry_and_an_older_one_of_any(database, store, ids):
    with store.write() as tx:
        intent = put_intent(tx, ids, entries=("mango", "plum"))
        for number, entry in enumerate(intent.entries):
            put_fire(tx, ids, intent, entry=entry, terms=(entry,), entry_no=number)
        old = put_fire(tx, ids, intent, entry="mango", terms=("mango",))
        (_, (mango, _), (plum, _)) = tx.intents.wordings(intent.key)
        tx.commit()
    assert sorted(database.execute("SELECT entry, entry_id FROM fires")) == [
        ("mango", mango),
        ("mango", mango),
        ("plum", plum),
    ]
    database.execute("UPDATE fires SET entry_id = NULL WHERE id = ?", old.id)
    with store.write() as tx:
        assert tx.records.erase_content(plum)
        tx.commit()
    assert sorted(database.execute("SELECT entry, terms FROM fires")) == [
        ("", "[]"),
        ("", "[]"),
        ("mango", '["mango"]'),
    ]


def test_words_that_no_database_keeps_are_refused(store, ids):
    with store.write() as tx, pytest.raises(InvalidInput):
        tx.records.put_content("words", ids.salt(), "a\0b")


def test_an_event_is_stored_with_its_words_apart(database, store, ids):
    with store.write() as tx:
        tx.records.put_content("words", ids.salt(), "said")
        tx.records.add_event(EVENT)
        tx.commit()
    assert database.execute("SELECT id, content_id, meta FROM events") == [
        ("event-1", "words", '{"list":["a"],"message":"1"}')
    ]


def test_an_event_without_its_words_is_refused(store):
    with store.write() as tx, pytest.raises(StorageError):
        tx.records.add_event(EVENT)
        tx.commit()


def test_settings_are_kept_by_space(store):
    with store.write() as tx:
        home = tx.places.ensure(HOME, "ns-1").space
        other = tx.places.ensure(replace(HOME, space="other"), "ns-2").space
        tx.records.put_setting(home, "language", "de")
        tx.records.put_setting(home, "quiet", {"from": "22:00", "days": [1, 2], "on": True})
        tx.records.put_setting(home, "language", "fr")
        tx.records.put_setting(other, "language", "ar")
        tx.commit()
    with store.read() as tx:
        assert tx.records.settings(home) == {
            "language": "fr",
            "quiet": {"from": "22:00", "days": [1, 2], "on": True},
        }
        assert tx.records.settings(other) == {"language": "ar"}
        assert tx.records.settings(999) == {}


def test_a_setting_that_is_not_canonical_is_refused(store):
    with store.write() as tx, pytest.raises(TypeError):
        tx.records.put_setting(1, "share", 0.5)


def test_a_fact_is_replaced(store):
    with store.write() as tx:
        assert tx.records.fact("heartbeat.last_success") is None
        tx.records.put_fact("heartbeat.last_success", "1")
        tx.records.put_fact("heartbeat.last_success", "2")
        tx.commit()
    with store.read() as tx:
        assert tx.records.fact("heartbeat.last_success") == "2"


def test_processes_with_one_analysis_live_side_by_side(store):
    store.register_process("a", "v1", NOW)
    store.register_process("b", "v1", NOW)
    store.register_process("a", "v1", NOW + timedelta(minutes=1))


def test_a_process_with_another_analysis_is_refused_while_the_first_lives(store):
    store.register_process("a", "v1", NOW)
    for seconds in (0, 180):
        with pytest.raises(StorageError, match="analyses text in another way"):
            store.register_process("b", "v2", NOW + timedelta(seconds=seconds))
    store.register_process("b", "v2", NOW + timedelta(seconds=180, microseconds=1))


def test_a_refreshed_process_is_still_alive(store):
    store.register_process("a", "v1", NOW)
    store.register_process("a", "v1", NOW + timedelta(seconds=100))
    with pytest.raises(StorageError):
        store.register_process("b", "v2", NOW + timedelta(seconds=200))


def test_a_process_that_ended_well_is_in_nobodys_way(store):
    store.register_process("a", "v1", NOW)
    store.unregister_process("a")
    store.register_process("b", "v2", NOW)


def test_a_process_may_change_its_own_analysis(store):
    store.register_process("a", "v1", NOW)
    store.register_process("a", "v2", NOW)


def test_a_process_counts_as_living_for_180_seconds_after_it_was_seen(store):
    assert store.living_processes(NOW) == 0
    store.register_process("a", "v1", NOW)
    store.register_process("b", "v1", NOW + timedelta(minutes=1))
    assert store.living_processes(NOW + timedelta(seconds=180)) == 2
    assert store.living_processes(NOW + timedelta(seconds=181)) == 1
    store.unregister_process("b")
    assert store.living_processes(NOW) == 1

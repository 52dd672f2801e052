"""Storage contract: the trigger index."""

from dataclasses import replace

import pytest

from core.standing.intent import Candidate, ChannelScope, IndexRow, Priority
from core.text.analyse import TextOptions
from core.turn import Visibility
from storage.memory import ScopeMemory
from tests.builders import BOB, HOME, NOW, a_place
from tests.fakes.stored import file_intent, put_intent


def filed(store, ids, *anchors, fingerprint="v1", **fields):
    with store.write() as tx:
        intent = put_intent(tx, ids, **fields)
        file_intent(tx, intent, *anchors, fingerprint=fingerprint)
        tx.commit()
    return intent


def probe(store, scopes, keys, sender=None, limit=100):
    with store.read() as tx:
        return tx.index.probe(tx.index.scopes(scopes), frozenset(keys), sender, limit)


def hits(store, scopes, keys, sender=None):
    return sorted((row.intent_key, row.entry_no) for row in probe(store, scopes, keys, sender).rows)


def rows_of_scope(database, scope):
    return database.execute("SELECT rows FROM scopes WHERE scope_key = ?", scope)


def test_a_candidate_carries_what_the_trigger_test_needs(store, ids):
    options = TextOptions("de", False, True)
    intent = filed(store, ids, "launch", options=options, priority=Priority.HIGH, created_at=NOW)
    found = probe(store, [intent.channel], ["launch"])
    expected = Candidate(intent.key, 0, "", "launch", options, Priority.HIGH, NOW)
    assert (found.rows, found.probed, found.cut) == ((expected,), 1, False)


def test_any_pair_of_scope_and_key_is_found_once(store, ids):
    one = filed(store, ids, "launch", "checklist")
    two = filed(store, ids, "launch", channel_scope=ChannelScope.SPACE)
    three = filed(store, ids, "launch", channel_scope=ChannelScope.ANYWHERE)
    scopes = [0, one.space, one.channel, one.conversation]
    assert hits(store, scopes, ["launch"]) == [(one.key, 0), (two.key, 0), (three.key, 0)]
    assert hits(store, scopes, ["checklist", "nothing"]) == [(one.key, 1)]
    assert hits(store, [0], ["launch", "checklist"]) == [(three.key, 0)]


@pytest.mark.parametrize(("scopes", "keys"), [([], ["launch"]), ([0], []), ([], [])])
def test_no_scopes_or_no_keys_find_nothing(store, ids, scopes, keys):
    filed(store, ids, "launch", channel_scope=ChannelScope.ANYWHERE)
    assert probe(store, scopes, keys).rows == ()


def test_keys_are_compared_byte_by_byte(store, ids):
    intent = filed(store, ids, "launch", "回滚", "🚀", "naïve", "o'clock", "100%", "?")
    scope = [intent.channel]
    assert hits(store, scope, ["Launch", "launch ", "naive", "laun", "100", "\0", "\ud800"]) == []
    assert len(hits(store, scope, ["launch", "回滚", "🚀", "naïve", "o'clock", "100%", "?"])) == 7


def test_every_reading_of_an_entry_is_a_row(store, ids):
    with store.write() as tx:
        intent = put_intent(tx, ids)
        rows = [IndexRow(0, "rollback", "", "roll-back"), IndexRow(0, "roll", "a", "roll-back")]
        tx.index.file(intent, intent.channel, [*rows, IndexRow(0, "roll", "b", "roll-back")], "v1")
        tx.commit()
    found = probe(store, [intent.channel], ["roll", "a", "b"])
    assert sorted(row.need for row in found.rows) == ["a", "b"]
    assert len(probe(store, [intent.channel], ["rollback"]).rows) == 1


def test_a_named_person_is_heard_and_others_are_not(store, ids):
    intent = filed(store, ids, "launch", watches=BOB, watches_name="Bob")
    anyone = filed(store, ids, "launch")
    other = replace(BOB, account="second")
    scope = [intent.channel]
    assert hits(store, scope, ["launch"], BOB) == [(intent.key, 0), (anyone.key, 0)]
    assert hits(store, scope, ["launch"], other) == [(anyone.key, 0)], "not stored yet"
    with store.write() as tx:
        tx.places.ensure_principal(other, "Bob")
        tx.commit()
    assert hits(store, scope, ["launch"], other) == [(anyone.key, 0)]
    assert hits(store, scope, ["launch"], None) == [(anyone.key, 0)]


def test_a_named_probe_reads_what_listens_to_that_sender_and_nothing_else(database, store, ids):
    intent = filed(store, ids, "launch", watches=BOB, watches_name="Bob")
    for _ in range(3):
        filed(store, ids, "launch")
    for opened in (store, database.open()):
        opened._memory.scopes = ScopeMemory(scope_rows=0 if opened is store else 10)
        for _ in range(3):  # the second look fills the memory
            with opened.read() as tx:
                scopes = tx.index.scopes([intent.channel])
                found = tx.index.probe(scopes, frozenset(["launch"]), BOB, 100, named=True)
                assert [row.intent_key for row in found.rows] == [intent.key]
                for other in (None, replace(BOB, account="second")):
                    assert tx.index.probe(scopes, frozenset(["launch"]), other, 100, named=True).rows == ()


def test_a_row_whose_further_keys_are_not_there_is_read_and_left_out(database, store, ids):
    with store.write() as tx:
        intent = put_intent(tx, ids)
        rows = [IndexRow(0, "launch", "checklist", "a"), IndexRow(1, "launch", "checklist ops", "b")]
        tx.index.file(intent, intent.channel, rows, "v1")
        tx.commit()
    for opened in (store, database.open()):
        opened._memory.scopes = ScopeMemory(scope_rows=0 if opened is store else 10)
        found = probe(opened, [intent.channel], ["launch", "checklist"])
        assert ([row.source for row in found.rows], found.probed, found.cut) == (["a"], 2, False)


def test_a_probe_at_its_limit_is_whole_and_beyond_it_is_cut(store, ids):
    for _ in range(3):
        scope = filed(store, ids, "launch").channel
    assert [probe(store, [scope], ["launch"], limit=n).cut for n in (2, 3, 4)] == [True, False, False]
    assert [probe(store, [scope], ["launch"], limit=n).probed for n in (2, 3, 4)] == [2, 3, 3]


def test_another_space_account_or_private_channel_is_never_probed(store, ids):
    places = (
        HOME,
        replace(HOME, space="other"),
        replace(HOME, account="second"),
        replace(HOME, provider="discord"),
        a_place("vault", visibility=Visibility.PRIVATE),
    )
    made = {
        where: {
            (filed(store, ids, "launch", channel_scope=scope, where=where).key, 0)
            for scope in (ChannelScope.SPACE, ChannelScope.CHANNEL, ChannelScope.CONVERSATION)
        }
        for where in places
    }
    for where, mine in made.items():
        with store.read() as tx:
            spot = tx.places.find(where)
        assert set(hits(store, spot.scope_keys(), ["launch"])) == mine


def test_filing_again_replaces_what_was_filed(database, store, ids):
    intent = filed(store, ids, "launch", "checklist")
    with store.write() as tx:
        tx.index.file(intent, intent.space, [IndexRow(0, "budget", "", "budget")], "v1")
        tx.commit()
    assert hits(store, [intent.channel], ["launch", "checklist"]) == []
    assert hits(store, [intent.space], ["budget"]) == [(intent.key, 0)]
    assert rows_of_scope(database, intent.channel) == [(0,)]
    assert rows_of_scope(database, intent.space) == [(1,)]


def test_removal_goes_by_the_stored_anchors(database, store, ids):
    intent, other = filed(store, ids, "old anchor", "launch"), filed(store, ids, "launch")
    with store.write() as tx:
        tx.index.remove(replace(intent, entries=("recomputed otherwise",)).key)
        tx.commit()
    assert hits(store, [intent.channel], ["old anchor", "launch"]) == [(other.key, 0)]
    assert rows_of_scope(database, intent.channel) == [(1,)]


def test_removing_what_is_not_filed_changes_nothing(store, ids):
    intent = filed(store, ids, "launch")
    with store.write() as tx:
        tx.index.remove(intent.key + 1)
        tx.commit()
    assert hits(store, [intent.channel], ["launch"]) == [(intent.key, 0)]


def test_filing_nothing_removes(store, ids):
    intent = filed(store, ids, "launch")
    with store.write() as tx:
        tx.index.file(intent, intent.channel, [], "v1")
        tx.commit()
    assert hits(store, [intent.channel], ["launch"]) == []


def test_a_scope_without_rows_is_not_probed(database, store, ids):
    intent = filed(store, ids, "launch")
    database.execute("UPDATE scopes SET rows = 0")
    assert hits(store, [intent.channel], ["launch"]) == []


def test_the_crowd_under_an_anchor_is_counted_by_rows_of_its_scope(store, ids):
    intent = filed(store, ids, "launch", "launch", "budget")
    filed(store, ids, "launch")
    filed(store, ids, "launch", where=replace(HOME, space="other"))
    with store.read() as tx:
        assert tx.index.crowd(intent.channel, "launch") == 3
        assert tx.index.crowd(intent.channel, "budget") == 1
        assert tx.index.crowd(intent.channel, "nothing") == 0
        assert tx.index.crowd(intent.space, "launch") == 0


def test_intents_filed_under_another_fingerprint_are_stale_until_filed_again(store, ids):
    old = [filed(store, ids, "launch", "budget", fingerprint=name) for name in ("v1", "v1", "v2")]
    new = filed(store, ids, "launch", fingerprint="v3")
    with store.write() as tx:
        assert tx.index.stale("v3", 10) == tuple(intent.key for intent in old)
        assert tx.index.stale("v3", 2) == (old[0].key, old[1].key)
        assert tx.index.stale("never filed", 10) == (*(intent.key for intent in old), new.key)
        file_intent(tx, old[0], "launch", fingerprint="v3")
        assert tx.index.stale("v3", 10) == (old[1].key, old[2].key)


def test_nothing_is_stale_in_an_empty_store(store):
    with store.read() as tx:
        assert tx.index.stale("v1", 10) == ()

"""What is remembered of the index never changes what a probe finds."""

import random

import pytest

from core.standing.intent import ChannelScope, IndexRow
from core.stored import Scope
from storage import memory
from storage.link import Link
from storage.memory import ScopeMemory
from storage.repositories.index import SCOPES
from tests.fakes.stored import file_intent, put_intent
from tests.fakes.threads import elsewhere

SEEN_BEFORE_READ = 2
WORDS = ("launch", "budget", "release", "deploy", "checklist", "rollback")


@pytest.fixture
def statements(monkeypatch):
    """The statements that were run."""
    seen, rows = [], Link.rows
    monkeypatch.setattr(Link, "rows", lambda link, text, *more: seen.append(text) or rows(link, text, *more))
    return seen


def filed(store, ids, *words, **fields):
    with store.write() as tx:
        intent = put_intent(tx, ids, **fields)
        file_intent(tx, intent, *words)
        tx.commit()
    return intent


def probe(tx, scopes, keys):
    return tx.index.probe(tx.index.scopes(scopes), frozenset(keys), None, 1_000)


def hits(store, scopes, keys):
    with store.read() as tx:
        return sorted((row.intent_key, row.entry_no) for row in probe(tx, scopes, keys).rows)


def test_a_turn_without_a_hit_is_answered_from_memory(store, ids, statements):
    intent = filed(store, ids, "launch")
    for _ in range(SEEN_BEFORE_READ):
        assert hits(store, [intent.channel], ["budget"]) == []
    statements.clear()
    assert hits(store, [intent.channel], ["budget", "deploy"]) == []
    assert statements == [SCOPES]


def test_a_scope_is_read_when_it_is_looked_at_again_and_not_before(store, ids, statements):
    intent = filed(store, ids, "launch")
    read = []
    for number in range(4):
        statements.clear()
        assert hits(store, [intent.channel], ["launch"]) == [(intent.key, 0)]
        read.append(memory.ROWS in statements)
        if number == 1:
            filed(store, ids, "budget")
    assert read == [False, True, False, True], "it changed after the second look"


def test_a_change_by_another_process_is_seen_at_once(database, store, ids):
    other = database.open()
    intent = filed(store, ids, "launch")
    assert hits(store, [intent.channel], ["budget"]) == []
    assert hits(store, [intent.channel], ["budget"]) == []
    second = filed(other, ids, "budget")
    for _ in range(SEEN_BEFORE_READ + 1):
        assert hits(store, [intent.channel], ["budget"]) == [(second.key, 0)]
    with other.write() as tx:
        tx.index.remove(second.key)
        tx.index.file(intent, intent.channel, [IndexRow(0, "budget", "", "")], "v1")
        tx.commit()
    assert hits(store, [intent.channel], ["budget", "launch"]) == [(intent.key, 0)]


def test_what_was_rolled_back_is_not_remembered(store, ids):
    intent = filed(store, ids, "launch")
    with store.write() as tx:
        tx.index.file(intent, intent.channel, [IndexRow(0, "budget", "", "")], "v1")
        assert len(probe(tx, [intent.channel], ["budget"]).rows) == 1
    with store.write() as tx:
        tx.index.file(intent, intent.channel, [IndexRow(0, "deploy", "", "")], "v1")
        tx.commit()
    assert hits(store, [intent.channel], ["budget"]) == []
    assert hits(store, [intent.channel], ["deploy"]) == [(intent.key, 0)]


def test_a_snapshot_keeps_to_its_own_generation(store, ids):
    intent = filed(store, ids, "launch")
    with store.read() as tx:
        assert len(probe(tx, [intent.channel], ["launch"]).rows) == 1
        elsewhere(lambda: filed(store, ids, "budget"))
        elsewhere(lambda: hits(store, [intent.channel], ["budget"]))
        assert probe(tx, [intent.channel], ["budget"]).rows == ()
    assert len(hits(store, [intent.channel], ["budget"])) == 1


def looked_at(store, scopes, keys):
    """What is found, once the scopes are remembered where they may be."""
    for _ in range(SEEN_BEFORE_READ):
        hits(store, scopes, keys)
    return hits(store, scopes, keys)


def test_a_scope_with_more_rows_than_the_bound_is_probed_each_time(sqlite_store, ids, statements):
    sqlite_store._memory.scopes = ScopeMemory(scope_rows=2)
    intent = filed(sqlite_store, ids, "launch", "budget")
    assert looked_at(sqlite_store, [intent.channel], ["deploy", "budget"]) == [(intent.key, 1)]
    assert memory.ROWS in statements
    filed(sqlite_store, ids, "release")
    statements.clear()
    assert looked_at(sqlite_store, [intent.channel], ["deploy", "budget"]) == [(intent.key, 1)]
    assert memory.ROWS not in statements


def test_memory_holds_no_more_rows_than_its_bound_and_what_is_in_use_stays(sqlite_store, ids):
    kept = sqlite_store._memory.scopes = ScopeMemory(total=3, idle=6)
    near = filed(sqlite_store, ids, "launch", "budget")
    far = filed(sqlite_store, ids, "launch", channel_scope=ChannelScope.SPACE)
    wide = filed(sqlite_store, ids, "deploy", channel_scope=ChannelScope.ANYWHERE)
    for scopes in ([near.channel], [far.space]):
        assert len(looked_at(sqlite_store, scopes, ["launch"])) == 1
    assert (kept._size, list(kept._scopes)) == (3, [near.channel, far.space])
    assert looked_at(sqlite_store, [0], ["deploy"]) == [(wide.key, 0)]
    assert 0 not in kept._scopes, "both others are in use"
    for _ in range(6):
        hits(sqlite_store, [far.space], ["launch"])
    assert looked_at(sqlite_store, [0], ["deploy"]) == [(wide.key, 0)]
    assert (kept._size, sorted(kept._scopes)) == (2, sorted([far.space, 0]))
    assert looked_at(sqlite_store, [near.channel], ["launch"]) == [(near.key, 0)]


def test_probes_with_and_without_memory_agree_on_random_changes(store, ids):
    rng = random.Random(11)
    with store.write() as tx:
        intents = [put_intent(tx, ids, channel_scope=scope) for scope in ChannelScope for _ in range(3)]
        tx.commit()
    scopes = (0, intents[0].space, intents[0].channel, intents[0].conversation)
    for _ in range(60):
        with store.write() as tx:
            file_intent(tx, rng.choice(intents), *rng.sample(WORDS, rng.randrange(3)))
            if rng.random() < 0.7:
                tx.commit()
        keys = rng.sample(WORDS, 3)
        with store.write() as tx:
            plain = {(row.intent_key, row.entry_no) for row in probe(tx, scopes, keys).rows}
        assert set(hits(store, scopes, keys)) == plain


@pytest.mark.parametrize(("others", "read"), [(2, True), (3, False)])
def test_so_many_scopes_are_noted_at_their_first_look(sqlite_store, ids, monkeypatch, statements, others, read):
    monkeypatch.setattr(memory, "SCOPES_SEEN", 3)
    intent = filed(sqlite_store, ids, "launch")
    hits(sqlite_store, [intent.channel], ["launch"])
    for number in range(others):
        sqlite_store._memory.scopes.filed(None, Scope(1_000 + number, 1, 1))
    statements.clear()
    hits(sqlite_store, [intent.channel], ["launch"])
    assert (memory.ROWS in statements) is read

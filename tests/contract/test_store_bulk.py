"""Filling a store in bulk gives the rows that one by one gives, and spaces can be doubled."""

from dataclasses import replace
from itertools import islice
from typing import Any

from bots.bench.replay import Replay, moment, turn_of
from bots.bench.workload import START_MS, make_intents
from core.services.receive_turn import ReceiveTurn
from core.services.refile import index_rows
from core.text.analyse import FINGERPRINT
from storage.bulk import double
from storage.unit_of_work import SqlStore
from tests.fakes.databases import Database

SPELT = {
    "handles": "handle",
    "places": "provider, account, kind, external_id, visibility",
    "principals": "provider, account, user_id",
    "scopes": "rows",
    "trig": "anchor, entry_no, reading, need, source, options, priority, created_at, analysis",
    "standing_entries": "entry_no",
}
COUNTED = ("handles", "places", "principals", "standing_intents", "standing_entries", "content", "trig", "namespaces")


def rows_of(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    return {table: sorted(database.execute(f"SELECT {names} FROM {table}")) for table, names in SPELT.items()}


def counts(database: Database) -> dict[str, int]:
    return {table: database.execute(f"SELECT count(*) FROM {table}")[0][0] for table in COUNTED}


def test_bulk_stores_what_one_by_one_stores(database: Database, store: SqlStore, sqlite_store: SqlStore) -> None:
    rows = list(make_intents(30, 1))
    assert Replay(store, exact=False).load(rows) == 30
    Replay(sqlite_store, exact=False).load(rows)
    with store.read() as tx, sqlite_store.read() as other:
        for number in range(1, 31):
            one, same = tx.intents.by_keys([number])[0], other.intents.by_keys([number])[0]
            assert (one.entries, one.description, one.creator) == (same.entries, same.description, same.creator)
            assert tx.intents.by_handle(one.handle) == one
    before = rows_of(database)
    with store.write() as tx:
        for number in range(1, 31):
            one = tx.intents.by_keys([number])[0]
            tx.index.file(one, one.scope_key(), index_rows(one), FINGERPRINT)
        tx.commit()
    assert rows_of(database) == before


def test_the_store_counts_on_after_bulk(store: SqlStore) -> None:
    replay = Replay(store, exact=True)
    rows = make_intents(40, 1)
    replay.load(islice(rows, 20))
    replay.load(islice(rows, 20))
    with store.write() as tx:
        one = tx.intents.by_keys([40])[0]
        new = replace(one, id="new", handle="i-new0", description_id="new")
        assert tx.intents.add(new, b"0" * 16).key == 41
        tx.commit()


def test_doubling_copies_every_space_under_another_account(database: Database, store: SqlStore) -> None:
    rows = list(make_intents(30, 1))
    Replay(store, exact=True).load(rows)
    before = counts(database)
    with store.write() as tx:
        double(tx, "~0")
        tx.commit()
    after = counts(database)
    assert {table: count * 2 for table, count in before.items()} == {**after, "namespaces": after["namespaces"] + 1}
    assert database.execute("SELECT sum(rows) FROM scopes")[0][0] == after["trig"]


def test_a_copy_of_a_rule_fires_in_its_own_space_only(store: SqlStore) -> None:
    rows = [{**row, "scope": "channel", "sender_scope": "anyone"} for row in make_intents(5, 1)]
    replay = Replay(store, exact=True)
    replay.load(rows)
    with store.write() as tx:
        double(tx, "~0")
        tx.commit()
    replay.clock.at = moment(START_MS)
    receive = ReceiveTurn(replay.context)
    said = {**rows[0], "turn": 1, "prompt": rows[0]["trigger_keywords"][0]}
    first = receive(turn_of(said, replay.clock.at)).fires
    copy = receive(turn_of({**said, "account_id": said["account_id"] + "~0"}, replay.clock.at)).fires
    assert [fire.handle + "~0" for fire in first] == [fire.handle for fire in copy]
    assert first

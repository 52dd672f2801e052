"""Storage contract: the append-only log."""

import threading

import pytest

from core.errors import NotFound
from core.operations.log import GENESIS, verify_chain
from core.turn import Visibility
from storage.repositories import operations
from tests.builders import HOME, a_place
from tests.fakes.ids import SeededIds
from tests.fakes.stored import a_draft_operation


def append(store, ids, namespace_id="system", **fields):
    with store.write() as tx:
        made = tx.operations.append(a_draft_operation(ids, namespace_id, **fields))
        tx.commit()
    return made


def chain(store, namespace_id="system"):
    with store.read() as tx:
        rows = list(tx.operations.chain(namespace_id))
        return rows, verify_chain(namespace_id, rows, tx.operations.head(namespace_id))


def test_a_new_store_has_one_empty_chain(store):
    with store.read() as tx:
        assert tx.operations.namespaces() == ("system",)
        assert tx.operations.head("system") == (0, GENESIS)
        assert list(tx.operations.chain("system")) == []


def test_operations_come_back_in_order_and_hold_together(store, ids):
    made = [append(store, ids, payload={"n": n, "text": "¿quién? 🚀"}) for n in range(3)]
    rows, report = chain(store)
    assert rows == made
    assert (report.bad, report.rows, report.head) == (None, 3, made[-1].hash)
    assert [row.sequence_num for row in rows] == [1, 2, 3]


def test_each_namespace_has_its_own_chain(store, ids):
    with store.write() as tx:
        tx.places.ensure(HOME, "ns-1")
        tx.places.ensure(a_place("vault", visibility=Visibility.PRIVATE), "ns-2")
        tx.commit()
    for namespace_id in ("ns-1", "ns-2", "ns-1"):
        append(store, ids, namespace_id)
    assert [len(chain(store, name)[0]) for name in ("ns-1", "ns-2", "system")] == [2, 1, 0]
    assert all(row.namespace_id == "ns-1" for row in chain(store, "ns-1")[0])


def test_an_unknown_namespace_is_not_found(store, ids):
    with store.write() as tx, pytest.raises(NotFound):
        tx.operations.append(a_draft_operation(ids, "nowhere"))
    with store.read() as tx, pytest.raises(NotFound):
        tx.operations.head("nowhere")


def test_the_operations_of_a_target_are_newest_first(store, ids):
    made = [append(store, ids, target_id="a", ts=ts) for ts in (5, 9, 9, 7)]
    append(store, ids, target_id="b")
    with store.read() as tx:
        assert tx.operations.of_target("a", 10) == (made[2], made[1], made[3], made[0])
        assert tx.operations.of_target("a", 1) == (made[2],)
        assert tx.operations.of_target("c", 10) == ()


def test_a_long_chain_is_read_in_pages(store, ids, monkeypatch):
    monkeypatch.setattr(operations, "PAGE", 2)
    with store.write() as tx:
        for _ in range(5):
            tx.operations.append(a_draft_operation(ids))
        tx.commit()
    rows, report = chain(store)
    assert (len(rows), report.bad) == (5, None)


def test_a_rolled_back_append_leaves_no_gap(store, ids):
    append(store, ids)
    with store.write() as tx:
        tx.operations.append(a_draft_operation(ids))
    append(store, ids)
    rows, report = chain(store)
    assert ([row.sequence_num for row in rows], report.bad) == ([1, 2], None)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE operations SET payload = '{}'",
        "UPDATE operations SET hash = hash",
        "DELETE FROM operations",
        "DELETE FROM operations WHERE sequence_num = 1",
    ],
)
def test_the_database_refuses_to_change_an_operation(database, store, ids, statement):
    append(store, ids)
    before = database.execute("SELECT * FROM operations")
    with pytest.raises(Exception, match="append-only"):
        database.execute(statement)
    assert database.execute("SELECT * FROM operations") == before


def test_the_database_refuses_to_replace_or_truncate_operations(database, store, ids):
    append(store, ids)
    statement = "TRUNCATE operations"
    if database.sqlite:
        statement = "INSERT OR REPLACE INTO operations SELECT * FROM operations"
    with pytest.raises(Exception, match="append-only"):
        database.execute(statement)
    assert database.execute("SELECT count(*) FROM operations") == [(1,)]


def test_racing_writers_make_one_chain_without_gaps(database, store):
    stores = [database.open() for _ in range(2)]
    start, failures = threading.Barrier(4), []

    def work(number):
        ids = SeededIds(number)
        try:
            start.wait()
            for _ in range(25):
                append(stores[number % 2], ids)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows, report = chain(store)
    assert not failures
    assert [row.sequence_num for row in rows] == list(range(1, 101))
    assert (report.bad, report.why) == (None, "")

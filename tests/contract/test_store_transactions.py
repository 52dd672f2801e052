"""Storage contract: commit, rollback, snapshots, threads."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import StorageError
from storage.hot_thread import HotThread
from storage.unit_of_work import open_store
from tests.builders import HOME
from tests.fakes.stored import put_intent
from tests.fakes.threads import elsewhere


def put(store, value, key="k"):
    with store.write() as tx:
        tx.records.put_fact(key, value)
        tx.commit()


def fact(store, key="k"):
    with store.read() as tx:
        return tx.records.fact(key)


def test_leaving_without_commit_leaves_nothing(database, store, ids):
    with store.write() as tx:
        put_intent(tx, ids)
        tx.records.put_fact("k", "v")
    assert fact(store) is None
    for table in ("standing_intents", "handles", "places", "principals", "content", "standing_entries"):
        assert database.execute(f"SELECT count(*) FROM {table}") == [(0,)], table


def test_an_error_rolls_back_and_passes(store):
    with pytest.raises(ZeroDivisionError), store.write() as tx:
        tx.records.put_fact("k", "v")
        raise ZeroDivisionError
    assert fact(store) is None


def test_a_failed_statement_leaves_the_store_usable(store, ids):
    with store.write() as tx:
        old = put_intent(tx, ids)
        tx.commit()
    with pytest.raises(StorageError), store.write() as tx:
        tx.intents.update(old, replace(old, fire_count=9))
    put(store, "v")
    assert fact(store) == "v"


def test_nothing_can_be_done_after_commit(store):
    with store.write() as tx:
        tx.commit()
        with pytest.raises(RuntimeError, match="over"):
            tx.records.fact("k")
        with pytest.raises(RuntimeError, match="over"):
            tx.commit()


def test_a_read_transaction_cannot_write(store):
    with store.read() as tx, pytest.raises(RuntimeError, match="cannot write"):
        tx.records.put_fact("k", "v")
    with store.read() as tx, pytest.raises(RuntimeError, match="cannot write"):
        tx.places.ensure(HOME, "ns-1")


def test_a_read_transaction_is_a_snapshot(store):
    put(store, "old")
    with store.read() as tx:
        assert tx.records.fact("k") == "old"
        elsewhere(lambda: put(store, "new"))
        assert tx.records.fact("k") == "old"
    assert fact(store) == "new"


def test_a_reader_does_not_wait_for_a_writer(store):
    put(store, "old")
    with store.write() as tx:
        tx.records.put_fact("k", "new")
        assert elsewhere(lambda: fact(store)) == "old"
        tx.commit()


def test_a_writer_does_not_wait_for_a_reader(store):
    with store.read() as tx:
        tx.records.fact("k")
        elsewhere(lambda: put(store, "new"))
    assert fact(store) == "new"


def test_a_second_sqlite_writer_is_told_that_the_database_is_locked(sqlite_store, tmp_path):
    impatient = open_store(f"sqlite:///{tmp_path / 'sqlite.db'}", busy_timeout=0.05)
    with sqlite_store.write():
        with pytest.raises(StorageError, match="locked") as caught, impatient.write():
            pass
        assert caught.value.details["retry"] is True
    put(impatient, "v")
    impatient.close()


def test_many_threads_share_a_store(store):
    def work(number):
        for turn in range(5):
            put(store, str(turn), key=f"k{number}")
            fact(store)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [fact(store, f"k{number}") for number in range(6)] == ["4"] * 6


def test_connections_of_threads_that_ended_are_closed(sqlite_store):
    files = Path("/proc/self/fd")
    if not files.is_dir():
        pytest.skip("counts open files in /proc")
    put(sqlite_store, "v")
    elsewhere(lambda: fact(sqlite_store))
    before = len(list(files.iterdir()))
    for _ in range(10):
        elsewhere(lambda: fact(sqlite_store))
    assert len(list(files.iterdir())) <= before + 3


def test_a_thread_has_one_sqlite_transaction_at_a_time(sqlite_store):
    with sqlite_store.read(), pytest.raises(RuntimeError, match="open transaction"), sqlite_store.write():
        pass
    assert fact(sqlite_store) is None


def test_a_closed_store_says_so(store):
    put(store, "v")
    store.close()
    with pytest.raises(StorageError, match="closed"), store.read():
        pass


def test_the_hot_thread_runs_one_call_after_the_other_on_one_thread(store):
    hot = HotThread(store)
    futures = [hot.submit(lambda n=n: (n, threading.get_ident(), put(store, str(n)))) for n in range(20)]
    results = [future.result(timeout=10) for future in futures]
    hot.close()
    assert [n for n, _, _ in results] == list(range(20))
    assert len({ident for _, ident, _ in results}) == 1
    assert fact(store) == "19"


def test_the_hot_thread_hands_errors_back(sqlite_store):
    hot = HotThread(sqlite_store)
    with pytest.raises(ZeroDivisionError):
        hot.submit(lambda: 1 // 0).result(timeout=10)
    assert hot.submit(lambda: fact(sqlite_store)).result(timeout=10) is None
    hot.close()
    with pytest.raises(RuntimeError):
        hot.submit(lambda: None)


def test_the_hot_thread_refuses_what_its_queue_cannot_hold(sqlite_store):
    hot, gate = HotThread(sqlite_store, queue=2), threading.Event()
    futures = [hot.submit(gate.wait), hot.submit(gate.wait)]
    with pytest.raises(StorageError, match="Too many turns"):
        hot.submit(gate.wait)
    gate.set()
    assert [future.result(timeout=10) for future in futures] == [True, True]
    hot.submit(gate.wait).result(timeout=10)
    hot.close()


@pytest.mark.postgres
def test_a_connection_that_the_server_dropped_is_replaced_unseen(postgres_database):
    store = postgres_database.open()
    put(store, "v")
    postgres_database.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = 'remembrancer' AND pid <> pg_backend_pid()"
    )
    assert fact(store) == "v"


@pytest.mark.postgres
def test_a_transaction_whose_connection_is_dropped_may_be_tried_again(postgres_database):
    store = postgres_database.open()
    with pytest.raises(StorageError, match="does not answer") as caught, store.write() as tx:
        tx.records.put_fact("k", "v")
        postgres_database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'remembrancer' AND pid <> pg_backend_pid()"
        )
        tx.commit()
    assert caught.value.details["retry"] is True
    assert fact(store) is None


@pytest.mark.postgres
def test_a_deadlock_may_be_tried_again(postgres_database, ids):
    store = postgres_database.open()
    with store.write() as tx:
        one, two = put_intent(tx, ids), put_intent(tx, ids)
        tx.commit()
    meet, errors = threading.Barrier(2), []

    def work(first, second):
        try:
            with store.write() as tx:
                tx.intents.by_keys([first], lock=True)
                meet.wait(timeout=10)
                tx.intents.by_keys([second], lock=True)
                tx.commit()
        except StorageError as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=keys) for keys in ((one.key, two.key), (two.key, one.key))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [error.details["retry"] for error in errors] == [True]

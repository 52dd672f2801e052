"""The floors of a benchmark: what the database itself takes for the least that a turn could do.

Measured on the same store in the same run, straight on the driver: an indexed point read, and one transaction
that reads a row, updates it and inserts another.
"""

import time
from collections.abc import Callable

from storage.link import Link, sql
from storage.unit_of_work import SqlStore, SqlTx

WARM_UP = 50
READ = sql("SELECT key, status, fire_count, last_fired_at FROM standing_intents WHERE key = ?")
ANY_KEY = sql("SELECT min(key), max(key) FROM standing_intents")
MAKE = sql("CREATE TABLE IF NOT EXISTS floor (id BIGINT PRIMARY KEY, count BIGINT, text TEXT)")
DROP = sql("DROP TABLE IF EXISTS floor")
FILL = sql("INSERT INTO floor (id, count, text) VALUES (?, 0, ?)")
ROW = sql("SELECT id, count, text FROM floor WHERE id = ?")
UPDATE = sql("UPDATE floor SET count = count + 1 WHERE id = ?")


def point_read(store: SqlStore, samples: int) -> list[tuple[int, int]]:
    """(wall, thread CPU) nanoseconds of indexed reads of one intent row on an open transaction."""
    with _open(store.read()) as tx:
        link = tx.link
        low, high = link.rows(ANY_KEY)[0]
        if low is None:
            return []
        keys = iter(range(samples + WARM_UP))
        return _measure(lambda: link.rows(READ, (low + next(keys) * 7919 % (high - low + 1),)), samples)


def read_update_insert(store: SqlStore, samples: int) -> list[tuple[int, int]]:
    """(wall, thread CPU) nanoseconds of one committed transaction: read a row, update it, insert another."""
    _once(store, lambda link: (link.run(DROP), link.run(MAKE), link.run(FILL, (0, "floor"))))
    numbers = iter(range(1, samples + WARM_UP + 1))

    def one(link: Link) -> None:
        link.rows(ROW, (0,))
        link.run(UPDATE, (0,))
        link.run(FILL, (next(numbers), "floor"))

    try:
        return _measure(lambda: _once(store, one), samples)
    finally:
        _once(store, lambda link: link.run(DROP))


def _open(transaction: object) -> SqlTx:
    assert isinstance(transaction, SqlTx)  # noqa: S101  # what SqlStore hands out
    return transaction


def _once(store: SqlStore, work: Callable[[Link], object]) -> None:
    with _open(store.write()) as tx:
        work(tx.link)
        tx.commit()


def _measure(work: Callable[[], object], samples: int) -> list[tuple[int, int]]:
    for _ in range(WARM_UP):
        work()
    taken = []
    for _ in range(samples):
        wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
        work()
        cpu, wall = time.thread_time_ns() - cpu, time.perf_counter_ns() - wall
        taken.append((wall, cpu))
    return taken

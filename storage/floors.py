"""The floors of a benchmark: what the database itself takes for the least that a use case could do.

Measured on the same store in the same run, straight on the driver: an indexed point read, one transaction that
reads a row, updates it and inserts another, and one transaction that inserts an intent's row and what it refers to.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from storage import mapping
from storage.link import Link, sql
from storage.repositories import content
from storage.repositories.intents import TAKE_HANDLE
from storage.unit_of_work import SqlStore, SqlTx

WARM_UP = 50
READ = sql("SELECT key, status, fire_count, last_fired_at FROM standing_intents WHERE key = ?")
ANY_KEY = sql("SELECT min(key), max(key) FROM standing_intents")
MAKE = sql("CREATE TABLE IF NOT EXISTS floor (id BIGINT PRIMARY KEY, count BIGINT, text TEXT)")
DROP = sql("DROP TABLE IF EXISTS floor")
FILL = sql("INSERT INTO floor (id, count, text) VALUES (?, 0, ?)")
ROW = sql("SELECT id, count, text FROM floor WHERE id = ?")
UPDATE = sql("UPDATE floor SET count = count + 1 WHERE id = ?")
_INTENT = mapping.INTENT_FIXED + mapping.INTENT_MUTABLE
INTENT_ROW = sql(f"SELECT {', '.join(_INTENT)} FROM standing_intents WHERE key = ?")  # noqa: S608  # constants
ADD_INTENT = sql(f"INSERT INTO standing_intents ({', '.join(_INTENT)}) VALUES ({', '.join('?' * len(_INTENT))})")  # noqa: S608  # constants
WORDS = "Reminder of the floor."
Sample = tuple[int, int]
"""(wall, thread CPU) nanoseconds."""


def point_read(store: SqlStore, samples: int, warm_up: int = WARM_UP) -> list[Sample]:
    """Indexed reads of one intent row each, on an open transaction; none in an empty store."""
    with _open(store.read()) as tx:
        link = tx.link
        low, high = link.rows(ANY_KEY)[0]
        if low is None:
            return []
        keys = iter(range(samples + warm_up))
        return _measure(lambda: link.rows(READ, (low + next(keys) * 7919 % (high - low + 1),)), samples, warm_up)


@contextmanager
def read_update_insert(store: SqlStore) -> Iterator[Callable[[int], list[Sample]]]:
    """Yields what measures so many committed transactions: read a row, update it, insert another."""
    _once(store, lambda link: (link.run(DROP), link.run(MAKE), link.run(FILL, (0, "floor"))))
    numbers = count(1)

    def one(link: Link) -> None:
        link.rows(ROW, (0,))
        link.run(UPDATE, (0,))
        link.run(FILL, (next(numbers), "floor"))

    try:
        _measure(lambda: _once(store, one), 0)
        yield lambda samples: _measure(lambda: _once(store, one), samples, 0)
    finally:
        _once(store, lambda link: link.run(DROP))


def insert_intent(store: SqlStore, like: int, numbers: Iterator[int], samples: int) -> list[Sample]:
    """Committed transactions that insert a copy of the intent row of key `like`, its handle and its description.

    No entries, no index, no evidence, no operation. `numbers` gives the copies their names.
    """
    with _open(store.read()) as tx:
        row = dict(zip(_INTENT, tx.link.rows(INTENT_ROW, (like,))[0], strict=True))

    def one(link: Link) -> None:
        name = f"floor-{next(numbers)}"
        link.run(TAKE_HANDLE, (name,))
        content.put(link, name, b"0123456789abcdef", WORDS)
        link.run(ADD_INTENT, tuple((row | {"id": name, "handle": name, "description_id": name}).values()))

    return _measure(lambda: _once(store, one), samples, 1)


def _open(transaction: object) -> SqlTx:
    assert isinstance(transaction, SqlTx)  # noqa: S101  # what SqlStore hands out
    return transaction


def _once(store: SqlStore, work: Callable[[Link], object]) -> None:
    with _open(store.write()) as tx:
        work(tx.link)
        tx.commit()


def _measure(work: Callable[[], object], samples: int, warm_up: int = WARM_UP) -> list[Sample]:
    for _ in range(warm_up):
        work()
    taken = []
    for _ in range(samples):
        wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
        work()
        cpu, wall = time.thread_time_ns() - cpu, time.perf_counter_ns() - wall
        taken.append((wall, cpu))
    return taken

"""Open connections: one a thread on SQLite, a small pool on PostgreSQL."""

import threading
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, cast

from sqlalchemy import Engine
from sqlalchemy.pool import PoolProxiedConnection

from core.catalogue import say
from core.errors import StorageError
from storage.failures import DRIVER_ERRORS, explain
from storage.link import Driver


@dataclass(slots=True)
class Held:
    """A connection in somebody's hands."""

    driver: Driver
    proxy: PoolProxiedConnection
    busy: bool = False


class Connections(Protocol):
    """Hands out connections with a transaction begun on them."""

    sqlite: bool

    def begin(self, write: bool, patience: timedelta | None = None) -> Held:
        """A connection inside a new transaction; StorageError when there is none to be had.

        A write waits for a lock at most `patience`, the store's own time-out when None.
        """
        ...

    def give(self, held: Held, broken: bool) -> None:
        """Take a connection back after its transaction ended; a broken one is closed."""
        ...

    def close(self) -> None:
        """Close everything."""
        ...


def _milliseconds(span: timedelta) -> int:
    """Rounded up, so that whoever waited so long is past the end of it."""
    return max(0, -(-span // timedelta(milliseconds=1)))


def _open(engine: Engine) -> Held:
    try:
        proxy = engine.raw_connection()
    except DRIVER_ERRORS as error:
        raise explain(error) from None
    return Held(cast("Driver", proxy.driver_connection), proxy)


class ThreadConnections:
    """SQLite: every thread keeps its own open connection, so that a turn pays for no connect."""

    sqlite = True

    def __init__(self, engine: Engine, busy_timeout: float) -> None:
        self._engine = engine
        self._busy_timeout = _milliseconds(timedelta(seconds=busy_timeout))
        self._local = threading.local()
        self._lock = threading.Lock()
        self._held: dict[threading.Thread, Held] = {}
        self._closed = False

    def begin(self, write: bool, patience: timedelta | None = None) -> Held:
        """Begin on this thread's connection. RuntimeError when a transaction is open on it already."""
        held: Held | None = getattr(self._local, "held", None)
        if held is None or self._closed:
            held = self._adopt()
        if held.busy:
            raise RuntimeError("this thread has an open transaction already")
        try:
            if patience is None:
                held.driver.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            else:
                self._begin_within(held.driver, patience)
        except DRIVER_ERRORS as error:
            raise explain(error) from None
        held.busy = True
        return held

    def _begin_within(self, driver: Driver, patience: timedelta) -> None:
        """Begin a write that waits so long for the lock; later transactions wait as before."""
        driver.execute(f"PRAGMA busy_timeout = {_milliseconds(patience)}").fetchall()
        try:
            driver.execute("BEGIN IMMEDIATE")
        finally:
            driver.execute(f"PRAGMA busy_timeout = {self._busy_timeout}").fetchall()

    def _adopt(self) -> Held:
        if self._closed:
            raise StorageError(say("storage.closed"), say("storage.closed.hint"), retry=False)
        held = _open(self._engine)
        with self._lock:
            for thread in [thread for thread in self._held if not thread.is_alive()]:
                self._held.pop(thread).proxy.close()
            self._held[threading.current_thread()] = held
        self._local.held = held
        return held

    def give(self, held: Held, broken: bool) -> None:
        """Keep the connection for the thread's next transaction."""
        held.busy = False
        if broken:
            self.release()

    def release(self) -> None:
        """Close the calling thread's connection; its next transaction opens another."""
        with self._lock:
            held = self._held.pop(threading.current_thread(), None)
        self._local.held = None
        if held is not None:
            held.proxy.close()

    def close(self) -> None:
        """Close the connections of all threads. No transaction may be open."""
        with self._lock:
            self._closed = True
            for held in self._held.values():
                held.proxy.close()
            self._held.clear()
        self._engine.dispose()


class PooledConnections:
    """PostgreSQL: a small pool; what the server dropped while idle is replaced once, unseen."""

    sqlite = False
    READ = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE"

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._closed = False

    def begin(self, write: bool, patience: timedelta | None = None) -> Held:
        """Begin on a connection of the pool."""
        if self._closed:
            raise StorageError(say("storage.closed"), say("storage.closed.hint"), retry=False)
        try:
            return self._begin(write, patience)
        except StorageError as error:
            if not error.details.get("dropped"):
                raise
        self._engine.dispose()
        return self._begin(write, patience)

    def _begin(self, write: bool, patience: timedelta | None) -> Held:
        held = _open(self._engine)
        try:
            held.driver.execute(self.WRITE if write else self.READ)
            if patience is not None:  # else that of the connection; 0 would wait for ever
                held.driver.execute(f"SET LOCAL lock_timeout = {max(_milliseconds(patience), 1)}")
        except DRIVER_ERRORS as error:
            self.give(held, broken=True)
            failure = explain(error)
            failure.details["dropped"] = True
            raise failure from None
        return held

    def give(self, held: Held, broken: bool) -> None:
        """Back to the pool, or away when broken."""
        if broken or cast("Any", held.driver).closed:
            held.proxy.invalidate()
        held.proxy.close()

    def close(self) -> None:
        """Close the pool."""
        self._closed = True
        self._engine.dispose()

"""Transactions over one store: `with store.write() as tx: ...; tx.commit()`."""

from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

from core.ports import Tx
from storage import upgrade
from storage.connections import Connections, Held, PooledConnections, ThreadConnections
from storage.engine import BUSY_TIMEOUT, make_engine, only_readable, parse_url
from storage.failures import DRIVER_ERRORS, explain
from storage.link import Link
from storage.memory import Memory
from storage.repositories import processes
from storage.repositories.fires import SqlFires
from storage.repositories.goals import SqlGoals
from storage.repositories.index import SqlTriggerIndex
from storage.repositories.intents import SqlIntents
from storage.repositories.kept import SqlKept
from storage.repositories.operations import SqlOperations
from storage.repositories.outbox import SqlOutbox
from storage.repositories.places import SqlPlaces
from storage.repositories.records import SqlRecords
from storage.repositories.timed import SqlTimed


class SqlTx:
    """`core.ports.Tx`: begun on entering, rolled back on leaving unless committed.

    Raises StorageError when the store cannot be used, RuntimeError for a statement after `commit()`.
    """

    __slots__ = (
        "_connections",
        "_held",
        "_memory",
        "_patience",
        "_write",
        "link",
        "places",
    )

    def __init__(
        self, connections: Connections, memory: Memory, write: bool, patience: timedelta | None = None
    ) -> None:
        self._connections = connections
        self._memory = memory
        self._write = write
        self._patience = patience
        self._held: Held | None = None

    def __enter__(self) -> Self:
        held = self._held = self._connections.begin(self._write, self._patience)
        link = self.link = Link(held.driver, self._connections.sqlite, self._write)
        self.places = SqlPlaces(link, self._memory.places)
        return self

    @property
    def index(self) -> SqlTriggerIndex:
        """Trigger entries by scope and anchor."""
        return SqlTriggerIndex(self.link, self.places, self._memory.scopes)

    @property
    def intents(self) -> SqlIntents:
        """Standing intents."""
        return SqlIntents(self.link, self.places)

    @property
    def fires(self) -> SqlFires:
        """Receipts and reservations."""
        return SqlFires(self.link, self.places)

    @property
    def outbox(self) -> SqlOutbox:
        """What bots owe."""
        return SqlOutbox(self.link, self.places)

    @property
    def timed(self) -> SqlTimed:
        """Timed reminders."""
        return SqlTimed(self.link, self.places)

    @property
    def goals(self) -> SqlGoals:
        """Goal memory."""
        return SqlGoals(self.link, self.places, self._memory.goals)

    @property
    def operations(self) -> SqlOperations:
        """The log."""
        return SqlOperations(self.link)

    @property
    def records(self) -> SqlRecords:
        """Content, events, settings and facts."""
        return SqlRecords(self.link, self.places, self.index)

    @property
    def kept(self) -> SqlKept:
        """Stored rows as an audit compares them."""
        return SqlKept(self.link)

    def commit(self) -> None:
        """Make it last; nothing can be done in this transaction afterwards."""
        held = self._open()
        try:
            held.driver.execute("COMMIT")
        except DRIVER_ERRORS as error:
            raise explain(error) from None
        self._end(held, broken=False)

    def _open(self) -> Held:
        if self._held is None:
            raise RuntimeError("this transaction is over")
        return self._held

    def _end(self, held: Held, broken: bool) -> None:
        self._held = None
        self.link.close()
        self._connections.give(held, broken)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        held = self._held
        if held is None:
            return
        broken = False
        try:
            # psycopg forgets its prepared statements at a ROLLBACK, and a read has nothing to undo
            held.driver.execute("COMMIT" if kind is None and not self._write else "ROLLBACK")
        except DRIVER_ERRORS:
            broken = True  # the driver rolled back by itself, or the connection is gone
        self._end(held, broken)


class SqlStore:
    """`core.ports.Store` over SQLite or PostgreSQL. May be used by several threads at once."""

    def __init__(self, connections: Connections, read_only: bool = False) -> None:
        self._connections = connections
        self._memory = Memory()
        self._registered: set[str] = set()
        self.read_only = read_only

    def read(self) -> AbstractContextManager[Tx]:
        """A read-only snapshot; never waits for writers."""
        return SqlTx(self._connections, self._memory, write=False)

    def write(self, patience: timedelta | None = None) -> AbstractContextManager[Tx]:
        """A transaction that takes the write lock at begin (SQLite) or row locks (PostgreSQL).

        Waits for a lock at most `patience`, the busy time-out when None.
        """
        return SqlTx(self._connections, self._memory, write=True, patience=patience)

    def register_process(self, process_id: str, fingerprint: str, now: datetime) -> None:
        """Record that a process lives (call at least once a minute).

        Raises StorageError while another process with another analysis fingerprint was seen within 180 s.
        """
        with SqlTx(self._connections, self._memory, write=True) as tx:
            other = processes.register(tx.link, process_id, fingerprint, now)
            tx.commit()
        if other is not None:
            raise processes.refusal(other)
        self._registered.add(process_id)

    def living_processes(self, now: datetime) -> int:
        """How many processes are registered and were seen within 180 s."""
        with SqlTx(self._connections, self._memory, write=False) as tx:
            return processes.living(tx.link, now)

    def unregister_process(self, process_id: str) -> None:
        """Forget a process that ends; nothing is done for one that was not registered here."""
        if process_id not in self._registered:
            return
        with SqlTx(self._connections, self._memory, write=True) as tx:
            processes.unregister(tx.link, process_id)
            tx.commit()
        self._registered.discard(process_id)

    def release_thread(self) -> None:
        """Close what the calling thread keeps open, before it ends."""
        if isinstance(self._connections, ThreadConnections):
            self._connections.release()

    def close(self) -> None:
        """Close every connection. No transaction may be open; later use raises StorageError."""
        self._connections.close()


def open_store(
    url: str, *, schema: str = "", busy_timeout: float = BUSY_TIMEOUT, migrate: bool | None = None
) -> SqlStore:
    """Open the store at `sqlite:///path` or `postgresql://…`, at the schema version of this program.

    `migrate` None brings a SQLite file up to date and refuses an older PostgreSQL schema; True upgrades both,
    False neither. `busy_timeout` is in seconds; `schema` names a PostgreSQL schema other than the default.
    A SQLite file that this process may only read is opened for reading: each write transaction raises.
    Raises StorageError when the store cannot be opened, or is of a newer program (then it is not touched).
    """
    target = parse_url(url, schema)
    if target.sqlite and only_readable(target.path):
        target, migrate = replace(target, read_only=True), False
    if migrate if migrate is not None else target.sqlite:
        upgrade.upgrade(url, schema=schema, busy_timeout=busy_timeout)
    else:
        upgrade.check(target)
    engine = make_engine(target, busy_timeout)
    connections = ThreadConnections(engine, busy_timeout) if target.sqlite else PooledConnections(engine)
    return SqlStore(connections, target.read_only)

"""Takes out what keeps races apart, in this process only: to show that the race tests can fail.

SQLite: a write transaction begins at its first write instead of at once (what the driver does by default) and
the update is not guarded. PostgreSQL: rows are read without a lock and the update is not guarded.
"""

from collections.abc import Callable
from typing import Any

from storage import connections, link, unit_of_work
from storage.repositories import goals, intents, operations, timed


def install() -> None:
    """Patch the storage layer of this process."""
    _begin_late()
    guarded = "WHERE key = ? AND version = ?"
    unguarded = "WHERE key = ? AND CAST(? AS bigint) > 0"
    names = ", ".join(f"{name} = ?" for name in intents.mapping.INTENT_MUTABLE)
    statement = f"UPDATE standing_intents SET {names}, version = ? "
    assert link.sql(statement + guarded) == intents.UPDATE, "the guard is not where this test looks for it"
    intents.UPDATE = link.sql(statement + unguarded)
    intents.LOCK = link.sql("SELECT key FROM standing_intents WHERE key IN ?bigint[]")
    names = ", ".join(f"{name} = ?" for name in timed.table.MUTABLE)
    statement = f"UPDATE timed_reminders SET {names}, version = ? "
    assert link.sql(statement + guarded) == timed.UPDATE, "the guard is not where this test looks for it"
    timed.UPDATE = link.sql(statement + unguarded)
    timed.LOCK = link.sql("SELECT key FROM timed_reminders WHERE key IN ?bigint[]")
    names = ", ".join(f"{name} = ?" for name in goals.table.MUTABLE)
    statement = f"UPDATE goal_intents SET {names}, version = ? "
    assert link.sql(statement + guarded) == goals.UPDATE, "the guard is not where this test looks for it"
    goals.UPDATE = link.sql(statement + unguarded)
    operations.LOCK = link.sql("SELECT id FROM namespaces WHERE id IN ?text[]")


def _begin_late() -> None:
    begin = connections.ThreadConnections.begin
    run, run_each, insert = link.Link.run, link.Link.run_each, link.Link.insert

    def begin_nothing(self: Any, write: bool, _patience: Any = None) -> Any:
        held = begin(self, False)
        if write:
            held.driver.execute("ROLLBACK")
        return held

    def first(work: Any) -> Any:
        def late(self: Any, *arguments: Any) -> Any:
            if self.sqlite and not self._driver.in_transaction:
                self._driver.execute("BEGIN IMMEDIATE")
            return work(self, *arguments)

        return late

    connections.ThreadConnections.begin = begin_nothing  # type: ignore[method-assign]
    for name, work in (("run", run), ("run_each", run_each), ("insert", insert)):
        setattr(link.Link, name, first(work))


def tear(mark: Callable[[bytes], object]) -> None:
    """Take out transactions: every statement is on its own, so that a kill leaves half of what belongs together.

    `s` is marked after each statement that writes: an instant at which something is half done.
    """
    run = link.Link.run

    def marked(self: Any, *arguments: Any) -> Any:
        written = run(self, *arguments)
        mark(b"s")
        return written

    link.Link.run = marked  # type: ignore[method-assign]
    for connection in (connections.ThreadConnections, connections.PooledConnections):
        _begin_and_end(connection)

    def commit(self: Any) -> None:
        self._end(self._open(), broken=False)

    unit_of_work.SqlTx.commit = commit  # type: ignore[method-assign]


def _begin_and_end(kind: Any) -> None:
    begin = kind.begin

    def begin_nothing(self: Any, write: bool, patience: Any = None) -> Any:
        held = begin(self, write, patience)
        if write:
            held.driver.execute("ROLLBACK")
        return held

    kind.begin = begin_nothing

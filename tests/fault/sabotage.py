"""Takes out what keeps races apart, in this process only: to show that the race tests can fail.

SQLite: a write transaction begins at its first write instead of at once (what the driver does by default) and
the update is not guarded. PostgreSQL: rows are read without a lock and the update is not guarded.
"""

from typing import Any

from storage import connections, link
from storage.repositories import intents, operations


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
    operations.LOCK = link.sql("SELECT id FROM namespaces WHERE id IN ?text[]")


def _begin_late() -> None:
    begin = connections.ThreadConnections.begin
    run, run_each, insert = link.Link.run, link.Link.run_each, link.Link.insert

    def begin_nothing(self: Any, write: bool) -> Any:
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

"""Locking and writing a row of timed reminders."""

from core.catalogue import say
from core.errors import StorageError
from core.ports import Tx
from core.timed.reminder import TimedReminder

TARGET_TYPE = "timed_reminder"
"""What operations call it."""


def lock_row(tx: Tx, found: TimedReminder) -> TimedReminder:
    """The authoritative row behind one that was looked up, locked with its chain. StorageError when it is gone."""
    rows = tx.timed.by_keys([found.key], lock=True)
    if not rows:
        raise _raced(found)
    tx.operations.lock([found.namespace_id])
    return rows[0]


def store_change(tx: Tx, old: TimedReminder, new: TimedReminder) -> None:
    """Write a changed row. StorageError on a lost race."""
    if not tx.timed.update(old, new):
        raise _raced(old)


def _raced(row: TimedReminder) -> StorageError:
    return StorageError(say("intent.raced", handle=row.handle), say("intent.raced.hint"), retry=True)

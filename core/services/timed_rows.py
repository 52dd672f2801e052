"""Locking and writing a row of timed reminders."""

from core.catalogue import say
from core.errors import StorageError
from core.operations.log import OpType
from core.ports import Tx
from core.services.context import Context
from core.services.record import log, maybe_micros
from core.standing.intent import OutboxState
from core.timed.reminder import TimedReminder, cancelled
from core.turn import Actor

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


def cancel_row(ctx: Context, tx: Tx, old: TimedReminder, actor: Actor, reason: str = "") -> TimedReminder:
    """Cancel a locked row and drop what it owes: one EDITED. Raises InvalidTransition when it is over, StorageError."""
    now, new = ctx.clock.now(), cancelled(old)
    store_change(tx, old, new)
    dropped = old.outbox_id is not None and tx.outbox.mark(old.outbox_id, OutboxState.FAILED, now)
    payload = {
        "status": [str(old.status), str(new.status)],
        "due_at": [maybe_micros(old.due_at), None],
        "dropped": dropped,
    } | ({"reason": reason} if reason else {})
    log(tx, ctx.ids, now, actor, OpType.EDITED, old.namespace_id, old.id, payload, TARGET_TYPE)
    return new


def _raced(row: TimedReminder) -> StorageError:
    return StorageError(say("intent.raced", handle=row.handle), say("intent.raced.hint"), retry=True)

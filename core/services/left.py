"""The mark of a space that the bot was removed from, and the queue of those whose texts are to be erased.

Two facts a space: when the bot left, and a place in the queue by that time until the texts are gone.
"""

from datetime import datetime, timedelta

from core.operations.log import OpType
from core.ports import Tx
from core.services.context import Context
from core.services.record import EPOCH, MICROSECOND, log, micros
from core.turn import Actor

MARK, QUEUE, END = "left.", "left-queue.", "left-queue/"
DIGITS = 20


def left_at(tx: Tx, space: int) -> datetime | None:
    """When the bot was removed from a space; None while it is there."""
    stored = tx.records.fact(f"{MARK}{space}")
    return None if stored is None else EPOCH + int(stored) * MICROSECOND


def mark_left(ctx: Context, tx: Tx, space: int, at: datetime, actor: Actor) -> None:
    """Mark a space, with one operation; the caller holds its chain. One that is marked keeps its time."""
    if left_at(tx, space) is None:
        tx.records.put_fact(f"{MARK}{space}", str(micros(at)))
        tx.records.put_fact(_queued(space, at), "")
        _log(ctx, tx, space, None, micros(at), actor)


def mark_back(ctx: Context, tx: Tx, space: int, actor: Actor) -> bool:
    """Take the mark away, with one operation; the caller holds the chain. False when there was none."""
    at = left_at(tx, space)
    if at is None:
        return False
    tx.records.drop_fact(f"{MARK}{space}")
    tx.records.drop_fact(_queued(space, at))
    _log(ctx, tx, space, micros(at), None, actor)
    return True


def due_to_erase(tx: Tx, now: datetime, wait: timedelta) -> int:
    """The space that the bot left first of those whose texts still stand `wait` or longer after; 0 for none."""
    found = tx.records.facts(QUEUE, END, 1)
    if not found:
        return 0
    at, space = map(int, found[0][0].removeprefix(QUEUE).split("."))
    return space if EPOCH + at * MICROSECOND + wait <= now else 0


def erased(tx: Tx, space: int) -> None:
    """Nothing is left to erase in a space; the mark stays."""
    at = left_at(tx, space)
    if at is not None:
        tx.records.drop_fact(_queued(space, at))


def _queued(space: int, at: datetime) -> str:
    return f"{QUEUE}{micros(at):0{DIGITS}}.{space}"


def _log(ctx: Context, tx: Tx, space: int, old: int | None, new: int | None, actor: Actor) -> None:
    payload = {"setting": "left", "from": old, "to": new}
    now, namespace = ctx.clock.now(), tx.places.get(space).namespace_id
    log(tx, ctx.ids, now, actor, OpType.NAMESPACE_POLICY_UPDATE, namespace, str(space), payload, "space")

"""Settling fires: delivered once the platform accepted the message, refunded when sending failed for good."""

from dataclasses import dataclass, replace
from datetime import datetime

from core.catalogue import say
from core.errors import StorageError
from core.operations.log import OpType
from core.ports import Tx
from core.services.context import Context
from core.services.receive_turn import reminder_of
from core.services.record import log, maybe_micros
from core.services.refile import refile
from core.standing import lifecycle
from core.standing.intent import INDEXED, Fire, FireState, OutboxItem, OutboxState
from core.standing.outcome import Reminder
from core.turn import SYSTEM, Where

PENDING_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class ConfirmDelivery:
    """Record what became of a reserved fire. Each answers False when the fire was settled before."""

    ctx: Context

    def delivered(self, fire_id: str) -> bool:
        """The platform accepted the message (or the reply that carried the block)."""
        with self.ctx.store.write() as tx:
            now = self.ctx.clock.now()
            fire = tx.fires.get(fire_id)
            intent = tx.intents.by_id(fire.intent_id) if fire is not None else None
            if fire is None or intent is None:
                return False
            tx.operations.lock([intent.namespace_id])
            if not tx.fires.settle(fire_id, FireState.DELIVERED, now):
                return False
            close_outbox(tx, fire, OutboxState.SENT, now)
            payload = {"fire": fire.id}
            log(tx, self.ctx.ids, now, SYSTEM, OpType.DELIVERED, intent.namespace_id, intent.id, payload)
            tx.commit()
            return True

    def failed(self, fire_id: str, why: str) -> bool:
        """Sending failed for good: the fire is refunded. `why` is a short code for the log."""
        with self.ctx.store.write() as tx:
            now = self.ctx.clock.now()
            fire = tx.fires.get(fire_id)
            done = fire is not None and refund(self.ctx, tx, fire, now, why)
            if done:
                tx.commit()
            return done


def close_outbox(tx: Tx, fire: Fire, state: OutboxState, now: datetime) -> None:
    """Close the message that carried a fire, if the bot owed one."""
    item = tx.outbox.of_fire(fire.id)
    if item is not None:
        tx.outbox.mark(item.id, state, now)


def refund(ctx: Context, tx: Tx, fire: Fire, now: datetime, why: str) -> bool:
    """Give a reserved fire back to its intent, in the caller's transaction; False when it was settled before."""
    [old] = tx.intents.by_keys([fire.intent_key], lock=True)
    tx.operations.lock([old.namespace_id])
    if not tx.fires.settle(fire.id, FireState.REFUNDED, now):
        return False
    close_outbox(tx, fire, OutboxState.FAILED, now)
    new = lifecycle.refunded(old, tx.fires.newest_kept(old.key), now)
    if new is not old:
        if not tx.intents.update(old, new):
            raise StorageError(say("intent.raced", handle=old.handle), say("intent.raced.hint"), retry=True)
        if new.status in INDEXED and old.status not in INDEXED:
            refile(ctx, tx, new, refuse_crowds=False)
    payload = {
        "fire": fire.id,
        "why": why,
        "from": str(old.status),
        "to": str(new.status),
        "fire_count": new.fire_count,
        "last_fired_at": [maybe_micros(old.last_fired_at), maybe_micros(new.last_fired_at)],
    }
    log(tx, ctx.ids, now, SYSTEM, OpType.REFUNDED, old.namespace_id, old.id, payload)
    return True


@dataclass(frozen=True, slots=True)
class PendingReminders:
    """Reminders that a place is still owed (the process ended between reserving and sending), oldest first."""

    ctx: Context

    def __call__(self, where: Where) -> tuple[Reminder, ...]:
        with self.ctx.store.read() as tx:
            spot = tx.places.find(where)
            if not spot.conversation:
                return ()
            items = tx.outbox.live([spot.conversation], PENDING_AT_ONCE)
            found = (_late(tx, item) for item in items)
            return tuple(reminder for reminder in found if reminder is not None)


def _late(tx: Tx, item: OutboxItem) -> Reminder | None:
    fire = tx.fires.get(item.fire_id) if item.fire_id is not None else None
    intent = tx.intents.by_id(fire.intent_id) if fire is not None else None
    if fire is None or intent is None or fire.state is not FireState.RESERVED:
        return None
    return replace(reminder_of(intent, fire, item), late_since=fire.fired_at)
